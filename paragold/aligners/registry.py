"""The word aligners: one table, what is chosen of one of them, and their files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from paragold.aligners.best import Best
from paragold.aligners.identity import Identity, IdentityStem
from paragold.aligners.method import (
    Aligner,
    AlignerMethod,
    Contents,
    LinkExplanation,
    OtherGold,
    Pair,
    Progress,
)
from paragold.aligners.program_runs import ProgramError
from paragold.aligners.programs import Eflomal, Giza, Thot
from paragold.aligners.statistical import HMM, IBM1, POSTERIOR
from paragold.metrics.links import Link, LinkedPair, check_pairs, check_words
from paragold.problems import FileProblem, located
from paragold.registry import NotRegisteredError, PluginError, Registry, UnusableError
from paragold.spec import Parameter, Spec, SpecError


class PluginAligner(Aligner):
    """An aligner with its links checked: aligning raises PluginError for any that must not be.

    name: the id of the method. signature: the aligner's own, with the plug-in's version. wrong: makes
    the error, of a description of the links.
    """

    def __init__(
        self, aligner: Aligner, name: str, signature: str, wrong: Callable[[str], PluginError]
    ) -> None:
        self.name, self.signature, self.transfers = name, signature, aligner.transfers
        self._aligner = aligner
        self._wrong = wrong

    def align(self, source: Sequence[str], target: Sequence[str]) -> list[Link]:
        check_words(source, target)
        return self._checked((source, target), self._aligner.align(source, target))

    def align_all(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        check_pairs(pairs)
        drawn = self._aligner.align_all(pairs)
        if not isinstance(drawn, list) or len(drawn) != len(pairs):
            raise self._wrong(f"{len(list(drawn))} lists of links for {len(pairs)} pairs")
        return [self._checked(pair, links) for pair, links in zip(pairs, drawn, strict=True)]

    def explanations(self, source: Sequence[str], target: Sequence[str]) -> list[LinkExplanation]:
        return self._aligner.explanations(source, target)

    def reasons(self, pairs: Sequence[Pair], links: Sequence[Sequence[Link]]) -> list[list[str]] | None:
        return self._aligner.reasons(pairs, links)

    def contents(self) -> Contents:
        return self._aligner.contents()

    def _checked(self, pair: Pair, links: list[Link]) -> list[Link]:
        """The links as tuples of whole numbers."""
        try:
            checked = [(int(i), int(j)) for i, j in links]
        except (TypeError, ValueError):
            raise self._wrong("links that are no pairs of token indices") from None
        inside = all(0 <= i < len(pair[0]) and 0 <= j < len(pair[1]) for i, j in checked)
        if not inside or checked != sorted(set(checked)):
            raise self._wrong("links outside the sentences, out of order or twice")
        return checked


class MissingAligner(AlignerMethod):
    """In place of an aligner that is stored but no longer installed: it cannot be used, only be shown."""

    label = "not installed"
    parameters = Spec

    def __init__(self, id: str) -> None:
        self.id = id

    def install_hint(self) -> str:
        return f"the aligner {self.id} with these parameters; install the plug-in that has it."

    def train(self, *args: object, **options: object) -> Aligner:
        """Raises ProgramError."""
        raise ProgramError(f"There is no aligner {self.id} with these parameters: install its plug-in.")


def _check_plugin(method: AlignerMethod) -> None:
    """Raises an error for what plug-ins cannot do yet, and for what would break forms of all methods."""
    if method.learns_from_gold:
        raise UnusableError(
            "It says that it learns from gold links.", "Set learns_from_gold to False: plug-ins cannot yet."
        )
    method.install_hint()
    method.suggests_in("en")
    names = {*method.settings_for("en"), *method.without_effect("en"), *method.in_experiments}
    if unknown := names - {one.name for one in method.parameters.parameters()}:
        raise UnusableError(
            f"It names parameters that it does not have: {', '.join(sorted(unknown))}.",
            "Correct settings_for, without_effect or in_experiments.",
        )


ALIGNERS: Registry[AlignerMethod] = Registry(
    "aligner",
    AlignerMethod,  # type: ignore[type-abstract]  # only asked whether something is one
    [Best(), HMM(), IBM1(), IdentityStem(), Identity(), Eflomal(), Giza(), Thot()],
    entry_points="paragold.aligners",
    # Fields of forms and keys of settings beside the parameters.
    reserved=(
        *("aligner", "name", "datasets", "texts"),
        *("gold_set", "gold_alignments", "taught_by", "other_gold", "confirmed"),
    ),
    check=_check_plugin,
)


DEFAULT_ALIGNER = "best"


def trained_ids() -> tuple[str, ...]:
    """The ids of the methods that are trained on sentence pairs."""
    return tuple(method.id for method in ALIGNERS if method.learns_from_pairs)


def untrained_ids() -> tuple[str, ...]:
    """The ids of the methods that draw links without any training."""
    return tuple(method.id for method in ALIGNERS if not method.learns_from_pairs)


@dataclass(frozen=True, slots=True)
class Recipe:
    """A method and its parameters: all that is chosen about an aligner before it sees any pairs."""

    method: AlignerMethod
    parameters: Spec

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Recipe:
        """The recipe of `{"aligner": id, **parameters}`; what is left out has its default.

        Raises
        ------
        SpecError
            There is no such aligner, the aligner has no such parameter, or the value is not allowed.
        """
        try:
            method = ALIGNERS.get(str(settings.get("aligner", "")))
        except NotRegisteredError as error:
            raise SpecError([("aligner", str(error))]) from None
        values = {name: value for name, value in settings.items() if name != "aligner"}
        return cls(method, method.parameters(**values))

    @classmethod
    def stored(cls, settings: Mapping[str, Any]) -> Recipe:
        """The same of settings that were stored; of an aligner that is no longer there a MissingAligner."""
        try:
            return cls.of(settings)
        except SpecError:
            missing = MissingAligner(str(settings.get("aligner")))
            return cls(missing, missing.parameters())

    def as_json(self) -> dict[str, Any]:
        """The settings that `of` takes, every parameter named."""
        return {"aligner": self.method.id, **self.parameters.as_json()}

    def given(self, other_gold: OtherGold) -> Recipe:
        """The same with other gold links; see `AlignerMethod.given`."""
        return replace(self, method=self.method.given(other_gold)) if other_gold else self

    @property
    def label(self) -> str:
        """The aligner and what tells it from others of its name, such as "hmm + lexicon, refined"."""
        return aligner_label(self.as_json())

    def described(self) -> list[tuple[str, str]]:
        """Label and value, in words, of the aligner and of the parameters that have an effect."""
        return [("Aligner", self.method.id), *self.parameters.described()]

    def train(
        self, pairs: Sequence[Pair], *, gold: Sequence[LinkedPair] = (), progress: Progress | None = None
    ) -> Aligner:
        """The aligner; see `AlignerMethod.train`."""
        check_pairs(pairs)
        return _made_by(self.method, self.method.train(pairs, self.parameters, gold=gold, progress=progress))

    @property
    def iterations(self) -> int:
        """How many iterations its training has one by one; 0 for a single step, `train`, as of plug-ins."""
        return 0 if ALIGNERS.plugin(self.method.id) else self.method.iterations(self.parameters)


def _made_by(method: AlignerMethod, aligner: Aligner) -> Aligner:
    """The aligner that a method made; that of a plug-in is checked, and signed with the plug-in's version."""
    if ALIGNERS.plugin(method.id) is None:
        return aligner
    if not isinstance(aligner, Aligner) or not isinstance(getattr(aligner, "signature", None), str):
        raise ALIGNERS.wrong_result(method.id, f"{type(aligner).__name__}, no Aligner with a signature")
    signature = ALIGNERS.signed(method.id, aligner.signature)
    return PluginAligner(aligner, method.id, signature, partial(ALIGNERS.wrong_result, method.id))


