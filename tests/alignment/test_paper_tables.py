"""The tables of the papers fill the form of an experiment with a project's own datasets."""

import pytest

from alignment.paper_tables import paper_choices as choices
from corpus.models import Dataset
from paragold.extraction.presets import PRESETS
from paragold.extraction.selection import preset_selections
from tests.factories.annotation import dataset_of
from tests.factories.corpus import ProjectFactory
from tests.factories.trained_aligners import linked_gold

pytestmark = pytest.mark.django_db


def dataset_by(project, preset, **settings):
    """A dataset whose extraction was asked for with a preset, some parameters replaced."""
    made = dataset_of(project, 4)
    criteria = PRESETS[preset].criteria.replace(**settings)
    made.extractions.update(criteria=criteria.as_json())
    return made


@pytest.fixture
def gold():
    return linked_gold(ProjectFactory(), 4)


def test_training_sets_are_known_by_what_was_asked_for(gold):
    project = gold.project
    wide = dataset_by(project, "candidates-2005")
    f3 = dataset_by(project, "F3")
    dataset_by(project, "F2", placeholders=True)
    l12 = dataset_by(project, "L12")
    dataset_by(project, "L12", max_edit_distance=10)
    found = choices(project, "table-3")
    assert (found["datasets"], found["gold_sets"]) == ([l12, f3], [gold])
    Dataset.objects.filter(pk=wide.pk).update(criteria=preset_selections()["F2"].as_json())
    assert choices(project, "table-3")["datasets"] == [l12, wide, f3]
    other = linked_gold(project, 4, name="other links")
    first = choices(project, "table-1")
    assert (first["datasets"], first["gold_sets"]) == ([l12, wide], [other, gold])
    assert choices(project, "table-3")["gold_sets"] == [other]
    # That of 2004 counts another distance: it is known by what was asked for, and a part of it is not all.
    part = dataset_by(project, "L12-2004")
    Dataset.objects.filter(pk=part.pk).update(criteria={"min_shared_words": 3})
    word = dataset_by(project, "L12-2004-word")
    assert choices(project, "table-1")["datasets"] == [word, wide]
    published = dataset_by(project, "L12-2004", clusters="rest")
    assert choices(project, "table-1")["datasets"] == [published, wide]
    refined = Dataset.objects.create(project=project, name="kept", size=1, refined_from=f3, signature="one")
    assert choices(project, "table-3")["datasets"] == [l12, wide, f3, refined]
    assert choices(project, "table-2") == {}
