"""Extracting the main text of a news page: title, date, outlet and paragraphs, by one of two methods."""

from __future__ import annotations

from dataclasses import dataclass

from .blocks import blocks_of, check_bounds, parse_page
from .main_text_model import MainTextModel


@dataclass(frozen=True, slots=True)
class MainText:
    """The text and metadata of a page. `published` is a date as ISO 8601 has it; what is unknown is empty."""

    title: str
    published: str
    source: str
    paragraphs: tuple[str, ...]


def extract_main_text(page: str, *, url: str = "", model: MainTextModel | None = None) -> MainText:
    """The main text of an HTML page. Headings inside it are left out: they are no sentences.

    Parameters
    ----------
    page : str
        HTML.
    url : str, optional
        Its address.
    model : MainTextModel, optional
        It chooses the blocks that are main text; trafilatura does without it. Title, date and outlet come
        from the page's own metadata either way.

    Raises
    ------
    FileProblem
        The page is empty or too large.
    """
    check_bounds(page)
    title, published, source = _metadata(page, url)
    if model is None:
        paragraphs = _by_trafilatura(page)
    else:
        blocks = blocks_of(page)
        paragraphs = [
            block.text for block, is_main in zip(blocks, model.label(blocks), strict=True) if is_main
        ]
    return MainText(title, published, source, tuple(text for text in paragraphs if text != title))


def _by_trafilatura(page: str) -> list[str]:
    # Imported late: a worker that never meets a page does not pay for it.
    import trafilatura

    parse_page(page)
    document = trafilatura.bare_extraction(
        page, include_comments=False, include_tables=False, deduplicate=False, favor_precision=False
    )
    body = getattr(document, "body", None)
    if body is None:
        return []
    return [
        text
        for element in body.iter("p", "quote", "item")
        if element.getparent() is None or element.getparent().tag not in ("p", "item")
        if (text := " ".join("".join(element.itertext()).split()))
    ]


def _metadata(page: str, url: str) -> tuple[str, str, str]:
    from trafilatura import extract_metadata

    metadata = extract_metadata(
        page, default_url=url or None, date_config={"extensive_search": False, "original_date": True}
    )
    return _one_line(metadata.title), _one_line(metadata.date), _one_line(metadata.sitename)


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())
