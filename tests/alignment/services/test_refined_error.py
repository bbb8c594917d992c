import pytest

from alignment.services.scoring import chosen_settings, newest_gold, non_identical_error
from annotation.specs import TrainingSpec
from projects.errors import PublicError
from tests.factories.classifiers import learnable_dataset
from tests.factories.trained_aligners import linked_gold

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(project):
    return learnable_dataset(project)


@pytest.fixture
def links(project):
    """Gold links, of which one in each pair joins words that differ."""
    gold = linked_gold(project, 6)
    for alignment in gold.alignments.select_related("item__pair__sentence_a", "item__pair__sentence_b"):
        first = alignment.item.pair.sentence_a.token_list
        second = alignment.item.pair.sentence_b.token_list
        a, b = next((i, j) for i, x in enumerate(first) for j, y in enumerate(second) if x != y)
        alignment.links = [[a, b, "sure"]]
        alignment.save()
    return gold


def test_the_rate_is_between_words_that_differ(links, dataset):
    pairs = list(dataset.pairs().values_list("pk", flat=True))
    asked = TrainingSpec(symmetrisation="refined").aligner_settings
    recipe = chosen_settings(links.project, asked, len(pairs))
    assert (recipe["lexicon"], recipe["linking"]) == (True, "refined")
    found = non_identical_error(links.pk, pairs, recipe)
    assert found["aligner"] == "hmm + lexicon, refined"
    assert 0 <= found["aer"] <= 1
    low, high = found["interval"]
    assert low <= found["aer"] <= high
    # Neither the order of the pairs nor that of the database makes a difference.
    assert non_identical_error(links.pk, pairs[::-1], recipe) == found
    ibm1, best = (TrainingSpec(aligner=name, identical_words=False) for name in ("ibm1", "best"))
    plain = chosen_settings(links.project, ibm1.aligner_settings, 1)
    assert non_identical_error(links.pk, pairs, plain)["aligner"] == "ibm1"
    assert "lexicon" not in chosen_settings(links.project, best.aligner_settings, 1)
    with pytest.raises(PublicError, match="too many for giza"):
        chosen_settings(links.project, {"aligner": "giza"}, 250_001)
    with pytest.raises(PublicError, match="has no symmetrisation") as error:
        chosen_settings(links.project, {"aligner": "best", "linking": "refined"}, 1)
    assert error.value.field == "symmetrisation"
    assert newest_gold(links.project) == (links.pk, str(links))
