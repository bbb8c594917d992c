import json

import pytest

from paragold.aligners.evidence_sources import SOURCES
from paragold.aligners.registry import ALIGNERS, aligner_of, trained_ids, untrained_ids
from paragold.spec import SpecError


def test_every_aligner_has_what_pages_and_commands_show():
    assert set(trained_ids()) | set(untrained_ids()) == set(ALIGNERS.ids())
    for registered in ALIGNERS:
        aligner = aligner_of({"aligner": registered.id})
        assert registered.label.startswith(registered.id)
        again = aligner_of(json.loads(json.dumps(aligner.settings())))
        assert (again.id, again.spec) == (aligner.id, aligner.spec)
        assert aligner.is_available() is not bool(aligner.install_hint())


@pytest.mark.parametrize(
    ("field", "settings"),
    [
        ("aligner", {"aligner": "word2word"}),
        ("linking", {"aligner": "giza", "linking": "posterior"}),
        ("stemmer", {"aligner": "best", "stemmer": "klingon"}),
        ("without", {"aligner": "best", "without": list(SOURCES)}),
        ("lexicon", {"aligner": "identity", "lexicon": True}),
    ],
)
def test_what_cannot_be_is_refused_by_name(field, settings):
    with pytest.raises(SpecError) as error:
        aligner_of(settings)
    assert [name for name, _ in error.value.problems] == [field]
