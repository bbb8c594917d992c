"""From a file of articles to candidate pairs on the disk, by the API.

    PYTHONPATH=. .venv/bin/python docs/examples/corpus_to_pairs.py \
        http://localhost:8000 manager clusters.jsonl pairs.zip

Where the package paragold is installed, that of any Python will do, without PYTHONPATH.

The password is asked for, or read from PARAGOLD_PASSWORD. Exit codes: 2 without such a file, 3 when the
server does not answer, 4 when the project exists already, 1 for what else the server refuses.
"""

from __future__ import annotations

import argparse
import getpass
import os
import sys
import urllib.error
from pathlib import Path

from paragold.client import ApiError, Client, Job


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address")
    parser.add_argument("username")
    parser.add_argument("articles", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--project", default="example", help="short name of the project to create")
    parser.add_argument("--preset", default="L12", help="criteria of the extraction (default: L12)")
    given = parser.parse_args(arguments)
    if not given.articles.is_file():
        return refused(2, f"There is no file {given.articles}. Name a file of articles.")
    password = os.environ.get("PARAGOLD_PASSWORD") or getpass.getpass(f"Password of {given.username}: ")
    try:
        run(Client.log_in(given.address, given.username, password), given)
    except (urllib.error.URLError, ConnectionError, TimeoutError) as error:
        why = getattr(error, "reason", error)
        return refused(3, f"{given.address} does not answer ({why}). Start Paragold, or correct the address.")
    except ApiError as error:
        if "slug" in error.fields:
            return refused(
                4, f"Project {given.project} cannot be created: {error.detail} Name another by --project."
            )
        print(error, *(error.fields.get("problems") or []), sep="\n", file=sys.stderr)
        return 1
    return 0


def refused(code: int, why: str) -> int:
    print(why, file=sys.stderr)
    return code


def run(client: Client, given: argparse.Namespace) -> None:
    client.create_project(given.project, given.project.capitalize())
    counts = client.import_file(given.project, given.articles)["counts"]
    print("imported:", ", ".join(f"{number:,} {name}" for name, number in counts.items()))
    extraction = client.extract(given.project, given.preset)
    client.wait(extraction["job"], report_progress=show)
    dataset = client.datasets(given.project)[0]
    export = client.export_dataset(given.project, dataset["id"], formats=["tsv", "parquet"])
    client.download(export, given.output)
    print(f"{dataset['name']}: {dataset['size']:,} pairs in {given.output}, sha256 {export['sha256']}")
    client.log_out()


def show(job: Job) -> None:
    print(f"{job['title']}: {job['state']}, {job['done']:,} of {job['total']:,}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