def aligner_label(settings: Mapping[str, Any]) -> str:
    """What `Recipe.label` says of these settings, whether or not there still is such an aligner."""
    model = f" {settings['model']}" if settings.get("model") else ""
    lexicon = " + lexicon" if settings.get("lexicon") else ""
    linking = settings.get("linking", POSTERIOR)
    return f"{settings['aligner']}{model}{lexicon}{'' if linking == POSTERIOR else f', {linking}'}"


def all_parameters(*, untrained_plugins: bool = False) -> list[Parameter]:
    """The parameters of all methods that are trained, each name once, for a form that serves them all.

    With `untrained_plugins` also those of the methods of plug-ins that are not trained.

    The default is None where methods differ in it; bounds and choices are the widest. The help names the
    methods that have the parameter unless all have it, and their defaults where they differ.
    """
    methods = [
        method
        for method in ALIGNERS
        if method.learns_from_pairs or (untrained_plugins and ALIGNERS.plugin(method.id))
    ]
    by_name: dict[str, dict[str, Parameter]] = {}
    for method in methods:
        for parameter in method.parameters.parameters():
            by_name.setdefault(parameter.name, {})[method.id] = parameter
    return [_combined(by_method, of_all=len(by_method) == len(methods)) for by_method in by_name.values()]


