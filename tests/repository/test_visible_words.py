import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APPS = ("config", "ops", "projects", "jobs", "corpus", "annotation", "alignment", "paragold")
UNWANTED = re.compile(
    r"(?<!at )\bleast\b(?! sure)|\b(greatest|anew|learnt|mend(ed|s)?|parted|reckon\w*|foretell\w*)\b"
    r"|\bstands? (here|below|above)\b",
    re.IGNORECASE,
)
# Gone from messages, help texts and documents; some are still in templates.
ALSO_UNWANTED = re.compile(
    r"(?<!whom )\bwhoever\b|\b(flatter\w*|spoke for|kept numbers|given again|hand(s|ed) out"
    r"|as they came|all the same|the surest|cannot be had|cautious guess)\b"
    r"|(?<!there )\bis no (address|text|file|project|rule|label|word|backup|header|number|field|count)\b",
    re.IGNORECASE,
)


TRANSLATED = re.compile(r"""\{% translate (["'])(.*?)\1.*?%\}""", re.DOTALL)


def template_texts():
    """The text of each template, what is translated in it included, without other tags and comments."""
    for path in sorted((ROOT / "templates").rglob("*.html")):
        text = TRANSLATED.sub(r"\2", path.read_text())
        text = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", text, flags=re.DOTALL)
        yield path, re.sub(r"<[^>]*>", "", text)


def messages(path):
    """The strings of a module that people may read: with a space, no docstrings, no signatures."""
    tree = ast.parse(path.read_text())
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in bare:
            continue
        if " " in node.value and not re.search(r"\|\w+:", node.value):
            yield node.value


def test_templates():
    found = [f"{path.name}: {hit[0]}" for path, text in template_texts() for hit in UNWANTED.finditer(text)]
    assert found == []


def test_messages_and_help_texts():
    modules = [path for app in APPS for path in sorted((ROOT / app).rglob("*.py"))]
    modules = [path for path in modules if "migrations" not in path.parts]
    texts = [(path, text) for path in modules for text in messages(path)]
    found = [f"{path}: {text}" for path, text in texts if UNWANTED.search(text) or ALSO_UNWANTED.search(text)]
    assert found == []


def test_documents():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "formats").glob("*.md")]
    texts = [(page, re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.DOTALL)) for page in pages]
    found = [f"{page.name}: {hit[0]}" for page, text in texts for hit in ALSO_UNWANTED.finditer(text)]
    assert found == []
