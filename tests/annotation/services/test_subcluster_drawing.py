"""Drawing clusters to split."""

import pytest

from annotation.models import Assignment
from annotation.services.drawing import draw_splitting_batch
from annotation.specs import SplitDrawSpec
from paragold.spec import SpecError
from projects.errors import PublicError
from tests.factories.corpus import ArticleFactory, ProjectFactory, member
from tests.factories.subclusters import headline_cluster, splitting_batch


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
    with pytest.raises(PublicError, match=r"there are only 0 in 0 clusters .* not drawn before") as error:
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
    for wrong in ({"fewest": 1}, {"most": 201}):
        with pytest.raises(SpecError, match="from 2 to 200"):
            SplitDrawSpec(**wrong)
    with pytest.raises(SpecError, match="above the maximum"):
        SplitDrawSpec(fewest=5, most=4)
    with pytest.raises(SpecError, match="all, only, rest"):
        SplitDrawSpec(clusters="some")


def test_what_is_wrong_with_a_batch_is_said(project, annotators):
    headline_cluster(project)
    with pytest.raises(PublicError, match="7 headlines requested, but there are only 6"):
        splitting_batch(project, annotators, headlines=7)
    with pytest.raises(PublicError, match="is not an annotator"):
        draw_splitting_batch(project=project, by=None, name="x", annotators=["nobody"], seed=1)
    with pytest.raises(PublicError, match="lower the overlap"):
        splitting_batch(project, annotators, overlap=3)
