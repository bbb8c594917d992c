"""Twelve sites, each with its own way of writing a page around a story."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from . import furniture


@dataclass(frozen=True, slots=True)
class Article:
    """What is to be found again in the page."""

    title: str
    source: str
    url: str
    published: str
    paragraphs: tuple[str, ...]


def _links(draw, n):
    return " ".join(f'<a href="/{name.lower()}">{name}</a>' for name in draw.sample(furniture.MENU, n))


def _items(texts):
    inner = [f'<a href="/story/{n}">{escape(text)}</a>' for n, text in enumerate(texts)]
    return "".join(f"<li>{text}</li>" for text in inner)


def _cards(texts, tag):
    return "".join(f'<{tag}><a href="/more">{escape(text)}</a></{tag}>' for text in texts)


def _page(article, body, *, meta=True):
    told = (
        f'<meta property="og:site_name" content="{escape(article.source)}">'
        f'<meta property="article:published_time" content="{article.published}">'
        f'<meta property="og:title" content="{escape(article.title)}">'
        if meta
        else ""
    )
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(article.title)} | '
        f"{escape(article.source)}</title>{told}<style>p {{ margin: 1em }}</style></head><body>{body}"
        "<script>var tracker = 'The page was seen.';</script></body></html>"
    )


def semantic(article, draw):
    story = "".join(f"<p>{escape(text)}</p>" for text in article.paragraphs)
    return _page(
        article,
        f"<header><nav>{_links(draw, 8)}</nav></header><main><article><h1>{escape(article.title)}</h1>"
        f"<p class='byline'>By <a href='/people/1'>Ines Varga</a></p>{story}</article>"
        f"<aside><h2>Most read</h2><ul>{_items(draw.sample(furniture.TEASERS, 4))}</ul></aside></main>"
        f"<footer><p>{furniture.COPYRIGHT}</p></footer>",
    )


def soup(article, draw):
    story = "".join(f'<div class="t7"><p>{escape(text)}</p></div>' for text in article.paragraphs)
    return _page(
        article,
        f'<div class="a1"><div class="b2">{_links(draw, 10)}</div></div><div class="c3">'
        f'<div class="n">{draw.choice(furniture.NOTICES)}</div><div class="h1x">{escape(article.title)}</div>'
        f'<div class="x9">{story}</div><div class="k">{draw.choice(furniture.ADVERTISEMENTS)}</div></div>'
        f'<div class="r">{_cards(list(furniture.TEASERS), "div")}</div>'
        f'<div class="z">{furniture.COPYRIGHT}</div>',
    )


def table_of_old(article, draw):
    story = "<br><br>".join(escape(text) for text in article.paragraphs)
    return _page(
        article,
        f'<table width="100%"><tr><td colspan="3">{_links(draw, 6)}</td></tr><tr><td width="120">'
        f"{'<br>'.join(f'<a href=/y>{escape(t)}</a>' for t in draw.sample(furniture.TEASERS, 3))}</td>"
        f'<td><font size="5"><b>{escape(article.title)}</b></font><br><br>{story}</td>'
        f'<td width="160">{draw.choice(furniture.ADVERTISEMENTS)}</td></tr>'
        f'<tr><td colspan="3"><small>{furniture.COPYRIGHT}</small></td></tr></table>',
        meta=False,
    )


def interrupted(article, draw):
    parts = []
    for number, text in enumerate(article.paragraphs):
        parts.append(f"<p>{escape(text)}</p>")
        if number % 2:
            teaser = draw.choice(furniture.TEASERS)
            parts.append(
                f'<aside class="more"><h3>Read more</h3><p><a href="/m">{escape(teaser)}</a></p></aside>'
            )
        if number == 2:
            parts.append(f'<div class="ad"><p>{draw.choice(furniture.ADVERTISEMENTS)}</p></div>')
    return _page(
        article,
        f"<nav><ul>{_items(list(furniture.MENU))}</ul></nav><article><h1>{escape(article.title)}</h1>"
        f"{''.join(parts)}</article><footer>{furniture.COPYRIGHT}</footer>",
    )


def many_comments(article, draw):
    story = "".join(f"<p>{escape(text)}</p>" for text in article.paragraphs)
    comments = "".join(
        f'<div class="comment"><b>reader{draw.randrange(900)}</b><p>{text}</p><a href="#">Reply</a></div>'
        for text in draw.sample(furniture.COMMENTS, len(furniture.COMMENTS))
    )
    return _page(
        article,
        f'<div id="menu">{_links(draw, 7)}</div><div id="story"><h1>{escape(article.title)}</h1>{story}</div>'
        f'<div id="comments"><h2>Comments (6)</h2>{comments}</div><div>{furniture.COPYRIGHT}</div>',
    )


def plain_divs(article, draw):
    story = "".join(f"<div>{escape(text)}</div>" for text in article.paragraphs)
    return _page(
        article,
        f"<div>{_links(draw, 9)}</div><h1>{escape(article.title)}</h1><div>{story}</div>"
        f"<div><div>{draw.choice(furniture.ABOUT_THE_AUTHOR)}</div></div>"
        f"<div>{_cards(draw.sample(furniture.TEASERS, 3), 'div')}</div>"
        f"<div>{furniture.COPYRIGHT}</div>",
        meta=False,
    )


def pictures(article, draw):
    figures = [
        f'<figure><img src="/{n}.jpg" alt=""><figcaption>{text}</figcaption></figure>'
        for n, text in enumerate(furniture.CAPTIONS)
    ]
    parts = [f"<p>{escape(text)}</p>" for text in article.paragraphs]
    parts.insert(1, figures[0])
    parts.insert(min(4, len(parts)), figures[1])
    return _page(
        article,
        f"<header>{_links(draw, 6)}</header><section><h1>{escape(article.title)}</h1>"
        f"{''.join(parts)}</section>"
        f"<section><h2>More from {escape(article.source)}</h2>"
        f"{_cards(draw.sample(furniture.TEASERS, 4), 'p')}</section>"
        f"<footer>{furniture.COPYRIGHT}</footer>",
    )


def subheads(article, draw):
    parts = []
    for number, text in enumerate(article.paragraphs):
        if number in (2, 4):
            parts.append(f"<h2>{('What is known', 'What comes next')[number // 4]}</h2>")
        parts.append(f"<p>{escape(text)}</p>")
    return _page(
        article,
        f"<div class='cookies'><p>{furniture.NOTICES[0]}</p></div><nav>{_links(draw, 8)}</nav>"
        f"<article><h1>{escape(article.title)}</h1>{''.join(parts)}"
        f"<p class='bio'><em>{draw.choice(furniture.ABOUT_THE_AUTHOR)}</em></p></article>"
        f"<ul>{_items(draw.sample(furniture.TEASERS, 5))}</ul>",
    )


def walled(article, draw):
    story = "".join(f"<p>{escape(text)}</p>" for text in article.paragraphs)
    return _page(
        article,
        f"<header><nav>{_links(draw, 5)}</nav></header><main><h1>{escape(article.title)}</h1>"
        f"<div class='body'>{story}</div><div class='wall'><p>{furniture.NOTICES[2]}</p>"
        f"<form><button>Subscribe</button></form></div><div><p>{furniture.NOTICES[1]}</p></div></main>"
        f"<footer><p>{furniture.COPYRIGHT}</p><p>{_links(draw, 4)}</p></footer>",
    )


def linked_story(article, draw):
    """Words inside the story are links, as encyclopaedic sites have them."""
    parts = []
    for text in article.paragraphs:
        words = escape(text).split(" ")
        for at in draw.sample(range(len(words)), min(3, len(words))):
            words[at] = f'<a href="/w">{words[at]}</a>'
        parts.append(f"<p>{' '.join(words)}</p>")
    return _page(
        article,
        f"<div><ul>{_items(list(furniture.MENU))}</ul></div><div><h1>{escape(article.title)}</h1>{''.join(parts)}"
        f"</div><div><h4>Related</h4><ul>{_items(draw.sample(furniture.TEASERS, 6))}</ul></div>",
    )


def full_teasers(article, draw):
    """Teasers are sentences without links, the way that cards made of buttons have them."""
    cards = "".join(
        f"<div class='card' role='link'><h3>{escape(text.split(':')[0])}</h3><p>{escape(text)}</p></div>"
        for text in draw.sample(furniture.TEASERS, 4)
    )
    story = "".join(f"<p>{escape(text)}</p>" for text in article.paragraphs)
    return _page(
        article,
        f"<nav>{_links(draw, 9)}</nav><div class='top'>{cards}</div><article>"
        f"<h1>{escape(article.title)}</h1>{story}</article><p>{furniture.NOTICES[3]}</p>"
        f"<footer>{furniture.COPYRIGHT}</footer>",
    )


def paragraph_breaks(article, draw):
    story = "<br/>\n<br/>\n".join(escape(text) for text in article.paragraphs)
    return _page(
        article,
        f"<div class='nav'>{_links(draw, 7)}</div><div class='story'><h2>{escape(article.title)}</h2>"
        f"<div>{story}</div></div><div class='side'><p>{draw.choice(furniture.ADVERTISEMENTS)}</p>"
        f"<ul>{_items(draw.sample(furniture.TEASERS, 3))}</ul></div><div>{furniture.COPYRIGHT}</div>",
    )


LAYOUTS = {
    layout.__name__.replace("_", " "): layout
    for layout in (
        semantic, soup, table_of_old, interrupted, many_comments, plain_divs, pictures, subheads, walled,
        linked_story, full_teasers, paragraph_breaks,
    )
}  # fmt: skip
