"""Drawing clusters, splitting them, agreeing, deciding, freezing."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command

from annotation.models import Answer, Assignment, GoldSubclusterSet, Placement
from annotation.services.batches import close_batch
from annotation.services.subclusters.agreement import agreement_of, overall
from annotation.services.subclusters.drawing import draw_splitting_batch
from annotation.services.subclusters.gold import freeze_gold_subclusters, gold_jsonl
from annotation.services.subclusters.review import adjudicate_subclusters, subcluster_review
from corpus.errors import Conflict, PublicError
from tests.factories.corpus import ArticleFactory, ProjectFactory
from tests.factories.subclusters import headline_cluster, split, splitting_batch


def decide(item, by, subclusters, **fields):
    review = subcluster_review(item)
    return adjudicate_subclusters(
        item=item, by=by, subclusters=subclusters,
        **({"version": review.version, "basis": review.basis} | fields),
    )  # fmt: skip


def test_all_clusters_with_two_headlines_are_drawn_with_the_headlines_they_have(project, annotators):
    cluster = headline_cluster(project, ["One", "", "Two"])
    headline_cluster(project, ["Alone"])
    batch = splitting_batch(project, annotators)
    item = batch.items.get()
    assert (item.cluster, item.pair, batch.kind) == (cluster, None, "split")
    assert [one.article.key for one in item.headlines.all()] == ["a1", "a3"]
    assert Assignment.objects.filter(item=item).count() == 2
    ArticleFactory(cluster=cluster, title="Three, which came later")
    assert item.headlines.count() == 2


def test_clusters_are_drawn_until_they_hold_enough_headlines(project, annotators):
    for number in range(8):
        headline_cluster(project, ["x"] * (2 + number % 3), key=f"event-{number}")
    batch = splitting_batch(project, annotators, headlines=7)
    sizes = [item.headlines.count() for item in batch.items.all()]
    assert sum(sizes) >= 7 > sum(sizes[:-1])
    assert batch.sampling["headlines_drawn"] == sum(sizes)
    assert (batch.sampling["clusters_there"], batch.sampling["headlines_there"]) == (8, 23)


def test_the_draw_depends_on_the_seed_and_the_keys_alone(annotators, people):
    from tests.factories.corpus import member

    drawn = []
    for order in (range(9), reversed(range(9))):
        project = ProjectFactory()
        annotator = member(project, "annotator", f"only-{project.pk}")
        for number in order:
            headline_cluster(project, ["x", "y"], key=f"event-{number}")
        batch = splitting_batch(project, [annotator], headlines=8, seed=5)
        drawn.append([item.cluster.key for item in batch.items.all()])
    assert drawn[0] == drawn[1]
    assert len(drawn[0]) == 4


def test_a_cluster_is_drawn_once_unless_asked_for_again(project, annotators):
    headline_cluster(project)
    splitting_batch(project, annotators)
    with pytest.raises(PublicError, match=r"there are 0 in 0 clusters .* not drawn before") as error:
        splitting_batch(project, annotators)
    assert error.value.field == "headlines"
    assert splitting_batch(project, annotators, again=True).items.count() == 1


def test_held_out_clusters_and_sizes_narrow_the_draw(project, annotators):
    headline_cluster(project, ["a", "b"], key="rest")
    headline_cluster(project, ["a", "b", "c"], key="held", held_out=True)
    batch = splitting_batch(project, annotators, clusters="only")
    assert batch.items.get().cluster.key == "held"
    batch = splitting_batch(project, annotators, most=2, again=True)
    assert batch.items.get().cluster.key == "rest"
    for wrong in ({"fewest": 1}, {"fewest": 5, "most": 4}, {"most": 201}):
        with pytest.raises(PublicError, match="2 to 200 headlines"):
            splitting_batch(project, annotators, again=True, **wrong)
    with pytest.raises(PublicError, match="all, only, rest"):
        splitting_batch(project, annotators, clusters="some")


def test_what_is_wrong_with_a_batch_is_said(project, annotators):
    headline_cluster(project)
    with pytest.raises(PublicError, match="7 headlines asked for; there are 6"):
        splitting_batch(project, annotators, headlines=7)
    with pytest.raises(PublicError, match="is not an annotator"):
        draw_splitting_batch(project=project, by=None, name="x", annotators=["nobody"], seed=1)
    with pytest.raises(PublicError, match="lower the overlap"):
        splitting_batch(project, annotators, overlap=3)


def test_a_draft_a_submission_and_their_history(project, annotators):
    item = splitting_batch(project, annotators).items.get()
    drafted = split(item, annotators[0], [[1, 2]], submitted=False)
    assert (drafted.state, drafted.version) == ("open", 1)
    done = split(item, annotators[0], [[1, 2], [3, 4]], flagged=True, comment="?")
    assert (done.state, done.version, done.flagged, done.comment) == ("done", 2, True, "?")
    placed = {one.headline.number: one.group for one in done.placements.select_related("headline")}
    assert placed == {1: 1, 2: 1, 3: 2, 4: 2, 5: None, 6: None}
    assert [answer.version for answer in Answer.objects.filter(assignment=done)] == [1, 2]
    skipped = split(item, annotators[0], [], submitted=False, skipped=True)
    assert skipped.state == "skipped"


@pytest.mark.parametrize(
    ("placements", "message"),
    [
        ([[7, 1]], "There is no headline 7 in this cluster; they are 1 to 6"),
        ([[True, 1]], "There is no headline True"),
        ([["1", 1]], "There is no headline '1'"),
        ([[1, 1], [1, 2]], "Headline 1 is placed twice"),
        ([[1, 0]], "a group is 1 to 200, or null for none, not 0"),
        ([[1, 201]], "not 201"),
        ([[1, "a"]], "not 'a'"),
        ([[1]], "A placement is"),
    ],
)
def test_placements_are_checked(project, annotators, placements, message):
    item = splitting_batch(project, annotators).items.get()
    with pytest.raises(PublicError, match=message):
        split(item, annotators[0], [], placements=placements)
    assert not Placement.objects.exists()


def test_an_item_is_either_skipped_or_submitted(project, annotators):
    item = splitting_batch(project, annotators).items.get()
    with pytest.raises(PublicError, match="either skipped or submitted"):
        split(item, annotators[0], [], skipped=True)


def test_agreement_of_every_two_over_all_clusters(project, annotators):
    headline_cluster(project, list("abcdef"), key="one")
    headline_cluster(project, list("abcd"), key="two")
    batch = splitting_batch(project, annotators)
    one, two = (batch.items.get(cluster__key=key) for key in ("one", "two"))
    split(one, annotators[0], [[1, 2, 3], [4, 5, 6]])
    assert agreement_of(batch) == []
    split(one, annotators[1], [[1, 2], [3, 4, 5, 6]])
    for annotator in annotators:
        split(two, annotator, [[1, 2]])
    (row,) = agreement_of(batch)
    assert (row.first, row.second, len(row.clusters), row.same) == ("annotator-1", "annotator-2", 2, 1)
    assert (row.headlines, row.counts.together, row.counts.pairs) == (10, 5, 21)
    assert row.mean_adjusted_rand == pytest.approx((1.2 / 3.7 + 1) / 2)
    assert overall([row]) == row.counts
    (only,) = agreement_of(batch, [one.pk])
    assert only.counts.together == 4


def test_a_review_shows_what_is_shared_and_where_people_differ(project, annotators):
    item = splitting_batch(project, annotators).items.get()
    split(item, annotators[0], [[1, 2, 3], [4, 5]], comment="3 is close", flagged=True)
    split(item, annotators[1], [[1, 2], [4, 5]])
    review = subcluster_review(item)
    assert review.annotators == ["annotator-1", "annotator-2"]
    assert review.partitions == [[[1, 2, 3], [4, 5]], [[1, 2], [4, 5]]]
    assert (review.shared, review.disputed) == ([[1, 2], [4, 5]], [3])
    assert (review.comments, review.flagged) == (["3 is close", ""], [True, False])
    assert (review.version, review.basis, review.decision) == (0, [1, 1], None)


def test_an_adjudicator_decides_and_decides_again(project, annotators, people):
    item = splitting_batch(project, annotators).items.get()
    for annotator, groups in zip(annotators, ([[1, 2, 3]], [[1, 2]]), strict=True):
        split(item, annotator, groups)
    first = decide(item, people["adjudicator"], [[3, 1], [5, 4], [6]], comment="as A")
    assert (first.version, first.subclusters, first.comment) == (1, [[1, 3], [4, 5]], "as A")
    with pytest.raises(Conflict) as stale:
        decide(item, people["adjudicator"], [], version=0)
    assert stale.value.current == {"version": 1, "basis": [1, 1]}
    assert decide(item, people["adjudicator"], [[1, 2]]).version == 2
    assert subcluster_review(item).decision.subclusters == [[1, 2]]
    with pytest.raises(PublicError, match="An adjudicator has decided"):
        split(item, annotators[0], [])


def test_what_an_adjudicator_may_not_do(project, annotators, people):
    item = splitting_batch(project, annotators).items.get()
    split(item, annotators[0], [[1, 2]])
    adjudicator = people["adjudicator"]
    with pytest.raises(PermissionDenied):
        decide(item, adjudicator, [[1, 2]])
    split(item, annotators[1], [[1, 2, 3]])
    for who in ("manager", "annotator", "viewer"):
        with pytest.raises(PermissionDenied):
            decide(item, people[who], [[1, 2]])
    with pytest.raises(PublicError, match="There is no headline 9"):
        decide(item, adjudicator, [[1, 9]])
    with pytest.raises(PublicError, match="Headline 1 stands in two"):
        decide(item, adjudicator, [[1, 2], [1, 3]])
    with pytest.raises(PublicError, match="5000 are allowed"):
        decide(item, adjudicator, [[1, 2]], comment="x" * 5001)


def test_an_answer_that_changed_meanwhile_is_seen_first(project, annotators, people):
    item = splitting_batch(project, annotators).items.get()
    for annotator in annotators:
        split(item, annotator, [[1, 2]])
    split(item, annotators[0], [[1, 2, 3]])
    with pytest.raises(Conflict):
        decide(item, people["adjudicator"], [[1, 2]], basis=[1, 1])


@pytest.fixture
def split_batch(project, annotators):
    """Three clusters: alike, disputed, and split by one only."""
    for key in ("alike", "disputed", "waiting"):
        headline_cluster(project, key=key)
    batch = splitting_batch(project, annotators)
    items = {item.cluster.key: item for item in batch.items.all()}
    for annotator, third in zip(annotators, ([[1, 2, 3]], [[1, 2], [4, 5]]), strict=True):
        split(items["alike"], annotator, [[3, 4], [1, 2]])
        split(items["disputed"], annotator, third)
    split(items["waiting"], annotators[0], [[1, 2]])
    return batch


def freeze(batch, **fields):
    return freeze_gold_subclusters(
        project=batch.project, by=None, **({"name": "heads", "batch": batch} | fields)
    )


def lines(gold_set: GoldSubclusterSet) -> dict[str, list[list[str]]]:
    rows = [json.loads(line) for line in gold_jsonl(gold_set).splitlines()]
    return {row["cluster_id"]: row["subclusters"] for row in rows}


def test_gold_leaves_out_what_waits(split_batch):
    gold = freeze(split_batch)
    assert lines(gold) == {"alike": [["a1", "a2"], ["a3", "a4"]]}
    assert gold.counts == {
        "items": 3, "not_split_by_enough": 1, "undecided": 1, "disputed": 0, "clusters": 1,
        "subclusters": 2, "headlines": 6, "grouped": 4,
    }  # fmt: skip
    assert gold.agreement["clusters"] == 2
    assert gold.agreement["together"] == 3
    assert gold.lineage["sampling"]["clusters_drawn"] == 3
    row = gold.clusters.get()
    assert [one["annotator"] for one in row.versions] == ["annotator-1", "annotator-2"]
    assert row.versions[0]["subclusters"] == [["a1", "a2"], ["a3", "a4"]]
    assert row.adjudication is None


def test_gold_takes_the_adjudicators_word(split_batch, people):
    item = split_batch.items.get(cluster__key="disputed")
    decide(item, people["adjudicator"], [[2, 1], [6, 5]], comment="so")
    gold = freeze(split_batch)
    assert lines(gold)["disputed"] == [["a1", "a2"], ["a5", "a6"]]
    row = gold.clusters.get(item=item)
    assert (row.adjudication["version"], row.adjudication["comment"]) == (1, "so")
    assert gold.counts["disputed"] == 1


def test_gold_by_what_everybody_shares(split_batch):
    gold = freeze(split_batch, rule="shared")
    assert lines(gold) == {"alike": [["a1", "a2"], ["a3", "a4"]], "disputed": [["a1", "a2"]]}
    assert (gold.version, freeze(split_batch, rule="shared").version) == (1, 2)


def test_a_frozen_gold_does_not_change(split_batch, annotators, people):
    gold = freeze(split_batch, rule="shared")
    before = gold_jsonl(gold)
    item = split_batch.items.get(cluster__key="disputed")
    split(item, annotators[0], [[5, 6]])
    decide(item, people["adjudicator"], [[5, 6]])
    assert gold_jsonl(gold) == before


def test_a_batch_that_is_closed_early_is_decided(split_batch, annotators, people):
    close_batch(batch=split_batch)
    item = split_batch.items.get(cluster__key="waiting")
    decide(item, people["adjudicator"], [[1, 2]])
    assert "waiting" not in lines(freeze(split_batch))


def test_what_is_wrong_with_a_gold_set_is_said(project, annotators, split_batch):
    with pytest.raises(PublicError, match="needs a name"):
        freeze(split_batch, name=" ")
    with pytest.raises(PublicError, match="is no rule"):
        freeze(split_batch, rule="best")
    other = ProjectFactory()
    with pytest.raises(PublicError, match="not a batch for splitting of this project"):
        freeze_gold_subclusters(project=other, by=None, name="x", batch=split_batch)
    fresh = splitting_batch(project, annotators, again=True)
    with pytest.raises(PublicError, match="None of the 3 clusters has been split by 2 annotators"):
        freeze(fresh)
    for annotator, groups in zip(annotators, ([[1, 2]], []), strict=True):
        for item in fresh.items.all():
            split(item, annotator, groups)
    with pytest.raises(PublicError, match="People differ on all 3 clusters"):
        freeze(fresh)


def test_the_command_writes_the_file(split_batch, tmp_path):
    gold = freeze(split_batch)
    out, path = StringIO(), tmp_path / "gold.jsonl"
    options = {"project": split_batch.project.slug, "gold": "heads", "output": path, "stdout": out}
    call_command("export_subclusters", **options)
    assert path.read_text(encoding="utf-8") == gold_jsonl(gold)
    assert "heads v1: 1 clusters, 2 sub-clusters, 4 of 6 headlines in them" in out.getvalue()
    with pytest.raises(CommandError, match="There are: heads v1"):
        call_command("export_subclusters", **(options | {"gold": "other"}))
    with pytest.raises(CommandError, match="of that version"):
        call_command("export_subclusters", version_of_gold=2, **options)
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_subclusters", **(options | {"output": tmp_path / "no" / "x"}))
