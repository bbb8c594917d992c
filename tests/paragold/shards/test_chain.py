"""A chain of steps gives what the commands of one process give, also when it is killed and resumed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragold.aligners.registry import Recipe, save_aligner
from paragold.cli.main import main
from paragold.extraction.characteristics import Characteristics, as_csv
from paragold.extraction.files import extract_file
from paragold.extraction.presets import PRESETS
from paragold.extraction.selection import alternatives
from paragold.problems import FileProblem
from paragold.shards import chain, projection
from paragold.shards.plan_file import read_plan
from paragold.text import wordnet
from tests.paragold.classification.examples import labelled_pairs
from tests.paragold.shards.corpora import InThisProcess, as_lines, news, written

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "demo" / "corpus.jsonl"
PLAN = """\
steps:
  - step: tokenise
    input: [a.jsonl, b.jsonl]
  - step: extract
    preset: L12-2004
    kernel: rapidfuzz
    shards: 3
    set: {max_edit_distance: 14}
  - step: score
    model: model.npz
    threshold: 0.2
  - step: align
    model: aligner.npz
  - step: characteristics
    from: extract
    heading: L14
"""


@pytest.fixture(autouse=True)
def no_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(wordnet.ENVIRONMENT_VARIABLE, "/absent")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with the demo corpus in two files, a classifier and a plan of all steps."""
    lines = DEMO.read_text(encoding="utf-8").splitlines()[:60]
    written(tmp_path / "a.jsonl", lines[:25])
    written(tmp_path / "b.jsonl", ["", *lines[25:]])
    written(tmp_path / "all.jsonl", lines)
    pairs = [f"{int(bool(one.label))}\t{one.first}\t{one.second}" for one in labelled_pairs(90)]
    written(tmp_path / "labelled.tsv", pairs)
    model = ["--output", str(tmp_path / "model.npz"), "--c", "0.01"]
    assert main(["train-classifier", "--pairs", str(tmp_path / "labelled.tsv"), *model]) == 0
    aligner(tmp_path / "aligner.npz")
    (tmp_path / "plan.yaml").write_text(PLAN)
    return tmp_path


def aligner(path: Path) -> None:
    """An aligner that was trained on a few words."""
    pairs = [(["the", "dam", "broke"], ["a", "dam", "has", "broken"])]
    save_aligner(path, Recipe.of({"aligner": "hmm", "lexicon": True}).train(pairs))


def run(corpus: Path, **options: Any) -> dict[str, dict[str, Any]]:
    steps = read_plan(corpus / "plan.yaml")
    return chain.run_chain(steps, corpus / "out", options.pop("engine", InThisProcess()), **options)


def rows(folder: Path) -> list[dict[str, Any]]:
    parts = sorted(folder.glob("part-*.parquet"))
    return pa.concat_tables([pq.read_table(part) for part in parts]).to_pylist()


def test_every_step_gives_what_one_process_gives(corpus: Path) -> None:
    manifests = run(corpus)
    out, criteria = corpus / "out", PRESETS["L12-2004"].criteria.with_settings({"max_edit_distance": "14"})

    counts = extract_file(corpus / "all.jsonl", criteria, corpus / "pairs.tsv", processes=1)
    pairs_sha256 = sha256((corpus / "pairs.tsv").read_bytes()).hexdigest()
    assert counts.pairs_kept > 50
    assert manifests["extract"]["details"]["pairs_sha256"] == pairs_sha256
    assert manifests["tokenise"]["counts"]["sentences"] == counts.sentences

    scored = corpus / "scored.tsv"
    options = ["--model", str(corpus / "model.npz"), "--threshold", "0.2", "--output", str(scored)]
    assert main(["classify-pairs", "--pairs", str(corpus / "pairs.tsv"), *options]) == 0
    lines = [line.split("\t") for line in scored.read_text().splitlines()[1:]]
    accepted = [(line[-2], line[-1], float(line[1])) for line in lines if line[0] == "1"]
    kept = [(row["text_a"], row["text_b"], row["probability"]) for row in rows(out / "03-score")]
    assert kept == accepted
    assert 0 < len(kept) < counts.pairs_kept == manifests["score"]["counts"]["pairs_read"]

    texts = [f"{row['text_a']}\t{row['text_b']}" for row in rows(out / "03-score")]
    links = ["--input", str(written(corpus / "two.tsv", texts)), "--output", str(corpus / "links")]
    assert main(["align-words", "--model", str(corpus / "aligner.npz"), *links]) == 0
    drawn = [row["links"] for row in rows(out / "04-align")]
    assert drawn == (corpus / "links").read_text().splitlines()
    assert manifests["align"]["counts"]["links"] == sum(len(one.split()) for one in drawn) > 0

    expected = measured([line.split("\t") for line in (corpus / "pairs.tsv").read_text().splitlines()[1:]])
    column = Characteristics(name="L14", asked=alternatives(criteria), **expected)
    assert (out / "05-characteristics" / "characteristics.csv").read_bytes().decode() == as_csv([column])

    tsv = corpus / "read.tsv"
    assert main(["read-pairs", str(out / "04-align"), "--output", str(tsv)]) == 0
    assert [line.split("\t")[-1] for line in tsv.read_text().splitlines()] == ["links", *drawn]
    assert main(["read-pairs", str(out / "01-tokenise"), "--output", str(tsv)]) == 1


