import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from alignment.models import GoldAlignmentSet
from alignment.services.gold_links import freeze_gold_alignments
from annotation.models import GoldSet, GoldSubclusterSet
from annotation.schemes import Label
from annotation.services.gold import freeze_gold_set, freeze_gold_subclusters
from projects.lock_wait import lock_wait
from tests.factories.alignment import link_all, linking_batch
from tests.factories.annotation import assignments_of, judge, judge_all, judging_batch
from tests.factories.subclusters import headline_cluster, split, splitting_batch
from tests.permissions.people import make_people, people

__all__ = ["people"]

AT_ONCE = 10
# Seconds: the last of ten waits for nine others, on a busy machine longer than a page would.
PATIENCE = 300


def ready(people):
    """By kind of gold, what freezes it."""
    project, annotators = people.project, people.annotators
    judged = judging_batch(project, annotators, size=3)
    for annotator in annotators:
        judge_all(judged, annotator, [Label.PARAPHRASE])
    source = freeze_gold_set(project=project, by=None, name="source", batches=[judged])
    linked = linking_batch(project, annotators, source=source)
    for annotator in annotators:
        link_all(linked, annotator)
    headline_cluster(project, key="headlines")
    splitting = splitting_batch(project, annotators, fewest=6)
    for annotator in annotators:
        split(splitting.items.get(), annotator, [[1, 2]])
    return {
        "judgements": lambda: freeze_gold_set(project=project, by=None, name="gold", batches=[judged]),
        "links": lambda: freeze_gold_alignments(project=project, by=None, name="gold", batch=linked),
        "sub-clusters": lambda: freeze_gold_subclusters(
            project=project, by=None, name="gold", batch=splitting, rule="shared"
        ),
    }


@pytest.mark.django_db(transaction=True)
def test_ten_at_once_are_one_version():
    freezes = ready(make_people())
    together = threading.Barrier(AT_ONCE)

    def freeze(work):
        try:
            with lock_wait(PATIENCE):
                together.wait()
                gold = work()
            return gold.pk, gold.already_frozen
        finally:
            connection.close()

    for kind, work in freezes.items():
        with ThreadPoolExecutor(AT_ONCE) as pool:
            results = list(pool.map(freeze, [work] * AT_ONCE))
        assert len({pk for pk, _ in results}) == 1, kind
        assert [already for _, already in results].count(False) == 1, kind
    for model in (GoldSet, GoldAlignmentSet, GoldSubclusterSet):
        assert [gold.version for gold in model.objects.filter(name="gold")] == [1]


@pytest.mark.django_db
def test_what_has_changed_is_a_new_version(people):
    freeze = ready(people)["judgements"]
    first = freeze()
    assert (freeze().pk, freeze().already_frozen) == (first.pk, True)
    judge(assignments_of(first.batches.get(), people["annotator"])[0], Label.NOT_PARAPHRASE)
    second = freeze()
    assert (second.version, second.already_frozen) == (2, False)
    assert freeze().pk == second.pk
