import hashlib
import sys
from types import ModuleType

import numpy as np
import pytest

from paragold.aligners.best import Best, BestSpec
from paragold.aligners.evidence_sources import (
    DISTRIBUTION,
    LEXICON,
    PARAPHRASES,
    VECTORS,
    WORD_NAMES,
    WORD_SOURCES,
)
from paragold.aligners.registry import ALIGNERS, load_aligner, save_aligner
from paragold.aligners.word_evidence import (
    PhrasePairs,
    ScoredPair,
    WordVectors,
    contents_of,
    read_phrase_pairs,
    restored,
    word_values,
)
from paragold.aligners.word_vectors import (
    Distribution,
    learned_vectors,
    read_evidence,
    read_vectors,
    store_vectors,
    stored_vectors,
)
from paragold.metrics.links import LinkedPair, Links, TokenPair
from paragold.problems import FileProblem

LEXICON_OF_FOUR = PhrasePairs(
    PARAPHRASES,
    [
        ScoredPair("Buy", "purchase", 9.0),
        ScoredPair("firm", "company", 1.0),
        ScoredPair("united nations", "UN", 5.0),
        ScoredPair("same", "same", 7.0),
        ScoredPair("call off", "cancel", 0.5),
    ],
)
SOURCE = ["the", "firm", "may", "purchase", "united", "nations", "bonds"]
TARGET = ["un", "bonds", "buy", "the", "company"]


def test_every_column_begins_with_the_id_of_its_source():
    assert len(set(WORD_NAMES)) == len(WORD_NAMES)
    for source in WORD_SOURCES:
        assert all(column.startswith(f"{source.id}, ") for column in source.columns)


def test_words_and_phrases_have_the_share_of_pairs_that_are_not_better():
    words, phrases = np.moveaxis(LEXICON_OF_FOUR.values(SOURCE, TARGET), 2, 0)
    assert words[3, 2] == 1
    assert words[1, 4] == 0.5
    assert np.count_nonzero(words) == 2
    assert phrases[4, 0] == phrases[5, 0] == 0.75
    assert np.count_nonzero(phrases) == 2
    candidates = LEXICON_OF_FOUR.candidates(LEXICON_OF_FOUR.values(SOURCE, TARGET))
    assert set(zip(*map(np.ndarray.tolist, candidates.nonzero()), strict=True)) == {
        (3, 2),
        (1, 4),
        (4, 0),
        (5, 0),
    }


def vectors(source=VECTORS):
    return WordVectors(
        source, ["firm", "company", "bonds", "un"], np.array([[3, 4], [6, 8], [-4, 3], [0, 0]])
    )


def test_similar_vectors_have_a_cosine_near_one():
    values = vectors().values(SOURCE, TARGET)
    similarity, squared, best, around = np.moveaxis(values, 2, 0)
    assert similarity[1, 4] == pytest.approx(1, abs=1e-3)
    assert squared[1, 4] == pytest.approx(similarity[1, 4] ** 2)
    assert best[1, 4] == 1 and best.sum() == 1
    assert similarity[6, 1] == 0  # equal words
    assert around[2, 3] == 0
    # Between "firm" and "company", one place further.
    assert vectors().values(["firm", "a"], ["company", "b"])[1, 1, 3] == pytest.approx(0.5, abs=1e-3)


@pytest.mark.parametrize("evidence", [LEXICON_OF_FOUR, vectors()])
def test_values_are_the_same_when_the_sides_change_places(evidence):
    there, back = evidence.values(SOURCE, TARGET), evidence.values(TARGET, SOURCE)
    assert np.abs(there - back.transpose(1, 0, 2)).max() < 1e-6
    assert np.abs(there).max() <= 1
    assert evidence.values([], TARGET).shape == (0, 5, len(evidence.source.columns))
    assert evidence.values(SOURCE, []).shape == (7, 0, len(evidence.source.columns))


def test_sources_have_their_own_columns():
    assert word_values([], SOURCE, TARGET) is None
    both = word_values([vectors(), LEXICON_OF_FOUR], ["Firm"], ["COMPANY"])
    named = dict(zip(WORD_NAMES, both.values[0, 0], strict=True))
    assert named["paraphrases, two words"] == 0.5
    assert named["vectors, most similar"] == 1
    assert named["association lexicon, two words"] == named["distribution, similarity"] == 0
    assert both.candidates.tolist() == [[True]]


