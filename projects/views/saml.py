"""Single sign-on by SAML, as django-allauth does it: to the provider by a link, back by a form of its page.

That form comes from another site, so without the session's cookie: `answer` keeps what it holds, and leads to
`finish`, which has the session. Import it only where the extra `saml` is installed.
"""

from __future__ import annotations

from typing import Any

from allauth.socialaccount import app_settings
from allauth.socialaccount.providers.saml import views
from allauth.socialaccount.providers.saml.provider import SAMLProvider
from allauth.socialaccount.providers.saml.utils import (
    build_auth,
    build_sp_config,
    fetch_metadata_url_config,
    get_app_or_404,
)
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from onelogin.saml2.constants import OneLogin_Saml2_Constants
from onelogin.saml2.errors import OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError
from onelogin.saml2.settings import OneLogin_Saml2_Settings

# What answers and metadata raise that are no SAML, forged, too old, not asked for, or for somebody else.
UNUSABLE = (
    *(OneLogin_Saml2_Error, OneLogin_Saml2_ValidationError),
    *(PermissionDenied, SyntaxError, ValueError, KeyError),
)
# The metadata have no end: many providers read them once.
SECURITY = {"metadataValidUntil": "", "metadataCacheDuration": "", "allowSingleLabelDomains": True}


class Provider(SAMLProvider):
    """Attributes are kept as claims of OpenID Connect are, so groups are found in one way."""

    def extract_uid(self, data: Any) -> str:
        uid: str = super().extract_uid(data)
        transient = data.get_nameid_format() == OneLogin_Saml2_Constants.NAMEID_TRANSIENT
        if transient and uid == data.get_nameid():
            raise ValueError(
                "the NameID is another one at each sign-on, and no attribute of PARAGOLD_SAML_ID is sent"
            )
        if not 0 < len(uid) <= app_settings.UID_MAX_LENGTH:
            raise ValueError(f"the person's ID has not 1 to {app_settings.UID_MAX_LENGTH} characters")
        return uid

    def extract_extra_data(self, data: Any) -> dict[str, Any]:
        return {"userinfo": data.get_attributes()}


class Finish(views.FinishACSView):
    def get_provider(self, organization_slug: str) -> Provider:
        return Provider(self.request, app=self.get_app(organization_slug))


def read_metadata(idp: dict[str, Any]) -> dict[str, Any]:
    """What the provider's metadata say, read every 4 hours. Raises ValueError where they cannot be used."""
    try:
        metadata: dict[str, Any] = fetch_metadata_url_config(idp).get("idp") or {}
    except Exception as error:  # python3-saml raises no narrower one
        raise ValueError(f"its metadata cannot be read: {error}") from error
    keys = metadata.get("x509cert") or (metadata.get("x509certMulti") or {}).get("signing")
    if not (metadata.get("entityId") and metadata.get("singleSignOnService") and keys):
        raise ValueError("its metadata lack entity ID, signing key or address for HTTP-Redirect")
    return metadata


def login(request: HttpRequest, slug: str) -> HttpResponse:
    read_metadata(get_app_or_404(request, slug).settings["idp"])
    return views.login(request, organization_slug=slug)


def answer(request: HttpRequest, slug: str) -> HttpResponse:
    """Nothing is stored of an answer that the provider has not signed."""
    app = get_app_or_404(request, slug)
    read_metadata(app.settings["idp"])
    auth = build_auth(request, app.get_provider(request))
    auth.process_response()
    if auth.get_errors():
        raise ValueError(auth.get_last_error_reason())
    response = views.acs(request, organization_slug=slug)
    for cookie in response.cookies.values():
        cookie["httponly"] = True
    return response


def finish(request: HttpRequest, slug: str) -> HttpResponse:
    return Finish.as_view()(request, organization_slug=slug)


def metadata(request: HttpRequest, slug: str) -> HttpResponse:
    """The metadata of this installation, for the provider."""
    sp = build_sp_config(request, get_app_or_404(request, slug).settings, slug)
    del sp["singleLogoutService"]
    described = OneLogin_Saml2_Settings(
        {"strict": True, "sp": sp, "security": SECURITY}, sp_validation_only=True
    )
    return HttpResponse(described.get_sp_metadata(), content_type="application/samlmetadata+xml")


def no_logout(request: HttpRequest, slug: str) -> HttpResponse:
    """django-allauth wants an address; logging out here ends the session here only."""
    raise Http404


VIEWS = {view.__name__: view for view in (login, answer, finish, metadata, no_logout)}
