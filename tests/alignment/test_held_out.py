from __future__ import annotations

import json
import zipfile
from unittest.mock import patch

import pytest

from alignment.models import GoldAlignmentSet
from alignment.services import experiments
from alignment.services.dataset_exports import export_dataset
from alignment.services.experiments import launch_experiment
from alignment.services.export_store import export_path
from alignment.services.exporting import write_gold
from alignment.services.gold_links import freeze_gold_alignments, training_links
from alignment.services.trained_aligners.launching import gold_folds, launch_training as launch_aligner
from alignment.services.trained_aligners.training import Workshop
from alignment.specs import DatasetExportSpec, GoldExportSpec
from annotation.models import GoldSet
from annotation.schemes import Label
from annotation.services.classifiers.measuring import pairs_of
from annotation.services.drawing import draw_judging_batch
from annotation.services.gold import freeze_gold_set
from corpus.models import Dataset, Finding
from corpus.services.datasets import freeze_dataset
from corpus.services.lexicons import texts_of
from jobs.services.running import run_here
from paragold.sampling.strategy import DrawSpec
from projects.errors import PublicError
from projects.models import Project
from tests.factories.alignment import link_all, linking_batch
from tests.factories.annotation import assignments_of, judge
from tests.factories.classifiers import applied, trained
from tests.factories.corpus import CandidatePairFactory, member
from tests.factories.news import DEMO, extract, project_with
from tests.factories.trained_aligners import QUICK

pytestmark = pytest.mark.django_db
CLUSTERS = 10
QUICK_HMM = {"aligner": "hmm", **QUICK}
BEST = {"aligner": "best", **QUICK}


def is_held_out(pair):
    """Whether either side is of a held-out cluster, read pair by pair."""
    return pair.cluster.held_out or pair.sentence_b.article.cluster.held_out


def keys_held_out(project):
    return set(project.clusters.filter(held_out=True).values_list("key", flat=True))


def tokens_of(pairs):
    return {(pair.sentence_a.tokens, pair.sentence_b.tokens) for pair in pairs}


def joined(pairs):
    return {(" ".join(a), " ".join(b)) for a, b in pairs}


def across(project, dataset):
    """A pair of the dataset whose second sentence alone is of a held-out cluster."""
    held_out = project.clusters.filter(held_out=True).first()
    pair = CandidatePairFactory(
        project=project,
        sentence_b__article__cluster=held_out,
        text_a="A pair across two clusters.",
        text_b="Across two clusters goes a pair.",
    )
    Finding.objects.create(extraction=dataset.extractions.get(), pair=pair)
    return pair


