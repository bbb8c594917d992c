import sys
from threading import Thread

import pytest

from paragold.classification.classes import WORDNET
from paragold.classification.lexicons import open_lexicons
from paragold.text.installed_wordnets import InstalledWordnet, wordnet_of, wordnet_problem
from paragold.text.wordnet import WordNet, WordNetError
from tests.paragold.text.small_lmf import DUTCH, ENGLISH, install


@pytest.fixture
def dutch(tmp_path, monkeypatch):
    install(tmp_path, monkeypatch, ENGLISH, DUTCH)
    return InstalledWordnet("nl")


def test_relations_are_its_own_and_those_of_the_wordnet_it_is_linked_to(dutch):
    assert dutch.synonyms("hond") == {"rekel"}
    assert dutch.hypernyms("Hond") == dutch.hypernyms("kat") == {"dier"}
    assert dutch.hypernyms("dier", 2) == dutch.synonyms("ding") == frozenset()
    assert dutch.antonyms("heet") == {"koud"} and dutch.antonyms("koud") == {"heet"}
    assert dutch.signature.startswith("small-nl:1+small-en:1+snowball-")
    answers = []
    thread = Thread(target=lambda: answers.append(dutch.synonyms("rekel")))
    thread.start()
    thread.join()
    assert answers == [{"hond"}]


def test_the_classifier_uses_the_wordnet_of_its_language(dutch):
    lexicons, notes = open_lexicons([WORDNET], None, "dutch")
    vocabulary = ["honden", "dieren", "kat", "rekels", "heet", "koud", "de"]
    size = len(vocabulary)
    related = lexicons.by_class[WORDNET].related(vocabulary)
    assert notes == []
    assert [divmod(int(key), size) for key in related] == [(0, 1), (0, 3), (1, 2), (1, 3)]
    assert [divmod(int(key), size) for key in lexicons.opposites.related(vocabulary)] == [(4, 5)]
    assert lexicons.signatures()["wordnet"] == dutch.signature


def test_what_is_not_installed_is_said_with_the_remedy(tmp_path, monkeypatch):
    install(tmp_path / "empty", monkeypatch)
    assert isinstance(wordnet_of("en"), WordNet) and wordnet_problem("en") == ""
    with pytest.raises(WordNetError, match=r"No wordnet for the language nl is installed.*wn download"):
        wordnet_of("nl")
    assert not (tmp_path / "empty").exists()
    install(tmp_path, monkeypatch, ENGLISH)
    assert "language nl is installed" in wordnet_problem("nl")
    monkeypatch.setitem(sys.modules, "wn", None)
    assert open_lexicons([WORDNET], None, "dutch")[1] == [
        "The class wordnet is off: There is no wordnet for the language nl here. To use one: pip install wn, "
        "then for example `python -m wn download omw-nl:1.4`."
    ]
