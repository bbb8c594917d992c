"""Presets of a project: saved once, never changed, and of no matter to what was extracted with them."""

import pytest

from corpus.models import ProjectPreset
from corpus.services.dry_run import dry_run
from corpus.services.extraction import launch_extraction
from corpus.services.presets import criteria_from, delete_preset, find_preset, presets_of, save_preset
from jobs.models import JobState
from jobs.services.running import run_here
from paragold.extraction.criteria import Criteria
from paragold.extraction.presets import PRESETS
from projects.errors import PublicError
from tests.factories.corpus import ProjectFactory
from tests.factories.news import DEMO, project_with

pytestmark = pytest.mark.django_db
NEAR = {"max_edit_distance": "6", "distance": "indel"}


def test_a_preset_is_found_beside_those_of_the_papers():
    project = ProjectFactory()
    saved = save_preset(
        project=project, by=project.created_by, name=" near   ones ", preset="L12", settings=NEAR
    )
    assert list(presets_of(project)) == [*PRESETS, "near ones"]
    found = find_preset(project, "near ones")
    assert found.criteria == PRESETS["L12"].criteria.replace(**NEAR) == Criteria(**saved.criteria)
    assert found.description == "L12 with max_edit_distance 6, distance indel."
    assert project.created_by.username in found.source
    assert list(presets_of(ProjectFactory())) == list(PRESETS)


def test_a_preset_made_from_another_one_tells_the_paper_s():
    project = ProjectFactory()
    save_preset(project=project, by=None, name="near", preset="L12", settings=NEAR)
    wider = save_preset(project=project, by=None, name="wider", preset="near", settings={"min_length": 1})
    assert (wider.base, wider.criteria["distance"], wider.criteria["min_length"]) == ("L12", "indel", 1)


def test_a_saved_preset_never_changes():
    project = ProjectFactory()
    saved = save_preset(project=project, by=None, name="near", preset="L12", settings=NEAR)
    assert save_preset(project=project, by=None, name="near", preset="L12", settings=NEAR) == saved
    for name in ("near", "NEAR"):
        with pytest.raises(PublicError, match="saved with other parameters") as error:
            save_preset(project=project, by=None, name=name, preset="L12")
        assert error.value.field == "preset_name"
    assert (
        save_preset(project=ProjectFactory(), by=None, name="near", preset="L12").criteria != saved.criteria
    )


@pytest.mark.parametrize(
    ("preset", "settings", "field"),
    [
        ("L13", {}, "preset"),
        ("L12", {"max_edit_distance": "many"}, "max_edit_distance"),
        ("L12", {"min_edit_distance": 13}, "max_edit_distance"),
    ],
)
def test_parameters_that_contradict_each_other_are_not_saved(preset, settings, field):
    with pytest.raises(PublicError) as error:
        save_preset(project=ProjectFactory(), by=None, name="mine", preset=preset, settings=settings)
    assert error.value.field == field and not ProjectPreset.objects.exists()


def test_an_extraction_outlives_its_preset():
    project = project_with(DEMO)
    near = save_preset(project=project, by=None, name="near", preset="L12-2004", settings={"min_length": 6})
    counted = dry_run(project=project, criteria=criteria_from(project, "near", None))
    waiting = launch_extraction(project=project, by=None, preset="near", settings={"max_edit_distance": 11})
    launched = launch_extraction(project=project, by=None, preset="near")
    assert (launched.name, launched.preset) == ("near 2", "near")
    delete_preset(preset=near)
    for extraction in (launched, waiting):
        run_here(job=extraction.job)
        assert extraction.job.state == JobState.DONE
    assert launched.findings.count() == counted.found > waiting.findings.count() > 0
    assert launched.criteria["min_length"] == 6
    with pytest.raises(PublicError, match="There is no preset"):
        launch_extraction(project=project, by=None, preset="near")
