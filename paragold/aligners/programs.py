"""Aligners that are programs: eflomal (GPL-3), GIZA++ or MGIZA, and the models of sil-thot (LGPL-3).

They train and align in one run: pairs to be aligned are trained on, together with the training text. So what
is stored of them is that text, in numbers (docs/adr/0016). The models of sil-thot could be stored, but as
tables that its native code reads unchecked: a file from a stranger could do more than be refused.

Programs run in a folder of their own; whatever happens, neither they nor the folder stay behind. sil-thot is
native code: it runs in a process of its own, so that a fault in it ends that process alone.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from paragold.aligners.aligner import PAIRS_AT_ONCE, Aligner, Contents, Gold, OtherGold, Pair, Progress
from paragold.aligners.statistical import HOW_LINKED, LEXICON, LEXICON_HELP, SYMMETRISATION_LABELS
from paragold.aligners.symmetrisation import SYMMETRISATIONS
from paragold.metrics.links import Link, links_of
from paragold.parallel import portions
from paragold.spec import Spec, param, seed_param

if TYPE_CHECKING:
    from paragold.arrays import Array

    pass

TIMEOUT_SECONDS = 24 * 3600
WATCHED_EVERY_SECONDS = 1.0
LONGEST_MESSAGE = 500
_PYTHON = sys.executable
_GUARDIAN = """
trap '' INT TERM HUP
group=0
while read -r line; do group=$line; done
[ "$group" -gt 0 ] && kill -s KILL -- "-$group"
for second in 1 2 3 4 5 6 7 8 9 10; do rm -rf -- "$0" && break; sleep 1; done
"""
"""Reads the process group of the program that runs, and a negative number when it has ended, from a pipe that
only we hold open. When the pipe closes, since the run has ended or since this process was killed, by kill -9
too, it kills what still runs and removes the folder, its argument."""
_OUTPUT, _ERRORS = "output", "errors"

_watch: ContextVar[Callable[[], None] | None] = ContextVar("watch", default=None)


class ProgramError(ValueError):
    """A program that is missing or failed; the message says what to do."""


@contextlib.contextmanager
def watched(watch: Callable[[], None]) -> Iterator[None]:
    """Call `watch` about once a second while programs run in this block; what it raises stops them."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


