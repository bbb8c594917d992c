"""Importing links: upload, preview, import."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse

from alignment.forms import MAX_MEGABYTES, LinkImportChoices, LinkImportForm
from alignment.services.gold_links import rows_from_links
from alignment.services.link_import import LinkFiles, LinkImport, import_links
from corpus.services.uploads import Upload, kept_for
from corpus.views.uploads import SizeLimit, bounded_upload, find_upload, keep_upload
from paragold.formats.answers import CHOOSE_NOBODY, CHOOSE_ONE
from paragold.formats.link_files import LINK_FORMATS
from paragold.formats.tables import CHOOSE_IT
from paragold.metrics.links import LinkedPair
from paragold.problems import FileProblem
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import initial_from, project_view, show_field_error, user_of

from .ladder import Ladder, ladder

PAIRS_SHOWN = 5
FILES = ("file", "source", "target")
CHOICES = ("format", "encoding", "batch", "whose", "annotators", "judge", "columns")


@bounded_upload
@project_view(check_manage)
def link_import(request: HttpRequest, project: Project, limit: SizeLimit) -> HttpResponse:
    if "confirm" in request.POST or "discard" in request.POST:
        return _decide(request, project)
    if request.method == "POST":
        return _receive(request, project, limit)
    if "file" in request.GET:
        return _preview(request, project)
    initial = initial_from(request, "batch", "whose")
    return _page(request, {"form": LinkImportForm(project=project, initial=initial)})


def _receive(request: HttpRequest, project: Project, limit: SizeLimit) -> HttpResponse:
    form = LinkImportForm(request.POST, request.FILES, project=project)
    if limit.exceeded:
        form.errors.pop("file", None)
        form.add_error("file", f"These files are too large: at most {MAX_MEGABYTES} MB each.")
    if not form.is_valid():
        return _page(request, {"form": form}, status=422)
    kept = {
        name: keep_upload(
            file, encoding=form.cleaned_data["encoding"] or "utf-8", project=project, user=request.user
        ).token
        for name in FILES
        if (file := form.cleaned_data[name])
    }
    chosen = {name: form.cleaned_data[name] for name in CHOICES if name != "columns"}
    chosen["columns"] = form.data.get("columns", "")
    return _to_preview(project, kept | chosen)


def _to_preview(project: Project, fields: dict[str, Any]) -> HttpResponseRedirect:
    return redirect(f"{reverse('link-import', args=[project.slug])}?{urlencode(fields, doseq=True)}")


def _preview(request: HttpRequest, project: Project) -> HttpResponse:
    """What an import would do: it is done and rolled back."""
    uploads = _uploads(request, project, request.GET)
    if uploads is None:
        return redirect("link-import", project.slug)
    form = LinkImportChoices(request.GET, project=project)
    context = {"form": form, "uploads": uploads, "filename": uploads["file"].filename}
    if form.is_valid():
        try:
            preview = _import(request, project, form, uploads, check=True)
        except FileProblem as error:
            context |= {"problem": error, "choose_judge": error.remedy in (CHOOSE_ONE, CHOOSE_NOBODY)}
            named = bool(form.cleaned_data["columns"])
            context["choose_columns"] = named or error.remedy.startswith(CHOOSE_IT)
        except PublicError as error:
            show_field_error(form, error)
        else:
            context |= {"preview": preview, "sample": [_drawn(pair) for pair in preview.pairs[:PAIRS_SHOWN]]}
            context |= {"whose": form.annotator, "suggest_to": form.suggest_to}
    return _page(request, context, status=200 if "preview" in context else 422)


def _decide(request: HttpRequest, project: Project) -> HttpResponse:
    """Import what was previewed, or throw it away."""
    uploads = _uploads(request, project, request.POST)
    if uploads is None:
        return redirect("link-import", project.slug)
    if "discard" in request.POST:
        _remove(uploads)
        messages.info(request, "The upload is discarded; nothing was imported.")
        return redirect("link-import", project.slug)
    form = LinkImportChoices(request.POST, project=project)
    try:
        imported = _import(request, project, form, uploads) if form.is_valid() else None
    except (FileProblem, PublicError):
        imported = None
    if imported is None:
        # Something changed since the preview, which shows it.
        fields = [*FILES, *CHOICES]
        return _to_preview(project, {name: request.POST.getlist(name) for name in fields})
    _remove(uploads)
    filename = uploads["file"].filename
    if imported.status == "unchanged":
        messages.info(request, f"Nothing changed: the links of {filename} are there already.")
    else:
        messages.success(request, f"{filename} is imported: {len(imported.pairs):,} pairs with their links.")
    if imported.gold_set is not None:
        return redirect("gold-links", project.slug, imported.gold_set.pk)
    return redirect("link-detail", project.slug, imported.batch.pk)


def _import(
    request: HttpRequest,
    project: Project,
    form: LinkImportChoices,
    uploads: dict[str, Upload],
    *,
    check: bool = False,
) -> LinkImport:
    fields = form.cleaned_data
    return import_links(
        project=project,
        by=user_of(request),
        files=LinkFiles(
            **{name: upload.path for name, upload in uploads.items()},
            format_name=fields["format"] or None,
            encoding=fields["encoding"] or "utf-8",
            names={name: upload.filename for name, upload in uploads.items()},
            judge=fields["judge"],
            columns=fields["columns"],
        ),
        batch_name=fields["batch"],
        annotator=form.annotator,
        suggest_to=form.suggest_to,
        check=check,
    )


def _uploads(request: HttpRequest, project: Project, tokens: QueryDict) -> dict[str, Upload] | None:
    """The files that are gone on with; None, and a message, when they are there no more."""
    given = {name: str(tokens[name]) for name in FILES if tokens.get(name)}
    try:
        if "file" not in given:
            raise Http404("No file was uploaded.")
        return {name: find_upload(token, project=project, user=request.user) for name, token in given.items()}
    except Http404:
        messages.warning(
            request,
            f"That upload is no longer here: it was imported, discarded, or older than {kept_for()}. Nothing "
            "was imported just now; upload the file again.",
        )
        return None


def _remove(uploads: dict[str, Upload]) -> None:
    for upload in uploads.values():
        upload.remove()


def _drawn(pair: LinkedPair) -> tuple[LinkedPair, Ladder]:
    return pair, ladder(pair.tokens.source, pair.tokens.target, rows_from_links(pair.links))


def _page(request: HttpRequest, context: dict[str, object], *, status: int = 200) -> HttpResponse:
    context |= {"limit": MAX_MEGABYTES, "formats": LINK_FORMATS}
    return render(request, "alignment/link_import.html", context, status=status)
