from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from corpus.models import Dataset, Finding, Lexicon
from corpus.services.lexicons import goodness, rate_entry
from paragold.text import wordnet
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
def small_wordnet(tmp_path, monkeypatch):
    folder = write_wordnet(tmp_path / "wordnet", SMALL, EXCEPTIONS)
    monkeypatch.setenv(wordnet.ENVIRONMENT_VARIABLE, str(folder))


@pytest.fixture
def dataset():
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


def words(lexicon):
    return list(lexicon.entries.values_list("first", "second", "together"))


def test_word_association_ranks_what_faces_each_other(dataset):
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
    assert [entry.linked for entry in entries] == [4, 3, 2]
    # 10 pairs read in both directions: 20 readings; a word occurs as often as its pair is read.
    # Dunning: 2 (4 ln(4*20/16) + 16 ln(16*20/256)) = 2 (4 ln 5 + 16 ln 1.25).
    assert entries[0].score == pytest.approx(2 * (4 * 1.6094379 + 16 * 0.2231436), rel=1e-5)
    assert lexicon.figures["coverage"] == [[2, 0.5]]
    assert (lexicon.size, lexicon.version, str(lexicon)) == (3, 1, "words v1")


def test_cutoffs_by_rank_by_score_and_by_sentence_pairs(dataset):
    assert len(words(built_lexicon(dataset, ranks=1))) == 1
    least = built_lexicon(dataset).entries.get(rank=2).score
    assert len(words(built_lexicon(dataset, min_score=least))) == 2
    assert len(words(built_lexicon(dataset, min_together=1))) == 4
    assert Lexicon.objects.order_by("version").last().version == 4


def rate(lexicon, first, *verdicts):
    """The verdicts of two raters on the word pair that begins with `first`."""
    entry = lexicon.entries.get(first=first)
    for name, verdict in zip(("ann", "ben"), verdicts, strict=False):
        rater = User.objects.filter(username=name).first() or UserFactory(username=name)
        rate_entry(entry=entry, by=rater, verdict=verdict)


def test_goodness_is_wordnet_and_of_the_rest_what_two_raters_call_good(dataset):
    """The paper: 46.53 % in WordNet, 56 % of the rest good: 46.53 + 53.47 * 0.56 = 76.47."""
    lexicon = built_lexicon(dataset, min_together=1)
    report = goodness(lexicon)
    assert (report.pairs, report.in_wordnet, report.score) == (3, 1, None)
    rate(lexicon, "suppliers", "good", "good")
    rate(lexicon, "dam", "bad")
    report = goodness(lexicon)
    # One rater is no agreement: the second pair waits.
    assert (report.rated, report.good, report.rated_by_one, report.score) == (1, 1, 1, 1.0)
    rate(lexicon, "dam", "bad", "bad")
    assert goodness(lexicon).score == pytest.approx(1 / 3 + 2 / 3 * 1 / 2)
    rate(lexicon, "dam", "bad", "good")
    report = goodness(lexicon)
    assert (report.rated, report.disagreed, report.rated_by_two, report.agreement) == (1, 1, 2, 0.5)
    rate(lexicon, "dam", "phrase", "phrase")
    report = goodness(lexicon)
    assert (report.rated, report.phrases, report.agreement, report.score) == (1, 1, 1.0, 1.0)
    rate(lexicon, "dam", None, None)
    assert goodness(lexicon).rated_by_two == 1
