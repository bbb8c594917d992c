"""Aligners that are programs of their own: eflomal (GPL-3) and GIZA++ or MGIZA, where they are on the path.

They train and align in one run: pairs to be aligned are trained on, together with the training text.
`program_aligner` keeps that text.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from paragold.aligners.program_runs import ProgramError, RunFolder
from paragold.aligners.registry import Pair
from paragold.aligners.symmetrisation import Link, symmetrise
from paragold.metrics.links import links_of

LONGEST_SENTENCE = 100
"""GIZA++ cuts longer sentences off, and so shifts what follows; they are not given to it."""


class Program(Protocol):
    """Links pairs by a program, in both directions, and symmetrises them."""

    linking: str
    """How both directions become one: one of symmetrisation.SYMMETRISATIONS."""
    lexicon: bool
    """Whether each word is added as a pair with itself (the papers' lexicon)."""

    @property
    def name(self) -> str: ...

    def version(self) -> str:
        """Which program it is. Raises ProgramError, which says how to install it, where it is missing."""

    def align(self, pairs: Sequence[Pair], *, training: Sequence[Pair] = ()) -> list[list[Link]]:
        """The links of each of the pairs, after training on them and on `training`; empty sides have none.

        Raises ProgramError when the program is missing, fails or leaves out a line.
        """


class Eflomal:
    """Östling & Tiedemann (2016), "Efficient Word Alignment with Markov Chain Monte Carlo"."""

    name = "eflomal"
    install = "Install it: pip install -r requirements-eflomal.txt (GPL-3; needs a C compiler)."

    def __init__(self, *, linking: str = "intersection", lexicon: bool = True) -> None:
        self.linking = linking
        self.lexicon = lexicon

    def version(self) -> str:
        program = _found_any(("eflomal-align",), self.install).name
        return f"eflomal|{program}|links:{self.linking}|lexicon:{self.lexicon}"

    def align(self, pairs: Sequence[Pair], *, training: Sequence[Pair] = ()) -> list[list[Link]]:
        program = _found_any(("eflomal-align",), self.install)
        given, kept = _given(pairs, training, longest=1023, lexicon=self.lexicon)
        with RunFolder() as folder:
            _write(folder.path, given)
            command = [str(program), "-s", "source", "-t", "target", "-f", "forward", "-r", "reverse"]
            folder.run(command, os.environ)
            forward, backward = (
                _links((folder.path / side).read_text("ascii"), len(given), self.name)
                for side in ("forward", "reverse")
            )
        return _placed(
            pairs, kept, [symmetrise(self.linking, *both) for both in zip(forward, backward, strict=True)]
        )


class Giza:
    """GIZA++ (Och & Ney 2003) or MGIZA: five iterations of Model 1 and the HMM, three of Models 3 and 4."""

    name = "giza"
    install = (
        "Build it: git clone https://github.com/moses-smt/giza-pp && make -C giza-pp, then put GIZA++, "
        "plain2snt.out, snt2cooc.out and mkcls on the path; or MGIZA: mgiza, plain2snt, snt2cooc and mkcls."
    )

    def __init__(self, *, linking: str = "intersection", lexicon: bool = True) -> None:
        self.linking = linking
        self.lexicon = lexicon

    def version(self) -> str:
        program = _found_any(("GIZA++", "mgiza"), self.install).name
        return f"giza|{program}|models:1x5,hmm x5,3x3,4x3|links:{self.linking}|lexicon:{self.lexicon}"

    def align(self, pairs: Sequence[Pair], *, training: Sequence[Pair] = ()) -> list[list[Link]]:
        given, kept = _given(pairs, training, longest=LONGEST_SENTENCE, lexicon=self.lexicon)
        forward = self._direction(given)
        backward = self._direction([(target, source) for source, target in given])
        turned = [[(i, j) for j, i in links] for links in backward]
        return _placed(
            pairs, kept, [symmetrise(self.linking, *both) for both in zip(forward, turned, strict=True)]
        )

    def _direction(self, given: Sequence[Pair]) -> list[list[Link]]:
        """Links (source, target) in which each target word has one source word at most."""
        main, snt, cooc, mkcls = (
            _found_any(names, self.install)
            for names in (
                ("GIZA++", "mgiza"), ("plain2snt.out", "plain2snt"), ("snt2cooc.out", "snt2cooc"), ("mkcls",),
            )
        )  # fmt: skip
        # GIZA++ crashes where nobody is logged in by name, and reads numbers by the locale.
        surroundings = {**os.environ, "LC_ALL": "C", "USER": os.environ.get("USER") or "paragold"}
        with RunFolder() as folder:
            _write(folder.path, given)
            folder.run([str(snt), "source", "target"], surroundings)
            for side in ("source", "target"):
                classes = [f"-p{side}", f"-V{side}.vcb.classes", "-n2", "-c50", "opt"]
                folder.run([str(mkcls), *classes], surroundings)
            # One of the two programs of this name writes the table to standard output, the other to a file.
            table = folder.run([str(cooc), "source.vcb", "target.vcb", "source_target.snt"], surroundings)
            if not (folder.path / "cooc").exists():
                table.rename(folder.path / "cooc")
            folder.run(
                [
                    str(main), "-S", "source.vcb", "-T", "target.vcb", "-C", "source_target.snt",
                    "-CoocurrenceFile", "cooc", "-o", "out", "-model1iterations", "5", "-hmmiterations", "5",
                    "-model2iterations", "0", "-model3iterations", "3", "-model4iterations", "3",
                ],
                surroundings,
            )  # fmt: skip
            parts = sorted(folder.path.glob("out.A3.final*"))
            text = "".join(part.read_text("utf-8") for part in parts)
        return _a3_links(text, len(given))


PROGRAMS: Mapping[str, type[Eflomal] | type[Giza]] = MappingProxyType(
    {Eflomal.name: Eflomal, Giza.name: Giza}
)


def missing() -> dict[str, str]:
    """What is not installed, by name, and the command that installs it."""
    found = {}
    for name, program in PROGRAMS.items():
        try:
            program().version()
        except ProgramError as error:
            found[name] = str(error)
    return found


def _found_any(names: Sequence[str], install: str) -> Path:
    """The first of the programs that is on the path, or beside this Python."""
    for name in names:
        path = shutil.which(name) or shutil.which(name, path=str(Path(sys.executable).parent))
        if path is not None:
            return Path(path)
    raise ProgramError(f"{' or '.join(names)} is not on the path. {install}")


def _given(
    pairs: Sequence[Pair], training: Sequence[Pair], *, longest: int, lexicon: bool
) -> tuple[list[Pair], list[int]]:
    """The pairs that a program gets, those to be aligned first, and which of `pairs` these are.

    Words are in lower case. Left out are empty sides and sentences that are too long.
    """
    lower = [([w.lower() for w in a], [w.lower() for w in b]) for a, b in [*pairs, *training]]
    usable = [n for n, (a, b) in enumerate(lower) if 0 < len(a) <= longest and 0 < len(b) <= longest]
    given: list[Pair] = [lower[n] for n in usable]
    if lexicon:
        words = dict.fromkeys(word for pair in given for side in pair for word in side)
        given += [([word], [word]) for word in words]
    return given, [n for n in usable if n < len(pairs)]


def _placed(pairs: Sequence[Pair], kept: Sequence[int], links: Sequence[list[Link]]) -> list[list[Link]]:
    """The links in their pairs' places; no links where a pair was left out."""
    found: list[list[Link]] = [[] for _ in pairs]
    for number, drawn in zip(kept, links, strict=False):
        found[number] = drawn
    return found


def _write(folder: Path, given: Sequence[Pair]) -> None:
    for place, side in enumerate(("source", "target")):
        text = "".join(" ".join(pair[place]) + "\n" for pair in given)
        (folder / side).write_bytes(text.encode("utf-8", "replace"))


def _links(text: str, count: int, name: str) -> list[list[Link]]:
    """Lines of `0-0 1-2`. Raises ProgramError where there are not `count` of them."""
    lines = text.split("\n")[:-1]
    if len(lines) != count:
        raise ProgramError(f"{name} wrote {len(lines)} lines for {count} pairs; its links cannot be placed.")
    return [links_of(line) for line in lines]


def _a3_links(text: str, count: int) -> list[list[Link]]:
    """The links of an A3 file, whose pairs are numbered: parts of MGIZA come in any order.

    Three lines a pair: `# Sentence pair (n) ...`, the target sentence, and `NULL ({ 1 }) word ({ 2 3 }) ...`
    with the target positions, from 1, of each source word.
    """
    lines = text.split("\n")
    found: dict[int, list[Link]] = {}
    for head, sources in zip(lines[::3], lines[2::3], strict=False):
        number = int(head[head.index("(") + 1 : head.index(")")])
        # The first list is that of the null word.
        positions = re.findall(r" \(\{ ((?:\d+ )*)\}\)", f" {sources}")[1:]
        links = [(place, int(target) - 1) for place, part in enumerate(positions) for target in part.split()]
        found[number] = sorted(links)
    if sorted(found) != list(range(1, count + 1)):
        raise ProgramError(f"GIZA++ aligned {len(found)} of {count} pairs; its links cannot be placed.")
    return [found[number] for number in range(1, count + 1)]