def judged(batch):
    """Everybody calls pairs of few changes paraphrases."""
    distances = sorted(batch.items.values_list("pair__edit_distance", flat=True))
    for user in {one.annotator for item in batch.items.all() for one in item.assignments.all()}:
        for assignment in assignments_of(batch, user):
            close = assignment.item.pair.edit_distance <= distances[len(distances) // 2]
            judge(assignment, Label.PARAPHRASE if close else Label.NOT_PARAPHRASE)
    return batch


class Corpus:
    """Most of the demo's articles with a fifth held out; all pairs of a dataset of all clusters judged and
    linked."""

    project: Project
    dataset: Dataset
    gold: GoldSet
    links: GoldAlignmentSet

    def __init__(self, folder):
        part = folder / "corpus.jsonl"
        part.write_bytes(b"".join(DEMO.read_bytes().splitlines(keepends=True)[:CLUSTERS]))
        self.project = project_with(part, held_out_share=0.2)
        people = [member(self.project, "annotator", name) for name in ("ann", "ben")]
        extraction = extract(self.project, "L12")
        self.dataset = freeze_dataset(project=self.project, name="all", extractions=[extraction])
        across(self.project, self.dataset)
        self.dataset.size += 1
        self.dataset.save()
        batch = draw_judging_batch(
            project=self.project, by=None, name="all pairs", dataset=self.dataset, size=self.dataset.size,
            annotators=[user.username for user in people], seed=1, overlap=2,
            strategy=DrawSpec(clusters="all"),
        )  # fmt: skip
        judged(batch)
        self.gold = freeze_gold_set(project=self.project, by=None, name="gold", batches=[batch])
        links = linking_batch(self.project, people, source=self.gold)
        for user in people:
            link_all(links, user)
        self.links = freeze_gold_alignments(project=self.project, by=None, name="links", batch=links)


@pytest.fixture(scope="module")
def corpus(module_database, tmp_path_factory):
    return Corpus(tmp_path_factory.mktemp("news"))


@pytest.fixture
def pairs(corpus):
    return list(
        corpus.dataset.pairs().select_related("cluster", "sentence_a", "sentence_b__article__cluster")
    )


@pytest.fixture
def held_out(pairs):
    kept_apart = [pair for pair in pairs if is_held_out(pair)]
    assert 2 < len(kept_apart) < len(pairs)
    return kept_apart


def draw(corpus, size, **options):
    strategy = DrawSpec(again=True, **options)
    return draw_judging_batch(
        project=corpus.project, by=None, name=f"batch {size}", dataset=corpus.dataset, size=size,
        annotators=["ann"], seed=2, overlap=1, strategy=strategy,
    )  # fmt: skip


def test_draws_leave_held_out_clusters_out_unless_they_are_chosen(corpus, pairs, held_out):
    rest = len({pair.content_key for pair in pairs} - {pair.content_key for pair in held_out})
    batch = draw(corpus, rest)
    assert batch.sampling["clusters"] == "rest"
    assert not any(is_held_out(item.pair) for item in batch.items.all())
    with pytest.raises(
        PublicError, match=rf"{len(held_out)} pairs of held-out clusters are kept for testing"
    ):
        draw(corpus, rest + 1)
    chosen = draw(corpus, len(held_out), clusters="only")
    assert chosen.sampling["clusters"] == "only"
    assert all(is_held_out(item.pair) for item in chosen.items.all())
    for by in ("cluster", "edit_distance", "method"):
        stratified = draw(corpus, rest - 2, by=by)
        assert not any(is_held_out(item.pair) for item in stratified.items.all())
        stratified.delete()
    rejected = draw(corpus, 10, rejected=50)
    assert rejected.items.filter(stratum="rejected").count() == 5
    assert not any(is_held_out(item.pair) for item in rejected.items.all())


def test_a_dataset_of_held_out_clusters_is_drawn_from_as_it_is(corpus):
    only = freeze_dataset(
        project=corpus.project,
        name="only",
        extractions=list(corpus.dataset.extractions.all()),
        held_out="only",
    )
    batch = draw_judging_batch(
        project=corpus.project, by=None, name="test set", dataset=only, size=2, annotators=["ann"], seed=1,
        overlap=1, strategy=DrawSpec(again=True),
    )  # fmt: skip
    assert batch.sampling["clusters"] == "only"
    assert all(is_held_out(item.pair) for item in batch.items.all())
    with pytest.raises(PublicError, match="are of held-out clusters, which are kept for testing"):
        launch_aligner(project=corpus.project, by=None, settings=QUICK_HMM, datasets=[only])
    with pytest.raises(PublicError, match="are of held-out clusters, which are kept for testing"):
        launch_experiment(project=corpus.project, by=None, datasets=[only], gold_sets=[corpus.links])


def test_a_classifier_is_trained_on_no_pair_that_is_held_out(corpus, pairs, held_out):
    classifier = trained(corpus.project, corpus.gold)
    texts = {frozenset((pair.sentence_a.text, pair.sentence_b.text)) for pair in held_out}
    learned = {frozenset((one.first, one.second)) for one in pairs_of(classifier)}
    assert learned and not learned & texts
    assert classifier.figures["pairs"] == len(learned)
    assert f"{len(held_out)} pairs of held-out clusters were not trained on: they are for testing." in (
        classifier.notes
    )
    assert "|with_held_out:no|" in classifier.signature
    explicit = trained(corpus.project, corpus.gold, with_held_out=True)
    assert {frozenset((one.first, one.second)) for one in pairs_of(explicit)} >= texts
    assert "|with_held_out:yes|" in explicit.signature
    assert any("Trained on" in note and "held-out clusters too" in note for note in explicit.notes)


def test_lexicons_and_bootstrapping_read_no_text_that_is_held_out(corpus, held_out):
    texts = {(pair.sentence_a.text, pair.sentence_b.text) for pair in held_out}
    assert not texts & set(texts_of(corpus.dataset.pairs()))


@pytest.mark.parametrize("settings", [QUICK_HMM, BEST], ids=["hmm", "best"])
def test_an_aligner_reads_and_learns_nothing_that_is_held_out(corpus, pairs, held_out, settings):
    learns = settings is BEST
    made = launch_aligner(
        project=corpus.project, by=None, settings=settings, datasets=[corpus.dataset],
        texts=[corpus.links], gold_set=corpus.links if learns else None,
    )  # fmt: skip
    if not learns:
        run_here(job=made.job)
        made.refresh_from_db()
        assert made.job.state == "done" and made.ready, made.job.error
    assert (made.pairs, made.pairs_held_out) == (len(pairs) - len(held_out), len(held_out))
    with patch("paragold.aligners.aligner.Aligner.begin"):
        gold = Workshop(made.job).gold
    assert bool(gold) == learns
    assert not {(" ".join(a.source), " ".join(a.target)) for a in gold} & tokens_of(held_out)
    if learns:
        folded = sorted(number for fold in gold_folds(made.estimator, corpus.links) for number in fold)
        assert folded == list(range(len(gold)))


def test_an_experiment_trains_on_nothing_that_is_held_out(corpus, pairs, held_out):
    refined = applied(trained(corpus.project, corpus.gold), corpus.dataset, name="refined").refined.get()
    assert any(is_held_out(pair) for pair in refined.pairs())
    made = launch_experiment(
        project=corpus.project, by=None, datasets=[corpus.dataset, refined], gold_sets=[corpus.links],
        aligners=[QUICK_HMM, BEST | {"taught_by": corpus.links}],
    )  # fmt: skip
    seen = []

    def watched(row, text, *others):
        seen.append(text)
        return draw_links(row, text, *others)

    draw_links = experiments.draw
    with patch.object(experiments, "draw", watched):
        run_here(job=made.job)
    made.refresh_from_db()
    assert made.job.state == "done", made.job.error
    assert len(seen) == 4 and not any(joined(text) & tokens_of(held_out) for text in seen)
    row = made.rows.get(number=1)
    assert (row.pairs, row.pairs_held_out) == (len(pairs) - len(held_out), len(held_out))
    assert f"|left-out-of-held-out-clusters:{len(held_out)}" in row.signature
    links = training_links(corpus.links)
    assert not {(" ".join(a.source), " ".join(a.target)) for a in links} & tokens_of(held_out)


def test_test_sentences_of_held_out_clusters_are_an_explicit_choice(corpus, held_out):
    made = launch_experiment(
        project=corpus.project, by=None, datasets=[corpus.dataset], gold_sets=[corpus.links],
        aligners=[QUICK_HMM], held_out_sentences=True,
    )  # fmt: skip
    run_here(job=made.job)
    row = made.rows.get()
    assert made.held_out_sentences and "|test-sentences-of-held-out-clusters:yes" in row.signature
    with pytest.raises(PublicError, match="Turn on test sentences, too"):
        launch_experiment(
            project=corpus.project, by=None, datasets=[corpus.dataset], gold_sets=[corpus.links],
            test_sentences=False, held_out_sentences=True,
        )  # fmt: skip


def clusters_in(path):
    """The clusters of both sentences of every pair of a file, JSON Lines or CSV by its first column."""
    keys = set()
    for line in path.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)["id"]
        keys |= {sentence.partition("/")[0] for sentence in pair.split("|")}
    return keys


