"""Headlines from file to file."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corpus.matching.headline_files import HeadlineSettings, match_headline_file
from corpus.matching.headline_pairs import PairwiseThresholds

STORM = [
    ("Storm closes schools in Northport", "Schools stayed shut on Monday."),
    ("Northport schools closed by storm", "Pupils were told to stay home."),
    ("STORM CLOSES SCHOOLS IN NORTHPORT!", "Schools stayed shut on Monday."),
    ("Ferry crews rescue six anglers", "Six men were taken off a rock."),
    ("Mayor praises ferry crews", "Six men were taken off a rock."),
    ("Power back after two days", "Engineers mended the last line."),
]


def written(folder: Path) -> Path:
    lines = [
        {"cluster_id": "storm", "headlines": [{"title": title, "snippet": text} for title, text in STORM]},
        {"cluster_id": "lone", "headlines": [{"title": "Nothing else happened"}]},
    ]
    path = folder / "headlines.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def test_titles_decide_and_contexts_where_they_do_not(tmp_path: Path) -> None:
    output = tmp_path / "pairs.tsv"
    report = match_headline_file(written(tmp_path), HeadlineSettings(), output)
    assert (report.clusters, report.headlines, report.repeated, report.pairs) == (2, 7, 1, 2)
    by_title, by_context = rows(output)
    assert by_title[:3] == ["storm", "0", "1"]
    assert float(by_title[3]) > 0.5 > float(by_title[4])
    assert by_context[:3] == ["storm", "3", "4"]
    assert 0.2 <= float(by_context[3]) <= 0.5 < float(by_context[4])
    assert by_context[5:] == ["Ferry crews rescue six anglers", "Mayor praises ferry crews"]


def test_kmeans_and_weights_of_the_file(tmp_path: Path) -> None:
    output = tmp_path / "pairs.tsv"
    report = match_headline_file(written(tmp_path), HeadlineSettings(method="kmeans", weights="file"), output)
    assert report.pairs == len(rows(output))
    assert ["storm", "0", "1"] in [row[:3] for row in rows(output)]


def test_closure_adds_what_is_implied(tmp_path: Path) -> None:
    low = PairwiseThresholds(0.05, 0.05)
    plain, closed = tmp_path / "plain.tsv", tmp_path / "closed.tsv"
    match_headline_file(written(tmp_path), HeadlineSettings(thresholds=low), plain)
    match_headline_file(written(tmp_path), HeadlineSettings(thresholds=low, closure=True), closed)
    assert {tuple(row[:3]) for row in rows(plain)} <= {tuple(row[:3]) for row in rows(closed)}


def test_nonsense_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    output = tmp_path / "pairs.tsv"
    with pytest.raises(ValueError, match="no such method"):
        match_headline_file(written(tmp_path), HeadlineSettings(method="guess"), output)
    with pytest.raises(ValueError, match="no such weights"):
        match_headline_file(written(tmp_path), HeadlineSettings(weights="none"), output)
    assert not output.exists()


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "pairs.tsv"
    call_command("match_headlines", str(written(tmp_path)), "--output", str(output))
    assert "2 clusters with 7 headlines (1 repeated, left out), 2 pairs" in capsys.readouterr().out
    assert len(rows(output)) == 2
    with pytest.raises(CommandError, match=r"absent\.csv"):
        call_command("match_headlines", str(tmp_path / "absent.csv"), "--output", str(output))
    with pytest.raises(CommandError, match="lower may not be above"):
        call_command("match_headlines", str(written(tmp_path)), "--lower", "0.9", "--output", str(output))
