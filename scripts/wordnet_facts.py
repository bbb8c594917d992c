"""Builds paragold/text/wordnet.txt.gz from WordNet's own files: words, exceptions and relations, no glosses.

    python -m scripts.wordnet_facts [/usr/share/wordnet] [--output paragold/text/wordnet.txt.gz]

The folder holds index.*, data.* and *.exc of WordNet, as in Debian's package wordnet-base or in the folder
`dict` of WordNet itself; their format is that of wndb(5). PARAGOLD_WORDNET can name the file of another
WordNet built in this way. The same files give the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
from pathlib import Path
from typing import NamedTuple

from paragold.text.wordnet import FACTS, PARTS, READ_POINTERS

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}


class Synset(NamedTuple):
    """The words of one meaning as WordNet spells them, and those of its pointers that are used.

    A pointer has a symbol, part of speech and offset of the other synset, and the numbers of the words that
    it holds between, from 1; 0 is the whole synset.
    """

    words: tuple[str, ...]
    pointers: tuple[tuple[str, str, int, int, int], ...]


def synsets(folder: Path, part: str) -> dict[int, Synset]:
    """The synsets of a data file by their offsets, in its order."""
    read = {}
    for line in (folder / f"data.{FILES[part]}").read_text(encoding="latin-1").splitlines():
        if line.startswith(" "):
            continue  # the licence
        fields = line.partition(" | ")[0].split(" ")
        at = 4 + 2 * int(fields[3], 16)
        words = tuple(word.partition("(")[0] for word in fields[4:at:2])
        starts = range(at + 1, at + 1 + 4 * int(fields[at]), 4)
        pointers = tuple(
            (symbol, "a" if other == "s" else other, int(offset), int(ends[:2], 16), int(ends[2:], 16))
            for symbol, offset, other, ends in (fields[start : start + 4] for start in starts)
            if symbol in READ_POINTERS
        )
        read[int(fields[0])] = Synset(words, pointers)
    return read


def signature(folder: Path) -> str:
    """Which WordNet this is: the beginning of a SHA-256 over its index and exception files."""
    digest = hashlib.sha256()
    for name in FILES.values():
        for path in (folder / f"index.{name}", folder / f"{name}.exc"):
            digest.update(path.read_bytes())
    return f"wordnet-{digest.hexdigest()[:16]}"


def facts(folder: Path) -> str:
    """The text of the file; paragold/text/wordnet.py says what its lines are."""
    by_part = {part: synsets(folder, part) for part in PARTS}
    numbers = {part: {offset: number for number, offset in enumerate(by_part[part])} for part in PARTS}
    lines = [signature(folder), *licence(folder)]
    for part in PARTS:
        lines.append("==")
        for synset in by_part[part].values():
            pointers = [
                f"{symbol}{other}{numbers[other][offset]}" + f":{source}:{target}" * bool(source or target)
                for symbol, other, offset, source, target in synset.pointers
            ]
            lines.append("\t".join((" ".join(synset.words), *pointers)))
    for part in PARTS:
        exceptions = (folder / f"{FILES[part]}.exc").read_text(encoding="latin-1").splitlines()
        lines += ["==", *(" ".join(line.split()) for line in exceptions if line.strip())]
    return "".join(f"{line}\n" for line in lines)


def licence(folder: Path) -> list[str]:
    """The lines of WordNet's licence, which every copy has to hold; each begins with #."""
    with (folder / "data.noun").open(encoding="latin-1") as file:
        lines = [line[3:].strip() for line in file if line.startswith("  ")][:40]
    return [f"# {line}".rstrip() for line in lines]


def write(folder: Path, output: Path) -> None:
    """Write the facts of the WordNet in a folder."""
    output.write_bytes(gzip.compress(facts(folder).encode(), 9, mtime=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--output", type=Path, default=FACTS)
    options = parser.parse_args()
    write(options.folder, options.output)


if __name__ == "__main__":
    main()
