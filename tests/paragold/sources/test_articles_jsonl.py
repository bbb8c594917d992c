import json
import tracemalloc
from itertools import islice

import pytest

from paragold import limits
from paragold.sources.articles import ArticleReader, SentenceRecord, read_article

from .lines import article, cluster, read, read_bytes, single

PAIR = (article("a"), article("b"))


def test_a_cluster_on_a_line():
    clusters, reader = read(
        cluster(
            "storm",
            article("a", "It's over.\n\nAll left.", source="Post", url="http://a.example/", title="A title"),
            {"id": "b", "paragraphs": ["One. Two.", "", "Three."], "published": "2004-08-31T09:30:00Z"},
            {"id": "c", "sentences": ["He is in."], "title": None},
        )
    )
    assert reader.problems == []
    assert reader.notes == ["Empty paragraphs were left out: 1."]
    expected = {"lines": 1, "clusters": 1, "articles": 3, "sentences": 6, "tokens": 4 + 3 + 2 + 2 + 2 + 4}
    assert expected.items() <= reader.counts.items() and reader.counts["empty_paragraphs"] == 1
    assert sum(reader.counts.values()) == sum(expected.values()) + 1
    (storm,) = clusters
    assert storm[0] == "storm"
    a, b, c = storm[1]
    fields = (a.key, a.source, a.url, a.published, a.title, a.line)
    assert fields == ("a", "Post", "http://a.example/", "", "A title", 1)
    assert a.sentences == (
        SentenceRecord("It's over.", ("It", "'s", "over", "."), 0),
        SentenceRecord("All left.", ("All", "left", "."), 1),
    )
    assert b.published == "2004-08-31T09:30:00Z"
    texts = [(sentence.text, sentence.paragraph) for sentence in b.sentences]
    assert texts == [("One.", 0), ("Two.", 0), ("Three.", 2)]
    assert c.title == ""
    with pytest.raises(RuntimeError, match="make another one"):
        list(reader)


@pytest.mark.parametrize(
    ("language", "tokens"),
    [("nl", [8, 5]), ("nl-BE", [8, 5]), ("en", None), (None, None), ("Dutch", None), (5, None)],
)
def test_an_article_is_cut_by_its_own_language(language, tokens):
    text = {"text": "Dhr. De Vries betaalt ca. 12 euro. De foto's zijn er."}
    english = [len(sentence.tokens) for sentence in read_article({"id": "a"} | text).sentences]
    given = read_article({"id": "a", "language": language} | text)
    assert [len(sentence.tokens) for sentence in given.sentences] == (tokens or english)
    assert tokens != english


def test_sentences_are_neither_split_nor_trimmed_and_tokens_taken_as_they_are():
    text = " He's in. They left. "
    given = {"id": "a", "sentences": ["He's  in. -LRB- U.S"]}
    clusters, reader = read(
        cluster("c", given, {"id": "b", "sentences": [text], "tokenised": False}, tokenised=True)
    )
    assert reader.problems == []
    first, second = (article.sentences[0] for article in clusters[0][1])
    assert (first.tokens, first.starts) == (("He's", "in.", "-LRB-", "U.S"), (0, 6, 10, 16))
    assert second == SentenceRecord(text, ("He", "'s", "in", ".", "They", "left", "."), 0)
    assert second.starts == (1, 3, 6, 8, 10, 15, 19)


def test_articles_a_line_are_gathered_in_order_of_first_appearance():
    clusters, reader = read(
        cluster("one", *PAIR),
        single("two", "x"),
        cluster("three", *PAIR),
        "",
        single("four", "x"),
        single("two", "y"),
        single("four", "y"),
    )
    assert reader.problems == []
    places = [(key, articles[0].line) for key, articles in clusters]
    assert places == [("one", 1), ("two", 2), ("three", 3), ("four", 5)]
    assert [(found.key, found.line) for found in clusters[1][1]] == [("x", 2), ("y", 6)]
    assert reader.counts["lines"] == 6
    assert reader.counts["articles"] == 8


