"""The Python client and the example in the docs, against a real server."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from client import paragold_client
from client.paragold_client import Job, Paragold, ParagoldError
from corpus.models import Article, Finding
from docs.examples import corpus_to_pairs
from jobs.models import ACTIVE
from jobs.models import Job as StoredJob
from jobs.services.running import run_here
from projects.models import Project
from tests.factories.corpus import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db(transaction=True)
DEMO = Path(settings.BASE_DIR) / "demo" / "corpus.jsonl"


def work(seconds: float) -> None:
    """What a worker does while the client waits."""
    for job in StoredJob.objects.filter(state__in=ACTIVE).order_by("pk"):
        run_here(job=job)


class WithWorker(Paragold):
    def __init__(self, address: str, token: str = "", **options: Any) -> None:
        super().__init__(address, token, sleep=work, **options)


@pytest.fixture
def manager() -> Any:
    return UserFactory(username="manager", is_superuser=True)


@pytest.fixture
def client(live_server: Any, manager: Any) -> Paragold:
    return WithWorker.log_in(live_server.url, "manager", PASSWORD)


def test_from_articles_to_pairs(client: Paragold, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paragold_client, "PIECE", 10_000)
    client.create_project("dams", "Dams", held_out_share=0.2)
    imported = client.import_file("dams", DEMO)
    assert (imported["state"], imported["counts"]["articles_added"]) == ("imported", Article.objects.count())
    assert client.import_file("dams", DEMO)["state"] == "unchanged"
    told: list[Job] = []
    extraction = client.extract("dams", "L12")
    done = client.wait(extraction["job"], report_progress=told.append)
    assert [one["state"] for one in told] == ["queued", "done"]
    [dataset] = client.datasets("dams")
    assert dataset["size"] == Finding.objects.count() > 0
    assert done["done"] == done["total"]
    export = client.export_dataset("dams", dataset["id"], formats=["tsv"])
    with zipfile.ZipFile(client.download(export, tmp_path / "pairs.zip")) as archive:
        assert archive.read("pairs.tsv").count(b"\n") == dataset["size"] + 1
    assert len(list(client.pages("projects/dams/pairs/", limit=50))) == dataset["size"]


def test_vectors_are_sent(client: Paragold, tmp_path: Path) -> None:
    client.create_project("dams", "Dams")
    (tmp_path / "vectors.txt").write_bytes(b"dam 3 4\n")
    made = client.import_lexicon("dams", tmp_path / "vectors.txt", "vectors", "news")
    assert (made["size"], made["figures"], made["requested_by"]) == (1, {"dimensions": 2}, "manager")
    assert made["parameters"] == {"filename": "vectors.txt"}
    (tmp_path / "vectors.txt").write_bytes(b"dam 3 x\n")
    with pytest.raises(ParagoldError, match=r"vectors\.txt, line 1, column 7"):
        client.import_lexicon("dams", tmp_path / "vectors.txt", "vectors", "news")


def test_what_is_refused_is_told_in_words(client: Paragold, tmp_path: Path) -> None:
    client.create_project("dams", "Dams")
    with pytest.raises(ParagoldError, match="exists") as refused:
        client.create_project("dams", "Dams")
    assert refused.value.status == 400
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{}\n")
    with pytest.raises(ParagoldError) as found:
        client.import_file("dams", bad)
    assert (found.value.status, found.value.fields["problems"][0]["line"]) == (422, 1)
    with pytest.raises(ParagoldError, match="404"):
        client.get("projects/nowhere/")


def test_a_token_of_a_smaller_scope_is_made_for_another_program(client: Paragold, live_server: Any) -> None:
    reader = Paragold(live_server.url, client.make_token("figures", scope="read", days=2))
    assert [one["name"] for one in reader.pages("auth/tokens/")] == ["Login", "figures"]
    with pytest.raises(ParagoldError, match="scope of this token is read"):
        reader.create_project("dams", "Dams")
    for token in client.pages("auth/tokens/", limit=1):
        if token["name"] == "figures":
            client.delete(f"auth/tokens/{token['id']}/")
    with pytest.raises(ParagoldError, match="401"):
        reader.get("projects/")


def test_a_job_that_failed_is_an_error(client: Paragold) -> None:
    client.create_project("dams", "Dams")
    client.import_file("dams", DEMO)
    job = client.extract("dams", "L12")["job"]
    client.post(f"jobs/{job['id']}/cancel/")
    with pytest.raises(ParagoldError, match="cancelled"):
        client.wait(job)


def test_the_example_of_the_docs(
    live_server: Any, manager: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setenv("PARAGOLD_PASSWORD", PASSWORD)
    output = tmp_path / "pairs.zip"
    monkeypatch.setattr(corpus_to_pairs, "Paragold", WithWorker)
    monkeypatch.setattr(corpus_to_pairs, "ParagoldError", ParagoldError)
    arguments = [live_server.url, "manager", str(DEMO), str(output)]
    assert corpus_to_pairs.main(arguments) == 0
    assert "pairs in" in capsys.readouterr().out
    assert zipfile.is_zipfile(output)
    assert Project.objects.get().slug == "example"
    assert corpus_to_pairs.main(arguments) == 4
    assert "exists" in capsys.readouterr().err


def test_the_example_says_in_one_line_what_is_wrong(
    live_server: Any,
    manager: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PARAGOLD_PASSWORD", PASSWORD)
    Project.objects.create(slug="example", name="Example", created_by=manager)
    here = [live_server.url, "manager", str(DEMO), str(tmp_path / "pairs.zip")]
    for code, given in (
        (2, [*here[:2], str(tmp_path / "missing.jsonl"), here[3]]),
        (3, ["http://127.0.0.1:1", *here[1:]]),
        (4, here),
    ):
        assert corpus_to_pairs.main(given) == code
        shown = capsys.readouterr()
        assert len(shown.err.splitlines()) == 1, shown.err
        assert shown.out == ""
