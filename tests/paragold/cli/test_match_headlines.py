import json

STORM = [
    ("Storm closes schools in Northport", "Schools stayed shut on Monday."),
    ("Northport schools closed by storm", "Pupils were told to stay home."),
    ("STORM CLOSES SCHOOLS IN NORTHPORT!", "Schools stayed shut on Monday."),
    ("Ferry crews rescue six anglers", "Six men were taken off a rock."),
    ("Mayor praises ferry crews", "Six men were taken off a rock."),
    ("Power back after two days", "Engineers mended the last line."),
]


def written(folder):
    lines = [
        {"cluster_id": "storm", "headlines": [{"title": title, "snippet": text} for title, text in STORM]},
        {"cluster_id": "lone", "headlines": [{"title": "Nothing else happened"}]},
    ]
    path = folder / "headlines.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def rows(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def test_the_command(tmp_path, paragold, refused):
    output = tmp_path / "pairs.tsv"
    done = paragold("match-headlines", written(tmp_path), "--output", output)
    assert "2 clusters with 7 headlines (1 repeated, left out), 2 pairs" in done.out
    assert len(rows(output)) == 2
    for arguments, message in (
        (("--lower", "0.9", "--output", output), "lower threshold may not be above"),
        ((), "Give --output"),
        (("--output", output, "--tune", "0.5"), "need sub-clusters"),
        (("--gold", tmp_path / "none"), "cannot be read"),
    ):
        assert message in refused("match-headlines", written(tmp_path), *arguments)


def gold(folder, text):
    path = folder / "gold.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


GOLD = '{"cluster_id": "storm", "subclusters": [["0", "1"]]}\n{"cluster_id": "lone", "subclusters": []}\n'
