from collections import Counter
from itertools import product

import pytest

from annotation.services.drawing import draw_judging_batch
from corpus.models import Cluster, Finding
from corpus.services.pairs import measured
from paragold.sampling.strategy import DrawSpec
from projects.errors import PublicError
from tests.factories.corpus import (
    ArticleFactory,
    ExtractionFactory,
    ProjectFactory,
    SentenceFactory,
    dataset_of,
    member,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    project = ProjectFactory()
    member(project, "annotator", "ann")
    return project


def draw(dataset, size, seed=4, **strategy):
    return draw_judging_batch(
        project=dataset.project, by=None, name=f"batch {dataset.project.batches.count()}", dataset=dataset,
        size=size, annotators=["ann"], seed=seed, overlap=1, strategy=DrawSpec(**strategy),
    )  # fmt: skip


def texts(batch):
    items = batch.items.order_by("number").select_related("pair__sentence_a", "pair__sentence_b")
    return [frozenset((item.pair.sentence_a.text, item.pair.sentence_b.text)) for item in items]


def test_by_score(project):
    dataset = dataset_of(project, 12)
    second = ExtractionFactory(project=project, name="zweite")
    dataset.extractions.add(second)
    pairs = list(dataset.pairs().order_by("pk"))
    for number, pair in enumerate(pairs[:10]):
        pair.findings.update(score=number / 10)
    Finding.objects.create(extraction=second, pair=pairs[0], score=0.95)
    batch = draw(dataset, 5, by="score", min_score=0.55, allocation="equal")
    counts = {one["stratum"]: (one["pairs"], one["drawn"]) for one in batch.sampling["strata"]}
    assert counts == {"0.6-0.7": (1, 1), "0.7-0.8": (1, 1), "0.8-0.9": (1, 1), "0.9-1.0": (2, 2)}
    with pytest.raises(PublicError, match="only 0"):
        draw(dataset, 1, by="score", min_score=0.55)


def crowded_dataset(project, *, backwards=False):
    """Two clusters of three articles with three sentences each; four pairs of the first cluster are found."""
    dataset = dataset_of(project, 0)
    numbers = [(cluster, article) for cluster, article in product("de", "xyz")]
    for cluster, article in reversed(numbers) if backwards else numbers:
        home, _ = Cluster.objects.get_or_create(project=project, key=cluster)
        made = ArticleFactory(cluster=home, key=article, content_sha256=f"{cluster}{article}")
        for number in range(3):
            text = f"Dam {number} of {article} in {cluster} broke."
            SentenceFactory(article=made, number=number, text=text)
    sentences = {
        row.text: row
        for article in Cluster.objects.get(project=project, key="d").articles.all()
        for row in article.sentences.select_related("article__cluster")
    }
    for x, y in product((0, 1), repeat=2):
        pair = measured(sentences[f"Dam {x} of x in d broke."], sentences[f"Dam {y} of y in d broke."])
        pair.save()
        Finding.objects.create(extraction=dataset.extractions.get(), pair=pair)
    return dataset


def test_rejected_pairs_are_what_no_extraction_found(project):
    dataset = crowded_dataset(project)
    found = {pair.content_key for pair in dataset.pairs()}
    batch = draw(dataset, 20, rejected=80)
    strata = Counter(item.stratum for item in batch.items.all())
    assert strata == {"rejected": 16, "": 4}
    rejected = [item.pair for item in batch.items.filter(stratum="rejected")]
    assert not found & {pair.content_key for pair in rejected}
    assert all(pair.sentence_a.article_id != pair.sentence_b.article_id for pair in rejected)
    assert all(pair.cluster_id == pair.sentence_b.article.cluster_id for pair in rejected)
    assert not Finding.objects.filter(pair__in=rejected).exists()
    kept = batch.sampling["strata"][-1]
    assert kept["sentence_pairs"] == 2 * 27
    assert 16 <= kept["looked_at"] <= 54
    # They are mixed with the others, so that a place tells nothing.
    assert [item.stratum for item in batch.items.order_by("number")][-4:] != [""] * 4
    with pytest.raises(PublicError, match="54 rejected pairs requested, but the clusters have only 34"):
        draw(dataset, 54, rejected=100)


def test_rejected_pairs_depend_on_seed_and_texts_alone(project):
    other = ProjectFactory()
    member(other, "annotator", "ann")
    one, two = crowded_dataset(project), crowded_dataset(other, backwards=True)
    assert texts(draw(one, 12, rejected=75)) == texts(draw(two, 12, rejected=75))
    assert texts(draw(one, 12, seed=5, rejected=100, again=True)) != texts(
        draw(two, 12, seed=6, rejected=100, again=True)
    )
