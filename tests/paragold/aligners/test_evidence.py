import numpy as np
import pytest

from paragold.aligners.evidence import (
    FORM_NAMES,
    NAMES,
    PHRASE_NAMES,
    evidence,
    form_evidence,
    logit,
    phrase_evidence,
)
from paragold.aligners.link_classifier import NEIGHBOUR_NAMES, neighbour_evidence
from paragold.aligners.relations import IDENTICAL
from paragold.aligners.translation_model import Posteriors
from paragold.languages import ENGLISH, language as language_of

DUTCH, UNKNOWN = language_of("nl"), language_of("und")

LINKS = [(0, 0), (1, 1), (1, 2)]
OF_PHRASES = [(0, 1), (1, 0)]


def matrix_of(candidates, values):
    """A value of each candidate in its place; 0 where there is none."""
    matrix = np.zeros(candidates.shape)
    matrix[candidates.sources, candidates.targets] = values
    return matrix


def found():
    kinds = np.zeros((2, 3), dtype=np.uint8)
    kinds[0, 0] = kinds[1, 2] = IDENTICAL
    forward = np.array([[0.9, 0.0, 0.0], [0.0, 0.3, 0.001]])
    backward = np.array([[0.7, 0.0, 0.0], [0.0, 0.5, 0.001]])
    return Posteriors(forward, backward, kinds, np.zeros((2, 3), dtype=np.float32), forward)


def candidates(*, phrases=True):
    shares = np.array([0.1, 0.05]), np.array([0.1, 0, 0.05])
    (pairs,) = evidence([(["The", "."], ["the", "dog", "."])], [found()], *shares, ENGLISH, phrases=phrases)
    return pairs


def column(name):
    """The values of the three links that are no candidates for a phrase alone."""
    pairs = candidates()
    matrix = matrix_of(pairs, pairs.features[:, NAMES.index(name)])
    return [matrix[link] for link in LINKS]


def test_candidates_and_their_features():
    pairs = candidates()
    links = list(zip(pairs.sources.tolist(), pairs.targets.tolist(), strict=True))
    assert links == sorted(LINKS + OF_PHRASES)
    assert pairs.features.shape == (5, len(NAMES))
    without = candidates(phrases=False)
    assert list(zip(without.sources.tolist(), without.targets.tolist(), strict=True)) == LINKS
    assert not without.features[:, [name.startswith("phrase,") for name in NAMES]].any()
    assert column("identical") == [1, 0, 1]
    assert column("posterior of both directions")[:2] == pytest.approx(logit(np.array([0.8, 0.4])))
    assert column("higher posterior")[1] == pytest.approx(logit(np.array(0.5)))
    assert column("word before linked") == pytest.approx([0, 0.8, 0])
    assert column("word after linked") == pytest.approx([0.4, 0, 0])
    assert column("strongest rival") == pytest.approx([0, 0.001, 0.4])
    assert column("both function words") == [1, 0, 0]
    assert column("both punctuation") == [0, 0, 1]
    assert column("one punctuation") == [0, 1, 0]
    assert column("common subsequence") == [1, 0, 1]
    assert column("one capitalised") == [1, 0, 0]
    assert column("first word") == [1, 0, 0]
    assert column("last word") == [0, 1, 1]
    assert column("unequal lengths") == pytest.approx([1 / 3] * 3)
    assert column("distance from the diagonal") == pytest.approx([1 / 12, 1 / 4, 1 / 12])


def test_all_evidence_is_symmetric():
    there = found()
    turned = Posteriors(
        there.backward.T, there.forward.T, there.kinds.T, there.spelling.T, there.association.T
    )
    (back,) = evidence(
        [(["the", "dog", "."], ["The", "."])], [turned], np.array([0.1, 0, 0.05]), np.array([0.1, 0.05]),
        ENGLISH, phrases=True,
    )  # fmt: skip
    there = candidates()
    order = np.lexsort((back.targets, back.sources)), np.lexsort((there.sources, there.targets))
    assert back.features[order[0]] == pytest.approx(there.features[order[1]])


