"""Workers killed, runs interrupted, results damaged, disks full: nothing is lost or there twice."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

import pytest

from paragold.cli.main import main
from paragold.extraction.presets import PRESETS
from paragold.problems import FileProblem
from paragold.shards import commits
from paragold.shards.engines import ATTEMPTS, LocalEngine, Outcome
from paragold.shards.finished import read_pairs
from paragold.shards.steps import extract
from tests.paragold.shards.corpora import InThisProcess, as_lines, by_one_process, in_shards, news, written

ROOT = Path(__file__).parents[3]
CRITERIA = PRESETS["L12-2004"].criteria


class Corpus:
    """A file of clusters, a folder for its pairs and the sha256 that they have."""

    def __init__(self, folder: Path) -> None:
        lines = as_lines(news(11), seed=3)
        self.expected = sha256(by_one_process(folder, lines, CRITERIA)[0]).hexdigest()
        self.source = written(folder / "a.jsonl", lines)
        self.out = folder / "out"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return Corpus(tmp_path)


class KillingEngine(LocalEngine):
    """Kills a busy worker (SIGKILL) after some results."""

    kills = 0

    def run(self, folder: Path, stage: str, numbers: Sequence[int]) -> Iterator[Outcome]:
        for outcome in super().run(folder, stage, numbers):
            yield outcome
            busy = [worker.process for worker in self._pool if worker.number is not None]
            if busy and self.kills < 4:
                os.kill(busy[0].pid, signal.SIGKILL)
                self.kills += 1


def test_killed_workers_are_replaced(corpus: Corpus) -> None:
    engine = KillingEngine(2)
    manifest = in_shards([corpus.source], CRITERIA, corpus.out, shards=6, engine=engine)

    assert engine.kills == 4
    assert manifest["details"]["pairs_sha256"] == corpus.expected
    failures = json.loads((corpus.out / "status.json").read_text())["failures"]
    assert "its process was killed (exit status -9)" in str(failures)


def die_on_the_second_shard(connection) -> None:
    """A worker like any other, but that the second task of the stage map kills it."""
    from paragold.shards import engines

    usual = engines.attempt

    def attempt(folder: Path, stage: str, number: int) -> Outcome:
        if (stage, number) == ("map", 1):
            os.kill(os.getpid(), signal.SIGKILL)
        return usual(folder, stage, number)

    engines.attempt = attempt
    engines._serve(connection)


def test_a_task_that_kills_its_workers_ends_the_run_and_can_be_resumed(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("paragold.shards.engines._serve", die_on_the_second_shard)
        with pytest.raises(FileProblem, match=r"Task 1 of the stage map failed too often.*killed"):
            in_shards([corpus.source], CRITERIA, corpus.out, shards=3, engine=LocalEngine(2))
    status = json.loads((corpus.out / "status.json").read_text())
    assert status["state"] == "stopped"
    assert len(status["failures"]["map 1"]) == ATTEMPTS

    engine = InThisProcess()
    manifest = in_shards([corpus.source], CRITERIA, corpus.out, shards=3, resume=True, engine=engine)
    assert manifest["details"]["pairs_sha256"] == corpus.expected
    assert ("split", 0) not in engine.done
    assert ("map", 1) in engine.done


def test_a_killed_run_is_resumed(corpus: Corpus) -> None:
    command = [
        *(sys.executable, "-m", "paragold", "extract-pairs", "--preset", "L12-2004"),
        *("--input", str(corpus.source), "--output", str(corpus.out), "--shards", "12", "--workers", "2"),
    ]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    until = time.monotonic() + 120
    while not list(corpus.out.glob("work/map/0*")) and time.monotonic() < until and run.poll() is None:
        time.sleep(0.01)
    run.kill()
    assert run.wait() == -signal.SIGKILL
    assert not (corpus.out / "manifest.json").exists()

    engine = InThisProcess()
    manifest = in_shards([corpus.source], CRITERIA, corpus.out, shards=12, resume=True, engine=engine)
    assert manifest["details"]["pairs_sha256"] == corpus.expected
    assert len([stage for stage, _ in engine.done if stage == "map"]) < 12


class Interrupted(Exception):
    pass


class StoppingEngine(InThisProcess):
    """Stops after some tasks, as if the machine had lost power."""

    def __init__(self, tasks: int) -> None:
        super().__init__()
        self._tasks = tasks

    def run(self, folder: Path, stage: str, numbers: Sequence[int]) -> Iterator[Outcome]:
        for outcome in super().run(folder, stage, numbers):
            if len(self.done) > self._tasks:
                raise Interrupted
            yield outcome


@pytest.mark.parametrize("tasks", [0, 1, 3, 5, 8, 11])
def test_resume_does_what_is_missing_and_nothing_else(corpus: Corpus, tasks: int) -> None:
    first, second = StoppingEngine(tasks), InThisProcess()
    with pytest.raises(Interrupted):
        in_shards([corpus.source], CRITERIA, corpus.out, shards=4, engine=first)

    manifest = in_shards([corpus.source], CRITERIA, corpus.out, shards=4, engine=second, resume=True)

    assert manifest["details"]["pairs_sha256"] == corpus.expected
    assert not set(first.done) & set(second.done)
    again = InThisProcess()
    assert in_shards([corpus.source], CRITERIA, corpus.out, engine=again, resume=True) == manifest
    assert not again.done


@pytest.mark.parametrize(("stage", "name"), [("split", "lines.arrow"), ("map", "pairs.arrow")])
def test_a_damaged_result_is_done_again(corpus: Corpus, stage: str, name: str) -> None:
    with pytest.raises(Interrupted):
        in_shards([corpus.source], CRITERIA, corpus.out, shards=4, engine=StoppingEngine(4))
    [damaged, *_] = sorted(corpus.out.glob(f"work/{stage}/*/{name}")) or [None]
    if damaged is None:
        pytest.fail(f"no {name} is there")
    flip(damaged)

    lines: list[str] = []
    again = in_shards([corpus.source], CRITERIA, corpus.out, shards=4, resume=True, write=lines.append)
    assert again["details"]["pairs_sha256"] == corpus.expected
    assert any("damaged" in line for line in lines)


def flip(path: Path) -> None:
    """Change one bit in the middle of a file."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_a_damaged_part_is_refused_and_made_again(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    in_shards([corpus.source], CRITERIA, corpus.out, shards=3)
    flip(corpus.out / "part-00001.parquet")
    tsv = corpus.out.parent / "read.tsv"

    assert main(["read-pairs", str(corpus.out), "--output", str(tsv)]) == 1
    assert "part-00001.parquet was changed" in capsys.readouterr().err
    assert not tsv.exists()

    in_shards([corpus.source], CRITERIA, corpus.out, shards=3, resume=True)
    read_pairs(corpus.out, tsv)
    assert sha256(tsv.read_bytes()).hexdigest() == corpus.expected