class RunFolder:
    """A folder in which programs run, one after another; use it as a context."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="paragold-"))
        reader, self._writer = os.pipe()
        self._guardian = subprocess.Popen(  # noqa: S603 - our own script
            ["/bin/sh", "-c", _GUARDIAN, str(self.path)],
            stdin=reader,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"PATH": os.defpath},
            start_new_session=True,
        )
        os.close(reader)

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._writer)
        self._guardian.wait()
        shutil.rmtree(self.path, ignore_errors=True)

    def run(self, command: Sequence[str], surroundings: Mapping[str, str], *, name: str = "") -> Path:
        """Run a program to its end; returns the file with what it wrote to standard output.

        `name` is what messages call it, by default that of its file. Temporary files of the program's own
        lie in the folder, too. Raises ProgramError where it cannot be run, fails or takes longer than
        TIMEOUT_SECONDS, and what `watched` raises.
        """
        name = name or Path(command[0]).name
        with (self.path / _OUTPUT).open("wb") as output, (self.path / _ERRORS).open("wb") as errors:
            try:
                process = subprocess.Popen(  # noqa: S603 - the path of a known program, no shell
                    list(command),
                    cwd=self.path,
                    env={**surroundings, "TMPDIR": str(self.path)},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=errors,
                    start_new_session=True,
                )
            except OSError as error:
                raise ProgramError(f"{command[0]} cannot be run: {error}.") from error
        self._report(process.pid)
        try:
            code = _waited(process, name)
        finally:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            self._report(-process.pid)
        if code:
            with (self.path / _ERRORS).open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - LONGEST_MESSAGE))
                last_line = file.read().decode("utf-8", "replace").strip().split("\n")[-1]
            raise ProgramError(f"{name} failed with {code}: {last_line}")
        return self.path / _OUTPUT

    def _report(self, group: int) -> None:
        with contextlib.suppress(OSError):
            os.write(self._writer, b"%d\n" % group)


def _waited(process: subprocess.Popen[bytes], name: str) -> int:
    """The return code of a process, which is waited for."""
    until = time.monotonic() + TIMEOUT_SECONDS
    watch = _watch.get()
    while True:
        try:
            return process.wait(timeout=WATCHED_EVERY_SECONDS)
        except subprocess.TimeoutExpired:
            if time.monotonic() > until:
                raise ProgramError(f"{name} took longer than {TIMEOUT_SECONDS:,} seconds.") from None
            if watch is not None:
                watch()


Drawn = tuple[list[list[Link]], list[list[Link]]]
"""The links (source, target) of each pair, forward and backward."""
MAX_PAIRS = 250_000
"""Sentence pairs that programs are given in a project, those trained on and those to be aligned together."""


class ProgramSpec(Spec):
    """What is chosen around a program; its own settings are those of the papers."""

    linking: str = param("intersection", "Links", HOW_LINKED, choices=SYMMETRISATION_LABELS)
    lexicon: bool = param(True, LEXICON, LEXICON_HELP)


class ProgramAligner(Aligner):
    """Links pairs by a program, in both directions, and symmetrises them.

    Each call of `align_all` trains the program again, on the training text and the pairs.
    """

    parameters: ClassVar[type[Spec]] = ProgramSpec
    trains_when_applied = True
    max_pairs = MAX_PAIRS
    longest: ClassVar[int]
    """Words of the longest sentence that the program is given."""
    training: Sequence[Pair] = ()

    def settings_for(self, language: str, second_language: str = "") -> dict[str, Any]:
        return {"lexicon": False} if second_language else {}

    def program_signature(self) -> str:
        """Which program it is, and its settings. Raises ProgramError, which says how to install it."""
        raise NotImplementedError

    def _links(self) -> str:
        return f"links:{self.spec.linking}|lexicon:{self.spec.lexicon}"

    def directions(self, given: Sequence[Pair], count: int) -> Drawn:
        """What the program draws in the first `count` pairs at least, trained on all that are given."""
        raise NotImplementedError

    def install_hint(self) -> str:
        try:
            self.program_signature()
        except ProgramError as error:
            return str(error)
        return ""

    def learn(
        self, pairs: Sequence[Pair], gold: Gold, other_gold: OtherGold, progress: Progress | None
    ) -> None:
        """Take these pairs as its training text. Raises ProgramError where the program is missing."""
        self.program_signature()
        self.training = [_lowered(pair) for pair in pairs]

    def draw(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """Training text that is among the pairs counts once; empty sides have no links.

        Raises ProgramError where the program is missing, fails or leaves out a line.
        """
        known = {_lowered(pair) for pair in pairs}
        training = [pair for pair in self.training if pair not in known]
        given, numbers = _given(pairs, training, longest=self.longest, lexicon=self.spec.lexicon)
        links: list[list[Link]] = [[] for _ in pairs]
        for number, *drawn in zip(numbers, *self.directions(given, len(numbers)), strict=False):
            links[number] = SYMMETRISATIONS[self.spec.linking](*drawn)
        return links

    def own_signature(self) -> str:
        """The program, its settings and the text; see `draw_signature` for one that draws at random.

        Raises ProgramError where the program is missing.
        """
        from paragold.formats.model_files import content_hash

        return f"{self.program_signature()}|text:{content_hash(self.contents()[0], {})[:16]}"

    def draw_signature(self, links: Sequence[Sequence[Link]]) -> str:
        """eflomal samples again in each run, and GIZA++ promises nothing: the links themselves are hashed."""
        text = "\n".join(" ".join(f"{i}-{j}" for i, j in drawn) for drawn in links)
        return f"drawn:{sha256(text.encode()).hexdigest()[:16]}"

    def contents(self) -> Contents:
        """The training text: words (UTF-8, a line each), and each side's numbers of words and starts."""
        from paragold.aligners.cooccurrences import Text, Vocabulary

        vocabulary = Vocabulary()
        sides = [Text.of((pair[place] for pair in self.training), vocabulary) for place in (0, 1)]
        return {
            "words": vocabulary.as_bytes(),
            "source_text": sides[0].words,
            "source_starts": sides[0].starts,
            "target_text": sides[1].words,
            "target_starts": sides[1].starts,
        }, {}

    def restore(self, numbers: dict[str, Array], description: dict[str, Any]) -> None:
        from paragold.aligners.cooccurrences import Vocabulary

        words = Vocabulary.of_bytes(numbers["words"]).words
        sides = []
        for side in ("source", "target"):
            text = [words[n] for n in numbers[f"{side}_text"].tolist()]
            starts = numbers[f"{side}_starts"].tolist()
            sides.append([tuple(text[a:b]) for a, b in pairwise(starts)])
        self.training = list(zip(*sides, strict=True))


