import urllib.request
import zipfile
from pathlib import Path

import pytest
from django.conf import settings

from alignment.models import WordLink
from annotation.models import Answer, Assignment, HandingOut, Judgement
from corpus.models import Article, Finding
from docs.examples import corpus_to_pairs
from jobs.models import ACTIVE, Job as StoredJob
from jobs.services.running import run_here
from paragold import client as client_module
from paragold.client import ApiError, Client, VersionConflict
from projects.models import Project
from tests.factories.corpus import PASSWORD, UserFactory, dataset_of
from tests.permissions.people import make_people

pytestmark = pytest.mark.django_db(transaction=True)
DEMO = Path(settings.BASE_DIR) / "demo" / "corpus.jsonl"


def work(seconds):
    """What a worker does while the client waits."""
    for job in StoredJob.objects.filter(state__in=ACTIVE).order_by("pk"):
        run_here(job=job)


class WithWorker(Client):
    def __init__(self, address, token="", **options):
        super().__init__(address, token, sleep=work, **options)


@pytest.fixture
def manager():
    return UserFactory(username="manager", is_superuser=True)


@pytest.fixture
def client(live_server, manager):
    return WithWorker.log_in(live_server.url, "manager", PASSWORD)


def test_from_articles_to_pairs(client, tmp_path, monkeypatch):
    monkeypatch.setattr(client_module, "PIECE", 10_000)
    client.create_project("dams", "Dams", held_out_share=0.2)
    imported = client.import_file("dams", DEMO)
    assert (imported["state"], imported["counts"]["articles_added"]) == ("imported", Article.objects.count())
    assert client.import_file("dams", DEMO)["state"] == "unchanged"
    told = []
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


def test_what_is_refused_is_told_in_words(client, tmp_path):
    client.create_project("dams", "Dams")
    with pytest.raises(ApiError, match="exists") as refused:
        client.create_project("dams", "Dams")
    assert refused.value.status == 400
    bad = tmp_path / "bad.jsonl"
    bad.write_text("{}\n")
    with pytest.raises(ApiError) as found:
        client.import_file("dams", bad)
    assert (found.value.status, found.value.fields["problems"][0]["line"]) == (422, 1)
    with pytest.raises(ApiError, match="404"):
        client.get("projects/nowhere/")


def test_the_example_of_the_docs(live_server, manager, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PARAGOLD_PASSWORD", PASSWORD)
    output = tmp_path / "pairs.zip"
    monkeypatch.setattr(corpus_to_pairs, "Client", WithWorker)
    monkeypatch.setattr(corpus_to_pairs, "ApiError", ApiError)
    arguments = [live_server.url, "manager", str(DEMO), str(output)]
    assert corpus_to_pairs.main(arguments) == 0
    assert "pairs in" in capsys.readouterr().out
    assert zipfile.is_zipfile(output)
    assert Project.objects.get().slug == "example"
    # It says in one line what is wrong: no file, no server, a project that exists.
    for code, given in (
        (2, [*arguments[:2], str(tmp_path / "missing.jsonl"), arguments[3]]),
        (3, ["http://127.0.0.1:1", *arguments[1:]]),
        (4, arguments),
    ):
        assert corpus_to_pairs.main(given) == code
        shown = capsys.readouterr()
        assert (len(shown.err.splitlines()), shown.out) == (1, ""), shown.err
    assert "exists" in shown.err


@pytest.fixture
def people():
    return make_people()


def log_in(live_server, username):
    return Client.log_in(live_server.url, username, PASSWORD, sleep=lambda seconds: None)


def draw(live_server, people, size, **more):
    """A batch of new pairs for the annotator, drawn through the client."""
    dataset = dataset_of(people.project, size).pk
    fields = {"name": "first", "dataset": dataset, "size": size, "annotators": ["annotator"], "overlap": 1}
    batch = log_in(live_server, "manager").launch("dams", "draw-judging-batch", **fields | more)["id"]
    return batch


@pytest.mark.parametrize("handing_out", HandingOut.values)
def test_a_whole_batch_is_judged_and_linked(live_server, people, handing_out):
    batch = draw(live_server, people, 105, handing_out=handing_out)
    manager, annotator = log_in(live_server, "manager"), log_in(live_server, "annotator")
    for number, item in enumerate(annotator.queue(batch)):
        label = "paraphrase" if number % 5 else "not_paraphrase"
        stored = annotator.judge(item, label, comment=f"pair {number}")
        assert (stored["version"], stored["done"]) == (1, number + 1)
    labels = list(Judgement.objects.values_list("label", flat=True))
    assert (len(labels), labels.count("paraphrase")) == (105, 84)
    assert list(annotator.queue(batch)) == []
    answered = list(annotator.pages(f"batches/{batch}/history/"))
    assert [item["comment"] for item in answered] == [f"pair {number}" for number in reversed(range(105))]
    gold = manager.launch("dams", "freeze-gold-set", name="gold", batches=[batch])["id"]
    fields = {"name": "links", "gold_set": gold, "annotators": ["annotator"], "overlap": 1}
    linking = manager.launch("dams", "draw-linking-batch", **fields)["id"]
    for item in annotator.queue(linking):
        unlinked = list(range(1, len(item["a"]["tokens"])))
        annotator.link(item, [(0, 0, "sure"), (0, 1, "possible")], null_a=unlinked, comment="by a program")
    assert WordLink.objects.filter(alignment__assignment__item__batch=linking).count() == 2 * 84
    assert set(Assignment.objects.values_list("state", flat=True)) == {"done"}
    assert annotator.get(f"batches/{linking}/queue/")["done"] == 84


def test_an_item_that_was_answered_elsewhere_is_a_conflict(live_server, people):
    batch, client = draw(live_server, people, 1), log_in(live_server, "annotator")
    [item] = client.queue(batch)
    client.judge(item, "paraphrase")
    with pytest.raises(VersionConflict, match="answered in another window") as conflict:
        client.judge(item, "not_paraphrase")
    assert (conflict.value.status, conflict.value.current["label"]) == (409, "paraphrase")
    assert client.judge(conflict.value.current, "not_paraphrase")["version"] == 2


def test_a_request_whose_answer_was_lost_is_sent_again_with_its_key(live_server, people, monkeypatch):
    batch = draw(live_server, people, 1)
    client, manager = log_in(live_server, "annotator"), log_in(live_server, "manager")
    [item] = client.queue(batch)
    send = urllib.request.urlopen
    keys = []

    def lose_every_first_answer(request, **options):
        keys.append(request.get_header("Idempotency-key"))
        answer = send(request, **options)
        if keys.count(keys[-1]) > 1:
            return answer
        answer.close()
        raise ConnectionResetError

    monkeypatch.setattr(urllib.request, "urlopen", lose_every_first_answer)
    assert client.judge(item, "paraphrase")["version"] == 1
    assert Answer.objects.count() == 1
    manager.create_project("weirs", "Weirs")
    assert Project.objects.filter(slug="weirs").count() == 1
    assert keys[0] == keys[1] != keys[2] == keys[3]
