"""Signing on for tests: what is switched on, and a browser's way over the provider and back."""

from dataclasses import replace
from urllib.parse import urlsplit

import requests
from django.conf import settings as django_settings

from config.sign_on import Switches, grants

from .oidc_provider import CLIENT, SECRET

ROLES = "team-managers=dams:manager; team=dams:annotator; paragold-admins=administrator"


def switch_on(settings, provider=None, roles=ROLES, **others):
    """Everything, and single sign-on where there is a provider; `others` are changed."""
    on = Switches(mail=True, mail_from="paragold@example.org", second_factor=True, sessions=True)
    if provider:
        on = replace(on, provider="University", grants=tuple(grants(roles)))
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [{
            "provider_id": "sso", "name": "University", "client_id": CLIENT, "secret": SECRET,
            "settings": {"server_url": provider.address, "oauth_pkce_enabled": True},
        }]}}  # fmt: skip
    settings.SIGN_ON = replace(on, **others)


def sign_on(client, provider, person, *, path="/accounts/sign-on/"):
    """The answer to the callback, after the provider has said who it is."""
    provider.person = person
    there = client.get(path)
    assert there.status_code == 302, there.content
    assert there.url.startswith(f"{provider.address}/authorization?")
    back = urlsplit(requests.get(there.url, allow_redirects=False, timeout=10).headers["Location"])
    assert back.path == "/accounts/sign-on/callback/"
    return client.get(f"{back.path}?{back.query}")


def session_key(client):
    return client.cookies[django_settings.SESSION_COOKIE_NAME].value
