"""The models of sil-thot, a library of native code in a wheel (LGPL-3), run in a process of their own.

Its models could be stored, but as tables that its code reads unchecked: a file from a stranger could do more
than be refused. So the training text is kept, as of the other programs (docs/adr/0016).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from paragold.aligners.method import Pair, Variant
from paragold.aligners.program_runs import ProgramError, RunFolder
from paragold.aligners.programs import Drawn, ProgramMethod, ProgramSpec, pharaoh_links, write_text
from paragold.spec import param, seed_param

MODELS = {
    "eflomal": "eflomal's model (Östling & Tiedemann 2016)",
    "hmm": "the HMM (Vogel, Ney & Tillmann 1996)",
    "fast_align": "fast_align (Dyer, Chahuneau & Smith 2013)",
    "ibm1": "IBM Model 1 (Brown et al. 1993)",
    "ibm2": "IBM Model 2",
    "ibm3": "IBM Model 3",
    "ibm4": "IBM Model 4, without word classes",
}
SAMPLED = "eflomal"
PINNED = "3.5.3"
"""The version that the tests run with."""
PROGRAM = Path(__file__).with_name("thot_run.py")


class ThotSpec(ProgramSpec):
    """Which model of sil-thot links the words."""

    model: str = param(SAMPLED, "Model", "Which model of sil-thot is trained.", choices=MODELS)
    seed: int = seed_param("Determines what eflomal's model samples.", when={"model": (SAMPLED,)})


class Thot(ProgramMethod):
    """Ortiz-Martínez & Casacuberta (2014), "The New Thot Toolkit", as SIL maintains it."""

    id = "thot"
    parameters = ThotSpec
    longest = 200
    """The HMM of thot leaves longer sentences out, and eflomal's model takes minutes for one."""
    label = (
        "thot: sil-thot (Ortiz-Martínez & Casacuberta 2014; LGPL-3): eflomal's model, the HMM, fast_align or "
        "IBM Models 1 to 4. Trains from scratch whenever it is applied; the same text gives the same links"
    )
    samples = False
    variants = tuple(
        Variant(f"thot-{model}", f"thot: {words}", {"model": model})
        for model, words in MODELS.items()
        if model != SAMPLED
    )
    install = f"Install it: pip install sil-thot=={PINNED} (LGPL-3; needs no compiler)."

    def program_signature(self, parameters: ThotSpec) -> str:  # type: ignore[override]  # its own Spec
        try:
            program = f"sil-thot {version('sil-thot')}"
        except PackageNotFoundError:
            raise ProgramError(f"sil-thot is not installed. {self.install}") from None
        seed = f"|seed:{parameters.seed}" if parameters.model == SAMPLED else ""
        settings = f"links:{parameters.linking}|lexicon:{parameters.lexicon}{seed}"
        return f"thot|{program}|model:{parameters.model}|{settings}"

    def directions(self, given: Sequence[Pair], count: int, parameters: Any) -> Drawn:
        self.program_signature(parameters)
        # Sums depend on the number of threads, and with them a link now and then.
        surroundings = {**os.environ, "OMP_NUM_THREADS": "1"}
        with RunFolder() as folder:
            write_text(folder.path, given)
            command = [sys.executable, "-I", str(PROGRAM), parameters.model, str(parameters.seed), str(count)]
            folder.run(command, surroundings, name=f"sil-thot ({parameters.model})")
            forward, backward = (
                pharaoh_links((folder.path / side).read_text("ascii"), count, self.id)
                for side in ("forward", "reverse")
            )
        return forward, backward
