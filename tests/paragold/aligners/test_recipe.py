import pytest

from paragold.aligners import statistical
from paragold.aligners.best import best
from paragold.aligners.evidence_sources import SOURCES
from paragold.aligners.recipe import ITERATIONS, Recipe, RecipeError
from paragold.aligners.registry import TRAINED


@pytest.mark.parametrize("name", TRAINED)
def test_a_recipe_without_choices_is_the_aligners_own(name):
    recipe = Recipe(name)
    own = {"ibm1": statistical.ibm1, "hmm": statistical.hmm, "best": best}[name]().parameters
    assert recipe.parameters == own
    assert ITERATIONS[name] == (own.ibm1_iterations, own.hmm_iterations)
    assert Recipe.of(recipe.as_dict()) == recipe.checked() == recipe


def test_each_source_of_evidence_can_be_left_out():
    assert best().relations.signature == Recipe().relations.signature
    signature = Recipe(wordnet=False, spelling=False).relations.signature
    assert signature.startswith("relations:snowball") and "wordnet" not in signature
    assert Recipe(stemmer=None, spelling=False).relations.signature == "relations:identical"
    assert Recipe("hmm").relations.signature == "relations:identical"
    assert Recipe(stemmer="german").relations.wordnet is None
    assert (Recipe(identical=False).parameters.identical, Recipe("hmm").parameters.identical) == (0.0, 20.0)
    assert Recipe("hmm", lexicon=True).parameters.lexicon
    assert not Recipe("ibm1", one_language=False).parameters.one_language


@pytest.mark.parametrize(
    ("field", "settings"),
    [
        ("aligner", {"aligner": "word2word"}),
        ("linking", {"aligner": "giza"}),
        ("hmm_iterations", {"aligner": "eflomal", "linking": "union", "hmm_iterations": 3}),
        ("wordnet", {"aligner": "eflomal", "linking": "union", "wordnet": False}),
        ("linking", {"aligner": "hmm", "linking": "all"}),
        ("linking", {"linking": "union"}),
        ("hmm_iterations", {"aligner": "ibm1", "hmm_iterations": 1}),
        ("hmm_iterations", {"aligner": "hmm", "hmm_iterations": 0}),
        ("ibm1_iterations", {"aligner": "ibm1", "ibm1_iterations": 0}),
        ("ibm1_iterations", {"aligner": "hmm", "ibm1_iterations": 51}),
        ("stemmer", {"stemmer": "klingon"}),
        ("without", {"without": ["weather"]}),
        ("without", {"without": list(SOURCES)}),
        ("colour", {"colour": "red"}),
    ],
)
def test_what_cannot_be_is_refused_by_name(field, settings):
    with pytest.raises(RecipeError) as error:
        Recipe.of(settings).checked()
    assert error.value.field == field