def test_exact_duplicates_are_left_out_and_named():
    twin = article("a")["text"]
    clusters, reader = read(
        cluster("c", article("a"), article("b"), article("twin", twin), article("a")),
        single("d", "a"),
        single("d", "twin", twin),
        single("d", "b"),
    )
    assert reader.problems == []
    assert [[record.key for record in each[1]] for each in clusters] == [["a", "b"], ["a", "b"]]
    assert reader.counts["duplicate_articles"] == 3
    assert reader.counts["articles"] == 4
    for line, key in ((1, "c"), (3, "d")):
        said = f'article "twin" of the cluster "{key}" has the same sentences as "a" and was left out.'
        assert f"Line {line}: the {said}" in reader.notes


def test_unused_keys_are_noted_once_and_notes_of_a_kind_are_bounded():
    copies = [article(str(n), "The same.") for n in range(limits.NOTES_OF_A_KIND + 6)]
    _, reader = read(cluster("c", *copies, article("z"), **{f"key{n}": 0 for n in range(200)}))
    assert reader.problems == []
    assert "5 more articles repeat others of their clusters and were left out." in reader.notes
    assert any('"(any further key)" of clusters is not used (found 150 times)' in n for n in reader.notes)
    _, reader = read(
        cluster("c", article("a", tokenized=True), article("b"), summary="s"),
        cluster("d", *PAIR, summary="s"),
        single("e", "x", lang="en"),
        single("e", "y"),
    )
    assert reader.problems == []
    assert reader.notes == [
        'The key "lang" of articles is not used (found 1 times). Was "language" meant?',
        'The key "tokenized" of articles is not used (found 1 times). Was "tokenised" meant?',
        'The key "summary" of clusters is not used (found 2 times).',
    ]


@pytest.mark.parametrize(
    "lines",
    [[cluster("c", article("a"), article("a", "Other."))], [single("c", "a"), single("c", "a", "Other.")]],
)
def test_an_id_with_two_texts_is_refused(lines):
    clusters, reader = read(*lines)
    assert clusters == []
    (problem,) = reader.problems
    assert problem.line == len(lines)
    assert problem.message.startswith('Article "a" of the cluster "c": Another article')


def test_clusters_that_appear_twice_and_line_ends():
    clusters, reader = read(
        cluster("c", *PAIR), cluster("c", *PAIR), single("c", "x"), single("d", "x"), cluster("d", *PAIR)
    )
    assert [problem.line for problem in reader.problems] == [2, 3, 5]
    assert reader.problems[0].message == 'The cluster "c" has appeared on line 1 already.'
    assert [key for key, _ in clusters] == ["c", "d"]
    text = "\u202eOne\x85line\u2028still\u200b one \U0001f469\u200d\U0001f467 cafe\u0301.\u200f"
    lines = [cluster("c", article("a", text), article("b"))]
    lines += [single("d", "x"), single("d", "y")]
    expected, _ = read(*lines)
    for end in ("\r\n", "\r"):
        assert read_bytes(b"\xef\xbb\xbf" + end.join(lines).encode())[0] == expected
    assert expected[0][1][0].sentences[0].text == text


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ecbplus_topics_1_35", {"articles": 772, "sentences": 12_214, "duplicate_articles": 0}),
        ("multi_news_validation", {"clusters": 1_500, "duplicate_articles": 18, "empty_articles": 13}),
    ],
)
def test_real_news(shared_data, tmp_path, name, expected):
    with (shared_data / "news" / f"{name}.jsonl").open("rb") as file:
        (tmp_path / "articles.jsonl").write_bytes(b"".join(islice(file, 1_500)))
    reader = ArticleReader(tmp_path / "articles.jsonl")
    for record in reader:
        for each in record[1]:
            assert all(
                sentence.text[start : start + len(token)] == token
                for sentence in each.sentences
                for token, start in zip(sentence.tokens, sentence.starts, strict=True)
            )
    assert expected.items() <= reader.counts.items()
    assert reader.problems == []


