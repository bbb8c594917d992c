"""The word aligners: one table, how one of them is chosen by settings, and their files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from paragold.aligners.aligner import KIND, Aligner, Contents
from paragold.aligners.best import BestAligner
from paragold.aligners.http_model import HttpModel, allowed_addresses
from paragold.aligners.identity import Identity, IdentityStem
from paragold.aligners.programs import Eflomal, Giza, ProgramError, Thot
from paragold.aligners.statistical import HMM, IBM1, POSTERIOR
from paragold.problems import FileProblem, located
from paragold.registry import NotRegisteredError, Registry, UnusableError
from paragold.spec import Parameter, SpecError


class MissingAligner(Aligner):
    """In place of an aligner that is stored but no longer installed: it cannot be used, only be shown."""

    label = "not installed"

    def __init__(self, id: str) -> None:
        super().__init__()
        self.id = id

    def install_hint(self) -> str:
        return f"the aligner {self.id} with these parameters; install the plug-in that has it."

    def learn(self, *args: object) -> None:
        """Raises ProgramError."""
        raise ProgramError(f"There is no aligner {self.id} with these parameters: install its plug-in.")


def _check_plugin(aligner: Aligner) -> None:
    """Raises an error for what plug-ins cannot do yet, and for what would break forms of all aligners."""
    if aligner.learns_from_gold:
        raise UnusableError(
            "It says that it learns from gold links.", "Set learns_from_gold to False: plug-ins cannot yet."
        )
    aligner.install_hint()
    aligner.suggests_in("en")
    named = (aligner.settings_for("en"), aligner.without_effect("en"), aligner.doubts("en"))
    names = {*chain.from_iterable(named), *aligner.in_experiments}
    if unknown := names - {parameter.name for parameter in aligner.parameters.parameters()}:
        raise UnusableError(
            f"It names parameters that it does not have: {', '.join(sorted(unknown))}.",
            "Correct settings_for, without_effect, doubts or in_experiments.",
        )


ALIGNERS: Registry[Aligner] = Registry(
    "aligner",
    Aligner,
    [
        *(BestAligner(), HMM(), IBM1(), IdentityStem(), Identity(), Eflomal(), Giza(), Thot()),
        # Only where an administrator has said which servers may be asked.
        *([HttpModel()] if allowed_addresses() else []),
    ],
    entry_points="paragold.aligners",
    # Fields of forms and keys of settings beside the parameters.
    reserved=(
        *("aligner", "name", "datasets", "texts"),
        *("gold_set", "gold_alignments", "taught_by", "other_gold", "confirmed"),
    ),
    check=_check_plugin,
)
"""One of each with its default parameters. They are never trained themselves: see `aligner_of`."""
DEFAULT_ALIGNER = "best"


def trained_ids() -> tuple[str, ...]:
    """The ids of the aligners that are trained on sentence pairs."""
    return tuple(aligner.id for aligner in ALIGNERS if aligner.learns_from_pairs)


def untrained_ids() -> tuple[str, ...]:
    """The ids of the aligners that draw links without any training, at once and without asking anybody."""
    return tuple(
        aligner.id
        for aligner in ALIGNERS
        if not aligner.learns_from_pairs and not isinstance(aligner, HttpModel)
    )


def aligner_of(settings: Mapping[str, Any]) -> Aligner:
    """The aligner of `{"aligner": id, **parameters}`, not trained; what is left out has its default.

    Raises SpecError where there is no such aligner or parameter, or the value is not allowed.
    """
    try:
        registered = ALIGNERS.get(str(settings.get("aligner", "")))
    except NotRegisteredError as error:
        raise SpecError([("aligner", str(error))]) from None
    values = {name: value for name, value in settings.items() if name != "aligner"}
    aligner = registered.with_spec(registered.parameters(**values))
    aligner.plugin = ALIGNERS.plugin(registered.id)
    return aligner


def stored_aligner(settings: Mapping[str, Any]) -> Aligner:
    """The same of settings that were stored; of an aligner that is no longer there a MissingAligner."""
    try:
        return aligner_of(settings)
    except SpecError:
        return MissingAligner(str(settings.get("aligner")))


def aligner_label(settings: Mapping[str, Any]) -> str:
    """The aligner of settings and what tells it from others of its name, such as "hmm + lexicon, refined"."""
    model = f" {settings['model']}" if settings.get("model") else ""
    lexicon = " + lexicon" if settings.get("lexicon") else ""
    linking = settings.get("linking", POSTERIOR)
    return f"{settings['aligner']}{model}{lexicon}{'' if linking == POSTERIOR else f', {linking}'}"


def all_parameters() -> list[Parameter]:
    """The parameters of all aligners that are trained, each name once, for a form that serves them all.

    The default is None where aligners differ in it; bounds and choices are the widest. The help names the
    aligners that have the parameter unless all have it, and their defaults where they differ.
    """
    aligners = [aligner for aligner in ALIGNERS if aligner.learns_from_pairs]
    by_name: dict[str, dict[str, Parameter]] = {}
    for aligner in aligners:
        for parameter in aligner.parameters.parameters():
            by_name.setdefault(parameter.name, {})[aligner.id] = parameter
    return [_combined(by_id, of_all=len(by_id) == len(aligners)) for by_id in by_name.values()]


def _combined(by_id: Mapping[str, Parameter], *, of_all: bool) -> Parameter:
    """One parameter of several aligners, by their ids, as one."""
    first = next(iter(by_id.values()))
    own = list(by_id.values())
    same = all(parameter.default == first.default for parameter in own)
    notes = []
    if not same:
        ids_by_default: dict[str, list[str]] = {}
        for id, parameter in by_id.items():
            ids_by_default.setdefault(parameter.in_words(parameter.default), []).append(id)
        defaults = "; ".join(f"{', '.join(ids)}: {default}" for default, ids in ids_by_default.items())
        notes.append(f"Defaults: {defaults}.")
    elif not of_all:
        notes.append(f"Only for {', '.join(by_id)}.")
    lows = [parameter.minimum for parameter in own if parameter.minimum is not None]
    highs = [parameter.maximum for parameter in own if parameter.maximum is not None]
    return replace(
        first,
        help=" ".join(filter(None, [first.help, *notes])),
        default=first.default if same else None,
        minimum=min(lows, default=None),
        maximum=max(highs, default=None),
        choices=tuple(dict.fromkeys(choice for parameter in own for choice in parameter.choices)),
        when=None,
    )


def load_aligner(path: Path) -> Aligner:
    """The aligner of a file, which draws the same links as the one that was saved.

    Raises FileProblem for a file that is none or was damaged, and where the aligner's features, stemmer
    or WordNet differ from those it was trained with.
    """
    from paragold.formats.model_files import load

    return restored(load(path), file=str(path))


def restored(contents: Contents, *, file: str) -> Aligner:
    """The aligner of what a file holds. Raises FileProblem as `load_aligner`."""
    numbers, description = contents
    name = str(description.get("aligner"))
    with located(file=file):
        if description.get("kind") == KIND and name not in ALIGNERS:
            hint = f"Install the plug-in that has the aligner {name}, or train another aligner."
            raise FileProblem(f"There is no aligner {name}.", hint)
        if description.get("kind") != KIND or description.get("version") != ALIGNERS.get(name).version:
            raise FileProblem("This version of Paragold cannot read it.", "Train it again.")
        # Files of 0.2.0 have some of the parameters beside the rest.
        values = description.get("spec", description)
        fields = ALIGNERS.get(name).parameters.model_fields
        known = {field: values[field] for field in fields if field in values}
        try:
            aligner = aligner_of({"aligner": name, **known})
            aligner.restore(numbers, description)
        except FileProblem:
            raise
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise FileProblem(f"It is incomplete ({error!r}).", "Train it again.") from error
    return aligner
