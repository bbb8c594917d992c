"""The page that explains the terms of the field."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from projects.glossary import glossary as groups


@require_safe
def glossary(request: HttpRequest) -> HttpResponse:
    return render(request, "projects/glossary.html", {"groups": groups()})
