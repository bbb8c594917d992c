"""The table of aligners, and what is chosen of one of them."""

import json

import pytest
from sklearn.base import clone

from paragold.aligners.evidence_sources import SOURCES
from paragold.aligners.registry import (
    ALIGNERS,
    aligner_label,
    aligner_of,
    all_parameters,
    trained_ids,
    untrained_ids,
)
from paragold.aligners.statistical import HMM
from paragold.spec import SpecError


def test_every_aligner_has_what_pages_and_commands_show():
    assert set(trained_ids()) | set(untrained_ids()) == set(ALIGNERS.ids())
    for registered in ALIGNERS:
        aligner = aligner_of({"aligner": registered.id})
        assert registered.label.startswith(registered.id)
        again = aligner_of(json.loads(json.dumps(aligner.settings())))
        assert (again.id, again.spec) == (aligner.id, aligner.spec)
        assert aligner.is_available() is not bool(aligner.install_hint())


def test_an_aligner_is_an_estimator():
    aligner = HMM(hmm_iterations=2)
    fitted = aligner.fit([(["a", "b"], ["b", "a"])])
    assert fitted is aligner and aligner.get_params()["hmm_iterations"] == 2
    copy = clone(aligner).set_params(linking="union")
    assert (copy.spec.linking, aligner.spec.linking) == ("union", "posterior")
    with pytest.raises(SpecError, match="no parameter hmm_iteration"):
        aligner.set_params(hmm_iteration=2)
    with pytest.raises(ValueError, match="call fit first"):
        HMM().align(["a"], ["a"])


def model_of(**settings):
    aligner = aligner_of(settings)
    return aligner.training_parameters(), aligner.relations()


def test_each_source_of_evidence_can_be_left_out():
    signature = model_of(aligner="best", wordnet=False, spelling=False)[1].signature
    assert signature.startswith("relations:snowball") and "wordnet" not in signature
    assert model_of(aligner="best", stemmer="none", spelling=False)[1].signature == "relations:identical"
    assert model_of(aligner="hmm")[1].signature == "relations:identical"
    assert model_of(aligner="best", stemmer="german")[1].wordnet is None
    assert model_of(aligner="best", identical=False)[0].identical == 0.0
    assert model_of(aligner="hmm")[0].identical == 20.0
    assert model_of(aligner="hmm", lexicon=True)[0].lexicon
    assert not model_of(aligner="ibm1", one_language=False)[0].one_language
    assert model_of(aligner="ibm1")[0].hmm_iterations == 0


@pytest.mark.parametrize(
    ("field", "settings"),
    [
        ("aligner", {"aligner": "word2word"}),
        ("aligner", {}),
        ("linking", {"aligner": "giza", "linking": "posterior"}),
        ("hmm_iterations", {"aligner": "eflomal", "linking": "union", "hmm_iterations": 3}),
        ("wordnet", {"aligner": "eflomal", "linking": "union", "wordnet": False}),
        ("linking", {"aligner": "best", "linking": "union"}),
        ("hmm_iterations", {"aligner": "hmm", "hmm_iterations": 0}),
        ("ibm1_iterations", {"aligner": "ibm1", "ibm1_iterations": 0}),
        ("stemmer", {"aligner": "best", "stemmer": "klingon"}),
        ("without", {"aligner": "best", "without": ["weather"]}),
        ("without", {"aligner": "best", "without": list(SOURCES)}),
        ("colour", {"aligner": "best", "colour": "red"}),
        ("lexicon", {"aligner": "identity", "lexicon": True}),
    ],
)
def test_what_cannot_be_is_refused_by_name(field, settings):
    with pytest.raises(SpecError) as error:
        aligner_of(settings)
    assert [name for name, _ in error.value.problems] == [field]


def test_parameters_of_all_aligners_are_shown_once():
    shown = {parameter.name: parameter for parameter in all_parameters()}
    assert (shown["hmm_iterations"].default, shown["hmm_iterations"].maximum) == (None, 50)
    assert "Defaults: best: 6; hmm: 5." in shown["hmm_iterations"].help
    assert shown["identical"].default is True
    assert "posterior" in dict(shown["linking"].choices)
    assert "Only for best" in shown["seed"].help


def test_labels_name_what_was_chosen():
    asked = [
        {"aligner": "hmm", "lexicon": True, "linking": "intersection"},
        {"aligner": "hmm", "lexicon": True, "linking": "refined"},
        {"aligner": "best"},
        {"aligner": "ibm1", "linking": "union"},
    ]
    assert [aligner_label(settings) for settings in asked] == [
        "hmm + lexicon, intersection",
        "hmm + lexicon, refined",
        "best",
        "ibm1, union",
    ]
    thot = aligner_of({"aligner": "thot"}).settings()
    assert aligner_label(thot) == "thot eflomal + lexicon, intersection"
    fourth = {"aligner": "thot", "model": "ibm4", "lexicon": False}
    assert aligner_label(aligner_of(fourth).settings()) == "thot ibm4, intersection"
