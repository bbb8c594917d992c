import numpy as np
import pytest

from paragold.metrics import competence
from paragold.metrics.competence import competence_tables, fit
from paragold.metrics.label_agreement import estimate
from replication.competence import LABELS, QUALITIES, drawn_answers, judged

ROWS = """
aaaa bbbb cccc ccca bccc b-bb -aa- aaaa aaaa --a- aaab aaaa cc-- bbbc aaab aa-- ccca ccbc c-cc -aaa
baaa -abb aa-a -b-a a-a- -cca -aaa bbbb cccc aaaa -cca accc -aaa --b- aaaa bb-b aaaa aaba a-ac -acc
-aaa aaac bbba aaaa c-bb a-aa aaaa bbbb -bbb -bbb aaab abaa ab-b -c-- cacc aaaa cccc aaaa bccc bbbc
"""
# The labels that w, x, y and z gave to 60 items; - for none.
JUDGEMENTS = [
    {who: None if label == "-" else label for who, label in zip("wxyz", row, strict=True)}
    for row in ROWS.split()
]
# By crowd-kit 1.4.2 on ROWS: DawidSkene(n_iter=5000, tol=1e-14), MACE(n_iter=2000, n_restarts=3).
RECORDED = {
    "dawid_skene": {
        15: (0.990333, 0.00293, 0.006736), 21: (0.184388, 0.815612, 0.0), 22: (0.99712, 0.000423, 0.002457),
        23: (0.533224, 0.466776, 0.0), 33: (0.084494, 0.840697, 0.074808), 35: (0.001566, 0.998434, 0.0),
    },
    "mace": {
        9: (0.960935, 0.019532, 0.019532), 15: (0.991951, 0.004024, 0.004024),
        17: (0.000395, 0.016563, 0.983042), 21: (0.063371, 0.933349, 0.00328),
        23: (0.178493, 0.787657, 0.033849), 33: (0.022784, 0.954431, 0.022784),
    },
}  # fmt: skip
RECORDED_PRIORS = (0.500964, 0.230902, 0.268134)
GUESSING_AND_KNOWING = (
    (0.19604447, 0.7930745), (0.1245322, 0.86606754), (0.06260644, 0.92827932), (0.37276527, 0.61793711),
)  # fmt: skip


@pytest.fixture
def exact(monkeypatch):
    monkeypatch.setattr(competence, "TOLERANCE", 1e-10)
    monkeypatch.setattr(competence, "ITERATIONS", 20_000)


@pytest.mark.parametrize("model", ["dawid_skene", "mace"])
def test_posteriors_are_those_of_crowd_kit(model, exact):
    fitted = fit(JUDGEMENTS, "abc", model, smoothing=0)
    assert fitted.converged
    for item, posterior in RECORDED[model].items():
        assert fitted.posterior[item] == pytest.approx(posterior, abs=2e-6)
    if model == "dawid_skene":
        assert fitted.state.prior[0] == pytest.approx(RECORDED_PRIORS, abs=2e-6)
    else:
        expected = [known / (guessed + known) for guessed, known in GUESSING_AND_KNOWING]
        assert fitted.state.competence[0] == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("model", ["dawid_skene", "mace"])
def test_neither_the_order_of_items_nor_that_of_people_matters(model):
    fitted = fit(JUDGEMENTS, "abc", model)
    turned = fit([dict(reversed(given.items())) for given in reversed(JUDGEMENTS)], "abc", model)
    assert turned.posterior[::-1] == pytest.approx(fitted.posterior, abs=1e-4)


def simulated(names, items, seed=1):
    rng = np.random.default_rng(seed)
    truth = (rng.random(items) >= 0.67).astype(np.int64)
    answers = drawn_answers([QUALITIES[name] for name in names], truth, rng)
    return judged(answers, np.tile(np.arange(len(names)), (items, 1)), names), truth


