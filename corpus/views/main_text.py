"""Marking the blocks of pages as main text or not, training on the marks, choosing a method."""

from __future__ import annotations

import re

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from corpus.models import CorpusImport
from corpus.services.main_text import check_again, mark_page, page_of, train_main_text, waiting_for_a_method
from paragold.sources.pages.main_text_model import PAGES_NEEDED
from paragold.sources.pages.marking import numbers_in, ranges_of
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import FORM, POST, project_view, show_error, user_of

from .importing import wait_if_short

# Ticked boxes that a form may have as a field each: Django takes 1,000 fields.
MAX_BOXES = 900


@project_view(check_manage, FORM, refused=("import", "pk"))
def mark_blocks(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """One page of an import (`?page=`), its blocks as a list of switches."""
    source = get_object_or_404(project.imports.select_related("project"), pk=pk)
    number = _number((request.POST if request.method == "POST" else request.GET).get("page", "1"))
    shown = page_of(source, number)
    if request.method == "POST":
        if request.POST.get("sha256") != shown.sha256:
            raise PublicError("The page has changed meanwhile. Look at it again, then mark it.")
        story = _main_text_blocks(request, len(shown.blocks))
        mark_page(project=project, by=user_of(request), shown=shown, story=story)
        messages.success(request, f"The marks of {shown.name} are kept.")
        following = min(number + 1, len(shown.names))
        return redirect(reverse("import-pages", args=[project.slug, pk]) + f"?page={following}")
    context = {
        "project": project,
        "source": source,
        "shown": shown,
        "blocks": list(zip(shown.blocks, shown.marks, strict=True)),
        "story_blocks": sum(shown.marks),
        "ranges": ranges_of(shown.marks),
        "long": len(shown.blocks) > MAX_BOXES,
        "previous": number - 1,
        "next": number + 1 if number < len(shown.names) else 0,
        "total": len(shown.names),
        "marked_pages": project.marked_pages.count(),
        "needed": PAGES_NEEDED,
    }
    return render(request, "corpus/mark_blocks.html", context)


def _main_text_blocks(request: HttpRequest, blocks: int) -> list[int]:
    """The numbers, from 0, of the blocks of main text: ticked boxes, or all in one field as ranges from 1.

    A form of more fields than Django takes comes in the one field. Raises PublicError for what is no range.
    """
    if "blocks" not in request.POST:
        return [_number(value) for value in request.POST.getlist("story")]
    try:
        return numbers_in(request.POST["blocks"], blocks)
    except ValueError as error:
        raise PublicError(str(error)) from error


def _number(text: str) -> int:
    """A number of a form; what is none is as if no page or block had it."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text, re.ASCII) else -1


@project_view(check_manage, POST, refused=("import", "pk"))
def choose_method(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Find the main text of an import's pages again by `method`: a version, or nothing for trafilatura."""
    source: CorpusImport = get_object_or_404(project.imports, pk=pk)
    method = request.POST.get("method", "")
    trained = project.story_models.filter(version=_number(method)).first() if method else None
    if method and trained is None:
        raise PublicError("There is no such model. Train one, or choose another method.")
    again = check_again(source=source, by=user_of(request), trained=trained)
    wait_if_short(again.job)
    return redirect("import", project.slug, again.pk)


@project_view(check_manage, FORM)
def main_text(request: HttpRequest, project: Project) -> HttpResponse:
    """The pages whose blocks are marked, and the models trained on them; sent, it trains one."""
    if request.method == "POST":
        latest = project.story_models.order_by("-version").first()
        try:
            trained = train_main_text(project=project, by=user_of(request))
        except PublicError as error:
            show_error(request, error)
        else:
            if trained == latest:
                messages.info(request, f"Nothing has changed since {trained}.")
            else:
                messages.success(request, f"Trained: {trained}. Choose it when you import pages.")
        return redirect("main-text", project.slug)
    pages = [
        {"page": page, "blocks": len(page.marks), "story": sum(page.marks)}
        for page in project.marked_pages.select_related("marked_by").defer("blocks")
    ]
    context = {
        "project": project,
        "pages": pages,
        "models": project.story_models.select_related("trained_by").defer("numbers"),
        "waiting": waiting_for_a_method(project),
        "needed": PAGES_NEEDED,
        "lacking": max(0, PAGES_NEEDED - len(pages)),
    }
    return render(request, "corpus/main_text.html", context)


@project_view(check_manage, POST)
def forget_page(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Take a page's marks away. Models trained on it stay as they are."""
    page = get_object_or_404(project.marked_pages, pk=pk)
    page.delete()
    messages.info(request, f"The marks of {page.name} are taken away.")
    return redirect("main-text", project.slug)
