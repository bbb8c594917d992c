"""Who calls the API: the bearer of a token, which the database holds as a hash only."""

from __future__ import annotations

from typing import Any

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from rest_framework.exceptions import AuthenticationFailed


class TokenAuthentication(KnoxTokenAuthentication):
    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        # Tokens are ASCII; any other byte would end in an error of the server.
        if not token.isascii():
            raise AuthenticationFailed("Invalid token.")
        found: tuple[Any, Any] = super().authenticate_credentials(token)
        return found


class TokenScheme(KnoxTokenScheme):
    """How the OpenAPI description names this login."""

    target_class = "corpus.api.authentication.TokenAuthentication"
    name = "token"
