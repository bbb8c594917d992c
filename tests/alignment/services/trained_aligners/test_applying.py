import pytest

from alignment.models import AlignerRun, Evaluation
from alignment.services.batches import current_row, items_and_pairs, set_suggester, suggester_choices
from alignment.services.gold_links import linked_pairs
from alignment.services.trained_aligners import applying
from alignment.services.trained_aligners.applying import apply_aligner, linked_pairs_of
from alignment.services.trained_aligners.launching import pairs_of, read_tokens
from alignment.services.trained_aligners.stored import NEWEST, chosen, load_aligner, newest, reference
from jobs.services import retention
from jobs.services.running import run_here
from projects.errors import PublicError
from tests.factories.corpus import UserFactory
from tests.factories.trained_aligners import trained_aligner

pytestmark = pytest.mark.django_db


def applied(trained, **target):
    run = apply_aligner(project=trained.project, by=None, trained=trained, **target)
    run_here(job=run.job)
    return run


def test_every_pair_of_a_dataset_has_its_links(dataset, monkeypatch):
    monkeypatch.setattr(applying, "PAIRS_A_CHUNK", 3)
    trained = trained_aligner(dataset, aligner="best")
    run = applied(trained, dataset=dataset)
    assert run.job.chunks.count() == 3
    pairs = read_tokens(pairs_of(dataset.project, [dataset], []))
    expected = load_aligner(trained).align_all(pairs)
    assert [sorted(pair.links.sure) for pair in linked_pairs_of(run)] == expected
    assert run.job.counts == {"pairs_aligned": 8, "links_drawn": sum(map(len, expected))}
    assert applied(trained, dataset=dataset) == run


def test_a_gold_set_is_scored(dataset, gold):
    from paragold.metrics.error_rate import counts_by_words, table_of

    trained = trained_aligner(dataset, aligner="best")
    run = applied(trained, gold_set=gold)
    evaluation = Evaluation.objects.get()
    assert (evaluation.trained, evaluation.aligner) == (trained, "best v1")
    pairs = linked_pairs(gold)
    drawn = load_aligner(trained).align_all([pair.tokens for pair in pairs])
    table = table_of(counts_by_words(drawn, pairs), seed=1)
    assert evaluation.scores["all"]["aer"] == table["all"]["aer"]
    retention.delete(obj=run, by=UserFactory())
    assert not AlignerRun.objects.exists()
    assert Evaluation.objects.get() == evaluation


def test_the_newest_suggests_and_those_taught_by_gold_come_first(dataset, gold):
    project = dataset.project
    assert newest(project) is None
    assert NEWEST not in dict(suggester_choices(project))
    taught = trained_aligner(dataset, aligner="best", gold_set=gold)
    plain = trained_aligner(dataset)
    trained_aligner(dataset, run=False)
    assert newest(project) == taught
    assert [name for name, _ in suggester_choices(project)][-3:] == [NEWEST, *map(reference, [plain, taught])]
    batch = gold.batch
    job = set_suggester(batch=batch, by=None, setting=NEWEST)
    run_here(job=job)
    _, pairs = items_and_pairs(batch)
    rows = batch.items.prefetch_related("suggested_links")
    assert [current_row(item).links for item in rows] == [
        [list(link) for link in links] for links in load_aligner(taught).align_all(pairs)
    ]
    assert taught.sha256 in rows[0].suggested_links.all()[0].signature
    retention.archive(obj=taught, by=UserFactory())
    assert newest(project) == plain
    assert chosen(project, reference(taught)) == taught
    retention.restore(obj=taught, by=UserFactory())
    assert newest(project) == taught
    with pytest.raises(PublicError, match="no trained aligner"):
        chosen(project, "trained:0")
