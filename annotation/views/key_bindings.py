"""The page on which a person chooses keys."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from annotation.services.key_bindings import own_keys
from annotation.shortcuts import PAGES, shown, shown_keys


@require_safe
@ensure_csrf_cookie
def key_bindings(request: HttpRequest) -> HttpResponse:
    own = own_keys(request.user)
    pages = []
    for name, page in PAGES.items():
        mine = own.get(name, {})
        rows = [
            {
                "shortcut": shortcut,
                "keys": [shown(key) for key in shown_keys(shortcut, mine)],
                "default": [shown(key) for key in shown_keys(shortcut, {})],
                "own": mine.get(shortcut.action, ""),
            }
            for shortcut in page.shortcuts
        ]
        pages.append((name, page, rows))
    return render(request, "annotation/key_bindings.html", {"pages": pages})
