"""A project's own presets: saved from the launch form, chosen there, deleted on the page of candidates."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from corpus.forms.extractions import ExtractionForm, parameter_rows
from corpus.services.extraction import extraction_cost
from corpus.services.presets import delete_preset, presets_of, save_preset
from paragold.extraction.presets import PRESETS, RECOMMENDED, Preset
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import project_view, user_of


def chosen_preset(request: HttpRequest, project: Project) -> Preset:
    """The preset of `?preset=`, or the recommended one."""
    known = presets_of(project)
    return known.get(request.GET.get("preset", ""), PRESETS[RECOMMENDED])


def launch_page(request: HttpRequest, project: Project, form: ExtractionForm) -> HttpResponse:
    """The page where an extraction is launched; 422 when the form was sent and cannot be used."""
    known = presets_of(project)
    criteria = form.preset.criteria
    if form.parameters_valid:
        criteria = criteria.with_settings(form.settings())
    context: dict[str, Any] = {
        "form": form,
        "preset": form.preset,
        "presets": [(preset, preset.name not in PRESETS) for preset in known.values()],
        "rows": parameter_rows([preset.criteria.settings() for preset in known.values()]),
        "clusters": project.clusters.of_corpus().count(),
        "costs": [("With the parameters above", extraction_cost(project, criteria))],
    }
    return render(request, "corpus/extraction_new.html", context, status=422 if form.is_bound else 200)


@require_POST
@project_view(check_manage)
def new_preset(request: HttpRequest, project: Project) -> HttpResponse:
    """Save the parameters of the launch form under a name."""
    form = ExtractionForm(request.POST, preset=chosen_preset(request, project))
    if form.is_valid():
        try:
            saved = save_preset(
                project=project,
                by=user_of(request),
                name=form.cleaned_data["preset_name"],
                preset=form.preset.name,
                settings=form.settings(),
            )
        except PublicError as error:
            form.add_error(error.field if error.field in form.fields else None, str(error))
        else:
            messages.success(request, f"The preset {saved.name} is saved. It can be chosen like any other.")
            query = urlencode({"preset": saved.name})
            return redirect(f"{reverse('extraction-new', args=[project.slug])}?{query}")
    return launch_page(request, project, form)


@require_POST
@project_view(check_manage)
def preset_delete(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    preset = get_object_or_404(project.presets, pk=pk)
    delete_preset(preset=preset)
    messages.info(request, f"The preset {preset.name} is deleted. What was extracted with it stays.")
    return redirect("candidates", project.slug)
