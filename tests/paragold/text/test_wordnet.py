"""WordNet read from its files: a small one whose every answer is known, and the real one where it is."""

from pathlib import Path

import pytest

from paragold.text import wordnet
from paragold.text.wordnet import WordNet, WordNetError, find_wordnet, wordnet_or_none
from tests.paragold.text.small_wordnet import EXCEPTIONS, SMALL, write_wordnet

REAL = next((Path(name) for name in wordnet.USUAL_FOLDERS if (Path(name) / "index.noun").is_file()), None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_wordnet(tmp_path / "dict", SMALL, EXCEPTIONS)


@pytest.fixture
def small(folder: Path) -> WordNet:
    return WordNet(folder)


@pytest.mark.parametrize(
    ("word", "lemmas"),
    [
        ("Operations", ("operation",)),
        ("boxes", ("box",)),
        ("mice", ("mouse",)),
        ("rose", ("rise",)),
        ("rising", ("rise",)),
        ("orbital", ("orbital",)),
        ("go up", ("go up",)),
        ("s", ()),
        ("zebra", ()),
        ("日本", ()),
        ("", ()),
    ],
)
def test_base_forms_of_inflected_words(small: WordNet, word: str, lemmas: tuple[str, ...]) -> None:
    assert small.lemmas(word) == lemmas


def test_synonyms_come_from_every_meaning(small: WordNet) -> None:
    assert small.synonyms("Operations") == {"procedure", "surgery"}
    assert small.synonyms("rises") == {"go up"}
    assert small.synonyms("zebra") == frozenset()


def test_hypernyms_by_levels(small: WordNet) -> None:
    assert small.hypernyms("procedure") == {"activity", "carrying out"}
    assert small.hypernyms("procedure", 2) == {"activity", "carrying out", "thing"}
    assert small.hypernyms("thing") == frozenset()


def test_pointers_of_words_hold_for_those_words_only(small: WordNet) -> None:
    assert small.antonyms("rose") == {"fall"}
    assert small.antonyms("dropped") == frozenset()
    assert small.antonyms("drop") == frozenset()
    assert small.related_forms("orbital") == {"orbit"}
    assert small.related_forms("orbit") == frozenset()


def test_signature_distinguishes_databases(folder: Path, small: WordNet, tmp_path: Path) -> None:
    assert WordNet(folder).signature == small.signature
    other = write_wordnet(tmp_path / "other", {"box": SMALL["box"]})
    assert WordNet(other).signature != small.signature


def test_missing_files_are_reported_with_the_remedy(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(wordnet.ENVIRONMENT_VARIABLE, str(tmp_path))
    with pytest.raises(WordNetError, match="apt-get install wordnet-base"):
        find_wordnet()
    monkeypatch.delenv(wordnet.ENVIRONMENT_VARIABLE)
    monkeypatch.setattr(wordnet, "USUAL_FOLDERS", (str(tmp_path),))
    assert wordnet_or_none() is None
    (folder / "index.verb").unlink()
    with pytest.raises(WordNetError, match=r"index\.verb"):
        WordNet(folder)


def test_chosen_folder_is_opened_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(wordnet.ENVIRONMENT_VARIABLE, str(folder))
    opened = wordnet_or_none()
    assert opened is not None and opened is wordnet_or_none()
    assert opened.folder == folder


def test_index_and_data_that_do_not_belong_together(folder: Path) -> None:
    data = folder / "data.noun"
    data.write_text("x" + data.read_text())
    with pytest.raises(WordNetError, match="do not belong together"):
        WordNet(folder).synonyms("operation")


def test_empty_data_file(folder: Path) -> None:
    (folder / "data.adv").write_bytes(b"")
    with pytest.raises(WordNetError, match="cannot be read"):
        WordNet(folder)


@pytest.mark.skipif(REAL is None, reason="WordNet's files are not on this machine")
def test_the_real_wordnet() -> None:
    assert REAL is not None
    real = WordNet(REAL)
    assert {"procedure", "surgery", "process"} <= real.synonyms("operation")
    assert "orbit" in real.related_forms("orbital")
    assert "decision" in real.related_forms("decided")
    assert "cold" in real.antonyms("hot")
    assert real.lemmas("axes") == ("ax", "axis", "axe")
    assert "canine" in real.hypernyms("dogs")
    assert "carnivore" in real.hypernyms("dogs", 2)
