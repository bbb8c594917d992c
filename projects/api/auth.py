"""Logging in for a token and giving it back."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.db import transaction
from drf_spectacular.utils import extend_schema, extend_schema_view
from knox.views import LoginView as KnoxLoginView
from knox.views import LogoutAllView as KnoxLogoutAllView
from knox.views import LogoutView as KnoxLogoutView
from rest_framework import serializers
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from projects.services import logins
from projects.sign_on import has_second_factor, is_right_code

from .endpoint import checked
from .serializers import StrictSerializer
from .transport import TokenAuthentication

WRONG = "User name and password do not match."
CODE_NEEDED = "This account has a second factor. Send its code too, as `code`."
WRONG_CODE = "The code is not correct. Wait for the next one."


class CredentialsSerializer(StrictSerializer):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=4096, trim_whitespace=False, write_only=True)
    code = serializers.CharField(
        max_length=40,
        required=False,
        write_only=True,
        help_text="Code of the authenticator app or a recovery code, where the account has a second factor.",
    )


class TokenSerializer(serializers.Serializer[Any]):
    """Send the token as `Authorization: Token <token>` until `expiry`."""

    expiry = serializers.DateTimeField()
    token = serializers.CharField()


class LoginView(KnoxLoginView):
    """Exchange a user name and password for a token. Only its hash is stored, so it is shown only once."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    def get_authenticate_header(self, request: Request) -> str:
        return TokenAuthentication().authenticate_header(request)

    @extend_schema(request=CredentialsSerializer, responses=TokenSerializer, auth=[])
    def post(self, request: Request, format: str | None = None) -> Response:
        fields = checked(CredentialsSerializer, request.data)
        code = fields.pop("code", "")
        attempts = []
        try:
            attempts.append(logins.begin(request._request, fields["username"]))
            user = authenticate(request._request, **fields)
            if user is None:
                raise AuthenticationFailed(WRONG)
            if has_second_factor(user):
                if not code:
                    raise AuthenticationFailed(CODE_NEEDED)
                attempts.append(logins.begin(request._request, user.get_username() + logins.CODE))
                if not is_right_code(user, code):
                    raise AuthenticationFailed(WRONG_CODE)
        except logins.TooManyFailures as error:
            return Response({"detail": str(error)}, status=429, headers={"Retry-After": str(error.seconds)})
        with transaction.atomic():
            # A password that changes meanwhile ends all tokens: afterwards none is made with the old one.
            locked = User.objects.select_for_update().filter(pk=user.pk, password=user.password).first()
            if locked is None:
                raise AuthenticationFailed(WRONG)
            request.user = user
            response: Response = super().post(request, format)
        for attempt in attempts:
            attempt.succeeded(response)
        if "token" not in response.data:
            response.data = {
                "detail": "The account has the maximum number of tokens. Log out of one, or of all."
            }
        return response


@extend_schema_view(post=extend_schema(request=None, responses={204: None}))
class LogoutView(KnoxLogoutView):
    """Revoke the token of this request."""

    authentication_classes = (TokenAuthentication,)


@extend_schema_view(post=extend_schema(request=None, responses={204: None}))
class LogoutAllView(KnoxLogoutAllView):
    """Revoke all tokens of this account."""

    authentication_classes = (TokenAuthentication,)
