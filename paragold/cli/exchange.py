"""Commands for other programs and places: convert, publish and plugins."""

import json
import os
import re
import zipfile
from argparse import SUPPRESS, ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from paragold.cli.arguments import add_columns, add_file, add_flag
from paragold.cli.console import (
    CommandProblem,
    Console,
    OptionProblem,
    Options,
    Report,
    add_output,
    figures,
)
from paragold.door.reading import convert
from paragold.formats.answers import unknown_in_words
from paragold.formats.judgement_files import JUDGEMENT_FORMATS
from paragold.formats.judgement_formats import PAIR_COLUMNS
from paragold.formats.link_files import LINK_FORMATS
from paragold.formats.link_formats import LINK_COLUMNS
from paragold.formats.publishing import check_names, verify
from paragold.formats.tables import choice_from_words
from paragold.formats.text_files import is_stream
from paragold.packages import needed
from paragold.plugins import installed_plugins
from paragold.sources.archives import DAMAGED_ZIP

JUDGED = [one.id for one in JUDGEMENT_FORMATS if one.extension]
NEEDED = ("README.md", "LICENSE", "CITATION.cff", "croissant.json")
TOKEN = "HF_TOKEN"  # noqa: S105 - the name of the variable


def _convert_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("kind", choices=["links", "judgements"])
    add_file(parser, "input", "the file; links also as a zip of files")
    add_output(parser, "output", nargs="?", default=SUPPRESS, help="the file to write")
    parser.add_argument("--output", type=Path, help="the same")
    parser.add_argument("--from", dest="format", metavar="FORMAT", help="default: recognised from content")
    formats = f"of links: {', '.join(LINK_FORMATS.ids())}; of judgements: {', '.join(JUDGED)}"
    parser.add_argument("--to", required=True, metavar="FORMAT", help=formats)
    parser.add_argument(
        "--judge", default="", metavar="NAME", help="whose answers are read, if the file has several people's"
    )
    add_flag(
        parser,
        "--predictions",
        "of Label Studio, the links of models and not of annotators; --judge then names a model",
    )
    add_columns(parser, PAIR_COLUMNS, LINK_COLUMNS)
    parser.add_argument("--threshold", type=float, help="of judgements: minimum similarity of a paraphrase")


def _convert(options: Options, console: Console) -> Report:
    """Convert a file of word links, or of judged pairs, to another format. What is not kept is named."""
    output = options["output"]
    if output is None:
        raise OptionProblem("Name the file to write.")
    columns = choice_from_words(options["map"])
    names = ("kind", "input", "output", "to", "format", "judge", "predictions", "threshold")
    done = convert(**{name: options[name] for name in names}, columns=columns)
    if is_stream(output) and done["beside"]:
        console.warn(f"Not written: {', '.join(done['beside'])}. Name a file to get it as well.")
    if done["contradictions"]:
        console.warn(done["contradictions"])
    if done["not_kept"]:
        console.warn(f"Not kept: {unknown_in_words(Counter(done['not_kept']))}.")
    beside = [] if is_stream(output) else done["beside"]
    return done, f"{done['pairs']:,} pairs written to {', '.join([output.name, *beside])}."


def _publish_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "export", "the export, unpacked or as its zip file", metavar="FOLDER")
    parser.add_argument("--to", required=True, metavar="OWNER/NAME", help="the data set on the Hub")
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--yes", action="store_true", help=f"upload, with the access token in {TOKEN}")
    chosen.add_argument(
        "--dry-run", action="store_true", help="check and list the files, upload nothing (default)"
    )
    add_flag(parser, "--public", "make a new data set public (default: private)")


def _publish(options: Options, console: Console) -> Report:
    """Upload an export that is ready to publish to a Hub of data sets; without --yes only list its files."""
    name = options["to"]
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", name, re.ASCII):
        raise OptionProblem(f"{name!r} is not the name of a data set. Write --to OWNER/NAME.")
    with _unpacked(options["export"]) as folder:
        files = sorted([*_checked(folder)["files"], "manifest.json"])
        sizes = {path: (folder / path).stat().st_size for path in files}
        lines = [f"{size:>14,}  {path}" for path, size in sizes.items()]
        lines.append(f"{sum(sizes.values()):>14,}  bytes in {len(sizes)} files")
        address = _upload(folder, files, name, private=not options["public"]) if options["yes"] else ""
    visibility = "public" if options["public"] else "private"
    nothing = f"Nothing was uploaded. With --yes they go to {name}; a new data set is {visibility}."
    lines.append(f"Uploaded to {address}" if address else nothing)
    return {"files": sizes, "address": address}, "\n".join(lines)


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
    with needed("hub"):
        from huggingface_hub import HfApi
        from huggingface_hub.errors import HTTPError  # type: ignore[attr-defined]  # of connections, too
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


def _no_arguments(parser: ArgumentParser) -> None:
    """A command without options of its own."""


def _plugins(options: Options, console: Console) -> Report:
    """List the plug-ins: what each adds, its distribution and version, and why one cannot be used."""
    plugins = installed_plugins()
    failed = [one for one in plugins if one.error]
    rows = [
        [one.kind, one.id or one.name, one.label or "cannot be used", one.distribution, one.version]
        for one in plugins
    ]
    text = "No plug-ins are installed. docs/plugins.md says how to write one."
    if plugins:
        text = figures(["adds", "id", "label", "distribution", "version"], rows, right=False)
    for one in failed:
        text += f"\n\n{one.kind} {one.name} ({one.value}): {one.error}\n  {one.remedy}"
    if failed:
        console.problem = f"{len(failed)} of {len(plugins)} plug-ins cannot be used."
    return {"plugins": [asdict(one) for one in plugins]}, text


COMMANDS = {
    "convert": (_convert_arguments, _convert),
    "publish": (_publish_arguments, _publish),
    "plugins": (_no_arguments, _plugins),
}
