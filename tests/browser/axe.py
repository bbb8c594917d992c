"""axe-core, the accessibility checker, on a page as it stands."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""WCAG 2.2 AA, and the practice of landmarks, headings and names."""
DARK = ("color-contrast", "target-size")
"""What may differ in the dark and on a phone."""
RUN = """async (runOnly) => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"], runOnly, preload: false });
    return violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}"""


@cache
def source():
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def problems(page, *rules):
    """The rule, the element and what is wrong with it; by STANDARDS, or by `rules` alone."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(f"() => {{ {source()} }}")
    found: list[str] = page.evaluate(RUN, list(rules) or STANDARDS)
    return found
