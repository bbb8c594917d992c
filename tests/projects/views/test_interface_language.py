import json
import re
from datetime import date

import pytest
from django.forms import DateField
from django.template import Context, Template
from django.urls import reverse
from django.utils import translation

from projects.errors import PublicError
from projects.models import OwnLanguage, Role
from projects.services.tokens import make_token
from tests.factories.annotation import judging_batch
from tests.factories.corpus import PASSWORD, ProjectFactory, UserFactory, dataset_of, member

pytestmark = pytest.mark.django_db
LOGIN = reverse("account_login")


def language_of(page):
    return re.search('<html lang="([^"]+)"', page.content.decode())[1]


@pytest.fixture
def ada():
    return UserFactory(username="ada")


@pytest.mark.parametrize(
    ("asked", "language", "words"),
    [
        ("", "en", "Log in"),
        ("nl-BE,nl;q=0.9,en;q=0.8", "nl", "Aanmelden"),
        ("de", "de", "Anmelden"),
        ("fr", "en", "Log in"),
    ],
)
def test_the_browser_says_the_language_of_the_login(client, db, asked, language, words):
    page = client.get(LOGIN, headers={"Accept-Language": asked} if asked else {})
    assert language_of(page) == language
    assert f"<h1>{words}</h1>" in page.content.decode()
    assert "Accept-Language" in page.headers["Vary"]


def test_a_choice_on_the_login_page_is_kept_by_the_browser(client, ada):
    chosen = client.post(
        reverse("language"), {"language": "de"}, headers={"Referer": f"http://testserver{LOGIN}"}
    )
    assert chosen.headers["Location"] == LOGIN
    assert language_of(client.get(LOGIN, headers={"Accept-Language": "nl"})) == "de"
    client.force_login(ada)
    assert language_of(client.get("/")) == "de"
    assert not OwnLanguage.objects.exists()


@pytest.mark.parametrize("elsewhere", ["https://elsewhere.example/", ""])
def test_a_choice_leads_nowhere_else(client, db, elsewhere):
    answer = client.post(reverse("language"), {"language": "nl"}, headers={"Referer": elsewhere})
    assert answer.headers["Location"] == LOGIN


def test_an_own_choice_holds_in_every_browser_until_it_is_taken_back(client, ada):
    client.force_login(ada)
    assert client.post(reverse("language"), {"language": "nl"}).headers["Location"] == reverse("account")
    page = client.get(reverse("account"), headers={"Accept-Language": "de"})
    assert language_of(page) == "nl"
    assert '<option value="nl" lang="nl" selected>Nederlands</option>' in page.content.decode()
    client.post(reverse("language"), {"language": ""})
    assert language_of(client.get(reverse("account"), headers={"Accept-Language": "de"})) == "de"


def test_errors_of_forms_and_messages_are_in_the_language(client, ada):
    OwnLanguage.objects.create(user=ada, language="de")
    client.force_login(ada)
    form = {"old_password": "wrong", "new_password1": "x", "new_password2": "y"}
    assert "Das alte Passwort war falsch" in client.post(reverse("account"), form).content.decode()
    form = {"old_password": PASSWORD, "new_password1": "quite another 7", "new_password2": "quite another 7"}
    page = client.post(reverse("account"), form, follow=True).content.decode()
    assert "Das Passwort ist geändert." in page
    assert "<b>Fertig:</b>" in page


def test_a_refused_answer_says_why_in_the_language_and_to_programs_in_english(client, ada):
    OwnLanguage.objects.create(user=ada, language="nl")
    url = reverse("api-queue", args=[10**6])
    client.force_login(ada)
    assert client.get(url).json()["detail"] == "In deze reeks is niets aan je toegewezen."
    client.logout()
    _, token = make_token(user=ada, name="script", scope="read", days=1)
    headers = {"Authorization": f"Token {token}", "Accept-Language": "nl"}
    assert client.get(url, headers=headers).json()["detail"] == "Nothing in this batch is assigned to you."


def test_a_public_error_names_its_values_in_the_language_of_the_request():
    closed = "The batch %(batch)s is closed. Ask a manager to open it again."
    with translation.override("nl"):
        error = PublicError(closed, field="batch", batch="100 % (a)")
        unknown = PublicError("Nobody has translated %(count)s of it.", count=7)
        read_by_a_program = PublicError("5 % of the pairs: %(x)s")
    assert str(error) == "De reeks 100 % (a) is gesloten. Vraag een projectbeheerder om haar weer te openen."
    assert (error.field, str(unknown)) == ("batch", "Nobody has translated 7 of it.")
    assert str(read_by_a_program) == "5 % of the pairs: %(x)s"


def test_options_are_in_the_language_and_names_as_they_were_written(client):
    project = ProjectFactory(slug="dams")
    manager = member(project, Role.MANAGER, "mira")
    member(project, Role.ANNOTATOR, "Manager")
    dataset_of(project, pairs=3)
    OwnLanguage.objects.create(user=manager, language="de")
    client.force_login(manager)
    page = client.get(reverse("members", args=["dams"])).content.decode()
    assert '<option value="manager">Projektleitung</option>' in page
    page = client.get(reverse("launch", args=["dams", "draw-judging-batch"])).content.decode()
    assert 'value="Manager"' in page and "> Manager</label>" in re.sub(r"\s+", " ", page)


def test_the_judging_page_brings_the_texts_of_its_scripts(client):
    project = ProjectFactory()
    ada = member(project, Role.ANNOTATOR, "ada")
    batch = judging_batch(project, [ada], size=1)
    client.force_login(ada)
    url = reverse("judge-batch", args=[project.slug, batch.pk])
    assert 'id="texts"' not in client.get(url).content.decode()
    OwnLanguage.objects.create(user=ada, language="nl")
    page = client.get(url).content.decode()
    texts = json.loads(re.search('<script id="texts" type="application/json">(.*?)</script>', page)[1])
    assert texts["Saved: %(answer)s."] == "Opgeslagen: %(answer)s."
    assert texts["%(count)s word"] == ["%(count)s woord", "%(count)s woorden"]
    # The words are Dutch, what is sent and stored is not.
    assert 'data-label="not_paraphrase" data-choice="not_paraphrase" data-name="Geen parafrase"' in page
    assert 'data-code="KeyF ArrowLeft"' in page


def test_managers_lists_are_translated_where_they_are_shown_and_not_in_files(client):
    project = ProjectFactory(slug="dams")
    manager = member(project, Role.MANAGER, "mira")
    judging_batch(project, [member(project, Role.ANNOTATOR, "ann")], size=2, name="Dams")
    client.force_login(manager)
    pairs = reverse("pairs", args=["dams"])
    english = client.get(pairs, {"format": "csv"}).getvalue()
    OwnLanguage.objects.create(user=manager, language="de")
    assert ">Paket</" in client.get(reverse("judge", args=["dams"])).content.decode()
    assert client.get(pairs, {"format": "csv"}).getvalue() == english and english.count(b"\n") == 3


def test_charts_and_fields_keep_the_decimal_point_and_the_dates_of_the_calendar():
    values = {"x": 1.5, "n": 12345}
    with translation.override("de"):
        values["field"] = DateField().widget.format_value(date(2026, 11, 28))
        text = Template("{{ x }} {{ x|floatformat:2 }} {{ n }} {{ field }}").render(Context(values))
    assert text == "1.5 1.50 12345 2026-11-28"
