import json
import signal
import subprocess
import sys

import pytest

from paragold.extraction import files
from paragold.extraction.cluster import extract_cluster
from paragold.extraction.files import extract_file
from paragold.extraction.presets import PRESETS
from paragold.extraction.records import ClusterSentences
from paragold.problems import FileProblem
from tests.paragold.extraction import reference
from tests.processes import runs, wait_until

L12 = PRESETS["L12-2004-word"].criteria

HEADER = "cluster_id article_a sentence_a article_b sentence_b edit_distance text_a text_b".replace(" ", "\t")


def cluster(key, articles):
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
    def write(*clusters):
        path = tmp_path / "clusters.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in clusters), encoding="utf-8")
        return path

    return write


def rows(path):
    header, *lines = path.read_text(encoding="utf-8").split("\n")
    assert header == HEADER
    assert lines.pop() == ""
    return [line.split("\t") for line in lines]


def only_the_input_is_left(folder):
    return [path.name for path in folder.iterdir()] == ["clusters.jsonl"]


def test_texts_with_placeholders_are_kept_beside_those_as_printed(written, tmp_path):
    extract_file(written(FLOOD), L12, tmp_path / "pairs.tsv")
    texts = [text for article in FLOOD["articles"] for text in article["sentences"][:1]]
    assert rows(tmp_path / "pairs.tsv") == [["flood", "three", "0", "four", "0", "1", *texts]]
    articles = {"one": ["Ann , a 12-year-old , won .", "Bo , a 9-year-old , won ."]}
    asked = L12.replace(**{"placeholders": "yes", "same_article": "yes"})
    extract_file(written(cluster("prize", articles)), asked, tmp_path / "out.tsv")
    header, line = (tmp_path / "out.tsv").read_text(encoding="utf-8").splitlines()
    assert header == f"{HEADER}\tplaceholders_a\tplaceholders_b"
    assert line.split("\t")[6:] == [
        *articles["one"],
        "ann , a %%number%% -year-old , won .",
        "bo , a %%number%% -year-old , won .",
    ]


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
    reported = []
    one = extract_file(source, L12, tmp_path / "one.tsv", processes=1)
    two = extract_file(source, L12, tmp_path / "two.tsv", processes=2, progress=reported.append)
    assert (tmp_path / "one.tsv").read_bytes() == (tmp_path / "two.tsv").read_bytes()
    assert one == two == reported[-1]
    assert one["rejected_seen_before"] > 0
    assert [counts["clusters"] for counts in reported] == [*range(1, 22), 22]


ENDLESS = """
from itertools import repeat
from multiprocessing import active_children
from paragold.extraction import files
from paragold.extraction.presets import PRESETS

cluster = ("storm", (("a", ("The dam broke .",)), ("b", ("The dam burst .",))))
results = files._extract_chunks(repeat([cluster]), PRESETS["L12-2004-word"].criteria, 2)
for number, _ in enumerate(results):
    if number == 1:
        print(*(child.pid for child in active_children()), flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_worker_processes_end_with_a_killed_program(number):
    with subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, text=True) as program:
        workers = [int(pid) for pid in program.stdout.readline().split()]
        assert len(workers) == 2 and all(map(runs, workers))
        program.send_signal(number)
    wait_until(lambda: not any(map(runs, workers)), 30, "the workers have ended")


def test_a_broken_line_and_an_interruption_write_nothing(written, tmp_path):
    def interrupt(_counts):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        extract_file(written(STORM), L12, tmp_path / "pairs.tsv", progress=interrupt)
    assert only_the_input_is_left(tmp_path)
    (tmp_path / "pairs.tsv").write_text("earlier")
    source = written(STORM, FLOOD)
    source.write_text(source.read_text() + '{"cluster_id": \n')
    with pytest.raises(FileProblem, match="line 3") as caught:
        extract_file(source, L12, tmp_path / "pairs.tsv")
    assert [problem.line for problem in caught.value.problems] == [3]
    assert str(source) in str(caught.value)
    assert (tmp_path / "pairs.tsv").read_text() == "earlier"
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "clusters"),
    [
        *((name, 25) for name in ("L12-2004", "L12-2004-word", "candidates-2005")),
        *((name, 33) for name in ("F2-2004", "L12", "F2", "F3")),
    ],
)
def test_ecb_plus_equals_the_reference(name, clusters, shared_data, tmp_path):
    """Every eighth of so many clusters, the smallest, whole, by file and by cluster."""
    criteria = PRESETS[name].criteria
    news = (shared_data / "news" / "ecbplus_topics_1_35.jsonl").read_text(encoding="utf-8")
    lines = sorted(news.splitlines(), key=len)[:clusters:8]
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
        assert extract_cluster(sentences, criteria).tolist() == pairs
        for i, j, distance, _, _, _, index_a, index_b, key in pairs:
            if key not in seen:
                seen.add(key)
                numbers = [names[i], str(index_a), names[j], str(index_b), str(distance)]
                expected.append([line["cluster_id"], *numbers, texts[i], texts[j]])
    assert rows(tmp_path / "pairs.tsv") == expected
    assert len(expected) >= 10
