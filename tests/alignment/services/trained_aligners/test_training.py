import pytest

from alignment.services.gold_links import linked_pairs
from alignment.services.trained_aligners import stored, training
from alignment.services.trained_aligners.launching import pairs_of, read_tokens, train_again
from alignment.services.trained_aligners.stored import load_aligner
from jobs.kinds import Runner, job_kinds
from jobs.models import JobState
from jobs.services import running
from paragold.aligners.registry import aligner_of
from projects.errors import PublicError
from tests.factories.trained_aligners import linked_gold, trained_aligner
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


def test_a_damaged_state_is_computed_again(dataset):
    expected = trained_aligner(dataset, aligner="hmm")
    trained = trained_aligner(dataset, aligner="hmm", run=False)
    for _ in range(3):
        assert running.run_next_chunk(job=trained.job, worker="w", hold=no_hold)
    for path in stored.folder().glob(f"training-{trained.job.pk}-*"):
        path.write_bytes(b"cut off")
    training._workshops.clear()
    running.run_here(job=trained.job)
    trained.refresh_from_db()
    assert trained.sha256 == expected.sha256


def no_hold(chunk):
    from contextlib import nullcontext

    return nullcontext()


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


def test_an_aligner_that_is_not_there_says_so(dataset):
    trained = trained_aligner(dataset, run=False)
    with pytest.raises(PublicError, match="is not trained yet"):
        load_aligner(trained)
    trained = trained_aligner(dataset)
    path = stored.model_path(trained.sha256)
    path.write_bytes(b"damaged")
    stored._opened.cache_clear()
    with pytest.raises(PublicError, match="is not a model of Paragold"):
        load_aligner(trained)
    path.unlink()
    with pytest.raises(PublicError, match="is missing"):
        load_aligner(trained)


def test_own_gold_links_decide_whether_other_ones_are_used(dataset, gold):
    other = linked_gold(dataset.project, 12, name="other")
    trained = trained_aligner(dataset, aligner="best", gold_set=gold, other_gold=[other])
    start, besides = trained.transfers
    assert (start["gold"], besides["gold"]) == ("", str(other))
    assert trained.transfers_in_words[1].startswith(f"Learned elsewhere, gold links of {other}: ")
    assert load_aligner(trained).signature == trained.signature
    assert ("|other-gold,prior:" in trained.signature) == besides["helps"]
    assert trained.pairs == pairs_of(dataset.project, [dataset], [gold, other]).count()
    assert list(train_again(trained=trained, by=None).other_gold.all()) == [other]
    refused = {
        "Choose both, or no other gold links": {"other_gold": [other]},
        "is already learned from": {"gold_set": gold, "other_gold": [gold]},
        "ibm1 is not trained on gold links": {"gold_set": gold, "other_gold": [other], "aligner": "ibm1"},
    }
    for message, asked in refused.items():
        with pytest.raises(PublicError, match=message):
            trained_aligner(dataset, **{"aligner": "best"} | asked)
