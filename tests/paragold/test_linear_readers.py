import json
import time
from contextlib import suppress

import pytest

from paragold.aligners.pair_files import read_training_pairs
from paragold.formats import gold_jsonl, labelled_pairs
from paragold.formats.judgement_files import JUDGEMENT_FORMATS, read_judged_pairs
from paragold.formats.judgement_formats import Reading
from paragold.formats.link_files import LINK_FORMATS, read_link_files, read_links, read_parallel_text
from paragold.formats.tables import TableRows, read_head
from paragold.languages import ENGLISH, language
from paragold.matching.files import read_answer_key, read_texts
from paragold.problems import FileProblem
from paragold.sources.article_sources import ARTICLE_SOURCES, SourceOptions, format_of
from paragold.sources.articles import read_article
from paragold.sources.headlines import holds_headlines, read_headlines
from paragold.sources.main_text_model import blocks_of
from paragold.sources.pages import decode_page, extract_main_text
from paragold.text.tokenisation import tokenise

KIB = 1 << 10
# Four times as much may take so many times as long; what takes less than RATIO times the floor of its size
# is not compared: at that, growth by squares takes 0.8 seconds for 1 MB, of main texts 0.2.
RATIO = 8.0
SIZE, FLOOR = 256, 0.00625
MOST_SECONDS = 6.0
SIZES = {"main text": 1024}  # pages that are long enough to be refused
REPEATS = 5


def linked(format_id):
    names = {"file": "links", "source": "source", "target": "target"}
    return lambda path: read_link_files(path, format_id, names=names)


def linked_with_text(format_id):
    tokens = [(("a",) * 9, ("b",) * 9)]
    return lambda path: read_links(path, format_id, tokens=tokens)


def judged(format_id):
    reading = Reading(format=format_id, threshold=3.0 if format_id == "sts" else None)
    return lambda path: read_judged_pairs(path, reading)


def articles(format_id):
    mapping = {"cluster": "cluster", "id": "id", "text": "text"} if format_id == "table" else {}
    source = ARTICLE_SOURCES.get(format_id)
    return lambda path: list(source.open(path, SourceOptions(format_id, "utf-8", mapping)))


def on_text(function):
    return lambda path: function(path.read_text(encoding="utf-8"))


JSON_UNITS = ('{"tokens":[{', "[", '{"a":', '"', "\\", '{"entities":', '"annotations":  ', "[],")
LINE_UNITS = ("\t", "\n", " ", '"', "0-0 ", "0-0\n", "1 1 1\n", "a,", "NULL ({ ", "0")
TEXT_UNITS = ("A. ", "a.", '." ', "'' ", ".)", "?\n", "Mr. ", "1,", "http://", "a@", "e\u0301", ".", "\n ")
# What the rules of a language are about; the rest is the code that English runs too.
LANGUAGE_UNITS = ("A. ", "a.", "Mr. ", "1,", "\n ")
CHUNKS = ("a+", "a.1", "a.a", "www.!", "a@a.", "..x", "a-", "n't", "日.", "a\u0301-")
PAGE_UNITS = ("<p>", "</p", "<a ", "<!--", "<script>", '<a b="', "<a b='", "&amp;", "<", "<meta charset")
READERS = {
    "links": (linked(None), (*JSON_UNITS, *LINE_UNITS), ("",)),
    **{
        f"links {one}": (linked(one), (*JSON_UNITS[:2], *LINE_UNITS[3:8]), ("",))
        for one in LINK_FORMATS.ids()
    },
    **{
        f"links with text {one}": (linked_with_text(one), LINE_UNITS, ("",))
        for one in ("pharaoh", "naacl", "giza")
    },
    "judgements": (judged("auto"), (*JSON_UNITS, *LINE_UNITS), ("", "id,a,b,label\n")),
    **{
        f"judgements {one}": (judged(one), (*JSON_UNITS[:2], *LINE_UNITS[:4]), ("",))
        for one in JUDGEMENT_FORMATS.ids()
    },
    "sub-clusters": (gold_jsonl.read_subclusters, JSON_UNITS, ("",)),
    "labelled pairs": (labelled_pairs.read_pairs, LINE_UNITS, ("", "1\t")),
    "parallel text": (lambda path: read_parallel_text(path, path), LINE_UNITS, ("",)),
    "head": (read_head, LINE_UNITS, ("", "a,b\n")),
    "rows": (lambda path: list(TableRows(path, [])), LINE_UNITS, ("a,b\n",)),
    "headlines": (read_headlines, LINE_UNITS, ("", "cluster\theadline\n")),
    "kind": (
        lambda path: (format_of(path), holds_headlines(path, table=True)), (*JSON_UNITS, *LINE_UNITS), ("",)
    ),
    **{
        f"articles {one}": (
            articles(one), (*JSON_UNITS, *LINE_UNITS), ("", "cluster,id,text\n")
        )
        for one in ("jsonl", "table", "headlines")
    },
    "article text": (
        on_text(lambda text: read_article({"id": "1", "text": text})),
        TEXT_UNITS,
        ("",),
    ),
    "paragraphs": (read_texts, LINE_UNITS, ("", "id\ttext\n")),
    "answer key": (lambda path: read_answer_key(path, frozenset("ab")), LINE_UNITS, ("", "a\tb\n")),
    "pairs of aligners": (read_training_pairs, (*JSON_UNITS, *LINE_UNITS), ("",)),
    **{
        f"{kind} {tag}": (on_text(getattr(language(tag), kind)), LANGUAGE_UNITS, ("",))
        for tag in ("nl", "de", "fr", "es", "xx")
        for kind in ("sentences", "tokens")
    },
    "sentences": (on_text(ENGLISH.sentences), TEXT_UNITS, ("",)),
    "tokens": (on_text(tokenise), (*TEXT_UNITS, *CHUNKS), ("",)),
    "placeholders": (on_text(lambda text: ENGLISH.placeholders([text, *text.split()])), TEXT_UNITS, ("",)),
    "page": (lambda path: decode_page(path.read_bytes()), PAGE_UNITS, ("",)),
    "blocks": (on_text(blocks_of), PAGE_UNITS, ("<html><body><p>",)),
    "main text": (on_text(extract_main_text), PAGE_UNITS, ("<html><body><p>",)),
}  # fmt: skip


