"""The step train-aligner: one process's bytes, in memory for a range of the word pairs."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragold.aligners import joined_words, training
from paragold.aligners.extension import train_by_shards
from paragold.aligners.registry import Recipe, save_aligner
from paragold.formats.model_files import load as load_numbers
from paragold.shards import chain
from paragold.shards.engines import Outcome
from paragold.shards.plan_file import read_plan
from paragold.shards.steps import train_aligner
from tests.paragold.shards.corpora import InThisProcess

SETTINGS = "hmm_iterations: 2, ibm1_iterations: 1"


class Watched(InThisProcess):
    """Does the tasks here, one by one; keeps what `watch` gives for each when it is asked after the task."""

    def __init__(self, watch: Callable[[], Callable[[], int]]) -> None:
        super().__init__()
        self.watch = watch
        self.seen: dict[tuple[str, int], int] = {}

    def run(self, folder: Path, stage: str, numbers: Sequence[int]) -> Iterator[Outcome]:
        for number in numbers:
            after = self.watch()
            yield from super().run(folder, stage, [number])
            self.seen[stage, number] = after()


def write_parts(folder: Path, parts: Sequence[Sequence[tuple[str, str]]]) -> list[str]:
    names = [f"part-{number}.parquet" for number in range(len(parts))]
    for name, pairs in zip(names, parts, strict=True):
        firsts, seconds = zip(*pairs, strict=True) if pairs else ((), ())
        columns = {"text_a": pa.array(firsts, pa.string()), "text_b": pa.array(seconds, pa.string())}
        pq.write_table(pa.table(columns), folder / name)
    return names


def run(folder: Path, inputs: Sequence[str], engine: InThisProcess, settings: str, **more: str) -> Path:
    """Train on some of the parts; the folder of the result."""
    (folder / "plan.yaml").write_text(
        f"steps:\n  - {{step: train-aligner, input: [{', '.join(inputs)}], "
        f"aligner: {more.get('aligner', 'hmm')}, set: {{{SETTINGS}, {settings}}}}}\n"
    )
    out = folder / f"{len(inputs)}-{len(list(folder.iterdir()))}"
    chain.run_chain(read_plan(folder / "plan.yaml"), out, engine)
    return out / "01-train-aligner"


def made(random: Random, vocabulary: Sequence[str], length: int) -> tuple[str, str]:
    return " ".join(random.choices(vocabulary, k=length)), " ".join(random.choices(vocabulary, k=length))


@pytest.mark.parametrize(
    ("aligner", "settings"),
    [
        ("hmm", {"one_language": True, "lexicon": True}),
        ("hmm", {"one_language": False, "lexicon": True}),
        ("hmm", {"one_language": False, "lexicon": False}),
        ("best", {"wordnet": False}),
    ],
)
def test_ranges_of_word_pairs_and_parts_have_no_effect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, aligner: str, settings: dict[str, bool]
) -> None:
    random = Random(3)
    words = [
        f"{stem}{ending}" for stem in ("walk", "talk", "work", "Jump") for ending in ("", "s", "ed", "ing")
    ]
    pairs = [made(random, words, 7) for _ in range(48)]
    given = Recipe.of({"aligner": aligner, "hmm_iterations": 2, "ibm1_iterations": 1, **settings})
    trained, counts = train_by_shards([(a.split(), b.split()) for a, b in pairs], given)
    save_aligner(tmp_path / "aligner.npz", trained)
    counts.save(tmp_path / "counts.npz")
    own = ", ".join(f"{name}: {str(value).lower()}" for name, value in settings.items())
    for size, parts in ((1 << 21, 2), (40, 1), (40, 8), (1, 2)):
        monkeypatch.setattr(joined_words, "RANGE", size)
        inputs = write_parts(
            tmp_path, [pairs[at * 48 // parts : (at + 1) * 48 // parts] for at in range(parts)]
        )
        result = run(tmp_path, inputs, InThisProcess(), own, aligner=aligner)
        for name in ("aligner.npz", "counts.npz"):
            assert (result / name).read_bytes() == (tmp_path / name).read_bytes(), (size, parts, name)
        assert sorted(path.name for path in result.glob("*.npz")) == ["aligner.npz", "counts.npz"]


def test_parts_without_pairs_give_an_aligner_without_words(tmp_path: Path) -> None:
    result = run(tmp_path, write_parts(tmp_path, [[], []]), InThisProcess(), "lexicon: false")
    assert len(load_numbers(result / "aligner.npz")[0]["targets"]) == 0


def test_a_file_of_numbers_that_is_cut_is_refused(tmp_path: Path) -> None:
    joined_words.append(tmp_path / "numbers", np.arange(9))
    assert joined_words.read(tmp_path / "numbers", np.int64, 4, 9).tolist() == [4, 5, 6, 7, 8]
    with pytest.raises(joined_words.FileProblem, match="shorter"):
        joined_words.read(tmp_path / "numbers", np.int64, 4, 10)


def test_the_memory_of_joining_and_adding_is_that_of_words_and_a_range(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four times as many parts, with the same words, have more than twice as many word pairs."""
    random = Random(5)
    words = [f"w{number}" for number in range(1500)]
    inputs = write_parts(tmp_path, [[made(random, words, 10) for _ in range(600)] for _ in range(8)])
    monkeypatch.setattr(joined_words, "RANGE", 20_000)
    # The first run compiles.
    peaks, pairs = [], []
    for parts in (2, 2, 8):
        tracemalloc.start()
        engine = Watched(peak_since_now)
        result = run(tmp_path, inputs[:parts], engine, "lexicon: false")
        tracemalloc.stop()
        peaks.append({stage: engine.seen[stage, 0] for stage in ("join", "add-1")})
        pairs.append(len(load_numbers(result / "aligner.npz")[0]["targets"]))
    assert pairs[2] > 2.5 * pairs[1]
    for stage, peak in peaks[2].items():
        assert peak < 1.4 * peaks[1][stage], (stage, peaks)


def peak_since_now() -> Callable[[], int]:
    # What earlier tasks have left.
    gc.collect()
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    return lambda: tracemalloc.get_traced_memory()[1] - before


def test_a_task_that_counts_loads_what_its_own_words_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same part takes equally many bytes beside three parts with other words as it does alone."""
    texts = [
        [" ".join(f"w{number}-{(start * n) % 90}" for n in range(9)) for start in range(1, 60)]
        for number in range(4)
    ]
    inputs = write_parts(tmp_path, [list(zip(own, own[::-1], strict=True)) for own in texts])
    loaded = [0]

    def load(path: Path) -> Any:
        loaded[0] += path.stat().st_size
        return load_numbers(path)

    def read(path: Path, kind: type, start: int, stop: int, *, width: int = 1) -> Any:
        loaded[0] += (stop - start) * width * np.dtype(kind).itemsize
        return read_numbers(path, kind, start, stop, width=width)

    def since_now() -> Callable[[], int]:
        before = loaded[0]
        return lambda: loaded[0] - before

    read_numbers = joined_words.read
    monkeypatch.setattr(joined_words, "read", read)
    for module in (train_aligner, training, joined_words):
        monkeypatch.setattr(module, "load", load)
    sizes = []
    for names in (inputs[:1], inputs):
        engine = Watched(since_now)
        run(tmp_path, names, engine, "lexicon: false")
        sizes.append(engine.seen["count-3", 0])
    # The list of iterations is JSON, whose numbers differ in length.
    assert 0 < sizes[1] < sizes[0] + 100
