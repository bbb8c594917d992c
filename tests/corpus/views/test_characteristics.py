from __future__ import annotations

import re

from corpus.models import CandidatePair
from corpus.services.characteristics import selections_of
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


def test_programs_get_the_numbers_of_the_page(house):
    CandidatePair.objects.filter(pk=house.dataset.pairs().first().pk).update(edit_distance=2)
    other = dataset_of(house.project, 1)
    url = house.url("candidates/characteristics/?format=json")
    answer = house.viewer.get(f"{url}&dataset={house.dataset.pk}&dataset={other.pk}").json()
    assert [column["pairs"] for column in answer["datasets"]] == [6, 1]
    assert answer["datasets"][0]["distance_least"] == 2 and answer["datasets"][0]["distance_greatest"] == 8
    assert answer["datasets"][0]["asked"] == [selection.as_json() for selection in selections_of(other)]
    assert answer["overlaps"] == [
        {"datasets": [house.dataset.pk], "pairs": 6},
        {"datasets": [other.pk], "pairs": 1},
    ]
    assert house.viewer.get(url).json()["datasets"] == answer["datasets"][::-1], "the latest of all"
    for wrong in ("dataset=x", "dataset=99999", "&".join(f"dataset={pk}" for pk in range(1, 10)), "svg=1"):
        assert house.viewer.get(f"{url}&{wrong}").status_code == 400
