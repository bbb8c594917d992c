import io
from itertools import islice
from pathlib import Path

import pytest

from paragold import limits
from paragold.sources.article_reader import ArticleReader
from paragold.sources.articles import SentenceRecord

from .lines import article, cluster, read, read_bytes, single

PAIR = (article("a"), article("b"))


def test_a_cluster_on_a_line() -> None:
    clusters, reader = read(
        cluster(
            "storm",
            article("a", "It's over.\n\nAll left.", source="Post", url="http://a.example/", title="A title"),
            {"id": "b", "paragraphs": ["One. Two.", "", "Three."], "published": "2004-08-31T09:30:00Z"},
            {"id": "c", "sentences": ["He is in."], "title": None},
        )
    )
    assert reader.problems == []
    assert reader.notes == ['Line 1: left out 1 empty paragraph of the article "b" of the cluster "storm".']
    expected = {"lines": 1, "clusters": 1, "articles": 3, "sentences": 6, "tokens": 4 + 3 + 2 + 2 + 2 + 4}
    left_out = (
        "duplicate_articles",
        "empty_sentences",
        "empty_articles",
        "empty_clusters",
        "one_article_clusters",
    )
    assert reader.counts == expected | {"empty_paragraphs": 1} | dict.fromkeys(left_out, 0)
    (storm,) = clusters
    assert (storm.key, storm.line) == ("storm", 1)
    a, b, c = storm.articles
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


def test_sentences_are_neither_split_nor_trimmed_and_tokens_taken_as_they_are() -> None:
    text = " He's in. They left. "
    given = {"id": "a", "sentences": ["He's  in. -LRB- U.S"]}
    clusters, reader = read(
        cluster("c", given, {"id": "b", "sentences": [text], "tokenised": False}, tokenised=True)
    )
    assert reader.problems == []
    first, second = (article.sentences[0] for article in clusters[0].articles)
    assert (first.tokens, first.starts) == (("He's", "in.", "-LRB-", "U.S"), (0, 6, 10, 16))
    assert second == SentenceRecord(text, ("He", "'s", "in", ".", "They", "left", "."), 0)
    assert second.starts == (1, 3, 6, 8, 10, 15, 19)


def test_articles_a_line_are_gathered_in_order_of_first_appearance() -> None:
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
    places = [(cluster.key, cluster.line) for cluster in clusters]
    assert places == [("one", 1), ("two", 2), ("three", 3), ("four", 5)]
    assert [(found.key, found.line) for found in clusters[1].articles] == [("x", 2), ("y", 6)]
    assert reader.counts["lines"] == 6
    assert reader.counts["articles"] == 8


def test_whole_clusters_are_given_before_the_rest_is_read() -> None:
    stream = io.BytesIO((cluster("one", *PAIR) + "\n").encode() * 1 + b" " * (3 << 20) + b"\n")
    clusters = iter(ArticleReader(stream))
    assert next(clusters).key == "one"
    assert stream.tell() < 2 << 20
    # Articles that come a line each are kept as places, not as text.
    reader = ArticleReader(io.BytesIO("".join(single("c", str(n)) + "\n" for n in range(3)).encode()))
    next(iter(reader))
    assert [len(places) for places in reader._waiting.values()] == [3 * len(("number", "offset", "length"))]


def test_exact_duplicates_are_left_out_and_named() -> None:
    twin = article("a")["text"]
    clusters, reader = read(
        cluster("c", article("a"), article("b"), article("twin", twin), article("a")),
        single("d", "a"),
        single("d", "twin", twin),
        single("d", "b"),
    )
    assert reader.problems == []
    assert [[cluster.key for cluster in each.articles] for each in clusters] == [["a", "b"], ["a", "b"]]
    assert reader.counts["duplicate_articles"] == 3
    assert reader.counts["articles"] == 4
    for line, key in ((1, "c"), (3, "d")):
        said = f'article "twin" of the cluster "{key}" has the same sentences as "a" and was left out.'
        assert f"Line {line}: the {said}" in reader.notes


@pytest.mark.parametrize(
    ("rows", "kind", "further"),
    [
        (
            [
                cluster(
                    "c",
                    *(article(str(n), "The same.") for n in range(limits.NOTES_OF_A_KIND + 6)),
                    article("z"),
                )
            ],
            "",
            "5 more articles repeat others of their clusters and were left out.",
        ),
        ([cluster(f"c{n}", {"id": "a", "sentences": ["One .", ""]}) for n in range(300)], "empty", "280"),
        (
            [cluster("c", *PAIR, **{f"key{number}": 0 for number in range(200)})],
            "is not used",
            '"(any further key)" of clusters is not used (found 150 times)',
        ),
    ],
)
def test_notes_of_a_kind_are_bounded_and_say_how_many_more(rows: list[str], kind: str, further: str) -> None:
    _, reader = read(*rows)
    notes = [note for note in reader.notes if kind in note.lower()]
    assert reader.problems == []
    assert len(notes) == (51 if "used" in kind else limits.NOTES_OF_A_KIND + 1)
    assert any(further in note for note in notes)


@pytest.mark.parametrize(
    "lines",
    [[cluster("c", article("a"), article("a", "Other."))], [single("c", "a"), single("c", "a", "Other.")]],
)
def test_an_id_with_two_texts_is_refused(lines: list[str]) -> None:
    clusters, reader = read(*lines)
    assert clusters == []
    (problem,) = reader.problems
    assert problem.line == len(lines)
    assert problem.message.startswith('Article "a" of the cluster "c": Another article')


