"""Single sign-on by OpenID Connect, as django-allauth does it, with the checks of the ID token that OpenID
Connect Core 1.0, section 3.1.3.7, requires: signature, issuer, audience, authorised party, times, nonce."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import cached_property, wraps
from typing import Annotated, Any

import jwt
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView, OAuth2LoginView
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from pydantic import BaseModel, ConfigDict, StringConstraints, TypeAdapter
from requests import RequestException

from projects.sign_on import ProviderAdapter

# Signed with a private key, so that only the provider can have made the token.
ALGORITHMS = {
    "RSA": ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    "EC": ("ES256", "ES384", "ES512"),
    "OKP": ("EdDSA",),
}
REQUIRED = ["iss", "sub", "aud", "exp", "iat", "nonce"]
CLOCKS_DIFFER_SECONDS = 30

Text = Annotated[str, StringConstraints(max_length=500, pattern=r"^[^\x00-\x1f\x7f]*$")]


class Discovery(BaseModel):
    """What is used of the provider's configuration."""

    model_config = ConfigDict(strict=True)

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    userinfo_endpoint: str
    jwks_uri: str
    token_endpoint_auth_methods_supported: list[str] = []


class Claims(BaseModel):
    """What is used of the claims about a person, beside the groups."""

    model_config = ConfigDict(strict=True)

    # As long as django-allauth's column; OpenID Connect allows 255.
    sub: Annotated[str, StringConstraints(min_length=1, max_length=191, pattern=r"^[\x20-\x7e]+$")]
    preferred_username: Text | None = None
    email: Text | None = None


GROUPS: TypeAdapter[list[str] | str | None] = TypeAdapter(list[Text] | Text | None)


class Adapter(OpenIDConnectOAuth2Adapter):
    nonce = ""
    """What the sign-on was begun with; the ID token has to repeat it."""

    def get_provider(self) -> Provider:
        return Provider(self.request, app=super().get_provider().app)

    @cached_property
    def openid_config(self) -> dict[str, Any]:
        return Discovery.model_validate(super().openid_config).model_dump()

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: Any
    ) -> SocialLogin:
        id_token = self._checked(app, kwargs["response"].get("id_token"))
        claims = {"id_token": id_token, "userinfo": self._fetch_user_info(token.token)}
        used = {name: used_claims(part) for name, part in claims.items()}
        return self.get_provider().sociallogin_from_response(request, used)

    def _checked(self, app: SocialApp, id_token: Any) -> dict[str, Any]:
        """The claims of an ID token that the provider signed for this sign-on. Raises OAuth2Error."""
        if not isinstance(id_token, str):
            raise OAuth2Error("there is no ID token")
        with get_adapter().get_requests_session() as session:
            response = session.get(self.openid_config["jwks_uri"])
            response.raise_for_status()
            keys = response.json()
        try:
            claims = self._verified(id_token, keys["keys"], app.client_id)
        except jwt.PyJWTError as error:
            raise OAuth2Error(f"the ID token is not valid: {error}") from error
        several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if claims.get("azp", None if several else app.client_id) != app.client_id:
            raise OAuth2Error("the ID token was issued to another client (azp)")
        if not self.nonce or claims["nonce"] != self.nonce:
            raise OAuth2Error("the ID token was issued for another sign-on (nonce)")
        return claims

    def _verified(self, id_token: str, keys: list[dict[str, Any]], client: str) -> dict[str, Any]:
        """By the key that the token names; which algorithms may be used follows from the key alone."""
        kid = jwt.get_unverified_header(id_token).get("kid")
        for key in keys:
            allowed = [name for name in ALGORITHMS.get(key["kty"], ()) if key.get("alg", name) == name]
            if not allowed or key.get("use", "sig") != "sig" or kid not in (None, key.get("kid")):
                continue
            try:
                claims: dict[str, Any] = jwt.decode(
                    id_token,
                    jwt.PyJWK(key, allowed[0]).key,
                    algorithms=allowed,
                    issuer=self.openid_config["issuer"],
                    audience=client,
                    leeway=CLOCKS_DIFFER_SECONDS,
                    options={"require": REQUIRED},
                )
            except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError):
                continue
            return claims
        raise jwt.InvalidSignatureError("no key of the provider fits its signature")


class Provider(OpenIDConnectProvider):
    oauth2_adapter_class = Adapter

    def redirect(
        self, request: HttpRequest, process: str, next_url: Any = None, data: Any = None, **kwargs: Any
    ) -> HttpResponse:
        nonce = secrets.token_urlsafe(24)
        kwargs["auth_params"] = self.get_auth_params() | {"nonce": nonce}
        kwargs["scope"] = self.get_scope()  # whatever the address of the link says
        return super().redirect(request, process, next_url, data, nonce=nonce, **kwargs)


class Callback(OAuth2CallbackView):
    def _get_state(self, request: HttpRequest, provider: Any) -> tuple[Any, Any]:
        state, response = super()._get_state(request, provider)
        self.adapter.nonce = (state or {}).get("nonce", "")
        return state, response


def used_claims(claims: Any) -> dict[str, Any]:
    """The claims that are used, and no others, so that nothing else of a person is stored.

    Raises ValueError for a wrong type, an empty or overlong `sub`, and groups that are no list of names.
    """
    used = Claims.model_validate(claims).model_dump()
    groups = GROUPS.validate_python(claims.get(settings.SIGN_ON.groups_claim), strict=True)
    return used | {settings.SIGN_ON.groups_claim: groups}


def asking(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """The provider may be down, or answer what is no OpenID Connect: claims or keys of another type."""

    @require_safe
    @login_not_required
    @wraps(view)
    def answer(request: HttpRequest, provider_id: str) -> HttpResponse:
        try:
            return view(request, provider_id)
        except (RequestException, KeyError, TypeError, ValueError) as error:
            return ProviderAdapter(request).refused(error)

    return answer


@asking
def login(request: HttpRequest, provider_id: str) -> HttpResponse:
    answer: HttpResponse = OAuth2LoginView.adapter_view(Adapter(request, provider_id))(request)
    return answer


@asking
def callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    answer: HttpResponse = Callback.adapter_view(Adapter(request, provider_id))(request)
    return answer
