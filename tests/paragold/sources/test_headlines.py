"""Headlines as CSV of the UCI News Aggregator and as JSON Lines."""

from pathlib import Path

import pytest

from paragold.problems import FileProblem
from paragold.sources.headlines import Headline, read_headlines

WHEN = "2014-03-10T16:52:50+00:00"
HEADER = "ID,TITLE,URL,PUBLISHER,CATEGORY,STORY,HOSTNAME,TIMESTAMP\n"


def written(folder: Path, text: str) -> Path:
    path = folder / "headlines"
    path.write_text(text, encoding="utf-8")
    return path


def csv_line(key: str, title: str, story: str) -> str:
    return f"{key},{title},http://example.org,Gazette,b,{story},example.org,1394470370698\n"


def test_csv(tmp_path: Path) -> None:
    lines = csv_line("1", '"Rates rise, ""slowly"""', "s1") + csv_line("2", "Goal", "s2")
    clusters = read_headlines(written(tmp_path, HEADER + lines + csv_line("3", "Rates up", "s1")))
    assert [cluster.key for cluster in clusters] == ["s1", "s2"]
    assert clusters[0].headlines == (
        Headline("1", 'Rates rise, "slowly"', "", "Gazette", 2, "http://example.org", WHEN),
        Headline("3", "Rates up", "", "Gazette", 4, "http://example.org", WHEN),
    )


def test_json_lines(tmp_path: Path) -> None:
    text = (
        '{"cluster_id": "c", "headlines": [{"id": 7, "title": "A", "snippet": "B", "source": "S"}]}\n'
        '{"event": "e", "articles": [{"title": "C", "lead": "D"}, {"title": "E"}]}\n'
    )
    first, second = read_headlines(written(tmp_path, text))
    assert (first.key, first.headlines) == ("c", (Headline("7", "A", "B", "S", 1),))
    assert (second.key, [headline.key for headline in second.headlines]) == ("e", ["0", "1"])
    assert [headline.snippet for headline in second.headlines] == ["D", ""]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("TITLE,URL\n", 1, "no column ID, STORY"),
        (HEADER + "1,a,b\n", 2, "3 cells; the header has 8"),
        (HEADER + csv_line("1", '"open', "s"), 2, "unexpected end of data"),
        (HEADER + csv_line("1", "", "s"), 2, "no title"),
        (HEADER + csv_line("1", "A", ""), 2, "STORY is empty"),
        (HEADER + csv_line("1", "A", "s").replace("1394470370698", "March"), 2, "TIMESTAMP is 'March'"),
        (HEADER + csv_line("1", "A", "s") + csv_line("1", "B", "s"), 3, "is also on line 2"),
        (HEADER, 0, "no headline"),
        ('{"event": "e", "articles": [{"title": "A"}]}\n' * 2, 2, "is also on line 1"),
        ("\n", 0, "no headline"),
        ('{"event": "e", "articles": []}\n', 1, "no headlines"),
        ('{"event": "e", "articles": [3]}\n', 1, "not an object"),
        ('{"event": "e", "articles": [{"title": ["A"]}]}\n', 1, "not a string"),
        ('{"event": "e", "articles": [{"title": " "}]}\n', 1, "no title"),
        ('{"event": "e", "articles": [{"title": "A"}]\n', 1, "not valid JSON"),
    ],
)
def test_faults_are_reported_with_their_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(FileProblem, match=message) as caught:
        read_headlines(written(tmp_path, text))
    assert [problem.line for problem in caught.value.problems] == [line]