def test_competence_is_recovered_and_the_posterior_beats_the_majority():
    people = list(QUALITIES)
    judgements, truth = simulated(people, 1_000)
    fitted = fit(judgements, LABELS)
    rows = {row["annotator"]: row for row in competence_tables(fitted)["annotators"]}
    for name, matrix in QUALITIES.items():
        true = float(np.diag(matrix) @ [0.67, 0.33])
        figure = rows[name]["accuracy"]
        assert figure["value"] == pytest.approx(true, abs=0.05)
        assert figure["low"] - 0.03 <= true <= figure["high"] + 0.03 and figure["items"] == 1_000
    assert rows["always yes"]["balanced"]["value"] == pytest.approx(0.5, abs=0.05)
    majority = np.array([2 * list(given.values()).count(LABELS[1]) > 5 for given in judgements])
    right = (fitted.posterior.argmax(axis=1) == truth).mean()
    assert right > (majority == truth).mean() + 0.03


def test_bias_rows_add_up_and_show_who_always_says_yes():
    judgements, _ = simulated(list(QUALITIES), 300)
    tables = competence_tables(fit(judgements, LABELS), resamples=20)
    of_yes = [row for row in tables["bias"] if row["annotator"] == "always yes"]
    assert len(tables["bias"]) == 5 * 4
    assert sum(row["share"]["value"] for row in of_yes) == pytest.approx(2)
    to_yes = [row["share"]["value"] for row in of_yes if row["given"] == LABELS[0]]
    assert min(to_yes) > 0.85


def test_two_annotators_cannot_be_told_apart():
    judgements, _ = simulated(["good", "hasty"], 200)
    fitted = fit(judgements, LABELS)
    assert not fitted.identified and set(fitted.unknown_because.values()) == {competence.TWO_ANNOTATORS}
    tables = competence_tables(fitted)
    assert [row["accuracy"]["value"] for row in tables["annotators"]] == [None, None]
    assert tables["annotators"][0]["accuracy"]["undefined_because"] == competence.TWO_ANNOTATORS
    assert tables["bias"] == []


@pytest.mark.parametrize("third", ["always yes", "random"])
def test_a_third_one_who_guesses_is_no_third_one(third):
    judgements, _ = simulated(["good", "hasty", third], 500)
    assert set(fit(judgements, LABELS).unknown_because.values()) == {competence.THIRD_GUESSES}


def test_few_items_say_nothing():
    judgements, _ = simulated(["good", "good too", "good", "hasty"], 60, seed=2)
    few = [given if item < 29 else dict([*given.items()][:2]) for item, given in enumerate(judgements)]
    assert set(fit(few, LABELS).unknown_because.values()) == {competence.FEW_ITEMS.format(29)}


def test_every_two_of_three_are_not_enough():
    judgements, _ = simulated(["good", "good too", "hasty"], 600)
    twos = [
        {who: label for place, (who, label) in enumerate(given.items()) if place != item % 3}
        for item, given in enumerate(judgements)
    ]
    assert set(fit(twos, LABELS).unknown_because.values()) == {competence.FEW_ITEMS.format(0)}


def test_who_shares_nothing_is_not_known_though_others_are():
    judgements, _ = simulated(["good", "good too", "hasty"], 300)
    fitted = fit([*judgements, {"alone": LABELS[0]}], LABELS)
    assert fitted.unknown_because == {"alone": competence.APART} and fitted.identified
    assert fitted.known_items.tolist() == [True] * 300 + [False]
    alone = competence_tables(fitted, resamples=20)["annotators"][0]
    assert alone["accuracy"] == estimate(None, 1, competence.APART)


def test_the_bootstrap_depends_on_its_seed_only():
    judgements, _ = simulated(["good", "good too", "hasty"], 100)
    fitted = fit(judgements, LABELS)
    one, same, other = (
        competence_tables(fitted, seed=seed, resamples=30)["annotators"] for seed in (1, 1, 2)
    )
    assert one == same != other


def test_labels_outside_the_set_are_refused_and_nothing_is_nothing():
    with pytest.raises(ValueError, match="'d' is not among the labels a, b, c"):
        fit([{"x": "d"}], "abc")
    empty = fit([], LABELS)
    assert not empty.identified and competence_tables(empty) == {"annotators": [], "bias": []}
