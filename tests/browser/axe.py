"""axe-core, the accessibility checker, on a page as it stands."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from playwright.sync_api import Page

RUN = """async () => {
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
        .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}"""


@cache
def source() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def serious_problems(page: Page) -> list[str]:
    """What is serious or critical: the rule, the element, and what is wrong with it."""
    page.evaluate(f"() => {{ {source()} }}")
    found: list[str] = page.evaluate(RUN)
    return found
