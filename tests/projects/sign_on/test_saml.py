import base64
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from defusedxml.ElementTree import fromstring
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from config import sign_on
from projects.models import AuditEntry, Membership, Role
from tests.factories.corpus import MembershipFactory, ProjectFactory
from tests.signing_on import ROLES

mock = pytest.importorskip(
    "tests.saml_provider", reason="the extra saml is not installed (requirements-saml.txt)"
)

pytestmark = pytest.mark.django_db
ANSWER = "/accounts/sign-on/saml/answer/"
HOST = {"HTTP_HOST": "testserver"}
REFUSED = "did not confirm who you are"


@pytest.fixture
def saml(settings, monkeypatch):
    """A provider, and the settings that the environment makes of it."""
    cache.clear()
    with mock.running() as provider:
        monkeypatch.setenv("PARAGOLD_SAML_METADATA", f"{provider.address}/metadata")
        monkeypatch.setenv("PARAGOLD_SAML_NAME", "University")
        monkeypatch.setenv("PARAGOLD_SAML_ROLES", ROLES)
        monkeypatch.setenv("PARAGOLD_SECOND_FACTOR", "1")
        settings.SIGN_ON = sign_on.switches()
        settings.SOCIALACCOUNT_PROVIDERS = sign_on.providers()
        yield provider
    cache.clear()


@pytest.fixture
def client():
    return Client(**HOST)


@pytest.fixture
def dams():
    project = ProjectFactory(slug="dams", name="Dams")
    MembershipFactory(project=project, role=Role.MANAGER)
    return project


def asked(client, path="/accounts/sign-on/saml/"):
    """What the provider is asked."""
    there = client.get(path)
    assert there.status_code == 302, there.content
    return parse_qs(urlsplit(there.url).query)["SAMLRequest"][0]


def send(client, answer):
    """Post it as the provider's page does: from another site, so without the session."""
    there = Client(enforce_csrf_checks=True, **HOST).post(
        ANSWER, {"SAMLResponse": answer}, HTTP_ORIGIN="https://idp.example"
    )
    if there.status_code != 302:
        return there
    assert there.url == "/accounts/sign-on/saml/finish/"
    cookie = there.cookies["saml-acs-session"]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and cookie["path"] == there.url
    client.cookies["saml-acs-session"] = cookie.value
    return client.get(there.url)


def signed_on(client, saml, person, path="/accounts/sign-on/saml/"):
    return send(client, saml.answer(asked(client, path), person)[1])


def refused(client, answer):
    page = send(client, answer)
    assert page.status_code == 403 and REFUSED in page.content.decode()
    return not SocialAccount.objects.exists() and client.get("/").status_code == 302


def roles_of(username):
    return set(Membership.objects.filter(user__username=username).values_list("role", flat=True))


def test_a_member_of_a_group_gets_an_account_and_its_role(client, saml, dams):
    page = client.get("/accounts/login/?next=/accounts/").content.decode()
    assert 'href="/accounts/sign-on/saml/?next=%2Faccounts%2F"' in page and "Log in by University" in page
    answer = signed_on(client, saml, "lena", "/accounts/sign-on/saml/?next=/accounts/")
    assert answer.status_code == 302 and answer.url == "/accounts/"
    user = User.objects.get(username="lena")
    assert roles_of("lena") == {"annotator"} and not user.has_usable_password() and not user.is_superuser
    assert client.get("/projects/dams/judge/").status_code == 200
    assert client.session.get_expiry_age() <= 12 * 3600
    events = AuditEntry.objects.filter(actor_id=user.pk).values_list("event", flat=True)
    assert {"account-created", "role-added", "login"} <= set(events)


def test_behind_a_proxy_with_tls(client, saml, dams, settings, monkeypatch):
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SESSION_COOKIE_SECURE = True
    monkeypatch.setitem(HOST, "HTTP_X_FORWARDED_PROTO", "https")
    browser = Client(**HOST)
    there, answer = saml.answer(asked(browser), "lena")
    assert there == f"https://testserver{ANSWER}"
    assert send(browser, answer).status_code == 302
    assert browser.get("/").status_code == 200


def test_an_answer_signed_by_another_key_is_refused_and_not_stored(client, saml):
    request = asked(client)
    sessions = Session.objects.count()
    saml.key = mock.new_key()
    assert refused(client, saml.answer(request, "lena")[1])
    assert Session.objects.count() == sessions


