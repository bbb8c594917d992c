"""Which encoder is meant and what its folder says of itself; see `encoder`. Loads no numerical library."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from paragold.formats.publishing import sha256_of
from paragold.packages import install_hint
from paragold.spec import param

ENCODER, DEFAULT_ENCODER = "PARAGOLD_ENCODER", "default"
NO_ENCODER = f"{ENCODER} names no folder of an encoder; `paragold get-encoder` fetches one."
ABOUT = "paragold.json"
"""What `paragold get-encoder` says of where an encoder comes from: title, licence, language, from, sha256."""
FILES = ("model.safetensors", "tokenizer.json", "config.json")
LANES = 16
"""The size of the vectors is a multiple of it: so many numbers a processor adds at once."""


@dataclass(frozen=True)
class AboutEncoder:
    """title, licence: "" where the folder does not say. language: that of its training text, or ""."""

    title: str = ""
    licence: str = ""
    language: str = ""
    sha256: str = ""


def about(folder: Path) -> AboutEncoder:
    """What is said of an encoder, where nothing else is known its folder's name."""
    try:
        content = json.loads((folder / ABOUT).read_text("utf-8"))
        said = {name: str(content.get(name, "")) for name in AboutEncoder.__dataclass_fields__}
    except (OSError, ValueError, AttributeError):
        said = {"title": folder.name}
    return AboutEncoder(**said)


def encoder_param(label: str, does: str, **options: Any) -> Any:
    """The parameter that names an encoder, of any operation that can use one."""
    return param(
        "",
        label,
        f"{does}: a folder that `paragold get-encoder` wrote. {DEFAULT_ENCODER}: the one that ${ENCODER} "
        "names. Empty: none.",
        max_length=1000,
        on_server={"": "none", DEFAULT_ENCODER: "the one of this installation"},
        **options,
    )


def folder_of(named: str) -> str:
    """The folder of an encoder as it is named; "" where none is."""
    return os.environ.get(ENCODER, "") if named == DEFAULT_ENCODER else named


def language_of_another(language: str) -> str:
    """The language of this installation's encoder, if it is known and another one (BCP 47); else ""."""
    folder = folder_of(DEFAULT_ENCODER)
    known = about(Path(folder).expanduser()).language if folder else ""
    return known if known != language.partition("-")[0].lower() else ""


def suitable(language: str) -> str:
    """The encoder to begin with for text in a language: the installation's, or none."""
    return DEFAULT_ENCODER if folder_of(DEFAULT_ENCODER) and not language_of_another(language) else ""


def not_installed() -> str:
    """A sentence for people where the installation has no encoder; else ""."""
    if folder_of(DEFAULT_ENCODER):
        return ""
    return f"No encoder is installed: an administrator names one by {ENCODER}."


def doubt(*languages: str) -> str:
    """A sentence for people where the installation's encoder is for other languages or says none; else ""."""
    folder = folder_of(DEFAULT_ENCODER)
    if folder and not about(Path(folder).expanduser()).language:
        said = f'add "language": "en" (or another) to {ABOUT} in its folder, or fetch it again'
        return f"The encoder of this installation does not say its language: {said}."
    unknown = [one for one in languages if one and language_of_another(one)]
    if not unknown:
        return ""
    known = f"The encoder of this installation was trained on {language_of_another(unknown[0])}"
    return f"{known}; what it is worth for {' and '.join(unknown)} was not measured."


def weights_of(named: str) -> str:
    """The beginning of the SHA-256 of an encoder's weights; "none" where it is not here."""
    weights = Path(folder_of(named)).expanduser() / FILES[0]
    if not folder_of(named) or not weights.is_file():
        return "none"
    return _weights(str(weights), weights.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _weights(path: str, changed: int) -> str:
    return sha256_of(Path(path))[:16]


def what_is_missing(named: str) -> str:
    """A sentence on what keeps the encoder that is named from being used here; "" where nothing does."""
    if not named:
        return ""
    if not (folder := folder_of(named)):
        return NO_ENCODER
    missing = [name for name in FILES if not (Path(folder).expanduser() / name).is_file()]
    if missing:
        return f"The folder of the encoder has no {missing[0]}; `paragold get-encoder` fetches one."
    if not all(map(find_spec, ("safetensors", "tokenizers"))):
        return install_hint("encoder")
    return ""