def _combined(by_method: Mapping[str, Parameter], *, of_all: bool) -> Parameter:
    """One parameter of several methods, by their ids, as one."""
    first = next(iter(by_method.values()))
    defaults = [one.default for one in by_method.values()]
    same = all(default == defaults[0] for default in defaults)
    notes = []
    if not same:
        ids_by_default: dict[str, list[str]] = {}
        for id, one in by_method.items():
            ids_by_default.setdefault(one.in_words(one.default), []).append(id)
        own = "; ".join(f"{', '.join(ids)}: {default}" for default, ids in ids_by_default.items())
        notes.append(f"Defaults: {own}.")
    elif not of_all:
        notes.append(f"Only for {', '.join(by_method)}.")
    lows = [one.minimum for one in by_method.values() if one.minimum is not None]
    highs = [one.maximum for one in by_method.values() if one.maximum is not None]
    return replace(
        first,
        help=" ".join(filter(None, [first.help, *notes])),
        default=first.default if same else None,
        minimum=min(lows, default=None),
        maximum=max(highs, default=None),
        choices=tuple(dict.fromkeys(choice for one in by_method.values() for choice in one.choices)),
        when=None,
    )


_KIND = "paragold aligner"


def save_aligner(path: Path, aligner: Aligner) -> str:
    """Write an aligner, numbers and JSON only, and return its SHA-256. Raises OSError where it cannot."""
    from paragold.formats.model_files import save

    numbers, description = aligner.contents()
    version = ALIGNERS.get(aligner.name).version
    return save(path, numbers, description | {"kind": _KIND, "aligner": aligner.name, "version": version})


def load_aligner(path: Path) -> Aligner:
    """The aligner of a file, which draws the same links as the one that was saved.

    Raises FileProblem for a file that is none or was damaged, and where the aligner's features, stemmer
    or WordNet differ from those it was trained with.
    """
    from paragold.formats.model_files import load

    numbers, description = load(path)
    name = description.get("aligner")
    known = description.get("kind") == _KIND and name in ALIGNERS
    if not known and description.get("kind") == _KIND:
        hint = f"Install the plug-in that has the aligner {name}, or train another aligner."
        raise FileProblem(f"There is no aligner {name}.", hint, file=str(path))
    if not known or description.get("version") != ALIGNERS.get(str(name)).version:
        raise FileProblem("This version of Paragold cannot read it.", "Train it again.", file=str(path))
    with located(file=str(path)):
        try:
            method = ALIGNERS.get(str(name))
            return _made_by(method, method.restore(numbers, description))
        except FileProblem:
            raise
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise FileProblem(f"It is incomplete ({error!r}).", "Train it again.") from error