@pytest.mark.parametrize("stage", ["split", "map", "reduce", "write"])
def test_a_full_disk_stops_with_a_sentence(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    work = {"split": "split", "map": "_write_keys", "reduce": "find_repeated", "write": "part_schema"}
    with monkeypatch.context() as patch:
        patch.setattr(extract, work[stage], full)
        with pytest.raises(FileProblem, match=r"The disk is full.*--resume"):
            in_shards([corpus.source], CRITERIA, corpus.out, shards=2)
    assert not list(corpus.out.glob("work/*/.*"))

    manifest = in_shards([corpus.source], CRITERIA, corpus.out, shards=2, resume=True)
    assert manifest["details"]["pairs_sha256"] == corpus.expected


def test_a_second_run_is_refused(corpus: Corpus) -> None:
    corpus.out.mkdir()
    with ExitStack() as first:
        first.enter_context(commits.locked(corpus.out))
        with pytest.raises(FileProblem, match="Another run is at work"):
            in_shards([corpus.source], CRITERIA, corpus.out, shards=2)
    in_shards([corpus.source], CRITERIA, corpus.out, shards=2)
    with pytest.raises(FileProblem, match=r"It holds a run already.*--resume"):
        in_shards([corpus.source], CRITERIA, corpus.out, shards=2)


def test_a_folder_with_other_files_is_refused(corpus: Corpus) -> None:
    with pytest.raises(FileProblem, match=r"It is not empty: it holds a\.jsonl"):
        in_shards([corpus.source], CRITERIA, corpus.source.parent, shards=2)


def test_what_changed_is_named(corpus: Corpus) -> None:
    in_shards([corpus.source], CRITERIA, corpus.out, shards=2)
    other = CRITERIA.with_settings({"max_edit_distance": 8})
    with pytest.raises(FileProblem, match="The criteria differ: max_edit_distance 8 instead of 12"):
        in_shards([corpus.source], other, corpus.out, resume=True)
    with pytest.raises(FileProblem, match="3 shards instead of 2"):
        in_shards([corpus.source], CRITERIA, corpus.out, shards=3, resume=True)
    second = written(corpus.source.with_name("b.jsonl"), as_lines(news(12)))
    with pytest.raises(FileProblem, match=r"b\.jsonl is new"):
        in_shards([corpus.source, second], CRITERIA, corpus.out, resume=True)
    corpus.source.write_text(corpus.source.read_text().replace("word1", "word2"))
    with pytest.raises(FileProblem, match=r"a\.jsonl has other content"):
        in_shards([corpus.source], CRITERIA, corpus.out, resume=True)


def test_problems_of_an_input_are_named_by_file_and_line(corpus: Corpus) -> None:
    lines = as_lines(news(13))
    first = written(corpus.source.with_name("b.jsonl"), lines)
    for wrong, what in (
        ('{"cluster_id": "x", "articles": 1}', r"c\.jsonl, line 3: .* must be a list"),
        ('{"cluster_id": "x", ', r"c\.jsonl, line 3, column 21: The line is not valid JSON"),
        (lines[4], r"c\.jsonl, line 3: The cluster .* has appeared on line 5 of .*b\.jsonl already"),
        (lines[0].replace("c0", "c\u2028"), r"c\.jsonl, line 3: "),
    ):
        second = written(
            corpus.source.with_name("c.jsonl"), ["", as_lines(news(1))[0].replace("c0", "d0"), wrong]
        )
        out = corpus.source.with_name(f"out-{len(what)}")
        with pytest.raises(FileProblem, match=what):
            in_shards([first, second], CRITERIA, out, shards=3)
        assert not (out / "manifest.json").exists()


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    def refused(path: Path, what: str) -> None:
        with pytest.raises(FileProblem, match=what):
            in_shards([path], CRITERIA, tmp_path / "out", shards=2)

    whole = written(tmp_path / "whole.jsonl.gz", as_lines(news(1))).read_bytes()
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    refused(tmp_path / "cut.jsonl.gz", "cut.jsonl.gz: The file cannot be read")
    (tmp_path / "out").rename(tmp_path / "out-1")
    for name, content, what in (
        ("none.jsonl", None, "cannot be read: No such file"),
        ("a.txt", b"", "Its kind is not known"),
        ("utf-16.jsonl", "{}".encode("utf-16"), "The file is not UTF-8"),
        ("zip.jsonl", b"PK\x03\x04", "zip archive"),
    ):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        refused(tmp_path / name, what)
    refused(tmp_path / "*.nothing", "No file has this name")
    held_out = CRITERIA.with_settings({"clusters": "held_out"})
    with pytest.raises(FileProblem, match="clusters"):
        in_shards([tmp_path / "whole.jsonl.gz"], held_out, tmp_path / "out")
    empty = written(tmp_path / "empty.jsonl", ['{"cluster_id": "a", "articles": []}'])
    with pytest.raises(FileProblem, match="No article of the file has a sentence"):
        in_shards([empty], CRITERIA, tmp_path / "out", shards=2)
