import re

import pytest
from playwright.sync_api import expect

from annotation.schemes import Label
from projects.models import OwnLanguage, Role
from tests.browser.alignment.linking_page import LinkingPage, paraphrases
from tests.browser.annotation.judging_page import JudgingPage, labels_of
from tests.factories.annotation import judging_batch
from tests.factories.corpus import PASSWORD, ProjectFactory, member

from .conftest import NARROW, WIDE

ENGLISH = re.compile(
    r"\b(the|your|answers?|judge[ds]?|pairs?|sentences?|skip(ped)?|undo|redo|comment|flag(ged)?|keys?|guidelines"
    r"|words?|left|close|save[d]?|submit(ted)?|not a paraphrase|second pass|log (in|out)|password|nothing)\b",
    re.IGNORECASE,
)
SENTENCES = re.compile("(?<=Eerste zin:|rster Satz:).*")
# What people read and hear, without the sentences, names of things and keys.
SHOWN = """() => {
    const texts = [document.title];
    const own = "bdi, kbd, code, .sentence, .prose, .word, .matrix, .guidelines, script, [lang]:not(html)";
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        if (!walker.currentNode.parentElement.closest(own)) texts.push(walker.currentNode.data);
    }
    for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [data-help]")) {
        if (element.closest(own)) continue;
        const { title, ariaLabel, placeholder, dataset } = element;
        texts.push(title, ariaLabel ?? "", placeholder ?? "", dataset.help ?? "");
    }
    return texts.map((text) => text.trim()).filter(Boolean);
}"""
WORDS = {
    "nl": {
        "login": "Aanmelden",
        "saved": "Opgeslagen: parafrase.",
        "judged": "Alle 3 zinsparen zijn beoordeeld",
        "linked": "Alle 1 zinsparen zijn beantwoord",
        "left": "Niets open",
    },
    "de": {
        "login": "Anmelden",
        "saved": "Gespeichert: Paraphrase.",
        "judged": "Alle 3 Satzpaare sind beurteilt",
        "linked": "Alle 1 Satzpaare sind beantwortet",
        "left": "Nichts offen",
    },
}


def expect_no_english(page, language):
    expect(page.locator("html")).to_have_attribute("lang", language)
    english = [text for text in page.evaluate(SHOWN) if ENGLISH.search(SENTENCES.sub("", text))]
    assert english == []
    width, window = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert width <= window


@pytest.fixture
def ada(transactional_db):
    project = ProjectFactory(slug="dammen", name="Dammen")
    return project, member(project, Role.ANNOTATOR, "ada")


@pytest.mark.parametrize(("language", "viewport"), [("nl", WIDE), ("de", NARROW)])
def test_a_batch_is_judged_and_a_pair_linked(new_context, ada, language, viewport):
    project, ada = ada
    batch = judging_batch(project, [ada], size=3)
    words = WORDS[language]
    tab = new_context(locale=language, viewport=viewport).new_page()
    tab.goto("/accounts/login/")
    expect_no_english(tab, language)
    tab.locator("#id_login").fill("ada")
    tab.locator("#id_password").fill(PASSWORD)
    tab.get_by_role("button", name=words["login"], exact=True).click()
    tab.wait_for_url(lambda url: "login" not in url)
    expect_no_english(tab, language)

    page = JudgingPage(tab).open(batch)
    page.answer("j")
    expect(page.part("live")).to_contain_text(words["saved"])
    for key, dialog in (("?", "help"), ("c", "comment"), ("g", "guidelines"), ("l", "answers")):
        page.ready()
        page.press(key)
        expect(tab.locator(f"#{dialog}")).to_be_visible()
        expect_no_english(tab, language)
        page.press("Escape")
        expect(tab.locator(f"#{dialog}")).to_be_hidden()
    page.press("t", "v")
    expect_no_english(tab, language)
    page.answer("f", "k")
    # The skipped pair comes again.
    expect(page.part("standing")).to_be_visible()
    expect_no_english(tab, language)
    page.answer("f")
    page.expect_finished(words["judged"])
    expect_no_english(tab, language)
    page.expect_synced()
    yes, no = Label.PARAPHRASE, Label.NOT_PARAPHRASE
    assert labels_of(batch, ada) == [yes, no, no]

    links = paraphrases(project, [ada], [("Een dam brak", "De dam brak")])
    page = LinkingPage(tab).open(links)
    expect_no_english(tab, language)
    page.link(1, 1)
    page.link(2, 2)
    for side in "ab":
        page.word(side, 0).focus()
        page.press("n")
    expect(page.part("left-count")).to_have_text(words["left"])
    expect_no_english(tab, language)
    page.submit()
    page.expect_finished(words["linked"])
    page.expect_synced()
    expect_no_english(tab, language)


def test_the_language_is_chosen_under_account(log_in, ada):
    page = log_in("ada")
    page.goto("/accounts/")
    page.get_by_label("Language", exact=True).select_option("Nederlands")
    page.get_by_role("button", name="Choose language").click()
    expect(page.get_by_role("heading", name="Taal van de pagina's")).to_be_visible()
    for address in ("/accounts/", "/accounts/keys/", "/", "/projects/dammen/", "/projects/dammen/judge/"):
        page.goto(address)
        expect_no_english(page, "nl")
    assert OwnLanguage.objects.get().language == "nl"