def _lowered(pair: Pair) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The pair as programs are given it."""
    source, target = (tuple(word.lower() for word in side) for side in pair)
    return source, target


class Eflomal(ProgramAligner):
    """Östling & Tiedemann (2016), "Efficient Word Alignment with Markov Chain Monte Carlo"."""

    id = "eflomal"
    longest = 1023
    label = (
        "eflomal: a program (Östling & Tiedemann 2016). Trains from scratch whenever it is applied, on this "
        "text and the new pairs together, by sampling: links differ a little from run to run"
    )
    install = "Install it: pip install -r requirements-eflomal.txt (GPL-3; needs a C compiler)."

    def program_signature(self) -> str:
        return f"eflomal|{_program(('eflomal-align',), self.install).name}|{self._links()}"

    def directions(self, given: Sequence[Pair], count: int) -> Drawn:
        program = _program(("eflomal-align",), self.install)
        with RunFolder() as folder:
            write_text(folder.path, given)
            command = [str(program), "-s", "source", "-t", "target", "-f", "forward", "-r", "reverse"]
            folder.run(command, os.environ)
            return _read_directions(folder.path, len(given), self.id)


class Giza(ProgramAligner):
    """GIZA++ (Och & Ney 2003) or MGIZA: five iterations of Model 1 and the HMM, three of Models 3 and 4."""

    id = "giza"
    longest = 100
    """GIZA++ cuts longer sentences off, and so shifts what follows; they are not given to it."""
    label = (
        "giza: GIZA++ or MGIZA, the papers' program (Och & Ney 2003). Trains from scratch whenever it is "
        "applied"
    )
    install = (
        "Build it: git clone https://github.com/moses-smt/giza-pp && make -C giza-pp, then put GIZA++, "
        "plain2snt.out, snt2cooc.out and mkcls on the path; or MGIZA: mgiza, plain2snt, snt2cooc and mkcls."
    )

    def program_signature(self) -> str:
        program = _program(("GIZA++", "mgiza"), self.install).name
        return f"giza|{program}|models:1x5,hmm x5,3x3,4x3|{self._links()}"

    def directions(self, given: Sequence[Pair], count: int) -> Drawn:
        forward = self._direction(given)
        backward = self._direction([(target, source) for source, target in given])
        return forward, [[(i, j) for j, i in links] for links in backward]

    def _direction(self, given: Sequence[Pair]) -> list[list[Link]]:
        """Links (source, target) in which each target word has one source word at most."""
        main, snt, cooc, mkcls = (
            _program(names, self.install)
            for names in (
                ("GIZA++", "mgiza"), ("plain2snt.out", "plain2snt"), ("snt2cooc.out", "snt2cooc"), ("mkcls",),
            )
        )  # fmt: skip
        # GIZA++ crashes where nobody is logged in by name, and reads numbers by the locale.
        surroundings = {**os.environ, "LC_ALL": "C", "USER": os.environ.get("USER") or "paragold"}
        with RunFolder() as folder:
            write_text(folder.path, given)
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


THOT_MODELS = {
    "eflomal": "eflomal's model (Östling & Tiedemann 2016)",
    "hmm": "the HMM (Vogel, Ney & Tillmann 1996)",
    "fast_align": "fast_align (Dyer, Chahuneau & Smith 2013)",
    "ibm1": "IBM Model 1 (Brown et al. 1993)",
    "ibm2": "IBM Model 2",
    "ibm3": "IBM Model 3",
    "ibm4": "IBM Model 4, without word classes",
}
SAMPLED = "eflomal"
THOT_VERSION = "3.5.3"
"""The version that the tests run with."""


# No path of the user's, whose files may have the names of modules; this package is where it is.
THOT_PROGRAM = (
    *(_PYTHON, "-I", "-c"),
    "import sys; sys.path.append(sys.argv[1]); from paragold.aligners.programs import align_by_thot; "
    "align_by_thot(*sys.argv[2:])",
    str(Path(__file__).resolve().parents[2]),
)


class ThotSpec(ProgramSpec):
    """Which model of sil-thot links the words."""

    model: str = param(SAMPLED, "Model", "Which model of sil-thot is trained.", choices=THOT_MODELS)
    seed: int = seed_param("Determines what eflomal's model samples.", when={"model": (SAMPLED,)})


class Thot(ProgramAligner):
    """Ortiz-Martínez & Casacuberta (2014), "The New Thot Toolkit", as SIL maintains it."""

    id = "thot"
    parameters = ThotSpec
    longest = 200
    """The HMM of thot leaves longer sentences out, and eflomal's model takes minutes for one."""
    label = (
        "thot: sil-thot (Ortiz-Martínez & Casacuberta 2014; LGPL-3): eflomal's model, the HMM, fast_align or "
        "IBM Models 1 to 4. Trains from scratch whenever it is applied; the same text gives the same links"
    )
    install = f"Install it: pip install sil-thot=={THOT_VERSION} (LGPL-3; needs no compiler)."

    def program_signature(self) -> str:
        try:
            program = f"sil-thot {version('sil-thot')}"
        except PackageNotFoundError:
            raise ProgramError(f"sil-thot is not installed. {self.install}") from None
        seed = f"|seed:{self.spec.seed}" if self.spec.model == SAMPLED else ""
        return f"thot|{program}|model:{self.spec.model}|{self._links()}{seed}"

    def directions(self, given: Sequence[Pair], count: int) -> Drawn:
        self.program_signature()
        # Sums depend on the number of threads, and with them a link now and then.
        surroundings = {**os.environ, "OMP_NUM_THREADS": "1"}
        with RunFolder() as folder:
            write_text(folder.path, given)
            command = [*THOT_PROGRAM, self.spec.model, str(self.spec.seed), str(count)]
            folder.run(command, surroundings, name=f"sil-thot ({self.spec.model})")
            return _read_directions(folder.path, count, self.id)