@pytest.mark.parametrize("shares", ["80/10/10", "80/20/0", "40/30/30"])
def test_gold_in_splits_has_held_out_pairs_in_test_alone(corpus, held_out, tmp_path, shares):
    spec = GoldExportSpec(splits=shares)
    manifest = write_gold(tmp_path, gold_set=corpus.gold, gold_links=corpus.links, spec=spec)
    apart = keys_held_out(corpus.project)
    for name in ("pairs.jsonl", "links.jsonl"):
        for split in ("train", "dev"):
            file = tmp_path / split / name
            assert not file.exists() or not clusters_in(file) & apart
    assert clusters_in(tmp_path / "test" / "pairs.jsonl") & apart
    described = manifest["details"]["held_out"]
    assert described["pairs"] == len(held_out) and described["split"] == "test"
    assert set(described["clusters"]) <= apart
    card = (tmp_path / "README.md").read_text()
    assert f"{len(held_out)} of {len(held_out) + manifest_rest(manifest, held_out)} pairs are of" in card
    assert "All of them are in the test split, and in no other." in card


def manifest_rest(manifest, held_out):
    return int(manifest["counts"]["pairs"]) - len(held_out)


def test_a_dataset_in_splits_has_held_out_pairs_in_test_alone(corpus, held_out, settings, tmp_path):
    settings.VAR = tmp_path / "var"
    job = export_dataset(
        dataset=corpus.dataset, by=None, spec=DatasetExportSpec(splits="80/10/10", formats=["jsonl"])
    )
    run_here(job=job)
    assert job.state == "done", job.error
    export = corpus.project.exports.get()
    with zipfile.ZipFile(export_path(corpus.project, export.sha256)) as archive:
        archive.extractall(tmp_path / "files")
    apart = keys_held_out(corpus.project)
    files = tmp_path / "files"
    for split in ("train", "dev"):
        assert not clusters_in(files / f"{split}.jsonl") & apart
    assert clusters_in(files / "test.jsonl") & apart
    manifest = json.loads((files / "manifest.json").read_text())
    assert manifest["details"]["held_out"]["pairs"] == len(held_out)
    assert manifest["details"]["held_out"]["split"] == "test"
    assert "Held-out clusters" in (files / "README.md").read_text()
