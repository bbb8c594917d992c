"""Who calls the API: the bearer of a token, which the database holds as a hash only."""

from __future__ import annotations

from typing import Any

from drf_spectacular.authentication import SessionScheme as FrameworkSessionScheme
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from rest_framework.authentication import SessionAuthentication as FrameworkSessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request


class TokenAuthentication(KnoxTokenAuthentication):
    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        # Tokens are ASCII; any other byte would end in an error of the server.
        if not token.isascii():
            raise AuthenticationFailed("Invalid token.")
        found: tuple[Any, Any] = super().authenticate_credentials(token)
        return found


class SessionAuthentication(FrameworkSessionAuthentication):
    """The login of the pages. A page names its person in a header: nothing is stored for another one who has
    logged in on the same browser since."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        found: tuple[Any, None] | None = super().authenticate(request)
        person = request.headers.get("X-Paragold-User")
        if found is not None and person not in (None, str(found[0].pk)):
            raise PermissionDenied("Another person is logged in on this browser. Log in as yourself again.")
        return found


class TokenScheme(KnoxTokenScheme):
    """How the OpenAPI description names this login."""

    target_class = "projects.api.authentication.TokenAuthentication"
    name = "token"


class SessionScheme(FrameworkSessionScheme):
    target_class = "projects.api.authentication.SessionAuthentication"
