"""Tables of articles as feeds and pandas write them."""

import pytest

from paragold.sources.article_sources import SourceOptions, read_articles


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
        ("20240902", "2024-09-02"),
        ("20240902T150405Z", "2024-09-02T15:04:05+00:00"),
        ("2024-09-02T09:00Z", "2024-09-02T09:00Z"),
    ],
)
def test_dates_of_feeds_are_stored_as_iso_dates(tmp_path, given, stored):
    [article] = articles(tmp_path, f'cluster_id,id,date,text\nstorm,a1,"{given}",It rained.\n')
    assert article.published == stored


def test_a_column_is_left_out_and_the_others_keep_their_usual_names(tmp_path):
    table = "cluster_id,id,date,text\nstorm,a1,yesterday,It rained.\n"
    [article] = articles(tmp_path, table, published="")
    assert (article.key, article.published) == ("a1", "")


def test_the_index_of_pandas_and_a_comma_at_the_end_are_columns_without_use(tmp_path):
    [article] = articles(tmp_path, ",cluster_id,id,text,\n0,storm,a1,It rained.,\n")
    assert [sentence.text for sentence in article.sentences] == ["It rained."]


def test_the_line_that_tells_excel_the_separator_is_no_header(tmp_path):
    [article] = articles(tmp_path, "sep=;\ncluster_id;id;text\nstorm;a1;It rained.\n")
    assert article.key == "a1"