def context(source, target, kinds, *, language=ENGLISH):
    """The evidence of the links whose mean posterior is 0.9 wherever words are related, by name."""
    kinds = np.array(kinds, dtype=np.uint8)
    likely = np.where(kinds > 0, 0.9, 0.05)
    posteriors = Posteriors(likely, likely, kinds, np.zeros(kinds.shape, dtype=np.float32), likely)
    shares = [np.array([0.01 * (token == "the") for token in side]) for side in (source, target)]
    (pairs,) = evidence([(source, target)], [posteriors], *shares, language)
    return {name: matrix_of(pairs, pairs.features[:, n]) for n, name in enumerate(NAMES)}


def test_words_of_closed_classes_and_runs_of_identical_words():
    columns = context(["the", "dog", "was"], ["a", "dog", "is"], [[0, 0, 0], [0, IDENTICAL, 0], [0, 0, 3]])
    assert columns["closed class of both, different"].tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 1]]
    assert columns["closed classes apart"].tolist() == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    assert columns["closed class of one"].tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    columns = context(["the", "dog"], ["a", "dog"], [[0, 0], [0, IDENTICAL]], language=UNKNOWN)
    assert not columns["closed class of both, different"].any()
    source, target = ["red", "old", "dog", "ran"], ["red", "big", "dog", "ran"]
    same = np.diag([IDENTICAL, 0, IDENTICAL, IDENTICAL])
    columns = context(source, target, same)
    assert np.diag(columns["identical run"]).tolist() == [1, 0, 2, 2]
    assert np.diag(columns["identical run, alone"]).tolist() == [1, 0, 0, 0]
    assert np.diag(columns["identical run before"]).tolist() == [0, 1, 0, 1]
    assert np.diag(columns["identical run after"]).tolist() == [0, 2, 1, 0]
    assert np.diag(columns["identical run around a different word"]).tolist() == [0, 1, 0, 0]


@pytest.mark.parametrize("language", [ENGLISH, UNKNOWN])
def test_content_words_around(language):
    source, target = ["the", "old", "dog"], ["the", "dog"]
    columns = context(source, target, [[IDENTICAL, 0], [0, 0], [0, IDENTICAL]], language=language)
    # What comes next after the first words is "old" and "dog", which are not linked.
    assert columns["content word after linked"][0, 0] == pytest.approx(0.05)
    assert columns["content word before linked"][0, 0] == 0
    columns = context(["the", "dog"], ["the", "dog"], [[IDENTICAL, 0], [0, IDENTICAL]], language=language)
    assert columns["identical function word, content word after linked"][0, 0] == pytest.approx(0.9)
    assert columns["identical function word, content word beside linked"][1, 1] == 0
    assert columns["content word after related"][0, 0] == 1


def test_neighbours_of_the_second_stage():
    pairs = candidates()
    given = dict(zip(LINKS, (0.9, 0.6, 0.2), strict=True))
    links = list(zip(pairs.sources.tolist(), pairs.targets.tolist(), strict=True))
    features = neighbour_evidence([pairs], np.array([given.get(link, 0.0) for link in links]))
    assert features.shape == (5, len(NEIGHBOUR_NAMES))
    rows = features[[links.index(link) for link in LINKS]]
    columns = dict(zip(NEIGHBOUR_NAMES, rows.T.tolist(), strict=True))
    assert columns["first stage, word before"] == pytest.approx([0, 0.9, 0])
    assert columns["first stage, word after"] == pytest.approx([0.6, 0, 0])
    assert columns["first stage, one word skipped"] == pytest.approx([0.2, 0, 0.9])
    assert columns["first stage, all within three words"] == pytest.approx([0.8, 0.9, 0.9])
    assert columns["first stage, strongest rival"] == pytest.approx([0, 0.2, 0.6])
    assert columns["phrase, two corners of a block"] == pytest.approx([0, 0, 0])
    of_phrases = dict(zip(NEIGHBOUR_NAMES, features[links.index((0, 1))], strict=True))
    assert of_phrases["phrase, two corners of a block"] == pytest.approx(0.6)
    assert of_phrases["phrase, three corners of a block"] == 0
    assert of_phrases["phrase, beside a likely link, free word"] == pytest.approx(0.9 * 0.4)
    assert of_phrases["phrase, beside a likely link, linked word"] == pytest.approx(0.6 * 0.1)


