"""Presets that a project can extract with: those of the papers, and those that it saved itself."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction

from corpus.models import ProjectPreset
from paragold.extraction.criteria import EXTRACTION_METHODS, Criteria
from paragold.extraction.presets import PRESETS, Preset
from paragold.languages import language
from paragold.spec import SpecError, suggestion
from projects.errors import PublicError
from projects.models import Project
from projects.services.server_choices import check_encoder

NAME_LENGTH = 40


def presets_of(project: Project) -> dict[str, Preset]:
    """The presets by name: those of the papers, then the project's own."""
    own = project.presets.select_related("created_by")
    return {**PRESETS, **{preset.name: preset.as_preset() for preset in own}}


def find_preset(project: Project, name: str) -> Preset:
    """The preset called `name`. Raises PublicError with the nearest name when there is none."""
    if name in PRESETS:
        return PRESETS[name]
    known = presets_of(project)
    if name not in known:
        raise PublicError(
            "There is no preset %(name)s. %(suggestion)s",
            field="preset",
            name=name,
            suggestion=suggestion(name, known),
        )
    return known[name]


def criteria_from(project: Project, preset: str, settings: Mapping[str, object] | None) -> Criteria:
    """The criteria of a preset with some parameters replaced. Raises PublicError naming the parameter."""
    chosen = find_preset(project, preset)
    try:
        criteria = chosen.criteria.replace(**(settings or {}))
        # Without placeholders nothing depends on it.
        return criteria.replace(language=language(project.language).tag if criteria.placeholders else "en")
    except SpecError as error:
        raise PublicError(str(error), field=error.problems[0][0]) from error


def check_method(criteria: Criteria) -> None:
    """Raises PublicError where the method needs an encoder that is not here, or a folder is named."""
    by_meaning = EXTRACTION_METHODS.get(criteria.method).by_meaning
    check_encoder(criteria, criteria.encoder if by_meaning else "")


@transaction.atomic
def save_preset(
    *,
    project: Project,
    by: User | None,
    name: str,
    preset: str,
    settings: Mapping[str, object] | None = None,
) -> ProjectPreset:
    """Save a preset with some of its parameters replaced under a name of the project's own.

    The same name with the same parameters gives what is saved; with others it is refused, for a saved preset
    never changes.
    """
    # One project's presets are saved one after the other, so that a name is looked up and taken in one go.
    Project.objects.select_for_update().get(pk=project.pk)
    criteria = criteria_from(project, preset, settings)
    name = checked_name(name)
    own = {saved.name.casefold(): saved for saved in project.presets.all()}
    same = own.get(name.casefold())
    if same is not None:
        if same.name == name and Criteria(**same.criteria) == criteria:
            return same
        raise PublicError(
            "A preset called %(name)s is saved with other parameters. Choose another name, or delete "
            "that preset first. Its extractions are not affected.",
            field="preset_name",
            name=same.name,
        )
    made_from = next((saved.base for saved in own.values() if saved.name == preset), preset)
    return ProjectPreset.objects.create(
        project=project, name=name, base=made_from, criteria=criteria.as_json(), created_by=by
    )


def checked_name(name: str) -> str:
    """The name without white space around it. Raises PublicError when a preset cannot be called so."""
    name = " ".join(name.split())
    if not name or len(name) > NAME_LENGTH or not name.isprintable():
        raise PublicError(
            "A preset needs a name of 1 to %(limit)s characters that can be printed.",
            field="preset_name",
            limit=NAME_LENGTH,
        )
    if name.casefold() in {known.casefold() for known in PRESETS}:
        raise PublicError(
            "%(name)s is a preset of the papers. Choose another name.", field="preset_name", name=name
        )
    return name


def delete_preset(*, preset: ProjectPreset) -> None:
    """Forget a preset. Extractions keep the parameters that they were made with."""
    preset.delete()
