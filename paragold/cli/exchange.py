"""Commands for other programs and places: convert, publish and plugins."""

import json
import os
import re
import zipfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from paragold.cli.arguments import add_columns, add_file, add_flag
from paragold.cli.console import Command, CommandProblem, Console, Options, add_output, figures
from paragold.formats.answers import Contradictions, Unknown, unknown_in_words
from paragold.formats.judgement_files import JUDGEMENT_FORMATS, read_judged_pairs, scheme_of
from paragold.formats.judgement_formats import AUTO, PAIR_COLUMNS, Reading
from paragold.formats.link_files import LINK_FORMATS, each_link, watched, write_links, write_pairs
from paragold.formats.link_formats import LINK_COLUMNS
from paragold.formats.publishing import check_names, verify
from paragold.formats.tables import choice_from_words
from paragold.formats.text_files import is_stream, readable_again, write_text
from paragold.plugins import installed_plugins
from paragold.problems import FileProblem
from paragold.sources.archives import DAMAGED_ZIP

JUDGED = [one.id for one in JUDGEMENT_FORMATS if one.extension]
NEEDED = ("README.md", "LICENSE", "CITATION.cff", "croissant.json")
TOKEN = "HF_TOKEN"  # noqa: S105 - the name of the variable


def _convert_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("kind", choices=["links", "judgements"])
    add_file(parser, "input", "the file; links also as a zip of files")
    add_output(parser, "output")
    parser.add_argument("--from", dest="read_as", metavar="FORMAT", help="default: recognised from content")
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


def _convert(options: Options, console: Console) -> None:
    """Convert a file of word links, or of judged pairs, to another format. What is not kept is named."""
    unknown: Unknown = Counter()
    columns = choice_from_words(options["map"])
    path, output = options["input"], options["output"]
    if options["kind"] == "links":
        links = _convert_links(options, columns, unknown)
        contradictions, count = str(links), links.pairs
        beside = LINK_FORMATS.get(options["to"]).beside
    else:
        chosen = JUDGEMENT_FORMATS.get(options["to"])
        if not chosen.extension:
            raise CommandProblem(f"{chosen.id} is not written. Choose one of {', '.join(JUDGED)}.")
        reading = Reading(
            format=options["read_as"] or AUTO,
            judge=options["judge"],
            threshold=options["threshold"],
            columns=columns,
        )
        judged = read_judged_pairs(path, reading)
        if judged.problems:
            raise FileProblem.of(judged.problems, file=str(path))
        write_pairs(output, judged.pairs, chosen)
        beside, count, unknown = (
            chosen.beside(scheme_of(pair.label for pair in judged.pairs)),
            len(judged.pairs),
            judged.unknown,
        )
        contradictions = judged.contradictions
    if is_stream(output) and beside:
        console.warn(f"Not written: {', '.join(beside)}. Name a file to get it as well.")
        beside = {}
    for name, text in beside.items():
        write_text(output.with_name(name), text)
    console.write(f"{count:,} pairs written to {', '.join([output.name, *beside])}.")
    if contradictions:
        console.warn(contradictions)
    if unknown:
        console.warn(f"Not kept: {unknown_in_words(unknown)}.")


def _convert_links(options: Options, columns: Mapping[str, str], unknown: Unknown) -> Contradictions:
    """Each pair is written when it is read. How many there were, and which contradict each other."""
    contradictions = Contradictions("links")
    choices: dict[str, Any] = {"judge": options["judge"], "predictions": options["predictions"] or None}
    with readable_again(options["input"]) as path:
        pairs = each_link(path, options["read_as"], unknown=unknown, columns=columns, **choices)
        write_links(options["output"], watched(pairs, contradictions), options["to"])
    return contradictions


def _publish_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "export", "the export, unpacked or as its zip file", metavar="FOLDER")
    parser.add_argument("--to", required=True, metavar="OWNER/NAME", help="the data set on the Hub")
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--yes", action="store_true", help=f"upload, with the access token in {TOKEN}")
    chosen.add_argument(
        "--dry-run", action="store_true", help="check and list the files, upload nothing (default)"
    )
    add_flag(parser, "--public", "make a new data set public (default: private)")


def _publish(options: Options, console: Console) -> None:
    """Upload an export that is ready to publish to a Hub of data sets; without --yes only list its files."""
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


def _plugin_arguments(parser: ArgumentParser) -> None:
    add_flag(parser, "--json", "print a JSON object")


def _plugins(options: Options, console: Console) -> None:
    """List the plug-ins: what each adds, its distribution and version, and why one cannot be used."""
    plugins = installed_plugins()
    failed = [one for one in plugins if one.error]
    if options["json"]:
        console.write(json.dumps({"plugins": [asdict(one) for one in plugins]}, indent=2, ensure_ascii=False))
    elif not plugins:
        console.write("No plug-ins are installed. docs/plugins.md says how to write one.")
    else:
        rows = [
            [one.kind, one.id or one.name, one.label or "cannot be used", one.distribution, one.version]
            for one in plugins
        ]
        console.write(figures(["adds", "id", "label", "distribution", "version"], rows, right=False))
        for one in failed:
            console.write(f"\n{one.kind} {one.name} ({one.value}): {one.error}\n  {one.remedy}")
    if failed:
        raise CommandProblem(f"{len(failed)} of {len(plugins)} plug-ins cannot be used.")


COMMANDS = {
    "convert": Command(_convert_arguments, _convert),
    "publish": Command(_publish_arguments, _publish),
    "plugins": Command(_plugin_arguments, _plugins),
}
