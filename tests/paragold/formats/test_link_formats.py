import json
from dataclasses import replace

import pytest
from hypothesis import given

from paragold.formats.link_files import read_links, read_parallel_text, texts_of_sides, write_links
from paragold.metrics.links import LinkedPair, Links
from paragold.problems import FileProblem
from tests.link_texts import dumps, links_in, loads, parallel_text
from tests.paragold.strategies import corpora

TEXT = [(("a", "b"), ("a", "b", "c")), (("d",), ("d",))]
PAIR = LinkedPair("1", ("a", "b"), ("é", "c"), Links.of([(0, 0), (1, 1)], [(1, 0)]))
JSONL = {
    "id": "1",
    "source": ["a", "b"],
    "target": ["é", "c"],
    "sure": [[0, 0], [1, 1]],
    "possible_only": [[1, 0]],
}
RECORD = {"id": "1", "source": "a b", "target": "é  c", "sureAlign": "0-0 1-1", "possibleAlign": "1-0"}
MULTIMWA = "17\tThe dog\tx\tthe  hound\tx\tx\tx\t0-0\t1-1 0-0\tmore\n"
HEAD = "# Sentence pair (1) source length 2 target length 3 alignment score : 0.0134\n"
GIZA = f"{HEAD}the tall hound \nNULL ({{ 2 }}) the ({{ 1 }}) dog ({{ 3 }}) \n"
DOG = LinkedPair("1", ("the", "dog"), ("the", "tall", "hound"), Links.of([(0, 0), (1, 2)]))


def of_edinburgh(text):
    return loads("edinburgh", text)


def of_multimwa(text):
    return loads("multimwa", text)


def pairs_of(*links):
    return [LinkedPair(str(number), (), (), drawn) for number, drawn in enumerate(links, start=1)]


def record(**fields):
    return json.dumps([{**RECORD, **fields}])


def line(**fields):
    return json.dumps({**JSONL, **fields})


def test_pharaoh_and_naacl():
    assert links_in("pharaoh", "0-0 1?2\n\n", TEXT) == [Links.of([(0, 0)], [(1, 2)]), Links.of()]
    assert links_in("pharaoh", "0-0\r\n0?0 0-0", TEXT) == [Links.of([(0, 0)])] * 2
    links = Links.of([(1, 0), (0, 2)], [(0, 1)]), Links.of()
    assert dumps("pharaoh", pairs_of(*links)) == "0?1 0-2 1-0\n\n"
    first, second = Links.of([(0, 2)], [(1, 0)]), Links.of([(0, 0)])
    assert links_in("naacl", "0001 1 3 S\r\n\r\n0001 2 1 P\n2 1 1\n2 1 1 P\n", TEXT) == [first, second]
    # Sentences without links have no line.
    assert links_in("naacl", "0002 1 1 S\n", TEXT) == [Links.of(), second]
    links = Links.of([(4, 1), (2, 9)], [(0, 0)]), Links.of(), second
    assert dumps("naacl", pairs_of(*links)) == "0001 3 10 S\n0001 5 2 S\n0001 1 1 P\n0003 1 1 S\n"


def test_edinburgh():
    assert of_edinburgh(" [ ]\n") == []
    for text in (record(name="1", score="0.0"), record(possibleAlign="0-0 1-0")):
        assert of_edinburgh(text) == [PAIR]
    [pair] = of_edinburgh(json.dumps([{key: RECORD[key] for key in RECORD if key != "possibleAlign"}]))
    assert pair.links == Links.of([(0, 0), (1, 1)])
    assert of_edinburgh(record(source="a 1\u00a01/2"))[0].source == ("a", "1\u00a01/2")
    assert json.loads(dumps("edinburgh", [PAIR])) == [{**RECORD, "name": "1", "target": "é c"}]


def test_jsonl_and_multimwa():
    text = dumps("jsonl", [PAIR])
    assert text.startswith(
        '{"id": "1", "source": ["a", "b"], "target": ["é", "c"], "sure": [[0, 0], [1, 1]], '
    )
    assert text.endswith('"possible_only": [[1, 0]]}\n')
    assert loads("jsonl", text.replace("\n", "\r\n\n") + line(id="2")) == [PAIR, replace(PAIR, key="2")]
    pair = LinkedPair("17", ("The", "dog"), ("the", "hound"), Links.of([(0, 0)], [(1, 1)]))
    assert of_multimwa(f"{MULTIMWA}\n") == [pair]
    assert dumps("multimwa", [pair]) == "17\tThe dog\t\tthe hound\t\t\t\t0-0\t1-1\n"


def test_giza_and_parallel_text():
    assert loads("giza", GIZA) == [DOG]
    assert dumps("giza", [DOG]) == GIZA.replace("0.0134", "1").replace(" \n", "\n")
    # Words may look like brackets, and a target word have two links.
    tokens = (("({", "})", "NULL", "3"), ("})", "({"))
    pair = LinkedPair("1", *tokens, Links.of([(0, 0), (1, 0), (2, 1)]))
    assert loads("giza", dumps("giza", [pair])) == [pair]
    assert parallel_text("a b\n\nc\n", "d\r\ne  f\r\n\n") == [
        (("a", "b"), ("d",)),
        ((), ("e", "f")),
        (("c",), ()),
    ]
    text = "a\u2028b\u0085c\x0bd e\n"
    assert parallel_text(text, text)[0][0] == ("a\u2028b\u0085c\x0bd", "e")


