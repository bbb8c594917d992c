"""Tokens: by logging in or with a name and a scope; listed and revoked."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _, gettext_noop
from drf_spectacular.utils import extend_schema, extend_schema_view
from knox.views import LoginView as KnoxLoginView, LogoutView as KnoxLogoutView
from rest_framework import serializers
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.generics import get_object_or_404
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from projects.listings import ListFilters, Resource
from projects.models import ApiToken, TokenScope
from projects.services import logins
from projects.services.tokens import (
    DEFAULT_DAYS,
    MAX_DAYS,
    make_token,
    record_made,
    revoke_token,
    valid_tokens,
)
from projects.sign_on import has_second_factor, is_right_code
from projects.views.project_view import any_member

from .endpoint import Endpoint, ResourceList, checked
from .serializers import RowSerializer, StrictSerializer
from .transport import TokenAuthentication

WRONG = gettext_noop("User name and password do not match.")
CODE_NEEDED = gettext_noop("This account has a second factor. Send its code too, as `code`.")
WRONG_CODE = gettext_noop("The code is not correct. Wait for the next one.")


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

    def create_token(self) -> tuple[ApiToken, str]:
        made: tuple[ApiToken, str] = super().create_token()
        record_made(made[0])
        return made

    @extend_schema(request=CredentialsSerializer, responses=TokenSerializer, auth=[])
    def post(self, request: Request, format: str | None = None) -> Response:
        fields = checked(CredentialsSerializer, request.data)
        code = fields.pop("code", "")
        attempt = logins.begin(request._request, fields["username"])
        user = authenticate(request._request, **fields)
        if user is None:
            raise AuthenticationFailed(_(WRONG))
        if has_second_factor(user):
            if not code:
                raise AuthenticationFailed(_(CODE_NEEDED))
            if not is_right_code(user, code):
                raise AuthenticationFailed(_(WRONG_CODE))
        with transaction.atomic():
            # A password that changes meanwhile ends all tokens: afterwards none is made with the old one.
            locked = User.objects.select_for_update().filter(pk=user.pk, password=user.password).first()
            if locked is None:
                raise AuthenticationFailed(_(WRONG))
            request.user = user
            response: Response = super().post(request, format)
        attempt.succeeded()
        if "token" not in response.data:
            response.data = {"detail": _("The account has the maximum number of tokens. Revoke one of them.")}
        return response


class LogoutView(KnoxLogoutView):
    authentication_classes = (TokenAuthentication,)

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request, format: str | None = None) -> Response:
        """Revoke the token of this request."""
        revoke_token(token=cast(ApiToken, request.auth), by=cast(User, request.user))
        return Response(status=204)


class ApiTokenSerializer(RowSerializer[ApiToken]):
    """A token of yours; its text is not stored."""

    begins = serializers.CharField(source="token_key", help_text="Its first characters.")

    class Meta:
        model = ApiToken
        fields = ("id", "name", "scope", "begins", "created", "expiry", "last_used_at")


class MadeTokenSerializer(ApiTokenSerializer):
    """`token` is shown only now. Send it as `Authorization: Token <token>`."""

    token = serializers.CharField(help_text="The token. It is shown only now.")

    class Meta(ApiTokenSerializer.Meta):
        fields = (*ApiTokenSerializer.Meta.fields, "token")  # type: ignore[assignment]  # one more


class NewTokenSerializer(StrictSerializer):
    name = serializers.CharField(max_length=80, help_text="Where the token is used.")
    scope = serializers.ChoiceField(choices=TokenScope.choices, help_text="What the token may do.")
    days = serializers.IntegerField(
        min_value=1,
        max_value=MAX_DAYS,
        default=DEFAULT_DAYS,
        help_text=f"For how many days the token is valid: 1 to {MAX_DAYS}.",
    )


TOKENS = Resource(
    name="tokens",
    noun="token",
    objects=ApiToken.objects.all(),
    visible=lambda user, project: valid_tokens(user),
    project_path=(),
    check=any_member,
    filters=ListFilters,
    serializer=ApiTokenSerializer,
    about="Your own that have not expired, with their scope and when they were last used.",
)


@extend_schema_view(get=extend_schema(operation_id="tokens_list"))
class TokensView(ResourceList):
    resource = TOKENS
    checks = dict.fromkeys(("GET", "POST"), any_member)

    @extend_schema(operation_id="tokens_create", request=NewTokenSerializer, responses=MadeTokenSerializer)
    def post(self, request: Request) -> Response:
        """Make a token. Its text is in this answer only; it is not stored, not even for repeated requests."""
        made, text = make_token(user=self.caller, **self.body(NewTokenSerializer))
        made.token = text
        # 200, as for a login: what is created (201) is kept for requests that come again with their key.
        return Response(MadeTokenSerializer(made).data)


class TokenView(Endpoint):
    @extend_schema(operation_id="tokens_destroy", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Revoke one of your tokens: requests with it are refused from now on."""
        self.filters()
        revoke_token(token=get_object_or_404(valid_tokens(self.caller), pk=pk), by=self.caller)
        return Response(status=204)
