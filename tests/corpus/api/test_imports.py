import io
import json
import time
import zipfile
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

from corpus.models import CorpusImport, Sentence
from jobs.services import running
from jobs.services.running import run_here

IMPORTS = "/api/v1/projects/dams/imports/"


def line(cluster, *texts):
    articles = [
        {"id": f"{cluster}-{n}", "source": f"outlet {n}", "text": text} for n, text in enumerate(texts)
    ]
    return json.dumps({"cluster_id": cluster, "articles": articles})


FILE = (
    line("dam", "The dam broke. Nobody was hurt.", "A dam has broken.")
    + "\n"
    + line("vote", "The bill passed.", "Lawmakers passed the bill.")
    + "\n"
).encode()


def send(client, body, query=""):
    return client.generic("POST", IMPORTS + query, body, content_type="application/x-ndjson")


def send_form(client, body, query=""):
    file = io.BytesIO(body)
    file.name = "dams.jsonl"
    return client.post(IMPORTS + query, {"file": file}, format="multipart")


@pytest.mark.parametrize("sent", [send, send_form])
def test_a_file_is_imported(people, sent):
    before = set(Path(settings.UPLOADS_DIR).iterdir())
    answer = sent(people.client("manager"), FILE, "?filename=raw.jsonl" if sent is send else "")
    assert answer.status_code == 201
    assert answer.data["state"] == "imported"
    assert answer.data["counts"]["articles_added"] == 4
    assert answer.data["problems"] == []
    assert Sentence.objects.count() == 5
    stored = people.client("viewer").get(IMPORTS).data["items"]
    name = "raw.jsonl" if sent is send else "dams.jsonl"
    assert [(entry["filename"], entry["imported_by"]) for entry in stored] == [(name, "manager")]
    assert set(Path(settings.UPLOADS_DIR).iterdir()) == before


def test_a_large_body_is_streamed(people, settings):
    """However little of a request Django would keep in memory."""
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000
    rows = (
        line(f"c{n}", f"Dam number {n} broke. " * 100, f"Number {n} of the dams has broken.")
        for n in range(12)
    )
    body = "\n".join(rows).encode()
    assert len(body) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    answer = send(people.client("manager"), body, "?check=1")
    assert answer.status_code == 200
    assert answer.data["counts"]["clusters"] == 12


def test_nothing_is_parsed_in_a_request_and_a_busy_worker_is_202(people, monkeypatch):
    monkeypatch.setattr(running, "wait_for", lambda job, *, seconds: False)
    client = people.client("manager")
    attributes = " ".join(f"a{number}=1" for number in range(100_000))
    page = f"<body><p {attributes}>The dam broke.</p>"
    sent = SimpleUploadedFile("pages.zip", zipped({"dam/a.html": page, "dam/b.html": page}))
    answer = client.post(IMPORTS, {"file": sent}, format="multipart")
    assert (answer.status_code, answer.data["state"]) == (202, "checking")
    source = CorpusImport.objects.get()
    assert source.job is not None and source.job.state == "queued"
    start = time.process_time()
    run_here(job=source.job)
    assert time.process_time() - start < 30
    told = client.get(f"{IMPORTS}{source.pk}/").data
    assert told["state"] == "refused"
    assert [problem["file"] for problem in told["problems"]] == ["dam/a.html", "dam/b.html"]
    assert all("attributes" in problem["message"] for problem in told["problems"])

    answer = send(client, FILE)
    assert answer.status_code == 202
    source = CorpusImport.objects.get(pk=answer.data["id"])
    while source.job is not None and source.job.active:
        run_here(job=source.job)
        source = CorpusImport.objects.get(pk=source.pk)
    assert client.get(f"{IMPORTS}{source.pk}/").data["state"] == "imported"


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()