def test_stored_evidence_has_the_same_values():
    evidence = [LEXICON_OF_FOUR, vectors(), vectors(DISTRIBUTION)]
    again = restored(*contents_of(evidence))
    assert [one.signature for one in again] == [one.signature for one in evidence]
    for one, other in zip(evidence, again, strict=True):
        assert np.array_equal(one.values(SOURCE, TARGET), other.values(SOURCE, TARGET))
    assert PhrasePairs(PARAPHRASES, [ScoredPair("a", "b", 1)]).signature != LEXICON_OF_FOUR.signature


@pytest.mark.parametrize(
    "text",
    [
        "buy\tpurchase\t9\nfirm\tcompany\t1.5\n",
        "rank\tfirst\tsecond\n1\tbuy\tpurchase\n2\tfirm\tcompany\n",
        "firm\tcompany\t-2\n\nPurchase\tbuy\t1e3\n",
    ],
)
def test_a_lexicon_is_read_with_scores_or_best_first(tmp_path, text):
    (tmp_path / "lexicon.tsv").write_text(text)
    words = read_phrase_pairs(tmp_path / "lexicon.tsv", LEXICON).values(SOURCE, TARGET)[:, :, 0]
    assert (words[3, 2], words[1, 4]) == (1, 0.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\tc\n", "line 1, column 5: The score 'c' is not a number"),
        ("a\tb\t1\na\n", "line 2: 1 columns instead of 2 or 3"),
        ("a\tb\tinf\n", "is not a number"),
        ("first\tsecond\na\tb\tc\n", "line 2: 3 columns instead of 2"),
        ("", "It has no pairs"),
    ],
)
def test_faults_of_a_lexicon_are_named_with_their_line(tmp_path, text, message):
    (tmp_path / "lexicon.tsv").write_text(text)
    with pytest.raises(FileProblem, match=message):
        read_phrase_pairs(tmp_path / "lexicon.tsv", LEXICON)


def binary(*rows, count=None):
    header = f"{count or len(rows)} 2\n".encode()
    return header + b"".join(word + b" " + np.array(v, dtype="<f4").tobytes() + b"\n" for word, v in rows)


@pytest.mark.parametrize(
    "content",
    [
        b"2 2\nFirm 3 4\ncompany 6 8\n",
        b"Firm 3 4\ncompany 6 8\nfirm -3 1\n",
        binary((b"Firm", [3, 4]), (b"company", [6, 8])),
    ],
)
def test_vectors_are_read_as_text_and_binary(tmp_path, content):
    (tmp_path / "vectors").write_bytes(content)
    read = read_vectors(tmp_path / "vectors", {"firm"})
    assert read.values(["firm"], ["company"])[0, 0, 0] == pytest.approx(1, abs=1e-3)


def test_rare_words_are_kept_where_the_text_has_them(tmp_path, monkeypatch):
    monkeypatch.setattr("paragold.aligners.word_vectors.MAX_WORDS", 1)
    for content in (b"a 1 0\nb 1 0\nc 1 1\n", binary((b"a", [1, 0]), (b"b", [1, 0]), (b"c", [1, 1]))):
        (tmp_path / "vectors").write_bytes(content)
        vocabulary, _ = read_vectors(tmp_path / "vectors", {"c"}).table
        assert vocabulary.words == ["a", "c"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no vectors"),
        (b"3 2\n", "ends at word 1 of 3"),
        (b"a 1 2\nb 1\n", "line 2: A word and 1 numbers instead of 2"),
        (b"a 1 2\nb 1 x\n", "line 2, column 5: It has something else than numbers"),
        (b"a 1 2\nb 1 nan\n", "not finite"),
        (binary((b"a", [1, 2]), count=2), "ends at word 2 of 2"),
        (b"2 2\n" + b"\xff" * 5000, "too long"),
        (b"2 99999999\n", "no vectors that can be read"),
    ],
)
def test_faults_of_vectors_are_named(tmp_path, content, message):
    (tmp_path / "vectors").write_bytes(content)
    with pytest.raises(FileProblem, match=message):
        read_vectors(tmp_path / "vectors", set())