@pytest.mark.parametrize("fields", [{"text": " \n"}, {"paragraphs": [" ", ""]}, {"sentences": []}])
def test_articles_without_sentences_are_left_out_with_a_note(fields):
    void = {"id": "void", **fields}
    clusters, reader = read(cluster("some", article("full"), void), cluster("none", void))
    assert [[each.key for each in articles] for _, articles in clusters] == [["full"]]
    assert reader.problems == []
    assert (reader.counts["empty_articles"], reader.counts["empty_clusters"]) == (2, 1)
    said = 'the article "void" of the cluster "some" has no sentences and was left out.'
    assert f"Line 1: {said}" in reader.notes
    assert any("Line 2" in note and '"none"' in note for note in reader.notes)
    nothing, reader = read(cluster("none", void))
    assert nothing == []
    assert reader.problems[0].message == "No article of the file has a sentence."


@pytest.mark.parametrize("tokenised", [False, True])
def test_empty_sentences_are_left_out_with_a_note(tokenised):
    gaps = {"id": "with gaps", "tokenised": tokenised, "sentences": ["It is over .", "", " \t", "All left ."]}
    clusters, reader = read(cluster("some", article("full"), gaps))
    assert [sentence.text for sentence in clusters[0][1][-1].sentences] == ["It is over .", "All left ."]
    assert (reader.problems, reader.counts["empty_sentences"]) == ([], 2)
    assert "Empty sentences were left out: 2." in reader.notes


GOOD = cluster("good", article("a"), article("b"))


def only_problem(data, *, encoding="utf-8"):
    """The one problem of a file that gives no clusters but `good`."""
    clusters, reader = read_bytes(data, encoding=encoding)
    assert [key for key, _ in clusters] in ([], ["good"])
    (problem,) = reader.problems
    assert problem.message.endswith(".")
    assert problem.remedy.endswith(".")
    return problem


def problem_of(line):
    """The problem of a line that stands second in its file."""
    problem = only_problem(f"{GOOD}\n{line}\n".encode())
    assert problem.line == 2
    return problem


def test_bytes_of_another_encoding_are_named_with_their_offset():
    first = GOOD.encode() + b"\r\n"
    second = single("café", "a").encode("latin-1")
    problem = only_problem(first + second + b"\n" + second)
    at = second.index(b"\xe9")
    assert problem.line == 2
    assert f"0xE9 at offset {len(first) + at:,}" in problem.message
    assert "latin-1" in problem.remedy
    data = b"\xff\xfe" + GOOD.encode("utf-16-le") * 9_000 + b"\x00\xdc!\x00"
    problem = only_problem(data, encoding="utf-16")
    assert problem.line == 1
    assert f"0x00 at offset {len(data) - 4:,}" in problem.message


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ('{"cluster_id": "c", "articles": [', 34, "Expecting value"),
        ("cluster_id,text", 1, "not valid JSON"),
        ('{"cluster_id": "\\\\u0000\\u0000"}', None, "NUL"),
        ('{"x": "\\ud83d\\ude00 \\ud83d"}', None, "surrogate"),
        ('{"a": "NaN", "b": [NaN]}', None, "NaN is not"),
        ('{"a": {"id": 1}, "b": "{", "id": 1, "id": 2}', None, '"id" occurs twice'),
        ('{"a": "12345678901234567890", "b": -1234567890123456789}', None, "18 digits"),
        ('{"a": ' + "[" * 100_000, None, "64 deep"),
    ],
)
def test_lines_that_are_not_fit(line, column, message):
    problem = problem_of(line)
    assert message in problem.message
    assert problem.column == column


def test_what_only_looks_unfit_is_taken():
    text = 'NaN \\u0000 {"id": 1, "id": 2} ' + "[" * 100 + " -Infinity \U0001f600"
    line = json.dumps({"cluster_id": "c", "articles": [article("a", text), article("b")]})
    clusters, reader = read(line)
    assert reader.problems == []
    assert clusters[0][1][0].sentences[0].text == text


