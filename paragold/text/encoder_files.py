"""What a folder of an encoder says of itself; see `encoder`. This module loads no numerical library."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ABOUT = "paragold.json"
"""What `paragold get-encoder` says of where an encoder comes from: title, licence, language, from, sha256."""
FILES = ("model.safetensors", "tokenizer.json", "config.json")
LANES = 16
"""The size of the vectors is a multiple of it: so many numbers a processor adds at once."""
EXTRA = "pip install safetensors tokenizers"


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


def what_is_missing(folder: str) -> str:
    """A sentence on what keeps the encoder of a folder from being used here; "" where nothing does."""
    missing = [name for name in FILES if not (Path(folder).expanduser() / name).is_file()]
    if missing:
        return f"The folder of the encoder has no {missing[0]}; `paragold get-encoder` fetches one."
    if not all(map(find_spec, ("safetensors", "tokenizers"))):
        return f"An encoder needs the packages safetensors and tokenizers: {EXTRA}"
    return ""
