import json

import pytest

from paragold.problems import FileProblem
from paragold.sources.article_sources import SourceOptions, read_articles

from .lines import read

WCEP = {
    "id": 1,
    "date": "1 January 2019",
    "summary": "S.",
    "articles": [
        {
            "id": "a",
            "url": "http://x.example/1",
            "title": "T",
            "text": "It hit.",
            "time": "2019-01-01T00:00:00",
        },
        {"id": 2, "title": "U", "text": "It struck.", "origin": "CommonCrawl"},
    ],
}
SINGLE = {"story": 7, "doc_id": 8, "body": "It hit.", "headline": "T", "when": "2019-01-01"}


def lines_of(*values):
    return [json.dumps(value) for value in values]


def opened(folder, *values, mapping=None):
    path = folder / "articles.jsonl"
    path.write_text("\n".join(lines_of(*values)))
    reader = read_articles(path, SourceOptions(mapping=mapping or {}))
    return list(reader), reader


def fields(cluster):
    return [(found.key, found.title, found.published, found.sentences[0].text) for found in cluster[1]]


def test_usual_keys_are_read_and_chosen_ones_go_before_them(tmp_path):
    [wcep, single], reader = read(*lines_of(WCEP, SINGLE))
    assert reader.problems == []
    assert (wcep[0], single[0]) == ("1", "7")
    assert fields(wcep) == [("a", "T", "2019-01-01T00:00:00", "It hit."), ("2", "U", "", "It struck.")]
    assert fields(single) == [("8", "T", "", "It hit.")]
    assert 'The key "time" was read as published.' in reader.notes
    assert 'The key "when" of articles is not used (found 1 times).' in reader.notes
    chosen = {"cluster_id": "summary", "title": "", "published": "when", "text": "title"}
    [wcep, single], reader = opened(
        tmp_path, WCEP, {"summary": "S2", "id": "x", "when": "2019-01-02", "title": "Hit."}, mapping=chosen
    )
    assert reader.problems == []
    assert (wcep[0], fields(wcep)) == ("S.", [("a", "", "", "T"), ("2", "", "", "U")])
    assert (single[0], fields(single)) == ("S2", [("x", "", "2019-01-02", "Hit.")])
    _, left_out = opened(tmp_path, WCEP, mapping={"published": ""})
    assert left_out.problems == []
    _, reader = opened(tmp_path, WCEP, mapping={"url": "address", "title": "title"})
    assert [problem.message for problem in reader.problems] == ["No line has the key 'address'."]
    with pytest.raises(FileProblem, match="'outlet' is not a field"):
        opened(tmp_path, WCEP, mapping={"outlet": "origin"})


def articles(tmp_path, table, **mapping):
    (tmp_path / "table.csv").write_text(table)
    options = SourceOptions(format="table", mapping=mapping)
    reader = read_articles(tmp_path / "table.csv", options)
    read = [article for _, articles in reader for article in articles]
    assert not reader.problems
    return read


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("Mon, 02 Sep 2024 15:04:05 GMT", "2024-09-02T15:04:05+00:00"),
        ("2 Sep 2024 15:04:05 +0200", "2024-09-02T15:04:05+02:00"),
        ("20240902T150405Z", "2024-09-02T15:04:05+00:00"),
        ("2024-09-02T09:00Z", "2024-09-02T09:00Z"),
    ],
)
def test_dates_of_feeds_are_stored_as_iso_dates(tmp_path, given, stored):
    [article] = articles(tmp_path, f'cluster_id,id,date,text\nstorm,a1,"{given}",It rained.\n')
    assert article.published == stored
