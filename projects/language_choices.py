"""The languages that a project may have, by what Paragold knows of them."""

from __future__ import annotations

from django.conf.locale import LANG_INFO
from django.utils.translation import gettext, gettext_noop as _

from paragold.languages import LANGUAGES, language
from paragold.text.stemming import STEMMERS
from projects.errors import PublicError

OWN = _("Own rules: sentences, words, placeholders, negation, stems")
STEMS = _("General rules, and stems")
GENERAL = _("General rules")
HELP = _(
    "Decides how text is cut, what placeholders, stop words and stems are, and which lexicons and aligners "
    "fit. Fixed by the first import."
)


SECOND_HELP = _(
    "For pairs of sentences in two languages: that of the second sentence of each pair. The first is in the "
    "language above."
)


def names() -> dict[str, str]:
    """The English name of each language by its code (ISO 639)."""
    of_django = {code: info["name"] for code, info in LANG_INFO.items() if "name" in info and "-" not in code}
    of_stemmers = {code: name.capitalize() for code, name in STEMMERS.items()}
    return of_stemmers | of_django | {one.tag: one.name for one in LANGUAGES}


def language_choices(present: str = "") -> list[tuple[str, list[tuple[str, str]]]]:
    """Codes and names in groups, those with most rules first; `present` is among them in any case."""
    groups: dict[str, list[tuple[str, str]]] = {OWN: [], STEMS: [], GENERAL: []}
    known = names()
    if present and present not in known:
        known[present] = f"{known.get(language(present).tag, 'Unknown')} ({present})"
    called = {code: gettext(name) for code, name in known.items()}
    for code, name in sorted(called.items(), key=lambda listed: listed[1]):
        own = language(code).tag
        group = OWN if own in LANGUAGES else STEMS if own in STEMMERS else GENERAL
        groups[group].append((code, name))
    groups[OWN].sort(key=lambda listed: LANGUAGES.ids().index(language(listed[0]).tag))
    return [(gettext(group), listed) for group, listed in groups.items()]


def check_languages(tag: str, second: str) -> None:
    """Raises PublicError for a tag whose language nobody knows, and for one language twice; regions, as in
    pt-BR, are free. `second` may be empty."""
    check_language(tag)
    if second:
        check_language(second, field="second_language")
        if language(second).tag == language(tag).tag:
            raise PublicError(
                "Both languages are %(language)s. Choose another one, or none.",
                field="second_language",
                language=names()[language(tag).tag],
            )


def check_language(tag: str, *, field: str = "language") -> None:
    """Raises PublicError for a tag whose language nobody knows."""
    known = names()
    if language(tag).tag in known:
        return
    codes = {name.lower(): code for code, name in known.items()}
    meant = codes.get(tag.lower()) or language(tag).tag[:2]
    meant = meant if meant in known else "en"
    raise PublicError(
        "There is no language %(tag)r: write a code of ISO 639-1 such as %(meant)s (%(language)s).",
        field=field,
        tag=tag,
        meant=meant,
        language=known[meant],
    )
