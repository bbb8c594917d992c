"""How requests of the API come in and answers go out: who calls, and bodies as JSON or files.

JSON escapes such as "\\ud800" can produce lone surrogates, which UTF-8 cannot carry: they are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from io import BytesIO
from typing import IO, Any

from django.http import HttpRequest
from django.utils.translation import gettext as _, gettext_noop
from drf_spectacular.authentication import SessionScheme as FrameworkSessionScheme
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from rest_framework import renderers
from rest_framework.authentication import SessionAuthentication as FrameworkSessionAuthentication
from rest_framework.exceptions import AuthenticationFailed, ParseError, PermissionDenied
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from projects.services.tokens import allows, note_use

SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
REFUSAL = gettext_noop(
    "The text holds half of a surrogate pair, which is not valid Unicode. Correct the text and send it again."
)


class TokenAuthentication(KnoxTokenAuthentication):
    """A bearer of a token, which the database holds as a hash only. Its scope is enforced here alone."""

    def login(self, request: HttpRequest) -> tuple[Any, Any] | None:
        """The person and the token, looked up once: `projects.request_limits` asks before the view does."""
        known = vars(request)
        if "token_login" not in known:
            known["token_login"] = super().authenticate(request)
        authenticated: tuple[Any, Any] | None = known["token_login"]
        return authenticated

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        authenticated = self.login(request._request)
        if authenticated is not None:
            scope, match = authenticated[1].scope, request._request.resolver_match
            if not allows(scope, str(request.method), (match and match.url_name) or ""):
                raise PermissionDenied(
                    _("The scope of this token is %(scope)s, which does not allow this. Use another token.")
                    % {"scope": scope}
                )
            note_use(authenticated[1])
        return authenticated

    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        # Tokens are ASCII; any other byte would end in an error of the server.
        if not token.isascii():
            raise AuthenticationFailed(_("Invalid token."))
        authenticated: tuple[Any, Any] = super().authenticate_credentials(token)
        return authenticated


class SessionAuthentication(FrameworkSessionAuthentication):
    """The login of the pages. A page names its person in a header: nothing is stored for another one who has
    logged in on the same browser since."""

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        authenticated: tuple[Any, None] | None = super().authenticate(request)
        person = request.headers.get("X-Paragold-User")
        if authenticated is not None and person not in (None, str(authenticated[0].pk)):
            raise PermissionDenied(
                _("Another person is logged in on this browser. Log in as yourself again.")
            )
        return authenticated


class TokenScheme(KnoxTokenScheme):
    """How the OpenAPI description names this login."""

    target_class = "projects.api.transport.TokenAuthentication"
    name = "token"


class SessionScheme(FrameworkSessionScheme):
    """The document is the same for all installations, whose cookies have names of their own."""

    target_class = "projects.api.transport.SessionAuthentication"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        description = "The session of the pages. The name ends in letters of the installation's own."
        return {"type": "apiKey", "in": "cookie", "name": "paragold-session", "description": description}


def is_surrogate_error(error: BaseException) -> bool:
    """Whether text could not be encoded because of a lone surrogate."""
    return isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed"


class BoundedJSONParser(JSONParser):
    """JSON of bounded depth without lone surrogates.

    Django bounds its size (DATA_UPLOAD_MAX_MEMORY_SIZE).
    """

    def parse(self, stream: IO[Any], media_type: Any = None, parser_context: Any = None) -> dict[str, Any]:
        try:
            body = stream.read()
            data: dict[str, Any] = super().parse(BytesIO(body), media_type, parser_context)
            # The body itself is ASCII or UTF-8; its escapes alone can hold lone surrogates.
            if SURROGATE.search(body):
                json.dumps(data, ensure_ascii=False).encode()
        except RecursionError:
            raise ParseError(_("The JSON is nested too deeply.")) from None
        except UnicodeEncodeError:
            raise ParseError(_(REFUSAL)) from None
        return data


class NdjsonParser(BaseParser):
    """Hands the body over unread, as {"stream": ...}: nothing is stored before permissions are checked."""

    media_type = "application/x-ndjson"

    def parse(self, stream: IO[Any], media_type: Any = None, parser_context: Any = None) -> dict[str, Any]:
        return {"stream": stream}


class RecordEncoder(JSONEncoder):
    """Writes the records of analyses field by field; a row of the database in them is an error."""

    def default(self, obj: Any) -> Any:
        if is_dataclass(obj):
            return {field.name: getattr(obj, field.name) for field in fields(obj)}
        return super().default(obj)


class JSONRenderer(renderers.JSONRenderer):
    """JSON in UTF-8; an answer that holds lone surrogates is written with ASCII escapes."""

    encoder_class = RecordEncoder

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        try:
            return super().render(data, accepted_media_type, renderer_context)
        except UnicodeEncodeError:
            return EscapingRenderer().render(data, accepted_media_type, renderer_context)


class EscapingRenderer(renderers.JSONRenderer):
    encoder_class = RecordEncoder
    ensure_ascii = True