@given(corpora())
def test_round_trips(pairs):
    tokens, links = [pair.tokens for pair in pairs], [pair.links for pair in pairs]
    for format_id in ("edinburgh", "jsonl", "multimwa", "table"):
        assert loads(format_id, dumps(format_id, pairs)) == pairs
    assert parallel_text(*texts_of_sides(tokens)) == tokens
    for format_id in ("pharaoh", "pharaoh_1", "naacl"):
        assert links_in(format_id, dumps(format_id, pairs), tokens) == links
    sure = [
        replace(pair, key=str(n), links=Links.of(pair.links.possible))
        for n, pair in enumerate(pairs, start=1)
    ]
    assert loads("giza", dumps("giza", sure)) == sure


def refused(read, place, *rows):
    """A table of what a format refuses: `place` makes a file and its line of a row."""
    return [(read, *place(text), message) for text, message in rows]


REFUSED = [
    *refused(
        lambda text: loads("pharaoh", text, TEXT),
        lambda text: (f"0-0\n{text}\n", 2),
        ("0-0 1:1", "'1:1' is not a link"),
    ),
    *refused(
        lambda text: loads("naacl", text, TEXT),
        lambda text: (f"1 1 1 S\n\n{text}\n", 3),
        ("1 1", "'1 1' is not a link"),
        ("1 0 1 S", "count from 1"),
        ("3 1 1 S", "sentence 3, but the text has 2 pairs"),
    ),
    *refused(
        lambda text: loads("jsonl", text),
        lambda text: (f"{line(id='0')}\n{text}\n", 2),
        ('{"id": "1", "source": []}', "target is missing"),
        (line(id="0"), "id '0' was used on line 1"),
        (line(source="a b"), "source should be a list"),
        (line(possible_only=[[0, 0]]), "link [0, 0] is in sure and in possible_only"),
        ("[" * 100_000, "nested more than"),
    ),
    *refused(
        of_multimwa,
        lambda text: (f"{MULTIMWA}{text}\n", 2),
        ("18\ta\t\tb\t\t\t\t0-0", "8 columns instead of 9"),
        ("18\ta\t\tb\t\t\t\t0?0\t", "'0?0' is not a link. Write 3-4 for SURE, indices"),
    ),
    *refused(
        of_edinburgh,
        lambda text: (text[0], text[1]),
        (('{"id": 1}', 1), "is not a JSON array"),
        (("[\n\n5]", 3), "an element is not an object"),
        ((f"[\n{record()[1:-1]},\n{record()[1:]}", 3), "id '1' was used on line 2"),
    ),
    *refused(
        lambda text: loads("giza", text),
        lambda text: (text[0], text[1]),
        ((GIZA.replace("# Sentence", "Sentence"), 1), "is not the first line of a pair"),
        ((GIZA.replace("source length 2", "source length 4"), 1), "but there are 2 and 3 words"),
        ((GIZA.replace("({ 3 })", "({ 4 })"), 3), "target word 4, but the target has 3"),
        ((GIZA + GIZA, 4), "id '1' was used on line 1"),
    ),
]


@pytest.mark.parametrize(("read", "text", "number", "message"), REFUSED)
def test_what_does_not_fit_is_refused_by_line(read, text, number, message):
    with pytest.raises(FileProblem) as caught:
        read(text)
    assert str(caught.value).startswith(f"line {number}")
    assert message in str(caught.value)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (lambda: loads("pharaoh", "0-0\n", TEXT), "1 lines, but the text has 2 pairs"),
        (lambda: parallel_text("a\nb\n", "a\n"), "the source has 2 lines and the target 1"),
        (lambda: loads("giza", HEAD + "the\n"), "2 lines, which is not a multiple of 3"),
        # What a format cannot hold is not written.
        (lambda: dumps("giza", [PAIR]), "pair 1: link 1-0 is POSSIBLE.*all links as sure"),
        (lambda: texts_of_sides([TEXT[1], (("a",), ("b c",))]), "line 2: token 0 is 'b c'"),
        (lambda: dumps("edinburgh", [of_token("7", "a\tb")]), "pair 7: token 0 is"),
        (lambda: dumps("multimwa", [of_token("a\tb", "x")]), "JSONL"),
        # A long key and a long token are not quoted whole.
        (lambda: dumps("giza", [of_token("k" * 150, "x y" * 900)]), "kkk"),
    ],
)
def test_other_files_and_pairs_are_refused_in_few_words(work, message):
    with pytest.raises(ValueError, match=message) as caught:
        work()
    assert len(str(caught.value)) < 300


def of_token(key, token):
    return LinkedPair(key, (token,), ("y",), Links.of())


def test_half_a_surrogate_pair_is_refused_with_its_line(tmp_path):
    with pytest.raises(FileProblem, match=r"line 2: U\+D800 is half of a surrogate pair"):
        write_links(tmp_path / "links.jsonl", [PAIR, of_token("2", "\ud800")], "jsonl")
    assert not (tmp_path / "links.jsonl").exists()


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["edinburghpp.train", "msr_rte2.dev"])
def test_real_files_agree_and_are_written_back_byte_for_byte(alignment_data, name):
    pairs = read_links(alignment_data / f"{name}.jsonl")
    tokens = [pair.tokens for pair in pairs]
    assert read_parallel_text(alignment_data / f"{name}.src", alignment_data / f"{name}.tgt") == tokens
    links = links_in("naacl", (alignment_data / f"{name}.naacl").read_text(), tokens)
    assert links == [pair.links for pair in pairs]
    for format_id in ("naacl", "jsonl"):
        written = dumps(format_id, pairs).encode()
        assert written == (alignment_data / f"{name}.{format_id}").read_bytes()
