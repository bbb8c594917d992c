import pytest

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
