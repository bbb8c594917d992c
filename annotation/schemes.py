"""The labels of judged pairs by judging scheme, with their buttons and keys: what a new label needs is here.

The names, which files have too, are in `paragold.formats.judgement_formats.SCHEMES`; a new one also needs a
migration of the database's constraints. They are English in files and the API; pages show translations.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db import models
from django.utils.translation import gettext_noop as _

from paragold.formats.judgement_formats import SCHEMES
from projects.models import Project, Scheme


class Label(models.TextChoices):
    PARAPHRASE = "paraphrase", _("Paraphrase")
    NOT_PARAPHRASE = "not_paraphrase", _("Not a paraphrase")
    PARTIAL = "partial", _("Partial paraphrase")
    UNRELATED = "unrelated", _("Unrelated")


@dataclass(frozen=True, slots=True)
class LabelButton:
    """A button of the judging page.

    action: the name of its key. word: on it; translation: on it where the two sentences are of two languages.
    keys, also: as a Shortcut has them.
    """

    label: Label
    action: str
    word: str
    translation: str
    keys: str
    also: str = ""

    @property
    def counted(self) -> bool:
        """Whether there are phenomena to count in such a pair."""
        return self.label in COUNTED_LABELS


BUTTONS: dict[str, tuple[LabelButton, ...]] = {
    Scheme.BINARY: (
        LabelButton(
            Label.NOT_PARAPHRASE,
            "not_paraphrase",
            "Not a paraphrase",
            _("Not a translation"),
            "KeyF ArrowLeft",
        ),
        LabelButton(Label.PARAPHRASE, "paraphrase", "Paraphrase", _("Translation"), "KeyJ ArrowRight"),
    ),
    Scheme.THREE_WAY: (
        LabelButton(Label.PARAPHRASE, "three_paraphrase", "Paraphrase", "Translation", "Digit1", "Numpad1"),
        LabelButton(Label.PARTIAL, "three_partial", _("Partial"), "Partial", "Digit2", "Numpad2"),
        LabelButton(Label.UNRELATED, "three_unrelated", "Unrelated", "Unrelated", "Digit3", "Numpad3"),
    ),
}
"""As they lie on the keyboard."""
WHERE = {Scheme.BINARY: "", Scheme.THREE_WAY: _("with three labels")}
"""What tells the keys of a scheme from those of another."""
SCHEME_LABELS = {scheme: tuple(map(Label, names)) for scheme, names in SCHEMES.items()}
"""From the least to the most cautious label: gold by unanimity takes the most cautious that anyone gave."""
COUNTED_LABELS = frozenset({Label.PARAPHRASE, Label.PARTIAL})
"""Labels of pairs in which there are phenomena to count."""
GOLD_VERSION: dict[str, int] = {Scheme.BINARY: 1, Scheme.THREE_WAY: 2}
"""Of the signatures: raised whenever the same answers would give another gold set."""


def buttons_of(scheme: str, project: Project) -> tuple[LabelButton, ...]:
    """The buttons of a scheme, with the words for translations where the project has two languages."""
    if not project.second_language:
        return BUTTONS[scheme]
    return tuple(replace(button, word=button.translation) for button in BUTTONS[scheme])


def most_cautious(labels: list[str], scheme: str) -> str:
    """The most cautious of the labels of a scheme. Raises ValueError for a label of another one."""
    return max(labels, key=SCHEME_LABELS[scheme].index)
