"""Extraction from file to file."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from paragold.extraction import files
from paragold.extraction.cluster import extract_cluster
from paragold.extraction.files import extract_file
from paragold.extraction.presets import PRESETS
from paragold.extraction.records import ClusterSentences, ExtractionCounts
from paragold.problems import FileProblem
from tests.paragold.extraction import reference

L12 = PRESETS["L12-2004-word"].criteria
F2 = PRESETS["F2-2004"].criteria

HEADER = "cluster_id article_a sentence_a article_b sentence_b edit_distance text_a text_b".replace(" ", "\t")
ECB_PLUS = Path(__file__).parents[4] / "shared/data/news/ecbplus_topics_1_35.jsonl"


def cluster(key: str, articles: dict[str, list[str]]) -> dict[str, object]:
    return {
        "cluster_id": key,
        "tokenised": True,
        "articles": [{"id": article, "sentences": sentences} for article, sentences in articles.items()],
    }


STORM = cluster(
    "storm",
    {
        "one": ["Storm nears", "A Storm hit the northern coast late .", "Two boats sank ."],
        "two": ["A storm hit the coast .", "Nobody was hurt ."],
    },
)
FLOOD = cluster(
    "flood",
    {
        "three": ["The river rose by two metres overnight , officials said on Monday ."],
        "four": [
            "The river rose by three metres overnight , officials said on Monday .",
            "It is falling now .",
        ],
    },
)
AGAIN = cluster(
    "again", {"six": ["A STORM hit the coast ."], "five": ["A storm hit the northern coast late ."]}
)


@pytest.fixture
def written(tmp_path):
    def write(*clusters: dict[str, object]) -> Path:
        path = tmp_path / "clusters.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in clusters), encoding="utf-8")
        return path

    return write


def rows(path: Path) -> list[list[str]]:
    header, *lines = path.read_text(encoding="utf-8").split("\n")
    assert header == HEADER
    assert lines.pop() == ""
    return [line.split("\t") for line in lines]


def only_the_input_is_left(folder: Path) -> bool:
    return [path.name for path in folder.iterdir()] == ["clusters.jsonl"]


def test_pairs_are_written_in_original_case(written, tmp_path):
    extract_file(written(FLOOD), L12, tmp_path / "pairs.tsv")
    assert rows(tmp_path / "pairs.tsv") == [
        [
            *("flood", "three", "0", "four", "0", "1"),
            "The river rose by two metres overnight , officials said on Monday .",
            "The river rose by three metres overnight , officials said on Monday .",
        ]
    ]


def test_texts_with_placeholders_are_kept_beside_those_as_printed(written, tmp_path):
    articles = {"one": ["Ann , a 12-year-old , won .", "Bo , a 9-year-old , won ."]}
    asked = L12.with_settings({"placeholders": "yes", "same_article": "yes"})
    extract_file(written(cluster("prize", articles)), asked, tmp_path / "out.tsv")
    header, line = (tmp_path / "out.tsv").read_text(encoding="utf-8").splitlines()
    assert header == f"{HEADER}\tplaceholders_a\tplaceholders_b"
    assert line.split("\t")[6:] == [
        *articles["one"],
        "ann , a %%number%% -year-old , won .",
        "bo , a %%number%% -year-old , won .",
    ]


def test_pairs_seen_in_an_earlier_cluster_are_left_out_and_counted(written, tmp_path):
    counts = extract_file(written(STORM, AGAIN), L12, tmp_path / "pairs.tsv")
    result = rows(tmp_path / "pairs.tsv")
    assert {row[0] for row in result} == {"storm"}
    assert ["storm", "one", "1", "two", "0", "2"] in [row[:6] for row in result]
    assert counts == ExtractionCounts(
        clusters=2,
        articles=4,
        sentences=7,
        pairs_compared=7,
        pairs_kept=len(result),
        rejected_same_text=0,
        rejected_seen_before=1,
    )
    assert counts.seconds > 0


def test_the_bytes_do_not_depend_on_processes(written, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "CHUNK_SENTENCES", 5)
    clusters = [
        cluster(
            f"c{k}",
            {
                article: [f"The w{k % 7} {article} rose by {n} metres on Monday ." for n in range(3)]
                for article in ("river", "lake")
            },
        )
        for k in range(20)
    ]
    source = written(*clusters, STORM, AGAIN)
    reported: list[ExtractionCounts] = []
    one = extract_file(source, L12, tmp_path / "one.tsv", processes=1)
    two = extract_file(source, L12, tmp_path / "two.tsv", processes=2, progress=reported.append)
    assert (tmp_path / "one.tsv").read_bytes() == (tmp_path / "two.tsv").read_bytes()
    assert one == two == reported[-1]
    assert one.rejected_seen_before > 0
    assert [counts.clusters for counts in reported] == [*range(1, 22), 22]


ENDLESS = """
from itertools import repeat
from multiprocessing import active_children
from paragold.extraction import files
from paragold.extraction.presets import PRESETS

cluster = files.ClusterTexts("storm", (("a", ("The dam broke .",)), ("b", ("The dam burst .",))))
results = files._extract_chunks(repeat([cluster]), PRESETS["L12-2004-word"].criteria, 2)
for number, _ in enumerate(results):
    if number == 1:
        print(*(child.pid for child in active_children()), flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_worker_processes_end_with_a_killed_program(number):
    with subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True) as program:
        workers = [Path("/proc") / pid for pid in program.stdout.readline().split()]
        assert len(workers) == 2 and all(worker.exists() for worker in workers)
        program.send_signal(number)
    until = time.monotonic() + 30
    while any(worker.exists() for worker in workers) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(worker.exists() for worker in workers)


