"""Studies of matching: uploaded, scored by a job, shown, downloaded; refused when files are wrong."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from corpus.models import MatchingStudy
from corpus.services import matching_studies as service
from jobs.models import JobState
from jobs.services.ledger import cancel_job, retry_job
from jobs.services.running import run_here

FIRST = b"id\ttext\na1\tThe harbour lay quiet.\na2\tTwo boats came in at dawn.\na3\tNobody spoke.\n"
SECOND = b"id\ttext\nb1\tQuiet lay the harbour.\nb2\tAt dawn two boats came in, laden.\nb3\tWhy?\n"
KEY = b"ours\ttheirs\na1\tb1\na2\tb2,b3\na3\t-\n"


def form(**fields: Any) -> dict[str, Any]:
    files = {"first": FIRST, "second": SECOND, "key": KEY}
    files = {name: fields.pop(name, content) for name, content in files.items()}
    sent = {name: SimpleUploadedFile(f"{name}.tsv", content) for name, content in files.items() if content}
    return {
        "name": "harbour",
        "permutations": ["16", "64"],
        "seed": "1",
        "stop_words": "the",
        **sent,
        **fields,
    }


def launched(house, **fields: Any) -> MatchingStudy:
    sent = house.manager.post(house.url("candidates/studies/new/"), form(**fields))
    study = MatchingStudy.objects.latest("pk")
    assert sent.headers["Location"] == house.url(f"candidates/studies/{study.pk}/")
    return study


def test_a_study_is_launched_followed_and_shown(house) -> None:
    assert "No study yet" in house.manager.get(house.url("candidates/studies/")).content.decode()
    study = launched(house)
    address = house.url(f"candidates/studies/{study.pk}/")
    assert "Waiting for a worker" in house.manager.get(address).content.decode()
    assert house.manager.get(f"{address}table/").status_code == 404
    assert study.texts is not None
    run_here(job=study.job)
    assert (study.job.state, study.job.error) == (JobState.DONE, "")
    study.refresh_from_db()
    assert study.texts is None
    assert study.figures["key"] == {"pairs": 3, "rows": 2}
    assert list(study.ordered_figures["quality"]) == ["exact", "16", "64"]
    page = house.viewer.get(address).content.decode()
    assert page.count("<svg") == 6
    assert '<th scope="row">m = 16</th>' in page
    assert "style=" not in page
    listed = house.viewer.get(house.url("candidates/studies/")).content.decode()
    assert "<bdi>harbour</bdi>" in listed


def test_tables_and_plots_come_as_files(house) -> None:
    study = launched(house, second=None, first=FIRST + SECOND.split(b"\n", 1)[1])
    run_here(job=study.job)
    address = house.url(f"candidates/studies/{study.pk}/")
    answer = house.viewer.get(f"{address}table/")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert len(rows) == 3 * 2 * 91
    exact = next(row for row in rows if row["method"] == "exact" and row["threshold"] == "0.33")
    assert (exact["partners"], exact["proposed"], exact["right"]) == ("any", "2", "2")
    assert len(house.viewer.get(f"{address}table/?name=times").content.splitlines()) == 16
    for name in ("quality-exact", "scatter-64", "times"):
        picture = house.viewer.get(f"{address}plot/?name={name}")
        assert picture.headers["Content-Type"] == "image/svg+xml"
        ET.fromstring(picture.content)
    for missing in ("table/?name=secrets", "plot/?name=scatter-exact"):
        assert house.viewer.get(f"{address}{missing}").status_code == 404


def test_a_cancelled_study_keeps_its_texts_until_it_is_done(house) -> None:
    study = launched(house)
    cancel_job(job=study.job)
    retry_job(job=study.job)
    run_here(job=study.job)
    study.refresh_from_db()
    assert study.texts is None
    back = house.manager.post(house.url(f"jobs/{study.job_id}/cancel/"))
    assert back.headers["Location"] == house.url(f"candidates/studies/{study.pk}/")


def test_a_study_is_deleted_with_its_texts_unless_it_runs(house) -> None:
    study = launched(house)
    address = house.url(f"candidates/studies/{study.pk}/")
    removal = house.url(f"remove/matching-study/{study.pk}/")
    assert "Cancel it first" in house.manager.post(removal, {"delete": "yes"}, follow=True).content.decode()
    cancel_job(job=study.job)
    assert removal in house.manager.get(address).content.decode()
    answer = house.manager.post(removal, {"delete": "yes"})
    assert answer.headers["Location"] == house.url("candidates/studies/")
    assert not MatchingStudy.objects.exists()
    assert not house.project.jobs.filter(kind=service.KIND).exists()


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"first": b"id\ttext\na1\tOne.\na1\tTwo.\n"}, "line 3: The id &#x27;a1&#x27; is also on line 2"),
        ({"second": b"id\ttext\na1\tOne.\n"}, "has the id &#x27;a1&#x27; too"),
        ({"key": b"a1\tnobody\n"}, "key.tsv, line 1: There is no text with the id &#x27;nobody&#x27;"),
        ({"key": b"\xff\xfe\x00"}, "key.tsv"),
        ({"name": " "}, "This field is required"),
        ({"permutations": []}, "This field is required"),
        ({"permutations": ["17"]}, "17 is not one of the available choices"),
        ({"first": None}, "This field is required"),
    ],
)
def test_what_cannot_be_used_is_told_beside_its_field(house, fields: dict[str, Any], told: str) -> None:
    answer = house.manager.post(house.url("candidates/studies/new/"), form(**fields))
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert not MatchingStudy.objects.exists()
    assert not house.project.jobs.filter(kind=service.KIND).exists()


def test_a_taken_name_and_too_many_texts(house, monkeypatch) -> None:
    launched(house)
    again = house.manager.post(house.url("candidates/studies/new/"), form())
    assert "A study called" in again.content.decode()
    monkeypatch.setattr(service, "MAX_COMPARISONS", 8)
    many = house.manager.post(house.url("candidates/studies/new/"), form(name="more"))
    assert "There are 9 pairs of texts; at most 8 are allowed" in many.content.decode()


def test_larger_files_than_can_come(house, monkeypatch) -> None:
    monkeypatch.setattr("corpus.views.uploads.MEGABYTES_AT_MOST", 0)
    answer = house.manager.post(house.url("candidates/studies/new/"), form())
    assert answer.status_code == 422
    assert "These files are larger than" in answer.content.decode()
    monkeypatch.setattr("corpus.api.matching_studies.MatchingStudiesView.max_bytes", 0)
    api = house.manager.post(f"/api/v1/projects/{house.project.slug}/matching-studies/", form())
    assert api.status_code == 413
    monkeypatch.undo()
    monkeypatch.setattr(service, "MAX_BYTES", 10)
    told = house.manager.post(house.url("candidates/studies/new/"), form()).content.decode()
    assert "first.tsv is larger than" in told
    assert not MatchingStudy.objects.exists()


def test_the_api_launches_and_gives_the_figures(house) -> None:
    api = f"/api/v1/projects/{house.project.slug}/matching-studies/"
    answer = house.manager.post(api, form(permutations=[16]))
    assert answer.status_code == 201
    study = MatchingStudy.objects.get(pk=answer.json()["id"])
    run_here(job=study.job)
    assert house.viewer.get(api).json()["items"][0]["state"] == "done"
    found = house.viewer.get(f"/api/v1/matching-studies/{study.pk}/").json()
    assert found["figures"]["quality"]["exact"]["best"]["precision"] == 1.0
    refused = house.manager.post(api, form(name="wrong", key=b"a1\tnobody\n"))
    assert refused.status_code == 400
    assert "nobody" in str(refused.json())


def test_the_command_writes_tables_and_plots(tmp_path, capsys) -> None:
    for name, content in (("a", FIRST), ("b", SECOND), ("key", KEY)):
        (tmp_path / name).write_bytes(content)
    a, b, key, output = (str(tmp_path / name) for name in ("a", "b", "key", "out"))
    call_command("study_matching", a, b, "--key", key, "--permutations", "16", "--output", output)
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "curves.csv", "quality-16.svg", "quality-exact.svg", "scatter-16.svg", "scatter.csv", "times.csv",
        "times.svg",
    ]  # fmt: skip
    assert capsys.readouterr().out.splitlines()[1].startswith("exact\t80.0 (")
    with pytest.raises(CommandError, match="nobody"):
        (tmp_path / "key").write_text("a1\tnobody\n")
        call_command("study_matching", a, b, "--key", key, "--output", output)