# Iterations as GIZA++ has them; a model starts from the one before it.
_IBM1, _HMM = ("Ibm1AlignmentModel", 5), ("HmmAlignmentModel", 5)
_IBM3, _IBM4 = ("Ibm3AlignmentModel", 3), ("Ibm4AlignmentModel", 3)
_STAGES = {
    "ibm1": [_IBM1],
    "ibm2": [_IBM1, ("Ibm2AlignmentModel", 5)],
    "hmm": [_IBM1, _HMM],
    "ibm3": [_IBM1, _HMM, _IBM3],
    "ibm4": [_IBM1, _HMM, _IBM3, _IBM4],
    "fast_align": [("FastAlignModel", 5)],
}


def _trained(name: str, seed: int, pairs: Sequence[Pair]) -> Any:
    """The model, trained on pairs of lists of words."""
    from thot import alignment as thot

    stages: list[tuple[Any, int]] = []
    if name == "eflomal":
        sampler = thot.EflomalAlignmentModel()
        sampler.seed, sampler.deterministic = seed, True
        stages.append((sampler, 0))
    else:
        for kind, iterations in _STAGES[name]:
            before = [stages[-1][0]] if stages else []
            stages.append((getattr(thot, kind)(*before), iterations))
    for pair in pairs:
        stages[0][0].add_sentence_pair(*pair, 1)
    for model, iterations in stages:
        model.start_training()
        # eflomal's model makes more sweeps the less text it has, and says how many.
        for _ in range(iterations or model.scheduled_iterations):
            model.train()
        model.end_training()
    return stages[-1][0]


