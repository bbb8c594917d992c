import random
from datetime import UTC

import numpy as np

from annotation.models import Assignment, Item
from annotation.services.answer_kinds import answered_items, number_columns, places_of
from annotation.services.second_pass import start_second_pass
from projects.models import Role
from tests.factories.annotation import judge, judging_batch
from tests.factories.corpus import dataset_of, member

LABELS = ["paraphrase", "not_paraphrase", None]


def rows_of(items, *, taken):
    """The same by a query for each item."""
    rows = []
    for item in items.order_by("batch_id", "number"):
        places = Assignment.objects.filter(item=item, annotator__isnull=False) if taken else item.assignments
        of_item = places.order_by("annotator_id").values_list(
            "annotator", "judgement__label", "second_look__first_label", "answered_at"
        )
        given = sorted((tuple(row) for row in of_item), key=lambda row: row[0] or 0)
        if given:
            times = [at for _, label, _, at in given if label]
            kind = tuple(row[:3] for row in given)
            rows.append((item.pk, item.batch_id, kind, max(times, default=None)))
    return rows


def test_items_have_the_answers_and_times_of_their_rows(project, annotators):
    drawn = random.Random(3)
    manager = member(project, Role.MANAGER, "boss")
    dataset = dataset_of(project, 20)
    batches = [
        judging_batch(project, annotators, size=20, dataset=dataset),
        judging_batch(project, annotators),
    ]
    for place in Assignment.objects.all():
        if label := drawn.choice(LABELS):
            judge(place, label)
    start_second_pass(batch=batches[0], by=manager, anyway=True)
    Assignment.objects.create(item=batches[1].items.first(), position=0)
    Assignment.objects.filter(item=batches[1].items.last()).delete()
    for taken in (False, True):
        items = Item.objects.filter(batch__in=batches)
        answered = answered_items(items, taken=taken, answered_at="assignments__answered_at")
        kinds = [answered.kinds[kind] for kind in answered.of]
        times = [None if np.isnat(at) else at.item().replace(tzinfo=UTC) for at in answered.finished()]
        entries = zip(answered.items.tolist(), answered.batches.tolist(), kinds, times, strict=True)
        assert list(entries) == rows_of(items, taken=taken)
        assert list(dict.fromkeys(kinds)) == answered.kinds
        places = {kind: answered.items[at].tolist() for kind, at in answered.by_kind()}
        assert sorted(pk for of_kind in places.values() for pk in of_kind) == sorted(answered.items.tolist())


def test_no_item_gives_empty_columns(project):
    answered = answered_items(Item.objects.none(), answered_at="assignments__answered_at")
    assert len(answered.items) == len(answered.finished()) == len(list(answered.by_kind())) == 0
    assert [len(column) for column in number_columns(Item.objects.all(), "pk", "number")] == [0, 0]


def test_where_values_are_among_others():
    assert places_of(np.array([7, 3, 7]), np.array([9, 7, 3])).tolist() == [1, 2, 1]
