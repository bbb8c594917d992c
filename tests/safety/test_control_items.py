"""Control items are answered as the others are, and are in nothing that is made of the answers."""

import csv
import io
import json

import pytest
from django.test import Client

from alignment.services.disputes import disputes_of
from annotation.models import Item
from annotation.services.classifiers.measuring import pairs_of_gold
from annotation.services.dataset_figures import phenomena_means
from annotation.services.drawing import draw_judging_batch
from annotation.services.gold import freeze_gold_set
from annotation.services.review import review_items
from annotation.services.second_pass import start_second_pass
from annotation.services.training import known_answers
from corpus.models import CandidatePair
from tests.factories.annotation import gold_set, judge_all
from tests.factories.corpus import dataset_of, member
from tests.factories.exports import export_contents

pytestmark = pytest.mark.django_db
PAGES = ("agreement/", "agreement/competence/", "phenomena/")


def test_nothing_is_made_of_control_items(project):
    manager = member(project, "manager", "mia")
    known = gold_set(project, [member(project, "annotator", name) for name in ("xav", "yun")], size=6)
    people = [member(project, "annotator", name) for name in ("ann", "ben")]
    batch = draw_judging_batch(
        project=project, by=None, name="real", dataset=dataset_of(project, 6), size=10, seed=1, overlap=2,
        annotators=["ann", "ben"], control=40, known=known_answers(project=project, gold_set=known),
    )  # fmt: skip
    controls = Item.everything.filter(batch=batch).exclude(known_label="")
    assert controls.count() == 4
    # They differ on every pair, control items too.
    for user, label in zip(people, ("paraphrase", "not_paraphrase"), strict=True):
        judge_all(batch, user, [label])
    ids = set(controls.values_list("pk", flat=True))
    gold = freeze_gold_set(project=project, by=manager, name="new", batches=[batch])
    assert {entry.item.pk for entry in review_items([batch])} & ids == set()
    assert not gold.judgements.filter(item__in=ids).exists() and gold.judgements.count() == 6
    assert {item for case in disputes_of(manager, project) for item in case.undecided} & ids == set()
    assert phenomena_means(Item.objects.all()) == []
    assert len(pairs_of_gold(gold)) == 6
    assert start_second_pass(batch=batch, by=manager).looks.filter(assignment__item__in=ids).count() == 0
    files = b"".join(export_contents(gold_set=gold)[0].values())
    others = CandidatePair.objects.filter(items__in=batch.items.all())
    assert all(pair.sentence_a.text.encode() in files for pair in others)
    assert not any(item.pair.sentence_a.text.encode() in files for item in controls)
    client = Client()
    client.force_login(manager)
    for page in PAGES:
        address = f"/projects/{project.slug}/{page}?format=json"
        answer = client.get(address)
        assert answer.status_code == 200, address
        assert ids.isdisjoint(_numbers(json.loads(answer.content), "item")), address
    listed = client.get(f"/projects/{project.slug}/review/pairs/?format=csv&batch={batch.pk}")
    rows = list(csv.DictReader(io.StringIO(b"".join(listed).decode("utf-8-sig"))))
    numbers = set(batch.items.values_list("number", flat=True))
    assert len(rows) == 12 and {int(row["number"]) for row in rows} == numbers


def _numbers(value, name):
    """All values of that name, however deep."""
    if isinstance(value, dict):
        found = [value[name]] if name in value else []
        return [*found, *(number for inner in value.values() for number in _numbers(inner, name))]
    return [number for inner in value for number in _numbers(inner, name)] if isinstance(value, list) else []