@pytest.mark.parametrize(("said", "forged"), [(">team<", ">paragold-admins<"), (">lena<", ">ada<")])
def test_an_answer_that_was_changed_is_refused(client, saml, said, forged):
    answer = base64.b64decode(saml.answer(asked(client), "lena")[1]).decode()
    assert said in answer
    assert refused(client, base64.b64encode(answer.replace(said, forged).encode()).decode())


def test_an_answer_without_a_signature_is_refused(client, saml):
    answer = base64.b64decode(saml.answer(asked(client), "lena")[1]).decode()
    start, end = answer.index("<ds:Signature"), answer.index("</ds:Signature>") + len("</ds:Signature>")
    assert refused(client, base64.b64encode((answer[:start] + answer[end:]).encode()).decode())


def test_an_answer_is_good_once_and_where_it_was_asked_for(client, saml, dams):
    answer = saml.answer(asked(client), "lena")[1]
    stranger = Client(**HOST)
    asked(stranger)
    assert refused(stranger, answer), "nobody asked for it there"
    assert send(client, answer).status_code == 302
    client.post("/accounts/logout/")
    again = send(client, answer)
    assert again.status_code == 403 and REFUSED in again.content.decode()
    assert client.get("/").status_code == 302


def test_an_assertion_moved_into_the_answer_to_another_request_is_refused(client, saml):
    stolen = base64.b64decode(saml.answer(asked(Client(**HOST)), "lena")[1]).decode()
    other = base64.b64decode(saml.answer(asked(client), "lena")[1]).decode()
    cut = "<saml:Assertion"
    moved = other[: other.index(cut)] + stolen[stolen.index(cut) :]
    assert refused(client, base64.b64encode(moved.encode()).decode())


def test_an_expired_assertion_is_refused(client, saml):
    saml.seconds = -1000
    assert refused(client, saml.answer(asked(client), "lena")[1])


@pytest.mark.parametrize(
    "wrong",
    [
        {"audience": "https://elsewhere.example/"},
        {"issuer": "https://elsewhere.example/"},
        {"destination": "https://elsewhere.example/"},
        {"request": "_never-asked"},
    ],
)
def test_what_was_said_to_or_by_somebody_else_is_refused(client, saml, wrong):
    assert refused(client, saml.answer(asked(client), "lena", **wrong)[1])


def test_a_name_that_is_another_one_each_time_is_refused(client, saml):
    saml.name_format = mock.TRANSIENT
    assert refused(client, saml.answer(asked(client), "lena")[1])


@pytest.mark.parametrize(
    "answer", [b"", b"no XML", b"<Response", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>']
)
def test_what_is_no_answer_gets_a_sentence(client, saml, answer):
    assert refused(client, base64.b64encode(answer).decode()) and refused(client, "no base64")
    assert client.get("/accounts/sign-on/saml/finish/").status_code == 403
    assert client.get(ANSWER).status_code == 405


def test_the_metadata_of_the_installation(client, saml, monkeypatch,
                                          settings):  # fmt: skip
    page = client.get("/accounts/sign-on/saml/metadata/")
    assert page.headers["Content-Type"] == "application/samlmetadata+xml"
    described = fromstring(page.content)
    assert described.get("entityID") == "http://testserver/accounts/sign-on/saml/metadata/"
    assert described.get("validUntil") is None
    text = page.content.decode()
    assert f'Location="http://testserver{ANSWER}"' in text and "SingleLogout" not in text
    monkeypatch.setenv("PARAGOLD_SAML_ENTITY_ID", "https://paragold.example.org/")
    settings.SOCIALACCOUNT_PROVIDERS = sign_on.providers()
    described = fromstring(client.get("/accounts/sign-on/saml/metadata/").content)
    assert described.get("entityID") == "https://paragold.example.org/"


def test_a_provider_whose_metadata_cannot_be_read_gets_a_sentence(client, saml, settings):
    idp = settings.SOCIALACCOUNT_PROVIDERS["saml"]["APPS"][0]["settings"]["idp"]
    idp["metadata_url"] = "http://127.0.0.1:9/"
    page = client.get("/accounts/sign-on/saml/")
    assert page.status_code == 403 and REFUSED in page.content.decode()


@pytest.mark.parametrize("metadata", ["http://login.example.org/metadata", "metadata.xml"])
def test_metadata_need_tls_or_a_full_path(monkeypatch, metadata):
    monkeypatch.setenv("PARAGOLD_SAML_METADATA", metadata)
    with pytest.raises(ImproperlyConfigured, match="https:// address or the full path"):
        sign_on.providers()
