import zipfile

import pytest

from paragold.formats.tables import read_head
from paragold.problems import FileProblem
from paragold.sources.article_sources import SourceOptions, format_of, read_articles
from paragold.sources.articles import COLUMNS

MAPPING = {"cluster_id": "event", "id": "key", "text": "body", "title": "headline", "published": "date"}
TABLE = (
    "event,key,headline,body,date,words\n"
    'storm,post,"Storm, at last","The storm hit on Monday.\n\nThousands fled.",2004-08-31,7\n'
    "storm,mail,,The storm struck on Monday.,,5\n"
)


def read(path, tmp_path, **options):
    reader = read_articles(path, SourceOptions(**options))
    return list(reader), reader


def written(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def summary(cluster):
    return [(a.key, a.title, [sentence.text for sentence in a.sentences]) for a in cluster[1]]


@pytest.mark.parametrize("separator", [",", "\t", ";"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
def test_a_table(tmp_path, separator, encoding):
    table = TABLE.replace(", at last", " à la fin").replace(",", separator)
    path = written(tmp_path / "t.csv", table.encode(encoding))
    (cluster,), reader = read(path, tmp_path, mapping=MAPPING, encoding=encoding)
    assert summary(cluster) == [
        ("post", "Storm à la fin", ["The storm hit on Monday.", "Thousands fled."]),
        ("mail", "", ["The storm struck on Monday."]),
    ]
    assert cluster[1][0].published == "2004-08-31"
    assert reader.problems == []
    assert reader.notes == ["Columns that are not used: words."]
    assert reader.counts["lines"] == 2
    head = read_head(path, encoding=encoding)
    assert head[0] == ("event", "key", "headline", "body", "date", "words")
    assert head[1][1][1] == "mail"
    assert COLUMNS.mapping(head[0]) == MAPPING


@pytest.mark.parametrize(
    ("rows", "line", "message"),
    [
        ("storm,mail,,text,,5,6\n", 6, "7 cells; the header has 6"),
        ("vote,x,,text,yesterday,5\n", 6, "published"),
        ('vote,x,,"text,,5\n', 6, "cannot be read"),
    ],
)
def test_problems_of_a_table_name_the_line(tmp_path, rows, line, message):
    _, reader = read(written(tmp_path / "t.csv", TABLE + rows), tmp_path, mapping=MAPPING)
    (problem,) = reader.problems
    assert (problem.line, problem.file) == (line, "")
    assert message in problem.message


PAGE = "<html><head><title>Vote ends | Mail</title></head><body><p>{}</p></body></html>"
FILES = {
    "news/storm/post.txt": "The storm hit on Monday.\r\n\r\nThousands fled.",
    "news/storm/mail.html": PAGE.format(
        "The storm struck the coast on Monday, and thousands of people fled."
    ),
    "news/storm/mail_files/frame.html": "<p>Advertisement</p>",
    "news/storm/picture.jpg": b"\xff\xd8",
    # With a byte order mark.
    "news/vote/post.txt": "The vote is over.".encode("utf-16"),
}


def folder(tmp_path, files):
    for name, data in files.items():
        written(tmp_path / "given" / name, data)
    return tmp_path / "given"


def archive(tmp_path, files):
    with zipfile.ZipFile(tmp_path / "given.zip", "w") as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return tmp_path / "given.zip"


@pytest.mark.parametrize("make", [folder, archive])
def test_folders_of_pages_and_texts(tmp_path, make):
    clusters, reader = read(make(tmp_path, FILES), tmp_path)
    storm, vote = clusters
    assert (storm[0], vote[0]) == ("storm", "vote")
    assert summary(storm) == [
        ("mail", "Vote ends", ["The storm struck the coast on Monday, and thousands of people fled."]),
        ("post", "", ["The storm hit on Monday.", "Thousands fled."]),
    ]
    assert summary(vote) == [("post", "", ["The vote is over."])]
    assert reader.problems == []
    assert reader.notes[0] == "2 files of other kinds were left out (1 .html, 1 .jpg)."
    assert reader.counts["articles"] == 3


@pytest.mark.parametrize("make", [folder, archive])
def test_problems_of_pages_name_the_file(tmp_path, make):
    files = {"alone.txt": "x", "a/b.txt": b"A\ncaf\xe9", "a/c.html": b"<meta charset=klingon><p>x"}
    clusters, reader = read(make(tmp_path, files), tmp_path)
    assert clusters == []
    summary = {problem.file: problem.line for problem in reader.problems}
    assert summary == {"alone.txt": 0, "a/b.txt": 2, "a/c.html": 0}


UCI = (
    "ID,TITLE,URL,PUBLISHER,CATEGORY,STORY,HOSTNAME,TIMESTAMP\n"
    '1,"Storm closes schools. In Northport, too",http://a.example/1,Post,b,s1,a.example,1394470370698\n'
    "2,Goal,http://a.example/2,Mail,b,s2,a.example,\n"
    '3,"STORM CLOSES SCHOOLS, in Northport too!",http://a.example/3,Mail,b,s1,a.example,1394470370698\n'
    '4,"Storm closes schools. In Northport, too",http://a.example/4,Echo,b,s1,a.example,1394470370698\n'
)


def test_headlines_of_a_table_and_with_snippets(tmp_path):
    path = written(tmp_path / "u.csv", "\ufeff" + UCI)
    assert format_of(path) == "headlines"
    clusters, reader = read(path, tmp_path)
    assert [key for key, _ in clusters] == ["s1", "s2"]
    title = "Storm closes schools. In Northport, too"
    assert summary(clusters[0]) == [
        ("1", title, [title]),
        ("3", "STORM CLOSES SCHOOLS, in Northport too!", ["STORM CLOSES SCHOOLS, in Northport too!"]),
    ]
    first = clusters[0][1][0]
    assert (first.source, first.url) == ("Post", "http://a.example/1")
    assert first.published == "2014-03-10T16:52:50+00:00"
    assert reader.counts["duplicate_articles"] == 1
    _, reader = read(written(tmp_path / "u.csv", UCI.splitlines()[0] + "\n" + "1,a\n" * 300), tmp_path)
    assert len(reader.problems) == 100
    line = '{"event": "e", "articles": [{"title": "Rates up. More", "lead": "They rose. Few were."}, {}]}\n'
    path = written(tmp_path / "h.jsonl", line.replace(", {}", ""))
    (cluster,), reader = read(path, tmp_path)
    assert summary(cluster) == [("0", "Rates up. More", ["Rates up. More", "They rose.", "Few were."])]
    assert not reader.problems
    assert 0.8 < reader.share <= 1
    nothing, refused = read(written(tmp_path / "bad.jsonl", line), tmp_path)
    assert nothing == [] and refused.problems[0].line == 1


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.csv", "id,title,story\n", "headlines"),
        ("a.csv", "ID,TITLE,STORY,TEXT\n", "table"),
        ("a.jsonl", '{"cluster_id": "c", "headlines": []}\n', "headlines"),
        ("a.jsonl", '{"cluster_id": "c", "articles": [{"id": "a", "title": "T"}]}\n', "jsonl"),
        ("a.jsonl", "[" * 100_000, "jsonl"),
    ],
)
def test_headlines_are_recognised_by_their_first_line(tmp_path, name, text, expected):
    assert format_of(written(tmp_path / name, text)) == expected


def test_a_broken_zip_is_called_one_and_a_picture_a_picture(tmp_path):
    whole = archive(tmp_path, FILES).read_bytes()
    assert format_of(tmp_path) == "folder"
    assert format_of(written(tmp_path / "cut.bin", b"XX" + whole[2:])) == "archive"
    assert format_of(written(tmp_path / "upload", "a\tb\n"), "Articles.TSV") == "table"
    with pytest.raises(FileProblem, match="no importer 'xml'"):
        read(tmp_path / "upload", tmp_path, format="xml")
    for name, data in (("cut.zip", whole[:-40]), ("text.zip", b"no zip")):
        path = written(tmp_path / name, data)
        assert format_of(path) == "archive"
        with pytest.raises(FileProblem, match="zip") as caught:
            read(path, tmp_path)
        assert "JSON" not in caught.value.message
    picture = written(tmp_path / "picture.zip", b"\x89PNG\r\n\x1a\n" + bytes(60))
    with pytest.raises(FileProblem, match="PNG image"):
        read(picture, tmp_path)
