"""Upload an export to publish to a Hub of data sets, by the user's own access token."""

from __future__ import annotations

import json
import os
import re
import zipfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from paragold.cli.console import CommandProblem, Console, Options
from paragold.formats.publishing import check_names, verify
from paragold.sources.archives import DAMAGED_ZIP

HELP = "Upload an export that is ready to publish to a Hub of data sets; without --yes only list its files."
NEEDED = ("README.md", "LICENSE", "CITATION.cff", "croissant.json")
TOKEN = "HF_TOKEN"  # noqa: S105 - the name of the variable


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("export", type=Path, metavar="FOLDER", help="the export, unpacked or as its zip file")
    parser.add_argument("--to", required=True, metavar="OWNER/NAME", help="the data set on the Hub")
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--yes", action="store_true", help=f"upload, with the access token in {TOKEN}")
    chosen.add_argument(
        "--dry-run", action="store_true", help="check and list the files, upload nothing (default)"
    )
    parser.add_argument("--public", action="store_true", help="make a new data set public (default: private)")


def run(options: Options, console: Console) -> None:
    name = options["to"]
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", name, re.ASCII):
        raise CommandProblem(f"{name!r} is not the name of a data set. Write --to OWNER/NAME.")
    with _unpacked(options["export"]) as folder:
        manifest = _checked(folder)
        sizes = {
            path: (folder / path).stat().st_size for path in sorted([*manifest["files"], "manifest.json"])
        }
        for path, size in sizes.items():
            console.write(f"{size:>14,}  {path}")
        console.write(f"{sum(sizes.values()):>14,}  bytes in {len(sizes)} files")
        visibility = "public" if options["public"] else "private"
        if not options["yes"]:
            console.write(
                f"Nothing was uploaded. With --yes they go to {name}; a new data set is {visibility}."
            )
            return
        address = _upload(folder, list(sizes), name, private=not options["public"])
    console.write(f"Uploaded to {address}")


@contextmanager
def _unpacked(path: Path) -> Iterator[Path]:
    if not path.is_file():
        yield path
        return
    with TemporaryDirectory() as folder:
        try:
            with zipfile.ZipFile(path) as archive:
                archive.extractall(folder)
        except DAMAGED_ZIP as error:
            raise CommandProblem(f"{path} is not a zip file. Name an export or its folder.") from error
        yield Path(folder)


def _checked(folder: Path) -> dict[str, Any]:
    """The manifest of an export that is complete and unchanged."""
    try:
        manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        check_names(manifest["files"])
        problems = verify(manifest, folder)
    except FileNotFoundError:
        raise CommandProblem(f"{folder} has no manifest.json. Name the folder of an export.") from None
    except (KeyError, TypeError, ValueError) as error:
        raise CommandProblem(f"manifest.json cannot be used: {error}. Export again.") from error
    if problems:
        raise CommandProblem(f"{' '.join(problems)} Export again.")
    if missing := [name for name in NEEDED if name not in manifest["files"]]:
        raise CommandProblem(f"{', '.join(missing)} missing. Export again with the option publish.")
    return manifest


def _upload(folder: Path, paths: list[str], name: str, *, private: bool) -> str:
    """One commit with these files; other files of the data set are kept. The address of the data set."""
    token = os.environ.get(TOKEN)
    if not token:
        raise CommandProblem(f"Set {TOKEN} to an access token of yours with write access, and try again.")
    try:
        from huggingface_hub import HfApi
        from huggingface_hub.errors import HTTPError  # type: ignore[attr-defined]  # of connections, too
    except ImportError as error:
        raise CommandProblem("Uploading needs huggingface_hub: pip install huggingface-hub.") from error
    hub = HfApi(token=token)
    try:
        address = hub.create_repo(name, repo_type="dataset", private=private, exist_ok=True)
        hub.upload_folder(
            repo_id=name,
            repo_type="dataset",
            folder_path=folder,
            allow_patterns=paths,
            commit_message="Upload an export of Paragold",
        )
    except HTTPError as error:
        raise CommandProblem(f"The Hub did not take it: {error}") from error
    return str(address)
