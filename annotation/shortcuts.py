"""The keys of the annotation pages: what each does, its default, and which keys a person may choose.

A key is a chord of places on the keyboard (`KeyboardEvent.code`, the same on every layout), as
"Control+Shift+KeyZ"; a default may also be a printed character, as "?". static/js/shared/keyboard.js reads
both from the buttons.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext, gettext_noop as _

from annotation.schemes import BUTTONS, WHERE
from projects.models import Scheme


@dataclass(frozen=True, slots=True)
class Shortcut:
    """`keys` are shown, `also` are further chords without mention; `where` tells alike meanings apart.

    `of` are the words that fill the meaning.
    """

    action: str
    meaning: str
    keys: str
    also: str = ""
    where: str = ""
    of: Mapping[str, str] = field(default_factory=dict)

    @property
    def help(self) -> str:
        """The meaning in the language of the page."""
        return gettext(self.meaning) % {name: gettext(str(word)) for name, word in self.of.items()}


@dataclass(frozen=True, slots=True)
class KeyPage:
    """A page with keys. `walking` are codes that move about on it and cannot be given away."""

    title: str
    shortcuts: tuple[Shortcut, ...]
    walking: frozenset[str] = frozenset()


class KeyProblem(ValueError):
    """A key that cannot be given to an action; the message says why and what to do."""


ARROWS = frozenset({"ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"})


PAIR = {"thing": _("pair"), "things": _("pairs")}
CLUSTER = {"thing": _("cluster"), "things": _("clusters")}


def common(thing: Mapping[str, str]) -> tuple[Shortcut, ...]:
    """The actions of every page on an item, a PAIR or a CLUSTER."""
    return (
        Shortcut("skip", _("Skip this %(thing)s"), "KeyK", of=thing),
        Shortcut("flag", _("Flag this %(thing)s, or remove the flag"), "KeyX", of=thing),
        Shortcut("comment", _("Comment on this %(thing)s"), "KeyC", of=thing),
        Shortcut("answers", _("List your answers and skipped %(things)s"), "KeyL", of=thing),
        Shortcut("pace", _("Show or hide pace and remaining time"), "KeyT"),
    )


COMMON = common(PAIR)
HELP = (Shortcut("guidelines", _("Guidelines"), "KeyG"), Shortcut("help", _("Keys"), "?"))
SUBMITTING = ("Control+Enter", "Control+NumpadEnter")
REDO = ("Control+KeyY", "Control+Shift+KeyZ")
GROUPING = (
    *(
        Shortcut(
            f"group{n}", _("Put into group %(number)s"), f"Digit{n}", f"Numpad{n}", of={"number": str(n)}
        )
        for n in range(1, 10)
    ),
    Shortcut("none", _("Put in no group"), "Digit0 KeyN", "Numpad0"),
    Shortcut("new", _("Put into a new group"), "KeyA"),
    Shortcut("open", _("Remove from its group: open again"), "Backspace Delete"),
    Shortcut("sources", _("Show or hide sources and dates"), "KeyI"),
)
"""The actions on headlines, where annotators split a cluster and where an adjudicator decides one."""


def deciding(thing: Mapping[str, str]) -> tuple[Shortcut, ...]:
    """The actions of the pages on which an adjudicator decides a PAIR or a CLUSTER."""
    return (
        Shortcut("store", _("Decide the %(thing)s, go to the next one"), *SUBMITTING, of=thing),
        Shortcut(
            "undo",
            _("Undo; at the beginning, back to the %(thing)s decided before"),
            "KeyU Control+KeyZ",
            of=thing,
        ),
        Shortcut("redo", _("Redo"), *REDO),
        Shortcut("later", _("Leave this %(thing)s for later"), "KeyK", of=thing),
        Shortcut("comment", _("Write a comment on the decision"), "KeyC"),
        *HELP,
    )


PAGES: dict[str, KeyPage] = {
    "judge": KeyPage(
        _("Judging pairs"),
        (
            *(
                Shortcut(button.action, button.word, button.keys, button.also, WHERE[Scheme(scheme)])
                for scheme, buttons in BUTTONS.items()
                for button in buttons
            ),
            Shortcut("undo", _("Undo: take back the last answer"), "KeyU Control+KeyZ"),
            Shortcut("redo", _("Redo: give the answer again"), *REDO),
            Shortcut("differences", _("Show or hide the differences"), "KeyV"),
            Shortcut("context", _("Show or hide source, date and neighbouring sentences"), "KeyI"),
            *COMMON,
            *HELP,
        ),
    ),
    "link": KeyPage(
        _("Linking words"),
        (
            Shortcut("sure", _("Link the selected words with the focused ones: sure"), "KeyS Space"),
            Shortcut("possible", _("The same: possible"), "KeyP"),
            Shortcut("replace", _("The same: sure, in place of the other links of these words"), "KeyR"),
            Shortcut("null", _("Mark as without counterpart, or remove the mark"), "KeyN"),
            Shortcut(
                "remove",
                _(
                    "Remove the links between the selected and the focused words; without a selection, all "
                    "links of the focused words"
                ),
                "Backspace Delete",
            ),
            Shortcut("jump", _("Jump to a word of this column by its letters"), "/"),
            Shortcut("accept-identical", _("Accept the suggested links of identical words"), "KeyI"),
            Shortcut("accept", _("Accept the suggestions for the focused word"), "Enter", "NumpadEnter"),
            Shortcut("accept-all", _("Accept all suggestions"), "KeyA"),
            Shortcut(
                "why", _("Show or hide the reasons for the suggested links of the focused word"), "KeyW"
            ),
            Shortcut("drop", _("In the second pass: drop the disputed link of the current row"), "KeyD"),
            Shortcut("submit", _("Submit, next pair; asks once if words are left"), *SUBMITTING),
            Shortcut("undo", _("Undo; at the beginning, the previous pair"), "KeyU Control+KeyZ"),
            Shortcut("redo", _("Redo"), *REDO),
            Shortcut("matrix", _("Show or hide the matrix"), "KeyM"),
            *COMMON,
            *HELP,
        ),
        ARROWS,
    ),
    "review": KeyPage(
        _("Reviewing links"),
        (
            Shortcut("sure", _("Sure; on to the next open link"), "KeyS"),
            Shortcut("possible", _("Possible; on to the next open link"), "KeyP"),
            Shortcut("drop", _("Drop the link; on to the next open one"), "KeyD Backspace", "Delete"),
            Shortcut("rule", _("Apply the papers' rule to every open link"), "KeyA"),
            Shortcut("view", _("Show the ladder, or the matrix again"), "KeyM"),
            Shortcut("next", _("The next open link"), "KeyN"),
            Shortcut("agreed", _("List the agreed links, or hide them"), "KeyL"),
            *deciding(PAIR),
        ),
        ARROWS,
    ),
    "split": KeyPage(
        _("Splitting clusters"),
        (
            *GROUPING,
            Shortcut("submit", _("Submit, next cluster; asks once if headlines are left"), *SUBMITTING),
            Shortcut("undo", _("Undo; at the beginning, the previous cluster"), "KeyU Control+KeyZ"),
            Shortcut("redo", _("Redo"), *REDO),
            *common(CLUSTER),
            *HELP,
        ),
        ARROWS,
    ),
    "decide": KeyPage(
        _("Reviewing sub-clusters"),
        (
            *(key for key in GROUPING if key.action != "new"),
            Shortcut("new", _("Put into a new group"), "Shift+KeyN"),
            Shortcut("rule", _("Put open headlines together only where everybody did"), "KeyA"),
            Shortcut("shared", _("Start again from what everybody put together"), "KeyS"),
            Shortcut("next", _("The next open headline"), "KeyE"),
            Shortcut("view", _("Show the board of all headlines, or the disputed ones again"), "KeyM"),
            *deciding(CLUSTER),
        ),
        ARROWS,
    ),
}

MARKS = {
    "Minus": "-", "Equal": "=", "BracketLeft": "[", "BracketRight": "]", "Backslash": "\\", "Semicolon": ";",
    "Quote": "'", "Backquote": "`", "Comma": ",", "Period": ".", "Slash": "/", "IntlBackslash": "<",
    "NumpadSubtract": "-", "NumpadMultiply": "*", "NumpadDivide": "/", "NumpadDecimal": ".",
}  # fmt: skip
SYMBOLS = {
    "ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→", "Backspace": "⌫", "Enter": "↵",
    "NumpadEnter": "↵", "Control": "Ctrl",
}  # fmt: skip
CODE = re.compile(
    r"Key[A-Z]|Digit\d|Numpad\d|Arrow(?:Up|Down|Left|Right)|Space|Enter|NumpadEnter|Backspace|Delete|Insert|"
    + "|".join(MARKS)
)
WITH_CONTROL = {"KeyY", "KeyZ", "Enter", "NumpadEnter", "Backspace", "Delete"}
# Where the printed characters of the defaults are on most keyboards.
PRINTED = {"?": "Shift+Slash", "/": "Slash"}


def chord(text: str) -> str:
    """The chord in one spelling. Raises KeyProblem for what is none, or what belongs to the browser."""
    *modifiers, code = text.split("+")
    if not CODE.fullmatch(code) or not set(modifiers) <= {"Control", "Shift", "Alt"}:
        raise KeyProblem(gettext("This key cannot be used. Choose a letter, a digit, a mark or an arrow."))
    if "Alt" in modifiers:
        raise KeyProblem(
            gettext("The browser uses Alt with other keys. Choose the key alone, or with Shift.")
        )
    if "Control" in modifiers and code not in WITH_CONTROL:
        text = gettext("Ctrl %(key)s is used by the browser. Choose the key alone, or with Shift.")
        raise KeyProblem(text % {"key": spoken(code)})
    return "+".join([name for name in ("Control", "Shift") if name in modifiers] + [code])


def check_keys(page: str, own: Mapping[str, str]) -> dict[str, str]:
    """The person's own keys of a page in one spelling, by action.

    Raises KeyProblem for an action that the page has not, a key that cannot be used, and a key given twice.
    """
    key_page = PAGES[page]
    known = {shortcut.action for shortcut in key_page.shortcuts}
    keys = {}
    for action, text in own.items():
        if action not in known:
            raise KeyProblem(
                f"{key_page.title} has no action {action!r}; available: {', '.join(sorted(known))}."
            )
        keys[action] = chord(text)
        if keys[action].split("+")[-1] in key_page.walking:
            moves = gettext("%(key)s is used to move on this page. Choose another key.")
            raise KeyProblem(moves % {"key": shown(keys[action])})
    taken: dict[str, Shortcut] = {}
    for shortcut in key_page.shortcuts:
        for key in all_keys(shortcut, keys):
            other = taken.setdefault(PRINTED.get(key, key), shortcut)
            if other is not shortcut:
                text = gettext(
                    "%(key)s is used by “%(one)s” and “%(other)s”: give one of them another key first."
                )
                raise KeyProblem(text % {"key": shown(key), "one": other.help, "other": shortcut.help})
    return keys


def all_keys(shortcut: Shortcut, own: Mapping[str, str]) -> list[str]:
    """The keys that a shortcut answers to: the person's own one, or else all of its defaults."""
    key = own.get(shortcut.action)
    return [key] if key else f"{shortcut.keys} {shortcut.also}".split()


def shown_keys(shortcut: Shortcut, own: Mapping[str, str]) -> list[str]:
    key = own.get(shortcut.action)
    return [key] if key else shortcut.keys.split()


def shown(key: str) -> str:
    """A key as it is shown on a button: "Ctrl Y", "J", "⌫"."""
    return " ".join(SYMBOLS.get(part) or spoken(part) for part in key.split("+"))


def spoken(part: str) -> str:
    """One part of a chord by its name, as in aria-keyshortcuts: "J", "ArrowLeft", "Control"."""
    if part in MARKS:
        return MARKS[part]
    return re.sub(r"^(Key|Digit|Numpad)(?=.)", "", part)
