"""Guidelines are Markdown written by managers; the HTML made of it holds no markup of theirs.

A new project begins with a text for its language and scheme (`templates/projects/guidelines`): the
instructions of Brockett & Dolan (2005), section 3.3; the labels of Dolan, Quirk & Brockett (2004), section
3.1.1; SURE and POSSIBLE.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, TypeVar

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from paragold.languages import language

LabelT = TypeVar("LabelT", bound=str)

WRITTEN = ("en", "nl", "de", "fr", "es")
"""The languages in which there are guidelines, English first."""
TRANSLATIONS = "translations"

# HTML in the source stays text, images (which could call elsewhere) stay links' text.
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def _heading(html: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: Any) -> str:
    """One level lower, since every page has a heading of the first level of its own."""
    tokens[at].tag = f"h{min(int(tokens[at].tag[1]) + 1, 6)}"
    return html.renderToken(tokens, at, options, env)


for _part in ("heading_open", "heading_close"):
    _markdown.add_render_rule(_part, _heading)


def guidelines_of(scheme: str, tag: str, *, two_languages: bool = False) -> str:
    """What the guidelines of a project with that judging scheme begin with.

    In its language, a BCP 47 tag; in English where they are not written in that, and those on translations,
    of a project of `two_languages`.
    """
    own = language(tag).tag
    return _begun(scheme, TRANSLATIONS if two_languages else own if own in WRITTEN else WRITTEN[0])


def following(
    text: str, *, scheme: str, tag: str, schemes: Iterable[str], two_languages: bool = False
) -> str:
    """The guidelines for a scheme and a language: `text`, unless nobody has changed it, whichever of the
    `schemes` and languages it was written for.
    """
    untouched = any(
        text.split() == _begun(*one).split() for one in product(schemes, (*WRITTEN, TRANSLATIONS))
    )
    return guidelines_of(scheme, tag, two_languages=two_languages) if untouched else text


def _begun(scheme: str, name: str) -> str:
    return render_to_string(f"projects/guidelines/{name}.md", {"scheme": scheme})


def rules_html(text: str, labels: Sequence[LabelT]) -> dict[LabelT, SafeString]:
    """What the guidelines say of each label: of the paragraphs that begin in bold the first is on the first
    label, and so on. Empty where there are fewer of them than labels."""
    tokens = _markdown.parse(text)
    bold = [
        place
        for place, token in enumerate(tokens)
        if token.type == "inline" and token.level == 1 and token.content.startswith("**")
    ]
    if len(bold) < len(labels):
        return {}
    html = (_markdown.renderer.render(tokens[at - 1 : at + 2], _markdown.options, {}) for at in bold)
    return {label: mark_safe(part) for label, part in zip(labels, html, strict=False)}  # noqa: S308 - as below


def guidelines_html(text: str) -> SafeString:
    return mark_safe(_markdown.render(text))  # noqa: S308 - raw HTML is off, so all of `text` is escaped
