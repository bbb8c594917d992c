import re
from pathlib import Path

from projects.glossary import glossary, terms

ROOT = Path(__file__).resolve().parents[2]


def test_each_term_of_the_document_has_one_meaning():
    names = [term.name for group in glossary().values() for term in group]
    assert len(names) == len(set(names)) > 50
    assert all(term.meaning.endswith((".", "%%")) for term in terms().values())
    assert len({term.anchor for term in terms().values()}) == len(names)
    assert terms()["PK1"].source == "WBKM09, 2.1"


def test_templates_name_terms_that_there_are():
    used = {
        name
        for path in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r'{% term "([^"]+)"', path.read_text(encoding="utf-8"))
    }
    assert "AER" in used
    assert used <= set(terms())