def seconds(reader, path, text):
    path.write_text(text, encoding="utf-8")
    start = time.process_time()
    with suppress(FileProblem):
        reader(path)
    return time.process_time() - start


@pytest.mark.parametrize("name", READERS)
def test_hostile_repetition(tmp_path, name):
    reader, units, beginnings = READERS[name]
    path, size = tmp_path / "file", SIZES.get(name, SIZE)
    floor = FLOOR * size / SIZE
    for beginning in beginnings:
        for unit in units:
            part, text = (f"{beginning}{unit * (kib * KIB // len(unit))}x" for kib in (size // 4, size))
            whole = seconds(reader, path, text)
            assert whole < MOST_SECONDS, f"{beginning!r} {unit!r}: {whole:.2f} s"
            if whole > RATIO * floor:
                quarter = seconds(reader, path, part)
                # Other work on the machine slows a single run; growth shows in the fastest of some, too.
                for _ in range(REPEATS):
                    if whole < RATIO * max(floor, quarter):
                        break
                    whole = min(whole, seconds(reader, path, text))
                    quarter = min(quarter, seconds(reader, path, part))
                assert whole < RATIO * max(floor, quarter), (
                    f"{beginning!r} {unit!r}: {quarter:.2f}, {whole:.2f} s"
                )


def doccano(words, whole):
    """A pair of so many words a side, a tenth of them marked, each as itself or as the whole sentence."""
    side = " ".join(["a"] * words)
    spans = [(0, len(side)) if whole else (2 * n, 2 * n + 1) for n in range(words // 10)]
    entities = [
        {"id": n, "label": "word", "start_offset": a, "end_offset": b} for n, (a, b) in enumerate(spans)
    ]
    relations = [{"id": 0, "from_id": 0, "to_id": 1, "type": "SURE"}]
    return json.dumps({"text": f"{side}\n{side}", "entities": entities, "relations": relations, "pair": "1"})


def label_studio(words, whole):
    side = " ".join(["a"] * words)
    names = {"from_name": "words_a", "to_name": "a", "type": "labels"}
    spans = [(0, len(side)) if whole else (2 * n, 2 * n + 1) for n in range(words // 20)]
    result = [
        {"id": str(n), **names, "value": {"start": start, "end": end, "labels": ["word"]}}
        for n, (start, end) in enumerate(spans)
    ]
    result += [{"type": "relation", "from_id": "0", "to_id": "0", "labels": ["SURE"] * words}]
    return json.dumps([{"data": {"a": side, "b": side}, "annotations": [{"result": result}]}])


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("make", [doccano, label_studio])
def test_many_marks_in_one_pair(tmp_path, make, whole):
    reader, path = linked(None), tmp_path / "file"
    took = [seconds(reader, path, make(words, whole)) for words in (20_000, 80_000)]
    assert took[1] < RATIO * max(0.1, took[0]), took
    assert took[1] < 3, took


def test_one_relation_between_whole_sentences_and_numbers_of_many_digits_are_refused(tmp_path):
    path = tmp_path / "file"
    side = " ".join(["a"] * 5_000)
    ends = ((0, len(side)), (len(side) + 1, 2 * len(side) + 1))
    entities = [
        {"id": n, "label": "word", "start_offset": a, "end_offset": b} for n, (a, b) in enumerate(ends)
    ]
    relations = [{"id": 0, "from_id": 0, "to_id": 1, "type": "SURE"}]
    path.write_text(json.dumps({"text": f"{side}\n{side}", "entities": entities, "relations": relations}))
    with pytest.raises(FileProblem, match="more than 100,000 links"):
        linked("doccano")(path)
    path.write_text(f"[{'1' * 5_000}]")
    for reader in (linked("label_studio"), linked("edinburgh")):
        with pytest.raises(FileProblem, match="is not JSON"):
            reader(path)
