"""The modules of a page are served as one; numbers on shaded cells can be read (WCAG 2.2, 1.4.3)."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from config.static import pages_modules

STATIC = Path(__file__).resolve().parents[2] / "static"
MODULES = {
    "js/page.js": (
        '/** The page. */\nimport { add, Sum as Total } from "./shared/sums.js";\n'
        'import {\n  ONE,\n} from "./shared/numbers.js";\n'
        "console.log(add(ONE, 2), new Total().name, /** @type {string} */ (`${ONE} // kept`));\n"
    ),
    "js/shared/sums.js": (
        'import { ONE } from "./numbers.js";\n'
        "// The same name as in the page.\nconst Total = ONE;\n"
        "export async function later() { return Total; }\n"
        "export class Sum { name = `sum of ${Total}`; }\n"
        "export const add = (one, other) => one + other;\n"
    ),
    "js/shared/numbers.js": "export const ONE = 1;\nconsole.log('once');\n",
}


def test_a_page_is_joined_with_all_that_it_imports_and_runs_as_before(tmp_path):
    joined = pages_modules(MODULES)
    assert list(joined) == ["js/page.js"]
    assert "The page" not in joined["js/page.js"]
    (tmp_path / "page.mjs").write_text(joined["js/page.js"])
    node = shutil.which("node")
    assert node
    run = subprocess.run([node, tmp_path / "page.mjs"], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["once", "3 sum of 1 1 // kept"]


@pytest.mark.parametrize(
    "line",
    [
        'const part = await import("./shared/numbers.js");',
        'import * as numbers from "./shared/numbers.js";',
        'export { ONE } from "./shared/numbers.js";',
        "export let changes = 1;",
        "await later();",
        "const text = `over\nlines`;",
    ],
)
def test_what_cannot_be_joined_is_refused(line):
    with pytest.raises(ValueError, match=r"js/page\.js cannot be joined"):
        pages_modules(MODULES | {"js/page.js": f"{line}\n"})


def test_every_page_can_be_joined():
    modules = {path.relative_to(STATIC).as_posix(): path.read_text() for path in STATIC.glob("js/**/*.js")}
    pages = pages_modules(modules)
    assert {"js/annotation/judge.js", "js/alignment/link.js", "js/shared/forms.js"} <= pages.keys()


CSS = Path(__file__).resolve().parents[2] / "static" / "css"


def colour(name, dark):
    css = (CSS / "base.css").read_text()
    pair = re.search(rf"--{name}: light-dark\((#\w{{6}}), (#\w{{6}})\)", css)
    assert pair
    code = pair[1 + dark][1:]
    return tuple(int(code[at : at + 2], 16) / 255 for at in (0, 2, 4))


def luminance(one):
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in one]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_links_on_shaded_cells(dark):
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