def measured(pairs: list[list[str]]) -> dict[str, Any]:
    """The figures of lines of pairs, one after the other."""
    sides = [[one.lower().split(" ") for one in line[6:8]] for line in pairs]
    lengths = [(len(first), len(second)) for first, second in sides]
    shared = [len({word for word in first if len(word) > 3} & set(second)) for first, second in sides]
    distances = [int(line[5]) for line in pairs]
    return {
        "pairs": len(pairs),
        "clusters": len({line[0] for line in pairs}),
        "distance_least": min(distances),
        "distance_greatest": max(distances),
        "distance_mean": sum(distances) / len(pairs),
        "position_greatest": max(max(int(line[2]), int(line[4])) for line in pairs),
        "shortest": min(map(min, lengths)),
        "longest": max(map(max, lengths)),
        "length_mean": sum(map(sum, lengths)) / len(pairs) / 2,
        "ratio_least": min(min(both) / max(both) for both in lengths),
        "shared_least": min(shared),
        "shared_greatest": max(shared),
        "shared_mean": sum(shared) / len(pairs),
    }


def test_the_order_of_tasks_has_no_effect(corpus: Path) -> None:
    first = run(corpus)
    (corpus / "out").rename(corpus / "first")
    second = run(corpus, engine=InThisProcess(seed=5))
    for name, manifest in first.items():
        assert manifest["files"] == second[name]["files"], name


SHORT = """\
steps:
  - {step: tokenise, input: a.jsonl}
  - {step: extract, preset: L12-2004, kernel: rapidfuzz, shards: 12}
  - {step: align, model: aligner.npz}
"""


@pytest.fixture
def short(tmp_path: Path) -> Path:
    written(tmp_path / "a.jsonl", as_lines(news(11, clusters=40), seed=3))
    aligner(tmp_path / "aligner.npz")
    (tmp_path / "plan.yaml").write_text(SHORT)
    return tmp_path


@pytest.mark.parametrize("reached", ["02-extract/work/map/0*", "03-align/work/map/0*"])
def test_a_killed_chain_is_resumed(short: Path, reached: str) -> None:
    expected = run(short)
    (short / "out").rename(short / "expected")
    command = [sys.executable, "-m", "paragold", "run-plan", str(short / "plan.yaml")]
    out = short / "out"
    process = subprocess.Popen([*command, "--output", str(out), "--workers", "2"], cwd=ROOT)
    until = time.monotonic() + 240
    while not list(out.glob(reached)) and time.monotonic() < until and process.poll() is None:
        time.sleep(0.005)
    process.kill()
    process.wait()
    assert list(out.glob(reached))
    assert not (out / "03-align" / "manifest.json").exists()
    with pytest.raises(FileProblem, match="--resume"):
        run(short)

    engine = InThisProcess()
    manifests = run(short, engine=engine, resume=True)
    assert manifests == {
        name: {**manifest, "details": manifests[name]["details"]} for name, manifest in expected.items()
    }
    assert ("split", 0) not in engine.done
    again = InThisProcess()
    assert run(short, engine=again, resume=True) == manifests
    assert not again.done


