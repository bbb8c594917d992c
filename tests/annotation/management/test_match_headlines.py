"""Headlines from file to file."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from paragold.matching.headline_files import HeadlineFile
from paragold.matching.headlines import HeadlineSpec

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
    headlines = HeadlineFile(written(tmp_path), HeadlineSpec())
    assert (len(headlines.clusters), headlines.headlines, headlines.repeated) == (2, 7, 1)
    assert headlines.write_pairs(HeadlineSpec(), output) == 2
    by_title, by_context = rows(output)
    assert by_title[:3] == ["storm", "0", "1"]
    assert float(by_title[3]) > 0.5 > float(by_title[4])
    assert by_context[:3] == ["storm", "3", "4"]
    assert 0.2 <= float(by_context[3]) <= 0.5 < float(by_context[4])
    assert by_context[5:] == ["Ferry crews rescue six anglers", "Mayor praises ferry crews"]


def test_kmeans_and_weights_of_the_file(tmp_path: Path) -> None:
    output = tmp_path / "pairs.tsv"
    settings = HeadlineSpec(method="kmeans", weights="file")
    assert HeadlineFile(written(tmp_path), settings).write_pairs(settings, output) == len(rows(output))
    assert ["storm", "0", "1"] in [row[:3] for row in rows(output)]


def test_closure_adds_what_is_implied(tmp_path: Path) -> None:
    low = {"upper": 0.05, "lower": 0.05}
    plain, closed = tmp_path / "plain.tsv", tmp_path / "closed.tsv"
    headlines = HeadlineFile(written(tmp_path), HeadlineSpec())
    headlines.write_pairs(HeadlineSpec(**low), plain)
    headlines.write_pairs(HeadlineSpec(**low, closure=True), closed)
    assert {tuple(row[:3]) for row in rows(plain)} <= {tuple(row[:3]) for row in rows(closed)}


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="one of pairwise, kmeans"):
        HeadlineSpec(method="guess")
    with pytest.raises(ValueError, match="one of cluster, file"):
        HeadlineSpec(weights="none")


def test_sub_clusters_are_those_of_the_headlines_kept(tmp_path: Path) -> None:
    headlines = HeadlineFile(written(tmp_path), HeadlineSpec())
    (judged,) = headlines.judged({"storm": [["0", "1"], ["2", "5"]]})
    # Number 2 repeats number 0, so number 5 is alone, and has become the fifth.
    assert judged.groups == [[0, 1], [4]]
    with pytest.raises(ValueError, match="the cluster 'flood', which"):
        headlines.judged({"flood": []})
    with pytest.raises(ValueError, match="the headline '9', which"):
        headlines.judged({"storm": [["0", "9"]]})


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "pairs.tsv"
    call_command("match_headlines", str(written(tmp_path)), "--output", str(output))
    assert "2 clusters with 7 headlines (1 repeated, left out), 2 pairs" in capsys.readouterr().out
    assert len(rows(output)) == 2
    with pytest.raises(CommandError, match=r"absent\.csv"):
        call_command("match_headlines", str(tmp_path / "absent.csv"), "--output", str(output))
    with pytest.raises(CommandError, match="lower threshold may not be above"):
        call_command("match_headlines", str(written(tmp_path)), "--lower", "0.9", "--output", str(output))


def gold(folder: Path, text: str) -> str:
    path = folder / "gold.jsonl"
    path.write_text(text, encoding="utf-8")
    return str(path)


GOLD = '{"cluster_id": "storm", "subclusters": [["0", "1"]]}\n{"cluster_id": "lone", "subclusters": []}\n'


def test_the_command_scores_against_sub_clusters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    headlines = str(written(tmp_path))
    call_command("match_headlines", headlines, "--gold", gold(tmp_path, GOLD))
    told = capsys.readouterr().out
    assert "Scored on 2 clusters with 1 sub-clusters of 2 headlines; 4 headlines are in none." in told
    assert "pairwise  all headlines        0.50    1.00" in told
    call_command("match_headlines", headlines, "--gold", gold(tmp_path, GOLD), "--json")
    table = json.loads(capsys.readouterr().out)["table"]
    assert [(row["method"], row["headlines"]) for row in table][:2] == [
        ("kmeans", "clusters only"), ("kmeans", "all headlines"),
    ]  # fmt: skip
    output = tmp_path / "pairs.tsv"
    call_command(
        "match_headlines", headlines, "--gold", gold(tmp_path, GOLD), "--tune", "0.5", "--output", str(output)
    )
    told = capsys.readouterr().out
    assert "Tuned on 1 clusters" in told and output.exists()


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (GOLD, ["--tune", "2"], "between 0 and 1"),
        ('{"cluster_id": "storm"}\n', [], "subclusters"),
        ('{"cluster_id": "flood", "subclusters": []}\n', [], "flood"),
        ('{"cluster_id": "storm", "subclusters": []}\n', [], "nothing to score"),
        ('{"cluster_id": "storm", "subclusters": [["0", "1"], ["1", "3"]]}\n', [], "twice"),
    ],
)
def test_faulty_gold_is_told(tmp_path: Path, text: str, options: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        call_command("match_headlines", str(written(tmp_path)), "--gold", gold(tmp_path, text), *options)


def test_the_command_wants_something_to_do(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="Give --output"):
        call_command("match_headlines", str(written(tmp_path)))
    with pytest.raises(CommandError, match="need sub-clusters"):
        call_command("match_headlines", str(written(tmp_path)), "--output", "x", "--json")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("match_headlines", str(written(tmp_path)), "--gold", str(tmp_path / "none"))
