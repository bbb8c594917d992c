"""The language of the pages: the person's own choice, else this browser's, else what the browser asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import DjangoTranslation
from django.views.i18n import JavaScriptCatalog


def language_of_pages(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    """Middleware. Programs, which send a token, get English."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if "Authorization" in request.headers:
            language = settings.LANGUAGE_CODE
        else:
            own = getattr(request.user, "language", None)
            language = own or translation.get_language_from_request(request)
        with translation.override(language):
            response = get_response(request)
        patch_vary_headers(response, ["Accept-Language"])
        return response

    return answer


def in_language(choices: Iterable[tuple[Any, str]]) -> list[tuple[Any, Any]]:
    """Choices whose labels are marked for translation, in the language of the page that shows them."""
    return [(value, translation.gettext_lazy(label)) for value, label in choices]


def texts_of_scripts(request: HttpRequest) -> dict[str, Any]:
    """What static/js/shared/texts.js takes from the page; English is in the modules themselves."""
    return {"texts_of_scripts": _catalog(translation.get_language())}


@cache
def _catalog(language: str) -> dict[str, Any]:
    view = JavaScriptCatalog()
    folders = [str(path) for path in settings.LOCALE_PATHS]
    view.translation = DjangoTranslation(language, domain="djangojs", localedirs=folders)
    return view.get_catalog() if language != settings.LANGUAGE_CODE else {}
