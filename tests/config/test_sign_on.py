import pytest
from django.core.exceptions import ImproperlyConfigured
from django.urls import reverse

from config import environment, sign_on
from config.sign_on import Switches
from config.variables import value
from ops.diagnosis import examine
from projects.views.sign_on import needs
from tests.factories.corpus import UserFactory
from tests.permissions.test_matrix import ADDRESSES, parameters

OIDC = {
    "PARAGOLD_OIDC_ADDRESS": "https://login.example.org/",
    "PARAGOLD_OIDC_CLIENT": "paragold",
    "PARAGOLD_OIDC_SECRET": "s",
}


def test_everything_is_off_by_default(settings):
    assert settings.SIGN_ON == sign_on.switches() == Switches()
    assert sign_on.providers() == {}
    assert sign_on.mail_server()[0].endswith("dummy.EmailBackend")
    for check in ("mail", "second factor", "single sign on"):
        assert examine(check).found == "off"


@pytest.mark.django_db
def test_pages_that_are_off_do_not_exist(client):
    values = {"pk": 1, "uidb36": "1", "key": "1", "organization_slug": "saml"}
    named = {name: {key: values[key] for key in parameters(name)} for name in ADDRESSES if needs(name)}
    assert len(named) == 28
    for user in (None, UserFactory(is_superuser=True)):
        if user:
            client.force_login(user)
        for name, given in named.items():
            assert client.get(reverse(name, kwargs=given)).status_code == 404, name
            assert client.post(reverse(name, kwargs=given)).status_code == 404, name
    page = client.get("/accounts/").content.decode()
    assert "Protection" not in page and "Change password" in page


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("smtp+tls://me:p%40ss@mail.example.org", ("mail.example.org", 587, "me", "p@ss", True, False)),
        ("smtps://mail.example.org:1465", ("mail.example.org", 1465, "", "", False, True)),
        ("smtp://localhost", ("localhost", 25, "", "", False, False)),
        *((address, None) for address in ("mail.example.org", "http://mail.example.org", "smtp://")),
    ],
)
def test_a_mail_server(monkeypatch, address, expected):
    monkeypatch.setenv("PARAGOLD_MAIL", address)
    if expected:
        assert sign_on.mail_server()[1:] == expected
        return
    with pytest.raises(ImproperlyConfigured, match="PARAGOLD_MAIL"):
        sign_on.mail_server()


def test_a_provider_needs_tls_and_all_three(monkeypatch):
    for name, given in OIDC.items():
        assert not sign_on.switches().single_sign_on and not sign_on.providers()
        monkeypatch.setenv(name, given)
    assert sign_on.switches().provider == "single sign-on"
    app = sign_on.providers()["openid_connect"]["APPS"][0]
    assert app["settings"]["server_url"] == "https://login.example.org"
    assert app["settings"]["oauth_pkce_enabled"] and app["secret"] == "s"
    monkeypatch.setenv("PARAGOLD_OIDC_ADDRESS", "http://login.example.org")
    with pytest.raises(ImproperlyConfigured, match="https"):
        sign_on.providers()


def test_an_unset_or_empty_variable_has_its_default(monkeypatch):
    for text in ("", "  "):
        monkeypatch.setenv("PARAGOLD_ALLOWED_HOSTS", text)
        assert environment.words("PARAGOLD_ALLOWED_HOSTS") == ["localhost", "127.0.0.1", "[::1]"]
    monkeypatch.delenv("PARAGOLD_LEASE_SECONDS", raising=False)
    assert environment.positive("PARAGOLD_LEASE_SECONDS") == 20
    monkeypatch.setenv("PARAGOLD_HTTPS", " 1 ")
    assert value("PARAGOLD_HTTPS") == "1" and environment.flag("PARAGOLD_HTTPS")


@pytest.mark.parametrize("text", ["soon", "0", "-3", "nan", "inf"])
def test_seconds_that_are_no_positive_number_are_refused_by_name(text, monkeypatch):
    monkeypatch.setenv("PARAGOLD_HEARTBEAT_SECONDS", text)
    with pytest.raises(ImproperlyConfigured, match=r"PARAGOLD_HEARTBEAT_SECONDS must be a positive number"):
        environment.positive("PARAGOLD_HEARTBEAT_SECONDS")
