from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from alignment.models import SuggestedLinks, WordLink
from alignment.services.batches import reasons_for, set_suggester
from alignment.services.gold_links import freeze_gold_alignments
from annotation.api.items import queue_payload
from annotation.models import Assignment, Batch
from paragold.problems import FileProblem
from projects.errors import PublicError
from projects.models import AuditEntry
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of, gold_set
from tests.factories.corpus import member
from tests.factories.imports import import_links

pytestmark = pytest.mark.django_db


def predictions(*pairs, model="m1"):
    """Tasks of Label Studio in which a model links words."""
    tasks = []
    for number, (a, b, links) in enumerate(pairs, start=1):
        result: list[dict[str, Any]] = []
        for name, text in (("a", a), ("b", b)):
            at = 0
            for word, token in enumerate(text.split()):
                value = {"start": at, "end": at + len(token), "text": token, "labels": ["word"]}
                result.append({"id": f"{name}{word}", "to_name": name, "type": "labels", "value": value})
                at += len(token) + 1
        for i, j in links:
            result.append({"type": "relation", "from_id": f"a{i}", "to_id": f"b{j}", "labels": ["SURE"]})
        prediction = {"model_version": model, "score": 0.9, "result": result}
        data = {"id": str(number), "a": a, "b": b}
        tasks.append({"data": data, "annotations": [], "predictions": [prediction]})
    return json.dumps(tasks)


STORM = ("The storm", "A storm", [(1, 1)])
RAIN = ("It rained", "Rain fell", [(1, 0)])


@pytest.fixture
def ann(project):
    return member(project, "annotator", "ann")


@pytest.fixture
def suggest(project, tmp_path, ann):
    def run(content, *to, batch="storms", check=False, **files):
        path = tmp_path / files.pop("name", "predictions.json")
        path.write_text(content, encoding="utf-8")
        sides = {}
        for side, text in files.items():
            sides[side] = tmp_path / f"{side}.txt"
            sides[side].write_text(text, encoding="utf-8")
        return import_links(
            project=project,
            path=path,
            batch=batch,
            suggest_to=to,
            check=check,
            **sides,
        )

    return run


def test_predictions_are_suggested_in_a_new_batch_and_keep_their_origin(suggest, project, ann):
    checked = suggest(predictions(STORM, RAIN), "ann", check=True)
    assert (checked.status, checked.source.notes[0]) == ("checked", "It makes the batch storms.")
    assert not (Batch.objects.exists() or SuggestedLinks.objects.exists())
    batch = suggest(predictions(STORM, RAIN), "ann").batch
    items = queue_payload(batch, ann, limit=10)["items"]
    assert [(item["suggestions"], item["links"]) for item in items] == [([[1, 1]], []), ([[1, 0]], [])]
    assert batch.overlap == 1 and not Assignment.objects.filter(state="done").exists()
    first, second = assignments_of(batch, ann)
    assert reasons_for(first) == [(1, 1, "predictions.json, m1, score 0.9")]
    assert AuditEntry.objects.filter(event="suggester-set").exists()
    link(first, [[1, 1, "sure", "accepted"]])
    link(second, [[0, 0, "sure", "drawn"]])
    signature = WordLink.objects.get(origin="accepted").suggested_by.signature
    assert signature.startswith("predictions.json, m1|")
    gold = freeze_gold_alignments(project=project, by=None, name="gold", batch=batch)
    assert gold.lineage["conditions"] == {signature: 2}
    manager = Client()
    manager.force_login(member(project, "manager", "mary"))
    page = manager.get(reverse("link-detail", args=[project.slug, batch.pk])).content.decode()
    assert "Links of predictions.json, m1, in 2 of 2 pairs." in page


def test_links_without_text_are_suggested_in_a_batch_that_was_drawn(suggest, project, ann):
    drawn = linking_batch(project, [ann], source=gold_set(project, [ann], size=6), suggester="identity")
    texts = [(i.pair.sentence_a.token_list, i.pair.sentence_b.token_list) for i in drawn.items.all()]
    sides = [[" ".join(pair[side]) for pair in texts] for side in (0, 1)]
    begun = assignments_of(drawn, ann)[0]
    link(begun, [])
    before = queue_payload(drawn, ann, limit=10)["items"]

    def pharaoh(line, *, more=0, fewer=0, check=False):
        source, target = (side[fewer:] + ["x"] * more for side in sides)
        count = len(source)
        return suggest(
            f"{line}\n" * count, batch=drawn.name, check=check, name="out.pharaoh",
            source="\n".join(source) + "\n", target="\n".join(target) + "\n",
        )  # fmt: skip

    with pytest.raises(FileProblem, match=rf"1 of the 3 pairs of {drawn.name} are not in the file.*pair 1"):
        pharaoh("0-0", fewer=1)
    assert SuggestedLinks.objects.exclude(setting="identity").count() == 0
    answer = pharaoh("0-0", more=1)
    assert (answer.status, answer.source.notes[1:]) == (
        "imported", ["Not read: pair that is not in the batch (1)."]
    )  # fmt: skip
    assert pharaoh("0-0", more=1).status == "unchanged"
    drawn.refresh_from_db()
    after = queue_payload(drawn, ann, limit=10)["items"]
    assert len(after) == len(before) and all(item["suggestions"] == [[0, 0]] for item in after)
    assert reasons_for(assignments_of(drawn, ann)[0]) != reasons_for(assignments_of(drawn, ann)[1])
    file_setting = drawn.suggester
    set_suggester(batch=drawn, by=None, setting="")
    set_suggester(batch=drawn, by=None, setting=file_setting)
    with pytest.raises(PublicError, match="no suggester"):
        set_suggester(batch=linking_batch(project, [ann]), by=None, setting=file_setting)


@pytest.mark.parametrize(
    ("content", "to", "batch", "message"),
    [
        (predictions(STORM), (), "new", "Nobody links the pairs of new: name the annotators"),
        (predictions(STORM, ("The storm", "A storm", [])), ("ann",), "new", "pair 2 .* other links already"),
        (predictions(STORM).replace("predictions", "drafts"), ("ann",), "new", "No task has a prediction"),
        (
            predictions(STORM)[:-3] + "," + predictions(STORM, model="m2").partition('"predictions": [')[2],
            ("ann",),
            "new",
            "answers of 2 models: m1 and m2",
        ),
    ],
)
def test_what_cannot_be_suggested_writes_nothing(suggest, content, to, batch, message):
    suggest(predictions(STORM, RAIN), "ann")
    with pytest.raises((FileProblem, PublicError), match=message):
        suggest(content, *to, batch=batch)
    assert Batch.objects.get().name == "storms" and SuggestedLinks.objects.count() == 2


def test_predictions_are_nobodys_links_and_not_gold(project, ann, tmp_path):
    path = tmp_path / "predictions.json"
    path.write_text(predictions(STORM), encoding="utf-8")
    for annotator in ("ann", None):
        with pytest.raises(FileProblem, match=r"no annotations.*as suggestions"):
            import_links(project=project, path=path, batch="x", whose=annotator)
