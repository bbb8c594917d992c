"""Speed of extraction: the kernel beside loops over its peers, and whole jobs; prints JSON.

    python -m benchmarks.extraction [--scale 0.05] [--sqlite-scale 0.01] [--kernel-clusters 8] [--rounds 5]
        [--seed 1]

Scale 1.0 is the corpus of Brockett and Dolan (2005): 32,408 clusters of 287 sentences, candidates by their
criteria of 2005 (preset candidates-2005); the kernel is timed on all distances within 12. Jobs run with two
workers on a throw-away PostgreSQL, which does not wait for its disk, and on SQLite. Below scale 1.0 the
minutes of the whole corpus are reckoned from the part, and said to be so. At scale 1.0 the database takes
some 15 GB in the folder for temporary files, and loading it takes minutes too.

Speeds by the clock mean something on an idle machine only (`load_before`). `cpu_us_per_sentence` is the CPU
time of workers and server together; `sentences_per_s_postgresql_by_cpu` what two idle cores could do with it.
"""

import argparse
import json
import os
import platform
import secrets
import subprocess
import sys
import tempfile
from importlib.metadata import version
from typing import Any

from benchmarks.extraction_jobs import WORKERS
from benchmarks.extraction_kernel import compare
from benchmarks.news_like_clusters import SEED_CLUSTERS, SENTENCES_A_CLUSTER
from scripts.services import postgresql


def run_jobs(scale: float, seed: int, database_url: str | None = None) -> dict[str, Any]:
    """The figures of benchmarks.extraction_jobs, on SQLite unless a database is given."""
    clusters = max(2, round(scale * SEED_CLUSTERS))
    with tempfile.TemporaryDirectory(prefix="paragold-bench-") as folder:
        environment = os.environ | {
            "PARAGOLD_VAR": folder,
            "PARAGOLD_SECRET_KEY": secrets.token_hex(32),
            "DATABASE_URL": database_url or f"sqlite:///{folder}/bench.sqlite3",
        }
        done = subprocess.run(
            f"{sys.executable} -m benchmarks.extraction_jobs --clusters {clusters} --seed {seed}".split(),
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=0.05, help="1.0 is 9.3 million sentences")
    parser.add_argument("--sqlite-scale", type=float, default=0.01)
    parser.add_argument("--kernel-clusters", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=5, help="turns of loop and kernel (medians)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if min(arguments.kernel_clusters, arguments.rounds) < 1 or not 0 < arguments.scale <= 1:
        parser.error("--kernel-clusters and --rounds take whole numbers from 1, --scale above 0 to 1.")

    load = os.getloadavg()[0]
    kernel = compare(seed=arguments.seed, clusters=arguments.kernel_clusters, rounds=arguments.rounds)
    with postgresql() as url:
        large = run_jobs(arguments.scale, arguments.seed, url)
    small = run_jobs(arguments.sqlite_scale, arguments.seed)
    minutes = large["seconds"] / 60 * SEED_CLUSTERS / large["clusters"]
    server = large["server_cpu_us_per_sentence"]
    cpu = None if server is None else round(large["worker_cpu_us_per_sentence"] + server, 1)
    by_cpu = None if cpu is None else round(WORKERS * 1e6 / cpu)
    result = {
        **kernel,
        "sentences_per_s_postgresql": large["sentences_per_s"],
        "pairs_per_s_postgresql": large["pairs_per_s"],
        "rows_per_s_postgresql": large["rows_per_s"],
        "sentences_per_s_postgresql_by_cpu": by_cpu,
        "cpu_us_per_sentence_postgresql": cpu,
        "sentences_per_s_sqlite": small["sentences_per_s"],
        "pairs_per_s_sqlite": small["pairs_per_s"],
        "rows_per_s_sqlite": small["rows_per_s"],
        "rss_mb_per_worker": max(large["rss_mb_per_worker"], small["rss_mb_per_worker"]),
        "seed_scale_minutes": round(minutes, 2),
        "seed_scale_is_extrapolated": arguments.scale < 1,
        "seed_scale_note": (
            "measured"
            if arguments.scale >= 1
            else f"extrapolated from {large['clusters']:,} of {SEED_CLUSTERS:,} clusters"
        ),
        "seed_scale_sentences": SEED_CLUSTERS * SENTENCES_A_CLUSTER,
        "scale": arguments.scale,
        "postgresql": large,
        "sqlite": small,
        "seed": arguments.seed,
        "cores": os.cpu_count(),
        "load_before": round(load, 1),
        "load_after": round(os.getloadavg()[0], 1),
        "versions": {
            "python": platform.python_version(),
            **{name: version(name) for name in ("rapidfuzz", "numpy", "numba", "psycopg", "Django")},
        },
    }
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
