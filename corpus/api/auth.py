"""Logging in for a token and giving it back."""

from __future__ import annotations

import hashlib
from typing import Any

from django.contrib.auth import authenticate
from drf_spectacular.utils import extend_schema
from knox.views import LoginView as KnoxLoginView
from knox.views import LogoutAllView as KnoxLogoutAllView
from knox.views import LogoutView as KnoxLogoutView
from rest_framework import serializers
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import SimpleRateThrottle

from .authentication import TokenAuthentication
from .endpoint import checked
from .serializers import StrictSerializer


class AddressThrottle(SimpleRateThrottle):
    """Attempts from one address."""

    scope = "login"

    def get_cache_key(self, request: Request, view: Any) -> str:
        # The peer's address, not X-Forwarded-For, which a caller may write as it likes.
        return f"login-address-{request.META.get('REMOTE_ADDR', '')}"


class AccountThrottle(SimpleRateThrottle):
    """Attempts at one account, from wherever."""

    scope = "login"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        username = request.data.get("username") if isinstance(request.data, dict) else None
        if not isinstance(username, str):
            return None
        return f"login-account-{hashlib.sha256(username.lower().encode(errors='replace')).hexdigest()}"


class CredentialsSerializer(StrictSerializer):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=4096, trim_whitespace=False, write_only=True)


class TokenSerializer(serializers.Serializer[Any]):
    """Send the token as `Authorization: Token <token>` until `expiry`."""

    expiry = serializers.DateTimeField()
    token = serializers.CharField()


class LoginView(KnoxLoginView):
    """Exchange a user name and password for a token. Only its hash is stored: it is shown this once."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = (AddressThrottle, AccountThrottle)

    def get_authenticate_header(self, request: Request) -> str:
        return TokenAuthentication().authenticate_header(request)

    @extend_schema(request=CredentialsSerializer, responses=TokenSerializer, auth=[])
    def post(self, request: Request, format: str | None = None) -> Response:
        user = authenticate(request._request, **checked(CredentialsSerializer, request.data))
        if user is None:
            raise AuthenticationFailed("User name and password do not match.")
        request.user = user
        response: Response = super().post(request, format)
        if "token" not in response.data:
            raise PermissionDenied("This account holds as many tokens as it may: log out of one, or of all.")
        return response


class LogoutView(KnoxLogoutView):
    """Give up the token that this request was sent with."""

    authentication_classes = (TokenAuthentication,)

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, format: str | None = None) -> Response:
        response: Response = super().post(request, format)
        return response


class LogoutAllView(KnoxLogoutAllView):
    """Give up every token of this account."""

    authentication_classes = (TokenAuthentication,)

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, format: str | None = None) -> Response:
        response: Response = super().post(request, format)
        return response
