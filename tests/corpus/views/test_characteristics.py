from __future__ import annotations

import re

from corpus.models import CandidatePair
from corpus.services.datasets import freeze_dataset
from tests.factories.corpus import ProjectFactory, dataset_of, member
from tests.factories.house import client_of


def test_datasets_stand_side_by_side(house):
    other = dataset_of(house.project, 2, name="50% <other>")
    url = house.url("candidates/characteristics/")
    assert url in house.viewer.get(house.url("candidates/")).content.decode()
    page = house.viewer.get(url).content.decode()
    assert "50% &lt;other&gt;" in page and "<other>" not in page
    assert '<td class="num">6</td><td class="num">2</td>' in page
    assert len(re.findall(r'<rect class="bar"', page)) == 2 and "In these datasets only" in page
    picture = house.viewer.get(url, {"svg": "overlap"})
    assert picture["Content-Type"] == "image/svg+xml" and b"50% &lt;other" in picture.content
    alone = house.viewer.get(f"{url}?dataset={other.pk}").content.decode()
    assert f'value="{other.pk}" checked' in alone and f'value="{house.dataset.pk}" checked' not in alone
    assert "<rect" not in alone


def test_the_table_is_given_as_a_file(house):
    url = house.url("candidates/characteristics/")
    latex = house.viewer.get(f"{url}?format=latex")
    assert latex["Content-Type"].startswith("application/x-tex") and b"\\begin{tabular}{lr}" in latex.content
    table = house.viewer.get(f"{url}?format=csv")
    assert "attachment" in table["Content-Disposition"] and "dams-characteristics.csv" in str(table.headers)
    assert table.content.decode().splitlines()[1] == "Corpus size (pairs),6"


def test_without_a_dataset_the_page_names_the_next_step(db):
    project = ProjectFactory(slug="floods")
    page = client_of(member(project, "manager", "mira")).get("/projects/floods/candidates/characteristics/")
    assert "There is no dataset yet" in page.content.decode()


def test_no_more_than_eight_stand_side_by_side(house):
    extraction = house.dataset.extractions.get()
    for number in range(9):
        freeze_dataset(project=house.project, name=f"set {number}", extractions=[extraction])
    page = house.viewer.get(house.url("candidates/characteristics/?dataset=x&dataset=99999")).content.decode()
    assert "the 2 oldest of those chosen are left out" in page
    assert page.count('scope="col" class="num"><a') == 8


def test_the_api_gives_the_same(house):
    CandidatePair.objects.filter(pk=house.dataset.pairs().first().pk).update(edit_distance=2)
    other = dataset_of(house.project, 1)
    url = f"/api/v1/projects/dams/characteristics/?datasets={house.dataset.pk},{other.pk}"
    answer = house.viewer.get(url).json()
    assert [item["pairs"] for item in answer["items"]] == [6, 1]
    assert answer["items"][0]["distance_least"] == 2 and answer["items"][0]["distance_greatest"] == 8
    assert answer["overlaps"] == [
        {"datasets": [house.dataset.pk], "pairs": 6},
        {"datasets": [other.pk], "pairs": 1},
    ]
    for wrong in ("x", "99999", ",".join(str(pk) for pk in range(1, 10))):
        assert house.viewer.get(f"/api/v1/projects/dams/characteristics/?datasets={wrong}").status_code == 400
