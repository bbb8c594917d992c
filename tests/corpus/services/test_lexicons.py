"""Lexicons as jobs: what they hold, in which order, how good they are, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from corpus.models import Dataset, Finding, Lexicon, LexiconEntry
from corpus.services.lexicons import goodness, launch_lexicon, rate_entry
from corpus.specs import LexiconSpec
from paragold.spec import SpecError
from paragold.text import wordnet
from projects.errors import PublicError
from projects.models import Project
from tests.factories.classifiers import built_lexicon
from tests.factories.corpus import (
    CandidatePairFactory,
    DatasetFactory,
    ExtractionFactory,
    ProjectFactory,
    UserFactory,
)
from tests.paragold.text.small_wordnet import EXCEPTIONS, SMALL, write_wordnet

pytestmark = pytest.mark.django_db

# Word pairs that face each other, each in so many pairs of sentences; WordNet has the first one.
FACING = (
    ("operation", "procedure", 4),
    ("vendors", "suppliers", 3),
    ("orbit", "orbital", 2),
    ("dam", "wall", 1),
)


@pytest.fixture(autouse=True)
def small_wordnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_wordnet(tmp_path / "wordnet", SMALL, EXCEPTIONS)
    monkeypatch.setenv(wordnet.ENVIRONMENT_VARIABLE, str(folder))


@pytest.fixture
def dataset() -> Dataset:
    project: Project = ProjectFactory()
    extraction = ExtractionFactory(project=project)
    texts = [
        (f"the {first} began in town {number} {first}", f"the {second} began in town {number} {second}")
        for first, second, times in FACING
        for number in range(times)
    ]
    found = [CandidatePairFactory(project=project, text_a=a, text_b=b) for a, b in texts]
    Finding.objects.bulk_create(Finding(extraction=extraction, pair=pair) for pair in found)
    made: Dataset = DatasetFactory(project=project, size=len(found))
    made.extractions.add(extraction)
    return made


def words(lexicon: Lexicon) -> list[tuple[str, str, int]]:
    return list(lexicon.entries.values_list("first", "second", "together"))


def test_word_association_ranks_what_faces_each_other(dataset: Dataset) -> None:
    lexicon = built_lexicon(dataset)
    assert words(lexicon) == [
        ("operation", "procedure", 4),
        ("suppliers", "vendors", 3),
        ("orbit", "orbital", 2),
    ]
    entries = list(lexicon.entries.all())
    assert [entry.rank for entry in entries] == [1, 2, 3]
    assert [entry.in_wordnet for entry in entries] == [True, False, False]
    assert [entry.trivial for entry in entries] == [False, False, True]
    # 10 pairs read in both directions: 20 readings; a word occurs as often as its pair is read.
    # Dunning: 2 (4 ln(4*20/16) + 16 ln(16*20/256)) = 2 (4 ln 5 + 16 ln 1.25).
    assert entries[0].score == pytest.approx(2 * (4 * 1.6094379 + 16 * 0.2231436), rel=1e-5)
    assert lexicon.figures["coverage"] == [[2, 0.5]]
    assert (lexicon.size, lexicon.version, str(lexicon)) == (3, 1, "words v1")


def test_cutoffs_by_rank_by_score_and_by_sentence_pairs(dataset: Dataset) -> None:
    assert len(words(built_lexicon(dataset, ranks=1))) == 1
    least = built_lexicon(dataset).entries.get(rank=2).score
    assert len(words(built_lexicon(dataset, min_score=least))) == 2
    assert len(words(built_lexicon(dataset, min_together=1))) == 4
    assert Lexicon.objects.order_by("version").last().version == 4


def test_the_stemmer_and_wordnet_show_what_they_find(dataset: Dataset) -> None:
    assert words(built_lexicon(dataset, kind="morphology", name="stems")) == [("orbit", "orbital", 2)]
    assert words(built_lexicon(dataset, kind="wordnet", name="net")) == [("operation", "procedure", 4)]


def test_the_same_text_gives_the_same_signature(dataset: Dataset) -> None:
    first, again, other = (built_lexicon(dataset, min_together=n) for n in (2, 2, 1))
    assert first.signature == again.signature != other.signature
    assert "snowball" not in first.signature
    assert "wordnet:" in first.signature


def test_without_wordnet_its_lexicon_is_refused_with_the_command(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(wordnet.ENVIRONMENT_VARIABLE)
    monkeypatch.setattr(wordnet, "USUAL_FOLDERS", ())
    with pytest.raises(PublicError, match="apt-get install wordnet-base"):
        launch_lexicon(
            project=dataset.project, by=None, dataset=dataset, name="net", spec=LexiconSpec(kind="wordnet")
        )
    lexicon = built_lexicon(dataset)
    assert set(lexicon.entries.values_list("in_wordnet", flat=True)) == {None}
    assert lexicon.figures["coverage"] == []
    assert goodness(lexicon) is None


def test_a_lexicon_needs_a_name(dataset: Dataset) -> None:
    with pytest.raises(PublicError) as error:
        launch_lexicon(project=dataset.project, by=None, dataset=dataset, name=" ", spec=LexiconSpec())
    assert error.value.field == "name"


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "rhymes"},
        {"ranks": 0},
        {"min_together": 0},
        {"min_score": -1.0},
        {"min_score": float("nan")},
    ],
)
def test_what_cannot_be_built(values: dict[str, Any]) -> None:
    with pytest.raises(SpecError) as error:
        LexiconSpec(**values)
    assert [name for name, _ in error.value.problems] == list(values)


def test_a_language_without_wordnet_or_stemmer(dataset: Dataset) -> None:
    dataset.project.language = "sw"
    dataset.project.save()
    for kind in ("morphology", "wordnet"):
        with pytest.raises(PublicError):
            launch_lexicon(
                project=dataset.project, by=None, dataset=dataset, name="x", spec=LexiconSpec(kind=kind)
            )
    assert len(words(built_lexicon(dataset))) == 3


def test_goodness_is_wordnet_and_of_the_rest_what_raters_agree_is_good(dataset: Dataset) -> None:
    """The paper: 46.53 % in WordNet, 56 % of the rest good: 46.53 + 53.47 * 0.56 = 76.47."""
    lexicon = built_lexicon(dataset, min_together=1)
    told = goodness(lexicon)
    assert (told.pairs, told.in_wordnet, told.score) == (3, 1, None)
    raters = UserFactory.create_batch(2)

    def rate(first: str, *answers: bool | None) -> None:
        entry = LexiconEntry.objects.get(lexicon=lexicon, first=first)
        for rater, answer in zip(raters, answers, strict=False):
            rate_entry(entry=entry, by=rater, good=answer)

    rate("suppliers", True, True)
    rate("dam", False)
    assert goodness(lexicon).score == pytest.approx(1 / 3 + 2 / 3 * 1 / 2)
    rate("dam", False, True)
    told = goodness(lexicon)
    assert (told.rated, told.good, told.disagreed, told.score) == (1, 1, 1, 1.0)
    rate("dam", None, None)
    told = goodness(lexicon)
    assert (told.rated_by_two, told.agreement) == (1, 1.0)
    rate("suppliers", False, False)
    assert goodness(lexicon).score == pytest.approx(1 / 3)


def test_the_score_of_two_rated_pairs_is_too_uncertain_to_say(dataset: Dataset) -> None:
    lexicon = built_lexicon(dataset, min_together=1)
    rater, other = UserFactory.create_batch(2)
    entries = lexicon.entries.filter(in_wordnet=False, trivial=False)
    for entry in entries:
        rate_entry(entry=entry, by=rater, good=True)
    found = goodness(lexicon)
    assert (found.rated, found.score, found.enough) == (2, 1.0, False)
    low, high = found.interval
    # Wilson: 2 of 2 is 34.2 to 100 %; a third of the pairs is in WordNet.
    assert (low, high) == (pytest.approx(1 / 3 + 2 / 3 * 0.3424, abs=1e-3), pytest.approx(1))
    assert (found.rated_by_two, found.agreement, found.agreement_interval) == (0, None, None)
    for entry, good in zip(entries, (True, False), strict=True):
        rate_entry(entry=entry, by=other, good=good)
    found = goodness(lexicon)
    assert (found.rated_by_two, found.disagreed, found.agreement) == (2, 1, 0.5)
    low, high = found.agreement_interval
    assert 0 < low < 0.5 < high < 1