@pytest.mark.parametrize("kept", [1, 3, 50_000])
@pytest.mark.parametrize(
    "content",
    [
        b"4 2\nFirm 3 4\ncompany 6 8\nfirm -3 1\nrare 1 7\n",
        b"Firm 3 4\ncompany 6 8\nfirm -3 1\nrare 1 7\n",
        binary((b"Firm", [3, 4]), (b"company", [6, 8]), (b"firm", [-3, 1]), (b"rare", [1, 7])),
    ],
)
def test_stored_vectors_are_those_of_the_file(tmp_path, monkeypatch, content, kept):
    monkeypatch.setattr("paragold.aligners.word_vectors.MAX_WORDS", kept)
    monkeypatch.setattr("paragold.aligners.word_vectors._ROWS_AT_ONCE", 2)
    (tmp_path / "vectors").write_bytes(content)
    *_, before, last = store_vectors(tmp_path / "vectors", tmp_path / "stored.npy")
    assert (*before[:2], last) == (3, 2, (3, 2, 1.0))
    assert before[2] == pytest.approx(1, abs=0.02)
    assert np.load(tmp_path / "stored.npy").shape == (3, 2)
    for words in (set(), {"rare"}, {"company", "unknown"}):
        stored, read = (
            stored_vectors(tmp_path / "stored.npy", words),
            read_vectors(tmp_path / "vectors", words),
        )
        assert stored.table[0].words == read.table[0].words
        assert stored.signature == read.signature


def test_damaged_stored_vectors_are_refused(tmp_path):
    (tmp_path / "vectors").write_bytes(b"a 1 2\nb 1 3\n")
    list(store_vectors(tmp_path / "vectors", tmp_path / "stored.npy"))
    whole = (tmp_path / "stored.npy").read_bytes()
    other = whole.replace(b"<f2", b"<i2")
    for damaged in (whole[:-3], whole + b"\nc\nd", b"", b"a 1 2\n", other, other.replace(b"<i2", b"|O ")):
        (tmp_path / "stored.npy").write_bytes(damaged)
        with pytest.raises(FileProblem, match="stored vectors are damaged"):
            stored_vectors(tmp_path / "stored.npy", {"a"})


