"""How people sign on, as the environment says: mail, second factors, sessions, single sign-on."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from config import environment, variables

PROVIDER = "sso"
ROLES = ("manager", "adjudicator", "annotator", "viewer")
# Scheme of PARAGOLD_MAIL: port, STARTTLS, TLS from the start.
MAIL_SCHEMES = {"smtp": (25, False, False), "smtp+tls": (587, True, False), "smtps": (465, False, True)}
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class Grant:
    """The members of `group` ("*": everybody) have `role` in the project `slug`, or are administrators."""

    group: str
    slug: str = ""
    role: str = ""

    def holds(self, groups: set[str]) -> bool:
        return self.group == "*" or self.group in groups


@dataclass(frozen=True, slots=True)
class Switches:
    """What is switched on. `provider` is the name of the provider for single sign-on, "" is off."""

    mail: bool = False
    mail_from: str = ""
    second_factor: bool = False
    sessions: bool = False
    provider: str = ""
    protocol: str = "OIDC"
    """The variable with the roles of that provider: OIDC or SAML."""
    groups_claim: str = "groups"
    roles_variable: str = "PARAGOLD_OIDC_ROLES"
    grants: tuple[Grant, ...] = ()

    @property
    def single_sign_on(self) -> bool:
        return bool(self.provider)

    @property
    def openid_connect(self) -> bool:
        return self.single_sign_on and self.protocol == "OIDC"

    @property
    def saml(self) -> bool:
        return self.single_sign_on and self.protocol == "SAML"

    @property
    def login_page(self) -> str:
        """Name of the page that leads to the provider."""
        return "saml_login" if self.saml else "openid_connect_login"

    @property
    def reauthentication(self) -> bool:
        """Whether a password is asked for again before what protects an account is changed."""
        return self.mail or self.second_factor or self.single_sign_on


def switches() -> Switches:
    saml = bool(variables.value("PARAGOLD_SAML_METADATA"))
    if saml:
        name, groups, roles = ("PARAGOLD_SAML_NAME", "PARAGOLD_SAML_GROUPS", "PARAGOLD_SAML_ROLES")
    else:
        name, groups, roles = ("PARAGOLD_OIDC_NAME", "PARAGOLD_OIDC_GROUPS", "PARAGOLD_OIDC_ROLES")
    return Switches(
        mail=bool(environment.secret("PARAGOLD_MAIL") and variables.value("PARAGOLD_MAIL_FROM")),
        mail_from=variables.value("PARAGOLD_MAIL_FROM"),
        second_factor=environment.flag("PARAGOLD_SECOND_FACTOR"),
        sessions=environment.flag("PARAGOLD_SESSIONS"),
        provider=variables.value(name) if saml or not missing_for_oidc() else "",
        protocol="SAML" if saml else "OIDC",
        groups_claim=variables.value(groups),
        roles_variable=roles,
        grants=tuple(grants(variables.value(roles), roles)),
    )


def missing_for_oidc() -> list[str]:
    """What single sign-on still needs; it is on once nothing is missing."""
    names = ("PARAGOLD_OIDC_ADDRESS", "PARAGOLD_OIDC_CLIENT", "PARAGOLD_OIDC_SECRET")
    return [name for name in names if not environment.secret(name)]


def grants(text: str, variable: str = "PARAGOLD_OIDC_ROLES") -> list[Grant]:
    """What the variable says. Names of groups may have spaces, commas, colons and equals signs."""
    grants = []
    for entry in filter(None, (part.strip() for part in text.split(";"))):
        group, _, granted = (part.strip() for part in entry.rpartition("="))
        slug, _, role = granted.partition(":")
        if not group or not (granted == "administrator" or (slug and role in ROLES)):
            raise ImproperlyConfigured(
                f"{variable}: write {entry!r} as group=project:role, role being one of "
                f"{', '.join(ROLES)}, or as group=administrator."
            )
        grants.append(Grant(group, slug if role else "", role))
    return grants


def mail_server() -> tuple[str, str, int, str, str, bool, bool]:
    """Django's backend, host, port, user, password, whether STARTTLS and whether TLS is used."""
    address = environment.secret("PARAGOLD_MAIL")
    backends = "django.core.mail.backends"
    if address in ("", "console"):
        return f"{backends}.{address or 'dummy'}.EmailBackend", "", 25, "", "", False, False
    parts = urlsplit(address)
    if parts.scheme not in MAIL_SCHEMES or not parts.hostname:
        raise ImproperlyConfigured(
            "PARAGOLD_MAIL must be console or an address such as smtp+tls://user:password@host:587."
        )
    port, start_tls, tls = MAIL_SCHEMES[parts.scheme]
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return f"{backends}.smtp.EmailBackend", parts.hostname, parts.port or port, user, password, start_tls, tls


def providers() -> dict[str, Any]:
    """django-allauth's SOCIALACCOUNT_PROVIDERS: one, or none."""
    if variables.value("PARAGOLD_SAML_METADATA"):
        return {"saml": {"APPS": [saml_app()]}}
    address = variables.value("PARAGOLD_OIDC_ADDRESS").rstrip("/")
    if address and not is_protected(address):
        raise ImproperlyConfigured("PARAGOLD_OIDC_ADDRESS must be an https:// address.")
    if missing_for_oidc():
        return {}
    app = {
        "provider_id": PROVIDER,
        "name": variables.value("PARAGOLD_OIDC_NAME"),
        "client_id": variables.value("PARAGOLD_OIDC_CLIENT"),
        "secret": environment.secret("PARAGOLD_OIDC_SECRET"),
        "settings": {
            "server_url": address,
            "scope": environment.words("PARAGOLD_OIDC_SCOPES"),
            "oauth_pkce_enabled": True,
        },
    }
    return {"openid_connect": {"APPS": [app]}}


def is_protected(address: str) -> bool:
    """Without TLS a provider must be on this machine."""
    parts = urlsplit(address)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in LOOPBACK)


def saml_app() -> dict[str, Any]:
    """A file with metadata is read by a file:// address, as often as one of the web."""
    metadata = variables.value("PARAGOLD_SAML_METADATA")
    if find_spec("onelogin") is None:
        raise ImproperlyConfigured(
            "PARAGOLD_SAML_METADATA needs packages: pip install 'django-allauth[saml]' xmlsec."
        )
    if variables.value("PARAGOLD_OIDC_ADDRESS"):
        raise ImproperlyConfigured(
            "There is one provider: set PARAGOLD_OIDC_ADDRESS or PARAGOLD_SAML_METADATA, not both."
        )
    if not (is_protected(metadata) or Path(metadata).is_absolute()):
        raise ImproperlyConfigured(
            "PARAGOLD_SAML_METADATA must be an https:// address or the full path of a file."
        )
    return {
        "name": variables.value("PARAGOLD_SAML_NAME"),
        "client_id": "saml",  # part of the addresses
        "settings": {
            "idp": {
                "entity_id": variables.value("PARAGOLD_SAML_PROVIDER"),
                "metadata_url": Path(metadata).as_uri() if Path(metadata).is_absolute() else metadata,
            },
            "sp": {"entity_id": variables.value("PARAGOLD_SAML_ENTITY_ID")},
            "advanced": {"allow_single_label_domains": True},  # names of hosts in an inner network
            "attribute_mapping": {
                "uid": environment.words("PARAGOLD_SAML_ID"),
                "username": environment.words("PARAGOLD_SAML_USERNAME"),
            },
        },
    }
