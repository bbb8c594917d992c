from __future__ import annotations

import re
from pathlib import Path

import pytest
from django import forms
from django.utils.safestring import mark_safe

from projects.glossary import glossary, split_by_terms, terms

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


def test_the_page_explains_a_term_where_links_to_it_lead(client, django_user_model, db):
    client.force_login(django_user_model.objects.create_user("somebody"))
    page = client.get("/glossary/").content.decode()
    assert '<div id="aer"><dt>AER</dt><dd>Alignment error rate' in page


def test_a_text_is_split_at_the_words_in_bold():
    parts = split_by_terms("Held out presets, sure SURE links, aer, Jaccards")
    assert [(words, term and term.name) for words, term in parts] == [
        ("Held out", "Held-out clusters"),
        (" ", None),
        ("presets", "Preset"),
        (", sure ", None),
        ("SURE", "SURE"),
        (" links, aer, ", None),
        ("Jaccards", "Jaccard"),
    ]


class Terms(forms.Form):
    first = forms.CharField(label="AER of <b>", help_text="A preset, another preset.")
    second = forms.CharField(label="Preset", help_text="AER and kappa.")
    listed = forms.CharField(help_text=mark_safe("<ul><li>AER</li></ul>"))
    third = forms.BooleanField(label="Only alpha", help_text="Alpha counts alone.")


@pytest.mark.parametrize("times", [1, 2])
def test_a_form_links_each_term_once_and_opens_another_tab(times):
    form = Terms()
    page = [str(form) for _ in range(times)][-1]
    linked = re.findall(r'<a class="term" href="/glossary/#([\w-]+)"', page)
    assert linked == ["aer", "preset", "kappa", "alpha"]
    assert page.count('target="_blank"') == 4
    assert "of &lt;b&gt;" in page and "<ul><li>AER</li></ul>" in page
    # The label of a checkbox is there to be clicked.
    assert "Only alpha</label>" in page
