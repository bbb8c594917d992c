"""Speed and memory of training the best word aligner and linking with it, as JSON.

    python -m benchmarks.alignment [--pairs FILE] [--small 12000] [--large 250000]

Both directions, each number of pairs in a process of its own. The pairs are drawn with a fixed seed: 22 words
a sentence of 60,000 that are as frequent as Zipf's law has them, six in ten words of one sentence in the
other one too. `--pairs` takes them from a file instead, `source TAB target` or as extract_pairs writes it,
and repeats it, with one word in twenty left out, where it is too short. The keys end in 12k and 250k for
these numbers of pairs. eflomal aligns the same 12,000 pairs where it is on the path; null where it is not.
"""

import argparse
import json
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from paragold.aligners.aligner import Pair
from paragold.aligners.pair_files import read_training_pairs
from paragold.aligners.registry import aligner_of
from paragold.formats.link_files import texts_of_sides
from paragold.formats.text_files import write_text
from paragold.metrics.links import TokenPair
from paragold.parallel import cores

LENGTH = 22
VOCABULARY = 60_000


def cpu() -> float:
    """CPU seconds of this process and the children it has waited for."""
    usage = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in usage)


def drawn_pairs(count: int) -> list[Pair]:
    rng = np.random.default_rng(1)
    shares = 1 / np.arange(2, VOCABULARY + 2)
    edges = np.cumsum(shares / shares.sum())
    # Made of letters, so that spelling and stems have something to compare.
    words = ["".join(chr(97 + int(digit)) for digit in f"{7919 * n:06d}") for n in range(VOCABULARY)]
    pairs: list[Pair] = []
    for _ in range(count):
        numbers = np.searchsorted(edges, rng.random((2, LENGTH))).clip(max=VOCABULARY - 1)
        kept = rng.random(LENGTH) < 0.6
        other = np.where(kept, numbers[0], numbers[1])
        pairs.append(([words[n] for n in numbers[0]], [words[n] for n in other]))
    return pairs


def pairs_of_file(path: Path, count: int) -> list[Pair]:
    pairs = read_training_pairs(path)
    rng = np.random.default_rng(1)

    def thinned(side: Sequence[str]) -> Sequence[str]:
        return [word for word in side if rng.random() > 0.05] or side[:1]

    more = [pairs[n] for n in rng.integers(len(pairs), size=max(0, count - len(pairs)))]
    return pairs[:count] + [(thinned(source), thinned(target)) for source, target in more]


def measure(pairs: list[Pair]) -> dict[str, Any]:
    """CPU and wall-clock seconds and the highest resident memory; machine code is compiled beforehand."""
    aligner_of({"aligner": "best"}).fit(pairs[:50]).align_all(pairs[:50])
    begun, since = cpu(), time.monotonic()
    trained = aligner_of({"aligner": "best"}).fit(pairs)
    training = cpu() - begun
    trained.align_all(pairs)
    return {
        "pairs": len(pairs),
        "cpu_s": round(cpu() - begun, 1),
        "cpu_s_training": round(training, 1),
        "wall_s": round(time.monotonic() - since, 1),
        "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def eflomal_cpu(pairs: Sequence[Pair]) -> float | None:
    """CPU seconds of eflomal in both directions, or None where it is not installed."""
    program = shutil.which("eflomal-align")
    if program is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "source", Path(folder) / "target"
        sides = texts_of_sides(TokenPair(tuple(left), tuple(right)) for left, right in pairs)
        for path, text in zip((source, target), sides, strict=True):
            write_text(path, text)
        links = ["-f", f"{folder}/forward", "-r", f"{folder}/reverse"]
        before = cpu()
        subprocess.run([program, "-s", source, "-t", target, *links], check=True, capture_output=True)
        return round(cpu() - before, 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=Path, help="text instead of drawn words")
    parser.add_argument("--small", type=int, default=12_000)
    parser.add_argument("--large", type=int, default=250_000, help="0 leaves it out")
    parser.add_argument("--only", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()

    def pairs(count: int) -> list[Pair]:
        return pairs_of_file(arguments.pairs, count) if arguments.pairs else drawn_pairs(count)

    if arguments.only:
        print(json.dumps(measure(pairs(arguments.only))))
        return
    runs = {}
    for name, count in (("12k", arguments.small), ("250k", arguments.large)):
        command = [sys.executable, "-m", "benchmarks.alignment", "--only", str(count)]
        command += ["--pairs", str(arguments.pairs)] if arguments.pairs else []
        runs[name] = (
            json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout) if count else None
        )
    peer = eflomal_cpu(pairs(arguments.small))
    result: dict[str, Any] = {}
    for name, run in runs.items():
        result[f"cpu_s_{name}"] = run and run["cpu_s"]
        result[f"rss_mb_{name}"] = run and run["rss_mb"]
    result["cpu_ratio_vs_eflomal"] = round(result["cpu_s_12k"] / peer, 3) if peer else None
    result |= {
        "cpu_s_eflomal_12k": peer,
        "runs": runs,
        "text": str(arguments.pairs.name) if arguments.pairs else "drawn by Zipf's law",
        "cores": cores(),
        "versions": {name: version(name) for name in ("numpy", "numba", "snowballstemmer")},
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
