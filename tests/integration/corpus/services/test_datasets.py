"""Datasets are selections over one database of candidates, equal to an extraction of their own."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from corpus.models import CandidatePair, HeldOut
from corpus.models.candidate_pair import pairs_admitted
from corpus.services.datasets import freeze_dataset, freeze_presets, offered_selections
from corpus.services.extraction import launch_extraction
from corpus.services.presets import save_preset
from jobs.models import JobState
from jobs.services.running import run_here
from paragold.extraction.selection import Selection, preset_selections
from projects.errors import PublicError
from tests.factories.corpus import CandidatePairFactory, ExtractionFactory, ProjectFactory

from .test_extraction import DEMO, Rows, extract, project_with

pytestmark = pytest.mark.django_db
COLUMNS = (
    "cluster__key", "sentence_a__article__key", "position_a", "sentence_b__article__key", "position_b",
    "edit_distance",
)  # fmt: skip


def rows_of(pairs) -> Rows:
    return sorted(pairs.values_list(*COLUMNS))


def wide_extraction(project):
    """Pairs of all sentences up to distance 20, and half as long at least."""
    extraction = launch_extraction(
        project=project,
        by=None,
        preset="L12-2004",
        name="candidates",
        settings={"max_edit_distance": 20, "min_length_ratio": "1/2"},
    )
    run_here(job=extraction.job)
    return extraction


def test_a_selection_equals_an_extraction_with_the_same_criteria() -> None:
    project = project_with(DEMO)
    wide = wide_extraction(project)
    selected = freeze_dataset(
        project=project,
        name="selected",
        extractions=[wide],
        criteria=preset_selections()["L12-2004"].settings(),
    )
    direct = extract(project, "L12-2004").datasets.get()
    assert rows_of(selected.pairs()) == rows_of(direct.pairs())
    assert selected.size == direct.size < project.datasets.get(name="candidates").size


@pytest.mark.parametrize("preset", ["L12", "F2", "F3"])
def test_the_datasets_of_2005_come_out_of_its_candidates(preset: str) -> None:
    project = project_with(DEMO)
    candidates = extract(project, "candidates-2005")
    selected = freeze_dataset(
        project=project,
        name="selected",
        extractions=[candidates],
        criteria=preset_selections()[preset].settings(),
    )
    assert rows_of(selected.pairs()) == rows_of(extract(project, preset).datasets.get().pairs())


def test_held_out_clusters_and_the_rest_part_a_selection() -> None:
    project = project_with(DEMO, held_out_share=0.4)
    wide = wide_extraction(project)
    criteria = {"min_edit_distance": 5, "max_edit_distance": 20}
    sets = {
        part: freeze_dataset(project=project, name=part, extractions=[wide], held_out=part, criteria=criteria)
        for part in ("all", "only", "rest")
    }
    clusters = {part: set(found.pairs().values_list("cluster", flat=True)) for part, found in sets.items()}
    assert clusters["only"] and clusters["rest"] and not clusters["only"] & clusters["rest"]
    assert sets["only"].size + sets["rest"].size == sets["all"].size
    assert not project.clusters.filter(pk__in=clusters["rest"], held_out=True).exists()


def test_the_presets_that_candidates_hold_are_frozen_at_once() -> None:
    project = project_with(DEMO, held_out_share=0.4)
    save_preset(project=project, by=None, name="long", preset="L12", settings={"min_length": 12})
    candidates = extract(project, "candidates-2005")
    assert list(offered_selections(candidates)) == ["L12", "F2", "F3", "long"]
    frozen = freeze_presets(extraction=candidates, presets=["L12", "F2", "F3"])
    assert [dataset.name for dataset in frozen] == ["L12", "F2", "F3"]
    for dataset in frozen:
        assert rows_of(dataset.pairs()) == rows_of(extract(project, dataset.name).datasets.first().pairs())
    assert freeze_presets(extraction=candidates, presets=["L12", "F2", "F3"]) == frozen


def test_of_each_preset_nothing_crosses_between_held_out_clusters_and_the_rest() -> None:
    project = project_with(DEMO, held_out_share=0.4)
    candidates = extract(project, "candidates-2005")
    parts = [HeldOut.ONLY, HeldOut.REST]
    frozen = freeze_presets(extraction=candidates, presets=["L12", "F3"], held_out=parts)
    assert [dataset.name for dataset in frozen] == ["L12 held out", "L12 rest", "F3 held out", "F3 rest"]
    articles = {
        dataset.name: {
            pk for side in "ab" for pk in dataset.pairs().values_list(f"sentence_{side}__article", flat=True)
        }
        for dataset in frozen
    }
    held_out = articles["L12 held out"] | articles["F3 held out"]
    rest = articles["L12 rest"] | articles["F3 rest"]
    assert held_out and rest and not held_out & rest
    assert not project.clusters.filter(held_out=False, articles__in=held_out).exists()


def test_what_an_extraction_does_not_hold_in_full_is_not_offered() -> None:
    project = project_with(DEMO)
    near = extract(project, "L12")
    assert offered_selections(near) == {}
    with pytest.raises(PublicError, match="there is none"):
        freeze_presets(extraction=near, presets=["F2"])
    candidates = extract(project, "candidates-2005")
    with pytest.raises(PublicError, match="L12, F2, F3"):
        freeze_presets(extraction=candidates, presets=["L12", "L12-2004"])
    with pytest.raises(PublicError, match=r"F2 held out: .* Nothing was frozen\."):
        freeze_presets(extraction=candidates, presets=["F2", "L12"], held_out=[HeldOut.ALL, HeldOut.ONLY])
    assert set(project.datasets.values_list("name", flat=True)) == {"L12", "candidates-2005"}
    taken = freeze_presets(extraction=candidates, presets=["L12", "F2"])
    assert [dataset.name for dataset in taken] == ["L12 2", "F2"]
    running = ExtractionFactory(project=project, job__state=JobState.RUNNING)
    with pytest.raises(PublicError, match="not finished"):
        freeze_presets(extraction=running, presets=["L12"])


def test_another_selection_under_the_same_name_is_refused() -> None:
    project = project_with(DEMO)
    wide = wide_extraction(project)
    near = {"max_edit_distance": "6", "min_shared_words": 0}
    first = freeze_dataset(project=project, name="near", extractions=[wide], criteria=near)
    assert first.criteria == {"max_edit_distance": 6} and "max_edit_distance:6" in first.signature
    assert freeze_dataset(project=project, name="near", extractions=[wide], criteria=near) == first
    with pytest.raises(PublicError, match="another selection"):
        freeze_dataset(project=project, name="near", extractions=[wide])


def test_what_cannot_be_selected_leaves_nothing_behind() -> None:
    project = ProjectFactory()
    empty = ExtractionFactory(project=project)
    with pytest.raises(PublicError, match="no such parameter") as error:
        freeze_dataset(project=project, name="x", extractions=[empty], criteria={"distance": 3})
    assert error.value.field == "distance"
    with pytest.raises(PublicError, match="holds no pair"):
        freeze_dataset(project=project, name="x", extractions=[empty])
    assert not project.datasets.exists()


class TestDatabaseCondition(TestCase):
    """The database keeps a pair exactly when `Selection.admits` does."""

    @settings(max_examples=40, deadline=None)
    @given(
        numbers=st.tuples(
            *[st.integers(0, 40), st.integers(1, 40), st.integers(1, 40)], *[st.integers(0, 6)] * 3
        ),
        bounds=st.tuples(st.integers(0, 20), st.integers(20, 40) | st.none(), st.integers(1, 6) | st.none()),
        ratio=st.fractions(0, 1, max_denominator=10**9) | st.sampled_from([Fraction(1, 2), Fraction(2, 3)]),
        strict=st.booleans(),
        lengths=st.tuples(st.integers(1, 20), st.integers(20, 40) | st.none()),
    )
    def test_condition(self, numbers, bounds, ratio, strict, lengths) -> None:
        distance, a, b, shared, position_a, position_b = numbers
        pair = CandidatePairFactory(edit_distance=distance, length_a=a, length_b=b, shared_words=shared)
        CandidatePair.objects.filter(pk=pair.pk).update(position_a=position_a, position_b=position_b)
        selection = Selection(
            min_edit_distance=bounds[0],
            max_edit_distance=bounds[1],
            first_n=bounds[2],
            min_length_ratio=ratio,
            ratio_strict=strict,
            min_shared_words=bounds[0] // 5,
            min_length=lengths[0],
            max_length=lengths[1],
        )
        kept = CandidatePair.objects.filter(pairs_admitted(selection), pk=pair.pk).exists()
        assert kept is selection.admits(distance, a, b, shared, max(position_a, position_b))
