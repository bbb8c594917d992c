import pytest

from alignment.services.gold_links import linked_pairs
from alignment.services.trained_aligners import stored, training
from alignment.services.trained_aligners.launching import pairs_of, read_tokens
from alignment.services.trained_aligners.stored import load_aligner
from jobs.kinds import Runner, job_kinds
from jobs.models import JobState
from jobs.services import running
from paragold.aligners.registry import aligner_of
from tests.factories.trained_aligners import trained_aligner
from tests.job_kinds import kind_with

pytestmark = pytest.mark.django_db


def files_of(var):
    return sorted(path.name for path in (var / "aligners").iterdir())


@pytest.mark.parametrize("name", ["ibm1", "hmm", "best"])
def test_the_job_trains_what_the_core_trains(name, dataset, var, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        trained = trained_aligner(dataset, aligner=name, name="mine")
    assert (str(trained), trained.pairs, trained.job.state) == ("mine v1", 8, JobState.DONE)
    pairs = read_tokens(pairs_of(dataset.project, [dataset], []))
    expected = aligner_of({"aligner": name}).fit(pairs)
    assert load_aligner(trained).signature == trained.signature == expected.signature
    assert load_aligner(trained).align_all(pairs) == expected.align_all(pairs)
    parameters = expected.model.parameters
    assert len(trained.iterations) == parameters.ibm1_iterations + parameters.hmm_iterations
    assert trained.iterations[-1]["model"] == ("ibm1" if name == "ibm1" else "hmm")
    assert files_of(var) == [f"{trained.sha256}.npz"]
    assert trained.bytes == stored.model_path(trained.sha256).stat().st_size


def test_gold_links_are_learned_from(dataset, gold):
    trained = trained_aligner(dataset, aligner="best", gold_set=gold)
    pairs = read_tokens(pairs_of(dataset.project, [dataset], [gold]))
    assert trained.pairs == len(pairs) == 8 + gold.counts["pairs"]
    classifier = load_aligner(trained).classifier
    assert classifier is not None
    assert trained.held_out == {}
    points = [point["pairs"] for point in trained.learning_curve]
    assert points[0] == 0
    assert points[-1] == gold.counts["pairs"] - -(-gold.counts["pairs"] // 5)
    for point in trained.learning_curve:
        assert point["scores"]["all"]["pairs"] == gold.counts["pairs"]
        assert 0 <= point["scores"]["all"]["aer"] <= 1


@pytest.mark.parametrize("starting_point", ["none", "english"])
def test_the_curve_begins_with_what_is_drawn_without_gold(dataset, gold, starting_point):
    from paragold.aligners.adaptation import english
    from paragold.metrics.error_rate import counts_by_words, table_of

    trained = trained_aligner(dataset, aligner="best", gold_set=gold, starting_point=starting_point)
    assert len(trained.transfers) == (starting_point == "english")
    assert all(words.startswith("Learned elsewhere: ") for words in trained.transfers_in_words)
    learned = english()[0] if starting_point == "english" else None
    aligner = trained.estimator.with_model(load_aligner(trained).model, learned)
    pairs = linked_pairs(gold)
    drawn = aligner.align_all([pair.tokens for pair in pairs])
    table = table_of(counts_by_words(drawn, pairs), seed=1)
    assert trained.learning_curve[0]["scores"]["all"]["aer"] == table["all"]["aer"]


def test_killed_between_any_two_steps_the_result_is_the_same(dataset, gold, monkeypatch):
    """Each step begins in a new process, and every third one is done twice."""
    undisturbed = trained_aligner(dataset, aligner="best", gold_set=gold)
    trained = trained_aligner(dataset, aligner="best", gold_set=gold, run=False)
    runner, number = job_kinds()[stored.KIND].runner, 0

    def compute(job, chunk):
        nonlocal number
        number += 1
        training._workshops.clear()
        if number % 3 == 0:
            runner.compute(job, chunk)
            training._workshops.clear()
        return runner.compute(job, chunk)

    forgetful = Runner(compute=compute, store=runner.store, finish=runner.finish)
    monkeypatch.setitem(job_kinds(), stored.KIND, kind_with(forgetful, stored.KIND))
    running.run_here(job=trained.job)
    trained.refresh_from_db()
    assert trained.job.done == trained.job.total == number
    assert trained.sha256 == undisturbed.sha256
    assert trained.learning_curve == undisturbed.learning_curve
    assert trained.iterations == undisturbed.iterations


def test_what_belongs_to_nothing_is_swept(dataset):
    trained = trained_aligner(dataset)
    stored.remove_states(trained.job)
    waiting = trained_aligner(dataset, run=False)
    kept = [stored.model_path(trained.sha256), stored.state_path(waiting.job, 3)]
    orphans = [
        stored.model_path("0" * 64),
        stored.state_path(trained.job, 1),
        stored.folder() / "x.npz.abc.part",
    ]
    for path in [kept[1], *orphans]:
        path.write_bytes(b"x")
    assert stored.sweep() == 0
    assert stored.sweep(older_than=0) == len(orphans)
    assert [path.exists() for path in kept + orphans] == [True, True, False, False, False]
