"""What a classifier is least sure of, in worked examples."""

import pytest

from paragold.sampling.active import AUDIT, UNCERTAIN, Scored, audit_size, choose


def pool(*rows: tuple[str, float, str, tuple[int, int]]) -> dict[str, Scored[str]]:
    return {
        key: Scored(key, probability, cluster, sentences) for key, probability, cluster, sentences in rows
    }


def many(count: int = 200, clusters: int = 20) -> dict[str, Scored[str]]:
    return pool(*((f"p{n}", n / count, f"c{n % clusters}", (2 * n, 2 * n + 1)) for n in range(count)))


def uncertain(chosen: dict[str, str]) -> list[str]:
    return [key for key, stratum in chosen.items() if stratum == UNCERTAIN]


def test_clusters_take_turns_with_their_least_certain_pair() -> None:
    known = pool(
        ("a1", 0.50, "a", (1, 2)),
        ("a2", 0.51, "a", (3, 4)),
        ("b1", 0.70, "b", (5, 6)),
        ("c1", 0.95, "c", (7, 8)),
        ("audited", 0.99, "d", (9, 10)),
    )
    # Of 4 pairs 1 percent, rounded up, is one: which one, the seed alone decides.
    for seed in range(40):
        chosen = choose(known, 4, audit=1, seed=seed)
        if chosen.get("audited") == AUDIT:
            assert uncertain(chosen) == ["a1", "b1", "c1"]
            return
    raise AssertionError("no seed draws this pair for the audit")


def test_a_sentence_comes_again_only_after_all_others_of_its_cluster() -> None:
    known = pool(
        ("near", 0.50, "a", (1, 2)),
        ("same sentence", 0.51, "a", (1, 3)),
        ("fresh", 0.60, "a", (4, 5)),
        ("audited", 0.99, "d", (9, 10)),
    )
    for seed in range(40):
        chosen = choose(known, 3, audit=1, seed=seed)
        if chosen.get("audited") == AUDIT:
            assert uncertain(chosen) == ["near", "fresh"]
            return
    raise AssertionError("no seed draws this pair for the audit")


def test_the_audit_is_a_fair_sample_whatever_the_probabilities() -> None:
    sure = {key: Scored(key, 0.99, one.cluster, one.sentences) for key, one in many().items()}
    chosen, other = choose(many(), 50, audit=20, seed=3), choose(sure, 50, audit=20, seed=3)
    audited = [key for key, stratum in chosen.items() if stratum == AUDIT]
    assert len(audited) == 10 == audit_size(50, 20)
    assert audited == [key for key, stratum in other.items() if stratum == AUDIT]
    assert len(chosen) == 50
    mean = sum(many()[key].certainty for key in uncertain(chosen)) / 40
    assert mean < 0.15 < sum(many()[key].certainty for key in audited) / 10


def test_the_same_seed_draws_the_same_pairs_in_any_order() -> None:
    turned = dict(reversed(many().items()))
    assert choose(many(), 30, audit=10, seed=1) == choose(turned, 30, audit=10, seed=1)
    assert choose(many(), 30, audit=10, seed=1) != choose(many(), 30, audit=10, seed=2)


@pytest.mark.parametrize(("size", "audit"), [(201, 20), (-1, 20), (10, 0), (10, 101)])
def test_what_cannot_be_drawn(size: int, audit: int) -> None:
    with pytest.raises(ValueError, match=r"ask for|to draw from"):
        choose(many(), size, audit=audit, seed=1)