def test_pairs_at_once_have_the_evidence_that_each_has_alone():
    rng = np.random.default_rng(1)
    words = ["the", "The", "U.N.", "dog", "dogs", "two", "2", ".", "-", "of", "barked", "United", "Nations"]
    pairs, posteriors = [], []
    for height, width in ((5, 7), (0, 3), (1, 9), (12, 1), (2, 0), (8, 8), (9, 3)):
        shape = height, width
        source, target = (rng.choice(words, size).tolist() for size in shape)
        pairs.append((source, target))
        kinds = np.array([[a.lower() == b.lower() for b in target] for a in source], dtype=np.uint8)
        forward, backward, spelling, association = rng.random((4, *shape)) ** 4
        posteriors.append(
            Posteriors(forward, backward, kinds.reshape(shape) * IDENTICAL, spelling, association)
        )
    shares = [[rng.choice([0.0, 0.001, 0.1], len(side)) for side in pair] for pair in pairs]
    sides = [np.concatenate(side) for side in zip(*shares, strict=True)]
    together = evidence(pairs, posteriors, *sides, ENGLISH, phrases=True)
    chances = [rng.random(len(pair.sources)) for pair in together]
    of_all = neighbour_evidence(together, np.concatenate(chances))
    for pair, own, share, both, chance in zip(pairs, posteriors, shares, together, chances, strict=True):
        (alone,) = evidence([pair], [own], *share, ENGLISH, phrases=True)
        assert both.shape == alone.shape == (len(pair[0]), len(pair[1]))
        assert both.features == pytest.approx(alone.features, abs=1e-12)
        before = np.pad(matrix_of(alone, chance), 1)[alone.sources, alone.targets]
        rows, of_all = of_all[: len(chance)], of_all[len(chance) :]
        assert rows[:, NEIGHBOUR_NAMES.index("first stage, word before")] == pytest.approx(before)
        assert rows == pytest.approx(neighbour_evidence([alone], chance), abs=1e-12)
    assert not len(of_all)


def of(source, target, language=ENGLISH):
    """The values of every cell, I x J x names."""
    rows, columns = (index.ravel() for index in np.indices((len(source), len(target))))
    result = form_evidence([(source, target)], rows, columns, language)
    assert result.shape == (len(rows), len(FORM_NAMES))
    return result.reshape(len(source), len(target), -1)


def of_posteriors(average):
    average = np.array(average, dtype=float)
    values, candidates = phrase_evidence(average, np.full(average.shape, -2.0))
    return dict(zip(PHRASE_NAMES, values, strict=True)), candidates


def test_free_words_beside_links_and_gaps_between_links():
    values, candidates = of_posteriors([[0.9, 0.05], [0, 0.05]])
    beside = values["phrase, free word beside a link"]
    assert beside[0, 1] == pytest.approx(0.9 * 0.95)
    assert beside[1, 0] == pytest.approx(0.9 * 0.95)
    assert values["phrase, free word beside a link, association"][0, 1] == pytest.approx(-2 * 0.9 * 0.95)
    assert values["phrase, gap between links"].tolist() == [[0, 0], [0, 1]]
    assert candidates.tolist() == [[False, True], [True, True]]
    assert values["phrase, more of both words free"][0, 1] == pytest.approx(0.95)
    assert values["phrase, less of both words free"][0, 1] == pytest.approx(0.1)
    average = np.zeros((6, 5))
    average[0, 0] = average[3, 2] = 0.9
    gaps = of_posteriors(average)[0]["phrase, gap between links"]
    assert gaps[1:3, 1].tolist() == [0.5, 0.5]
    assert gaps[4:, 3:].tolist() == [[0.5, 0.5]] * 2
    assert np.count_nonzero(gaps) == 6
    assert not of_posteriors(np.zeros((6, 2)))[0]["phrase, gap between links"].any()
    crossed = np.zeros((4, 4))
    crossed[0, 2] = crossed[3, 0] = 0.9
    assert not of_posteriors(crossed)[0]["phrase, gap between links"].any()
