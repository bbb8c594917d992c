"""A published data set as other programs read it: by mlcroissant and by datasets, without a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


def read_published(folder, cache):
    """In a process of its own, which neither the settings of the tests nor the user's own cache reach.

    warnings: of mlcroissant. record_sets: the rows of each. configs: the rows by configuration and split.
    """
    offline = {
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HOME": str(cache),
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.published", str(folder)],
        cwd=cache,
        env={**os.environ, **offline},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def _read(folder):
    import datasets
    import mlcroissant

    described = mlcroissant.Dataset(jsonld=f"{folder}/croissant.json")
    configs = datasets.get_dataset_config_names(folder)
    return {
        "warnings": sorted(described.metadata.ctx.issues.warnings),
        "record_sets": {
            one.id: [_row(one.id, record) for record in described.records(one.id)]
            for one in described.metadata.record_sets
        },
        "configs": {
            name: {split: list(rows) for split, rows in datasets.load_dataset(folder, name).items()}
            for name in configs
        },
    }


def _row(record_set, record):
    """Without the record set's name before each column's; mlcroissant gives texts as bytes."""
    return {
        column.removeprefix(f"{record_set}/"): value.decode() if isinstance(value, bytes) else value
        for column, value in record.items()
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_read(sys.argv[1]), default=int))