def test_no_pairs_give_the_header_only(written, tmp_path):
    source = written(cluster("lonely", {"one": ["Only one article .", "It has two sentences ."]}))
    counts = extract_file(source, F2, tmp_path / "pairs.tsv")
    assert rows(tmp_path / "pairs.tsv") == []
    assert (counts.clusters, counts.pairs_compared) == (1, 0)


def test_a_broken_line_is_an_error_and_writes_nothing(written, tmp_path):
    source = written(STORM, FLOOD)
    source.write_text(source.read_text() + '{"cluster_id": \n')
    with pytest.raises(FileProblem, match="line 3") as caught:
        extract_file(source, L12, tmp_path / "pairs.tsv")
    assert [problem.line for problem in caught.value.problems] == [3]
    assert str(source) in str(caught.value)
    assert only_the_input_is_left(tmp_path)


def test_an_error_leaves_the_earlier_output_as_it_was(written, tmp_path):
    (tmp_path / "pairs.tsv").write_text("earlier")
    source = written(STORM)
    source.write_text("not json\n")
    with pytest.raises(FileProblem):
        extract_file(source, L12, tmp_path / "pairs.tsv")
    assert (tmp_path / "pairs.tsv").read_text() == "earlier"


def test_a_missing_input_is_an_error(tmp_path):
    with pytest.raises(FileProblem, match=r"absent\.jsonl"):
        extract_file(tmp_path / "absent.jsonl", L12, tmp_path / "pairs.tsv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bad", ["a\tb", "a\nb", "a\u2028b", "a\x85b"])
def test_ids_that_would_break_the_lines_are_refused(written, tmp_path, bad):
    articles = {"one": ["A storm hit the coast ."], bad: ["A storm hit the northern coast ."]}
    with pytest.raises(FileProblem) as caught:
        extract_file(written(STORM, cluster("c", articles)), L12, tmp_path / "pairs.tsv")
    assert repr(bad) in str(caught.value)
    with pytest.raises(FileProblem) as caught:
        extract_file(written(cluster(bad, {"one": ["A"], "two": ["B"]})), L12, tmp_path / "pairs.tsv")
    assert repr(bad) in str(caught.value)
    assert only_the_input_is_left(tmp_path)


def test_outputs_that_cannot_be_written_are_refused(written, tmp_path):
    source = written(STORM)
    for output, message in (
        (source, "is also the input"),
        (tmp_path, "Is a directory"),
        (tmp_path / "absent" / "pairs.tsv", "No such file or directory"),
    ):
        with pytest.raises(FileProblem, match=message):
            extract_file(source, L12, output)
    assert json.loads(source.read_text()) == STORM


def test_a_full_disk_is_reported_and_leaves_nothing(written, tmp_path, monkeypatch):
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileProblem, match=r"pairs\.tsv: It cannot be written \(No space left on device\)"):
        extract_file(written(STORM), L12, tmp_path / "pairs.tsv")
    assert only_the_input_is_left(tmp_path)


def test_an_interrupted_run_leaves_nothing(written, tmp_path):
    def interrupt(_counts: ExtractionCounts) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        extract_file(written(STORM), L12, tmp_path / "pairs.tsv", progress=interrupt)
    assert only_the_input_is_left(tmp_path)


def test_the_number_of_processes_is_checked(written, tmp_path):
    with pytest.raises(ValueError, match="processes: 0"):
        extract_file(written(STORM), L12, tmp_path / "pairs.tsv", processes=0)


def test_a_file_has_no_held_out_clusters(written, tmp_path):
    with pytest.raises(FileProblem, match="set clusters to all"):
        extract_file(written(STORM), PRESETS["blind-2004"].criteria, tmp_path / "pairs.tsv")
    assert only_the_input_is_left(tmp_path)


@pytest.mark.real_data
@pytest.mark.skipif(not ECB_PLUS.exists(), reason="../shared/data is absent")
@pytest.mark.parametrize(
    ("name", "clusters"),
    [
        ("L12-2004", 25),
        ("L12-2004-word", 25),
        ("F2-2004", 33),
        ("candidates-2005", 25),
        ("L12", 33),
        ("F2", 33),
        ("F3", 33),
    ],
)
def test_ecb_plus_equals_the_reference(name, clusters, tmp_path):
    """Every eighth of so many clusters, the smallest, whole, by file and by cluster."""
    criteria = PRESETS[name].criteria
    lines = sorted(ECB_PLUS.read_text(encoding="utf-8").splitlines(), key=len)[:clusters:8]
    source = tmp_path / "clusters.jsonl"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    extract_file(source, criteria, tmp_path / "pairs.tsv")
    parameters = reference.parameters(criteria)
    seen = set()
    expected = []
    for line in map(json.loads, lines):
        texts = [text for article in line["articles"] for text in article["sentences"]]
        names = [article["id"] for article in line["articles"] for _ in article["sentences"]]
        sentences = ClusterSentences.from_articles(
            [[text.split() for text in article["sentences"]] for article in line["articles"]]
        )
        tokens = sentences.tokens
        pairs = reference.extract(sentences.articles, sentences.indices, tokens, tokens, **parameters).pairs
        assert [tuple(pair) for pair in extract_cluster(sentences, criteria)] == pairs
        for i, j, distance, _, _, _, index_a, index_b, key in pairs:
            if key not in seen:
                seen.add(key)
                numbers = [names[i], str(index_a), names[j], str(index_b), str(distance)]
                expected.append([line["cluster_id"], *numbers, texts[i], texts[j]])
    assert rows(tmp_path / "pairs.tsv") == expected
    assert len(expected) >= 10
