import re

from tests.factories.corpus import dataset_of


def test_datasets_stand_side_by_side(house):
    other = dataset_of(house.project, 2, name="50% <other>")
    url = house.url("candidates/characteristics/")
    assert url in house.viewer.get(house.url("candidates/datasets/")).content.decode()
    page = house.viewer.get(url).content.decode()
    assert "50% &lt;other&gt;" in page and "<other>" not in page
    assert '<td class="num">6</td><td class="num">2</td>' in page
    assert len(re.findall(r'<rect class="bar"', page)) == 2 and "In these datasets only" in page
    picture = house.viewer.get(url, {"svg": "overlap"})
    assert picture["Content-Type"] == "image/svg+xml" and b"50% &lt;other" in picture.content
    alone = house.viewer.get(f"{url}?dataset={other.pk}").content.decode()
    assert f'value="{other.pk}" checked' in alone and f'value="{house.dataset.pk}" checked' not in alone
    assert "<rect" not in alone