def test_unused_keys_are_noted_once_with_their_number() -> None:
    _, reader = read(
        cluster("c", article("a", tokenized=True), article("b"), summary="s"),
        cluster("d", *PAIR, summary="s"),
        single("e", "x", lang="en"),
        single("e", "y"),
    )
    assert reader.problems == []
    assert reader.notes == [
        'The key "lang" of articles is not used (found 1 times).',
        'The key "tokenized" of articles is not used (found 1 times). Was "tokenised" meant?',
        'The key "summary" of clusters is not used (found 2 times).',
    ]


def test_clusters_of_one_article_are_noted() -> None:
    clusters, reader = read(
        cluster("c", article("a")), cluster("d", *PAIR), cluster("e", article("a"), article("a"))
    )
    assert len(clusters) == 3
    assert reader.counts["one_article_clusters"] == 2
    assert reader.notes[-1] == "2 clusters have one article only: they give no pairs."
    _, reader = read(cluster("c", article("a")), single("d", "a"))
    assert reader.notes == ["Every cluster of this file has one article only: it gives no pairs."]


def test_a_cluster_that_appears_twice_is_refused() -> None:
    clusters, reader = read(
        cluster("c", *PAIR), cluster("c", *PAIR), single("c", "x"), single("d", "x"), cluster("d", *PAIR)
    )
    assert [problem.line for problem in reader.problems] == [2, 3, 5]
    assert reader.problems[0].message == 'The cluster "c" has appeared on line 1 already.'
    assert [cluster.key for cluster in clusters] == ["c", "d"]


def test_line_ends_and_the_byte_order_mark() -> None:
    text = "\u202eOne\x85line\u2028still\u200b one \U0001f469\u200d\U0001f467 cafe\u0301.\u200f"
    lines = [cluster("c", article("a", text), article("b"))]
    lines += [single("d", "x"), single("d", "y")]
    expected, _ = read(*lines)
    for end in ("\r\n", "\r"):
        assert read_bytes(b"\xef\xbb\xbf" + end.join(lines).encode())[0] == expected
    assert expected[0].articles[0].sentences[0].text == text


def test_a_path_a_stream_that_cannot_be_sought_and_the_property(tmp_path: Path) -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: int) -> int:
            raise OSError("not seekable")

    data = "\n".join((single("c", "a"), single("d", "a"), single("c", "b"))).encode()
    path = tmp_path / "articles.jsonl"
    path.write_bytes(data)
    expected = list(ArticleReader(path))
    assert [cluster.key for cluster in expected] == ["c", "d"]
    assert list(ArticleReader(Pipe(data))) == expected


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ecbplus_topics_1_35", {"articles": 772, "sentences": 12_214, "duplicate_articles": 0}),
        ("multi_news_validation", {"clusters": 1_500, "duplicate_articles": 18, "empty_articles": 13}),
    ],
)
def test_real_news(shared_data: Path, name: str, expected: dict[str, int]) -> None:
    with (shared_data / "news" / f"{name}.jsonl").open("rb") as file:
        reader = ArticleReader(io.BytesIO(b"".join(islice(file, 1_500))))
    for record in reader:
        for each in record.articles:
            assert all(
                sentence.text[start : start + len(token)] == token
                for sentence in each.sentences
                for token, start in zip(sentence.tokens, sentence.starts, strict=True)
            )
    assert expected.items() <= reader.counts.items()
    assert reader.problems == []


@pytest.mark.parametrize(
    "fields", [{"text": " \n"}, {"text": None, "paragraphs": [" ", ""]}, {"text": None, "sentences": []}]
)
def test_articles_without_sentences_are_left_out_with_a_note(fields: dict[str, object]) -> None:
    void = {name: value for name, value in {"id": "void", **fields}.items() if value is not None}
    clusters, reader = read(cluster("some", article("full"), void), cluster("none", void))
    assert [[each.key for each in cluster.articles] for cluster in clusters] == [["full"]]
    assert reader.problems == []
    assert (reader.counts["empty_articles"], reader.counts["empty_clusters"]) == (2, 1)
    assert (
        'Line 1: the article "void" of the cluster "some" has no sentences and was left out.' in reader.notes
    )

    assert any("Line 2" in note and '"none"' in note for note in reader.notes)

    nothing, reader = read(cluster("none", void))
    assert nothing == []
    assert reader.problems[0].message == "No article of the file has a sentence."


@pytest.mark.parametrize("tokenised", [False, True])
def test_empty_sentences_are_left_out_with_a_note(tokenised: bool) -> None:
    void = {"id": "with gaps", "tokenised": tokenised, "sentences": ["It is over .", "", " \t", "All left ."]}
    clusters, reader = read(cluster("some", article("full"), void), cluster("none"), cluster("more", void))
    assert reader.problems == []
    texts = [[sentence.text for sentence in cluster.articles[-1].sentences] for cluster in clusters]
    assert texts == [["It is over .", "All left ."]] * 2
    counts = {name: reader.counts[name] for name in ("empty_sentences", "empty_articles", "empty_clusters")}
    assert counts == {"empty_sentences": 4, "empty_articles": 0, "empty_clusters": 1}
    notes = [note for note in reader.notes if "empty sentences" in note]
    assert ["Line 1" in notes[0], "Line 3" in notes[1]] == [True, True]
    assert all('"with gaps"' in note for note in notes)
    assert any("Line 2" in note and '"none"' in note for note in reader.notes)
