"""A project's settings, when it is made and later, and giving somebody a role in it."""

from __future__ import annotations

from copy import copy
from typing import Any, ClassVar

from django import forms
from django.utils.text import slugify

from projects.guidelines import guidelines_of
from projects.models import Project, Role, Scheme
from projects.services.projects import FIXED_BY_IMPORT, SETTINGS

# Addresses under /projects/ that are no project.
RESERVED = frozenset({"new"})


class ProjectSettingsForm(forms.ModelForm):
    """What may change while a project lives; `project` is not changed, its copy is."""

    class Meta:
        model = Project
        fields = SETTINGS
        widgets = {
            "overlap": forms.NumberInput(attrs={"min": 1, "max": 20}),
            "held_out_share": forms.NumberInput(attrs={"min": 0, "max": 0.9, "step": 0.05}),
            "near_duplicate_share": forms.NumberInput(attrs={"min": 0.1, "max": 1, "step": 0.05}),
            "guidelines": forms.Textarea(attrs={"rows": 16, "dir": "auto"}),
        }

        help_texts: ClassVar[dict[str, str]] = {
            "guidelines": "What counts as a paraphrase here, and which links are sure. Markdown; annotators "
            "see it beside every pair. A text that nobody has changed follows the judging scheme.",
        }

    def __init__(self, data: Any = None, *, project: Project | None = None) -> None:
        initial = None if project else {"guidelines": guidelines_of(Scheme.BINARY)}
        super().__init__(data, instance=copy(project) if project else None, initial=initial)
        if project is not None and project.clusters.exists():
            for name in FIXED_BY_IMPORT:
                self.fields[name].disabled = True
                self.fields[name].help_text = "Fixed: clusters were imported with this value."

    def settings(self) -> dict[str, Any]:
        """The cleaned values, as the services take them."""
        return {name: self.cleaned_data[name] for name in SETTINGS}


class NewProjectForm(ProjectSettingsForm):
    slug = forms.SlugField(
        label="Address",
        required=False,
        max_length=60,
        help_text="Letters, digits and hyphens; part of every link. If empty, it is made from the name.",
    )

    field_order = ["name", "slug"]

    def settings(self) -> dict[str, Any]:
        return {"slug": self.cleaned_data["slug"], **super().settings()}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if "slug" not in self.errors and "name" in cleaned:
            cleaned["slug"] = cleaned.get("slug") or slugify(cleaned["name"])[:60].strip("-")
            if not cleaned["slug"]:
                self.add_error("slug", "No address can be made of this name; write one in Latin letters.")
            elif cleaned["slug"] in RESERVED:
                self.add_error(
                    "slug", f"The address {cleaned['slug']!r} is the program's own; choose another."
                )
        return cleaned


class MemberForm(forms.Form):
    username = forms.CharField(
        max_length=150, widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"})
    )
    role = forms.ChoiceField(choices=Role.choices, initial=Role.ANNOTATOR)