def test_the_file_is_part_of_the_signature(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("firm\tcompany\n")
    (read,) = read_evidence({"paraphrases": path}, [])
    assert read.signature.endswith(f",file:{hashlib.sha256(path.read_bytes()).hexdigest()[:16]}")
    numbers, description = contents_of([read])
    assert restored(numbers, description)[0].signature == read.signature


class FakeModel:
    @classmethod
    def from_pretrained(cls, folder):
        if "broken" in folder:
            raise OSError("no model.safetensors")
        return cls()

    def encode(self, words):
        return np.array([[len(word), 1] for word in words])


def test_folders_are_read_by_model2vec(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "model2vec", None)
    with pytest.raises(FileProblem, match="pip install model2vec"):
        read_vectors(tmp_path, {"dog"})
    module = ModelType = ModuleType("model2vec")
    ModelType.StaticModel = FakeModel
    monkeypatch.setitem(sys.modules, "model2vec", module)
    assert read_vectors(tmp_path, {"dog", "cat"}).values(["dog"], ["cat"])[0, 0, 0] == pytest.approx(
        1, abs=1e-3
    )
    (tmp_path / "broken").mkdir()
    with pytest.raises(FileProblem, match=r"no model\.safetensors"):
        read_vectors(tmp_path / "broken", {"dog"})


def sentences():
    rng = np.random.default_rng(1)
    for _ in range(200):
        animal, moved = str(rng.choice(["dog", "cat", "horse"])), str(rng.choice(["rose", "fell", "slid"]))
        yield ["old", animal, "eats", "meat", "at", str(rng.integers(10**6))]
        yield ["shares", moved, "sharply", "in", "trading", str(rng.integers(10**6))]


def test_words_in_similar_contexts_have_similar_vectors():
    text = list(sentences())
    learned = Distribution(text)
    alike, equal, apart = learned.values(["dog"], ["cat", "dog", "rose"])[0, :, 0]
    assert alike > 0.9
    assert apart < 0.1
    assert equal == 0
    words, vectors = learned_vectors(text)
    assert words == sorted(words) and vectors.shape == (len(words), len(words) - 1)
    assert np.array_equal(vectors, learned_vectors(text)[1])
    assert np.array_equal(vectors, learned_vectors([*text, *text])[1])
    assert learned_vectors([["a", "b"]])[1].shape == (0, 1)


WORDS = ["alpha", "beta", "gamma", "delta", "rho", "sigma"]
PARTNERS = {"alpha": "one", "beta": "two", "gamma": "three", "delta": "four", "rho": "five", "sigma": "six"}


def gold_pairs():
    """Sentences of words that are linked by no form, at changing places, with words in between."""
    rng = np.random.default_rng(1)
    gold = []
    for number in range(40):
        chosen = rng.permutation(WORDS)[:4].tolist()
        order = rng.permutation(4).tolist()
        source = [*chosen, f"x{number}"]
        target = [*(PARTNERS[chosen[n]] for n in order), f"y{number}"]
        links = Links.of((n, place) for place, n in enumerate(order))
        gold.append(LinkedPair(str(number), TokenPair(tuple(source), tuple(target)), links))
    return gold


def test_gold_links_weigh_a_lexicon_and_the_aligner_keeps_it(tmp_path):
    gold = gold_pairs()
    lexicon = PhrasePairs(PARAPHRASES, [ScoredPair(*pair, 1.0) for pair in PARTNERS.items()])
    tested = [(pair.tokens.source, pair.tokens.target) for pair in gold[20:]]
    for start in ("english", "none"):
        spec = BestSpec(wordnet=False, starting_point=start)
        trained = Best([lexicon]).train((), spec, gold=gold[:20])
        drawn = trained.align_all(tested)
        right = sum(
            len(pair.links.sure.intersection(links)) for pair, links in zip(gold[20:], drawn, strict=True)
        )
        assert right > 0.9 * 80
        assert lexicon.signature in trained.signature
        save_aligner(tmp_path / "best.npz", trained)
        again = load_aligner(tmp_path / "best.npz")
        assert again.signature == trained.signature
        assert again.align_all(tested) == drawn
        without = spec.replace(without=frozenset({PARAPHRASES}))
        plain = Best([lexicon]).train((), without, gold=gold[:20])
        assert plain.signature == Best().train((), without, gold=gold[:20]).signature
    explained = {one.link: dict(one.sources) for one in trained.explanations(*tested[0])}
    assert explained[next(iter(gold[20].links.sure))][PARAPHRASES] > 0
    assert any(
        "a pair of the paraphrase lexicon" in words for words in trained.reasons(tested[:1], drawn[:1])[0]
    )


def test_a_distribution_is_learned_from_the_training_text(tmp_path):
    gold = gold_pairs()
    trained = Best().train((), BestSpec(wordnet=False, distribution=True), gold=gold)
    assert "|distribution:" in trained.signature
    save_aligner(tmp_path / "best.npz", trained)
    pairs = [(pair.tokens.source, pair.tokens.target) for pair in gold]
    assert load_aligner(tmp_path / "best.npz").align_all(pairs) == trained.align_all(pairs)
    assert Best().train(pairs, BestSpec(distribution=True)).signature == Best().train(pairs).signature


def test_files_are_read_for_the_words_of_a_text(tmp_path):
    (tmp_path / "lexicon").write_text("buy\tpurchase\n")
    (tmp_path / "vectors").write_text("buy 1 0\n")
    files = {PARAPHRASES: tmp_path / "lexicon", VECTORS: tmp_path / "vectors"}
    assert [one.source.id for one in read_evidence(files, [(["buy"], ["sell"])])] == [PARAPHRASES, VECTORS]


@pytest.mark.parametrize("name", ["hmm", "identity"])
def test_other_aligners_refuse_evidence(name):
    with pytest.raises(ValueError, match="choose best"):
        ALIGNERS.get(name).given([LEXICON_OF_FOUR])