def test_what_cannot_be_split_or_stored_is_named_by_article():
    for fields, message in (
        ({"text": "word " * 100_000}, "has 100,000 tokens; the limit is 10,000"),
        ({"sentences": ["a b", "word " * 10_001]}, "has 10,001 tokens; the limit is 10,000"),
        ({"text": "w" * 2_001}, "has 2,001 characters; the limit is 2,000"),
        ({"text": "A.", "published": "2004-02-30"}, "published: it is not an ISO 8601 date"),
    ):
        said = problem_of(cluster("bad", article("b"), {"id": "x", **fields})).message
        assert said.startswith('Article "x" of the cluster "bad": ') and message in said
    clusters, reader = read(cluster("c", {"text": "A."}, article("b"), {"id": "x", "text": 1}))
    assert clusters == []
    assert [problem.message[:40] for problem in reader.problems] == [
        'Article number 1 of the cluster "c": id ',
        'Article "x" of the cluster "c": text sho',
    ]


@pytest.mark.parametrize("line", [lambda _: "{", lambda n: single(f"c{n}", "a", title=1)])
def test_problems_end_at_the_limit_and_say_so(line):
    _, reader = read(*(line(number) for number in range(limits.PROBLEMS + 50)))
    assert len(reader.problems) == limits.PROBLEMS
    assert reader.notes[-1] == "Reading stopped after 100 problems; there may be more."


def test_overlong_lines_and_overlarge_clusters_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "CLUSTER_BYTES", 1000)
    for size in (900, 5_000_000):
        clusters, reader = read(
            GOOD, cluster("long", article("a", "long " * size)), cluster("c", article("a"), article("b"))
        )
        assert [key for key, _ in clusters] == ["good", "c"]
        assert [(problem.line, problem.message) for problem in reader.problems] == [
            (2, "The line is longer than 1,000 bytes.")
        ]
    assert only_problem(GOOD.encode() + b"\n" + b"x" * 3_000_000).line == 2
    monkeypatch.setattr(limits, "CLUSTER_BYTES", 1000)
    clusters, reader = read(
        *(single("c", str(number), "word " * 30) for number in range(9)), single("d", "a")
    )
    assert [key for key, _ in clusters] == ["d"]
    assert [(problem.line, problem.message) for problem in reader.problems] == [
        (1, 'The cluster "c" has more than 1,000 bytes.')
    ]


def memory_of_reading(path):
    """How many clusters of several articles there are, the largest memory meanwhile, and the problems."""
    tracemalloc.start()
    reader = ArticleReader(path)
    articles = sum(len(articles) for _, articles in reader)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return articles, peak, reader.problems


def test_memory_is_bounded(tmp_path):
    path = tmp_path / "articles.jsonl"
    with path.open("wb") as file:
        for _ in range(100):
            file.write(b"x" * (1 << 20))
    articles, peak, problems = memory_of_reading(path)
    assert (articles, [problem.line for problem in problems]) == (0, [1])
    assert peak < 8 * limits.CLUSTER_BYTES
    path = tmp_path / "articles.jsonl"
    more = {"title": "t" * 1_000, "url": "u" * 2_000}
    lines = (single(f"c{n // 4}", str(n), "The storm hit.", **more) + "\n" for n in range(4_000))
    path.write_text("".join(lines), encoding="utf-8")
    articles, peak, _ = memory_of_reading(path)
    assert articles == 1_000  # the others repeat them
    assert path.stat().st_size > 12_000_000 and peak < 6_000_000


@pytest.mark.parametrize(
    ("encoding", "chosen"),
    [("utf-16", "utf-8"), ("utf-8-sig", "utf-8"), ("cp1252", "cp1252"), ("utf-16-le",) * 2],
)
def test_an_encoding_is_known_by_its_mark_or_chosen(encoding, chosen):
    data = cluster("good", article("é", "Le café."), article("b")).encode(encoding)
    clusters, reader = read_bytes(data, encoding=chosen)
    assert reader.problems == []
    assert clusters[0][1][0].sentences[0].tokens == ("Le", "café", ".")
    if encoding == "utf-16-le":
        assert "UTF-16" in only_problem(GOOD.encode(encoding)).message
