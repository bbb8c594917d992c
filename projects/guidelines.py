"""Guidelines are Markdown written by managers; the HTML made of it holds no markup of theirs."""

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

# HTML in the source stays text, images (which could call elsewhere) stay links' text.
_markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


def guidelines_html(text: str) -> SafeString:
    return mark_safe(_markdown.render(text))  # noqa: S308 - raw HTML is off, so all of `text` is escaped
