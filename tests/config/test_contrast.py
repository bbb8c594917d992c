"""Numbers on shaded cells can be read: a contrast of 4.5 at least (WCAG 2.2, 1.4.3), light and dark."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = Path(__file__).resolve().parents[2] / "static" / "css"
Colour = tuple[float, ...]


def colour(name: str, dark: bool) -> Colour:
    css = (CSS / "base.css").read_text()
    pair = re.search(rf"--{name}: light-dark\((#\w{{6}}), (#\w{{6}})\)", css)
    assert pair
    code = pair[1 + dark][1:]
    return tuple(int(code[at : at + 2], 16) / 255 for at in (0, 2, 4))


def luminance(one: Colour) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in one]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_links_on_shaded_cells(dark: bool) -> None:
    css = (CSS / "gold.css").read_text()
    rule = re.search(r":is\(\.shade-1[^)]*\) a \{ color: var\(--(\w+)\) \}", css)
    text = colour(rule[1] if rule else "act", dark)
    shades = re.findall(
        r"\.shade-\d \{ background: color-mix\(in srgb, var\(--act\) (\d+)%, var\(--paper\)\)", css
    )
    assert len(shades) == 5
    for share in (int(shade) / 100 for shade in shades):
        mixed = zip(colour("act", dark), colour("paper", dark), strict=True)
        background = tuple(share * act + (1 - share) * paper for act, paper in mixed)
        assert contrast(text, background) >= 4.5
