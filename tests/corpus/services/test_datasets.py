from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from corpus.models import CandidatePair, HeldOut
from corpus.models.candidate_pair import pairs_admitted
from corpus.services.datasets import (
    freeze_dataset,
    freeze_presets,
    freeze_refined_dataset,
    offered_selections,
)
from corpus.services.extraction import launch_extraction
from corpus.services.presets import save_preset
from jobs.models import JobState
from jobs.services.running import run_here
from paragold.extraction.criteria import Selection
from paragold.extraction.selection import preset_selections
from projects.errors import PublicError
from projects.models import Project
from tests.factories.corpus import CandidatePairFactory, ExtractionFactory, ProjectFactory, dataset_of
from tests.factories.news import DEMO, extract, project_with

pytestmark = pytest.mark.django_db
COLUMNS = (
    "cluster__key", "sentence_a__article__key", "position_a", "sentence_b__article__key", "position_b",
    "edit_distance",
)  # fmt: skip


def rows_of(pairs):
    return sorted(pairs.values_list(*COLUMNS))


def wide_extraction(project):
    """Pairs of all sentences up to distance 20, and half as long at least."""
    extraction = launch_extraction(
        project=project,
        by=None,
        preset="L12-2004-word",
        name="candidates",
        settings={"max_edit_distance": 20, "min_length_ratio": "1/2"},
    )
    run_here(job=extraction.job)
    return extraction


def test_a_selection_equals_an_extraction_with_the_same_criteria():
    project = project_with(DEMO)
    wide = wide_extraction(project)
    selected = freeze_dataset(
        project=project,
        name="selected",
        extractions=[wide],
        criteria=preset_selections()["L12-2004-word"].as_json(),
    )
    direct = extract(project, "L12-2004-word").datasets.get()
    assert rows_of(selected.pairs()) == rows_of(direct.pairs())
    assert selected.size == direct.size < project.datasets.get(name="candidates").size


def test_the_presets_that_candidates_hold_are_frozen_at_once():
    project = project_with(DEMO, held_out_share=0.4)
    save_preset(project=project, by=None, name="long", preset="L12", settings={"min_length": 12})
    candidates = extract(project, "candidates-2005")
    assert list(offered_selections(candidates)) == ["L12", "F2", "F3", "long"]
    frozen = freeze_presets(extraction=candidates, presets=["L12", "F2", "F3"])
    assert [dataset.name for dataset in frozen] == ["L12", "F2", "F3"]
    for dataset in frozen:
        assert rows_of(dataset.pairs()) == rows_of(extract(project, dataset.name).datasets.first().pairs())
    assert freeze_presets(extraction=candidates, presets=["L12", "F2", "F3"]) == frozen


def test_of_each_preset_nothing_crosses_between_held_out_clusters_and_the_rest():
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


def test_what_an_extraction_does_not_hold_in_full_is_not_offered():
    project = project_with(DEMO)
    near = extract(project, "L12")
    assert offered_selections(near) == {}
    with pytest.raises(PublicError, match="there is none"):
        freeze_presets(extraction=near, presets=["F2"])
    candidates = extract(project, "candidates-2005")
    with pytest.raises(PublicError, match="L12, F2, F3"):
        freeze_presets(extraction=candidates, presets=["L12", "L12-2004-word"])
    with pytest.raises(PublicError, match=r"F2 held out: .* Nothing was frozen\."):
        freeze_presets(extraction=candidates, presets=["F2", "L12"], held_out=[HeldOut.ALL, HeldOut.ONLY])
    assert set(project.datasets.values_list("name", flat=True)) == {"L12", "candidates-2005"}
    taken = freeze_presets(extraction=candidates, presets=["L12", "F2"])
    assert [dataset.name for dataset in taken] == ["L12 2", "F2"]
    running = ExtractionFactory(project=project, job__state=JobState.RUNNING)
    with pytest.raises(PublicError, match="not finished"):
        freeze_presets(extraction=running, presets=["L12"])


# Distance, lengths, shared words, places of the sentences.
NUMBERS = [
    (0, 5, 5, 5, 0, 0), (4, 10, 10, 6, 1, 2), (8, 10, 20, 3, 0, 3), (8, 20, 10, 3, 3, 0),
    (12, 20, 30, 3, 5, 5), (13, 18, 27, 2, 0, 1), (20, 40, 40, 1, 2, 2), (6, 9, 14, 4, 2, 2),
    (1, 1, 2, 1, 0, 0),
]  # fmt: skip
SELECTIONS: list[dict[str, Any]] = [
    {},
    {"min_edit_distance": 4, "max_edit_distance": 12},
    {"min_edit_distance": 8, "max_edit_distance": 8, "first_n": 3},
    {"first_n": 1},
    {"first_n": 4, "min_shared_words": 3},
    {"min_length": 10, "max_length": 30},
    {"min_length": 20, "max_length": None},
    *({"min_length_ratio": Fraction(*ratio), "ratio_strict": strict}
      for ratio in ((1, 2), (2, 3), (9, 14), (999_999_999, 10**9), (1, 1)) for strict in (False, True)),
]  # fmt: skip


@pytest.mark.parametrize("criteria", SELECTIONS)
def test_the_database_keeps_a_pair_exactly_when_the_selection_admits_it(criteria):
    """Bounds and ratios that pairs meet exactly among them."""
    selection, expected = Selection(**criteria), set()
    for distance, a, b, shared, *places in NUMBERS:
        pair = CandidatePairFactory(edit_distance=distance, length_a=a, length_b=b, shared_words=shared)
        CandidatePair.objects.filter(pk=pair.pk).update(position_a=places[0], position_b=places[1])
        if selection.admits(distance, a, b, shared, max(places)):
            expected.add(pair.pk)
    kept = CandidatePair.objects.filter(pairs_admitted(selection)).values_list("pk", flat=True)
    assert set(kept) == expected


@pytest.fixture
def source():
    project: Project = ProjectFactory()
    return dataset_of(project, 5)


def refined(source, pairs, name="refined"):
    return freeze_refined_dataset(
        source=source, name=name, pairs=pairs, refinement={"classifier": "svm v1", "threshold": 0.5}
    )


def test_a_refined_dataset_holds_the_accepted_pairs_and_says_what_chose_them(source):
    kept = list(source.pairs().values_list("pk", flat=True))[1:4]
    dataset = refined(source, kept)
    assert sorted(dataset.pairs().values_list("pk", flat=True)) == sorted(kept)
    assert dataset.size == 3
    assert list(dataset.extractions.all()) == list(source.extractions.all())
    assert dataset.signature == (f'{source.signature}|refined[{{"classifier":"svm v1","threshold":0.5}}]')
