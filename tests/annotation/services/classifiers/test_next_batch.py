import pytest

from annotation.services.drawing import draw_judging_batch
from paragold.sampling.sampling import AUDIT
from paragold.sampling.strategy import UNCERTAINTY, DrawSpec
from paragold.spec import SpecError
from tests.factories.classifiers import applied, trained

pytestmark = pytest.mark.django_db


def draw(project, dataset, run, name="next"):
    return draw_judging_batch(
        project=project,
        by=None,
        name=name,
        dataset=dataset,
        size=5,
        annotators=[project.memberships.first().user.username],
        seed=1,
        overlap=1,
        strategy=DrawSpec(by=UNCERTAINTY, run=run, audit=20),
    )


def test_the_next_batch_holds_the_least_certain_pairs_and_an_audit(project, dataset, gold):
    run = applied(trained(project, gold), dataset)
    batch = draw(project, dataset, run.pk)
    strata = dict(batch.items.values_list("pair", "stratum"))
    assert sorted(strata.values()) == [AUDIT, *["uncertain"] * 4]
    judged = set(gold.judgements.values_list("item__pair", flat=True))
    assert not judged & set(strata)
    left = {s.pair_id: abs(s.probability - 0.5) for s in run.scores.exclude(pair__in=judged)}
    audited = next(pair for pair, stratum in strata.items() if stratum == AUDIT)
    rest = sorted(certainty for pair, certainty in left.items() if pair != audited)
    chosen = sorted(left[pair] for pair, stratum in strata.items() if stratum != AUDIT)
    # Each pair of this dataset has a cluster of its own, so that diversity changes nothing.
    assert chosen == pytest.approx(rest[:4])
    assert (batch.sampling["run"], batch.sampling["audit"]) == (run.pk, 20)
    assert batch.sampling["strata"] == [
        {"stratum": AUDIT, "pairs": 10, "drawn": 1},
        {"stratum": "uncertain", "pairs": 10, "drawn": 4},
    ]


@pytest.mark.parametrize(
    ("fields", "at_fault"),
    [
        ({"by": UNCERTAINTY}, "run"),
        ({"run": 3}, "run"),
        ({"by": UNCERTAINTY, "run": 1, "audit": 0}, "audit"),
    ],
)
def test_a_strategy_by_uncertainty_names_its_run_and_has_an_audit(fields, at_fault):
    with pytest.raises(SpecError) as refused:
        DrawSpec(**fields)
    assert [name for name, _ in refused.value.problems] == [at_fault]