def align_by_thot(name: str, seed: str, count: str) -> None:
    """Train in both directions on `source` and `target` in the current folder, a sentence a line, words
    separated by spaces; write `forward` and `reverse`: `0-0 1-2` for each of the first `count` pairs.
    """
    sources, targets = (
        [line.split(" ") for line in Path(side).read_bytes().decode().split("\n")[:-1]]
        for side in ("source", "target")
    )
    pairs = list(zip(sources, targets, strict=True))
    turned = [(target, source) for source, target in pairs]
    for file, given, order in (("forward", pairs, "{0}-{1}"), ("reverse", turned, "{1}-{0}")):
        model = _trained(name, int(seed), given)
        with Path(file).open("w", encoding="ascii") as out:
            for some in portions(given[: int(count)], PAIRS_AT_ONCE):
                # For each target word the number of its source word from 1, or 0 for the null word.
                for _, matrix in model.get_best_alignments(*map(list, zip(*some, strict=True))):
                    drawn = enumerate(matrix.to_list())
                    print(*(order.format(i - 1, j) for j, i in drawn if i), file=out)


def _program(names: Sequence[str], install: str) -> Path:
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
    lower = [_lowered(pair) for pair in [*pairs, *training]]
    usable = [n for n, (a, b) in enumerate(lower) if 0 < len(a) <= longest and 0 < len(b) <= longest]
    given: list[Pair] = [lower[n] for n in usable]
    if lexicon:
        words = dict.fromkeys(word for pair in given for side in pair for word in side)
        given += [([word], [word]) for word in words]
    return given, [n for n in usable if n < len(pairs)]


def write_text(folder: Path, given: Sequence[Pair]) -> None:
    """Files `source` and `target`, a sentence a line, words separated by spaces."""
    for place, side in enumerate(("source", "target")):
        text = "".join(" ".join(pair[place]) + "\n" for pair in given)
        (folder / side).write_bytes(text.encode("utf-8", "replace"))


def _read_directions(folder: Path, count: int, name: str) -> Drawn:
    """The links in the files `forward` and `reverse`, lines of `0-0 1-2`.

    Raises ProgramError where there are not `count` of them.
    """
    sides = [(folder / side).read_text("ascii").split("\n")[:-1] for side in ("forward", "reverse")]
    for lines in sides:
        if len(lines) != count:
            raise ProgramError(f"{name} wrote {len(lines)} lines for {count} pairs; its links are unusable.")
    forward, backward = ([links_of(line) for line in lines] for lines in sides)
    return forward, backward


def _a3_links(text: str, count: int) -> list[list[Link]]:
    """The links of an A3 file, whose pairs are numbered: parts of MGIZA come in any order.

    Three lines a pair: `# Sentence pair (n) ...`, the target sentence, and `NULL ({ 1 }) word ({ 2 3 }) ...`
    with the target positions, from 1, of each source word.
    """
    lines = text.split("\n")
    by_number: dict[int, list[Link]] = {}
    for head, sources in zip(lines[::3], lines[2::3], strict=False):
        number = int(head[head.index("(") + 1 : head.index(")")])
        # The first list is that of the null word.
        positions = re.findall(r" \(\{ ((?:\d+ )*)\}\)", f" {sources}")[1:]
        links = [(place, int(target) - 1) for place, part in enumerate(positions) for target in part.split()]
        by_number[number] = sorted(links)
    if sorted(by_number) != list(range(1, count + 1)):
        raise ProgramError(f"GIZA++ aligned {len(by_number)} of {count} pairs; its links are unusable.")
    return [by_number[number] for number in range(1, count + 1)]
