import pytest

from annotation.models import Assignment
from annotation.specs import SplitDrawSpec
from paragold.spec import SpecError
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