def test_a_change_of_the_plan_is_refused(short: Path) -> None:
    run(short)
    change = SHORT.replace("shards: 12", "shards: 12, set: {max_edit_distance: 14}")
    (short / "plan.yaml").write_text(change)
    with pytest.raises(FileProblem, match="max_edit_distance"):
        run(short, resume=True)
    (short / "plan.yaml").write_text(SHORT.replace("step: align", "step: align, name: links"))
    with pytest.raises(FileProblem, match="holds 03-align, which is no step of this plan"):
        run(short, resume=True)
    (short / "plan.yaml").write_text(SHORT + "  - {step: characteristics, from: extract}\n")
    engine = InThisProcess()
    assert list(run(short, engine=engine, resume=True))[-1] == "characteristics"
    assert {stage for stage, _ in engine.done} == {"map", "reduce"}


def test_a_dry_run_multiplies_a_sample(short: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    pairs = run(short)["extract"]["counts"]["pairs_kept"]
    size = (short / "a.jsonl").stat().st_size
    for sample, tolerance in ((size * 2, 0.0), (size // 2, 0.6)):
        monkeypatch.setattr(projection, "SAMPLE_BYTES", sample)
        assert main(["run-plan", str(short / "plan.yaml"), "--dry-run", "--workers", "1"]) == 0
        [line] = [
            one for one in capsys.readouterr().out.splitlines() if one.startswith("extract: ") and "=" in one
        ]
        projected = int(line.partition(" = ")[2].partition(";")[0].replace(",", ""))
        assert projected == pytest.approx(pairs, rel=tolerance), line
    assert not (short / "dry").exists()


REFUSED: dict[str, tuple[Callable[[str], str], str]] = {
    "yaml": (lambda text: text + "  - {step", r"plan\.yaml, line \d+, column \d+: It is not YAML"),
    "no step": (lambda text: text.replace("step: align", "name: x"), r"line 4, .*steps\[3\]: It has no step"),
    "unknown step": (
        lambda text: text.replace("step: align", "step: alin"),
        r"steps\[3\]\.step.*'alin'.*align",
    ),
    "unknown key": (
        lambda text: text.replace("preset:", "presett:"),
        r"line 3, column 21: steps\[2\]\.presett: There is no parameter presett",
    ),
    "unknown preset": (lambda text: text.replace("L12-2004", "L13-2004"), r"line 3.*L13-2004"),
    "criterion": (
        lambda text: text.replace("shards: 12", "set: {max_edit_distance: many}"),
        r"line 3.*steps\[2\]\.set: max_edit_distance: 'many' is not",
    ),
    "shards": (
        lambda text: text.replace("shards: 12", "shards: 0"),
        r"steps\[2\]\.shards: .*at least 1|from 1",
    ),
    "source": (
        lambda text: text.replace(
            "step: align, model: aligner.npz}", "step: align, model: aligner.npz, from: tokenise}"
        ),
        r"gives pairs",
    ),
    "model": (
        lambda text: text.replace("step: align, model: aligner.npz}", "step: score, model: no.npz}"),
        r"steps\[3\]\.model: .*no\.npz",
    ),
    "name": (
        lambda text: text.replace("step: align, model: aligner.npz}", "step: align, name: extract}"),
        r"Another step is called",
    ),
    "twice": (lambda text: text.replace("shards: 12", "shards: 12, shards: 3"), r"The key is given twice"),
    "no input": (lambda text: text.replace(", input: a.jsonl", ""), r"No earlier step gives articles"),
    "empty": (lambda text: "steps: []", r"It has no list of steps"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_with_a_plan_is_named(short: Path, name: str) -> None:
    change, message = REFUSED[name]
    (short / "plan.yaml").write_text(change(SHORT))
    with pytest.raises(FileProblem, match=message):
        read_plan(short / "plan.yaml")


def test_a_folder_of_pairs_is_an_input(short: Path) -> None:
    expected = run(short)["align"]
    (short / "other.yaml").write_text(
        "steps:\n  - {step: align, input: out/02-extract, model: aligner.npz}\n"
    )
    steps = read_plan(short / "other.yaml")
    manifests = chain.run_chain(steps, short / "links", InThisProcess())
    assert manifests["align"]["files"] == expected["files"]


def test_the_status_names_the_state_of_each_step(short: Path) -> None:
    run(short)
    status = json.loads((short / "out" / "status.json").read_text())
    assert status["state"] == "finished"
    assert [step["folder"] for step in status["steps"].values()][:2] == ["01-tokenise", "02-extract"]
