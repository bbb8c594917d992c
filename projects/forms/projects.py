"""A project's settings, when it is made and later, and giving somebody a role in it."""

from __future__ import annotations

import re
from copy import copy
from typing import Any

from django import forms
from django.utils.text import slugify

from projects.models import Project, Role

LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
# Addresses under /projects/ that are no project.
RESERVED = frozenset({"new"})
FIXED_BY_IMPORT = ("language", "held_out_share", "seed")


class ProjectSettingsForm(forms.ModelForm):
    """What may change while a project lives; `project` is not changed, its copy is."""

    class Meta:
        model = Project
        fields = [
            "name",
            "language",
            "scheme",
            "overlap",
            "gold_rule",
            "asks_phenomena",
            "held_out_share",
            "seed",
            "near_duplicate_share",
            "guidelines",
        ]
        labels = {
            "scheme": "Judging scheme",
            "overlap": "Overlap",
            "gold_rule": "Gold rule",
            "asks_phenomena": "Ask for phenomena",
            "held_out_share": "Held-out share",
            "near_duplicate_share": "Leave out near duplicates",
        }
        help_texts = {
            "language": "BCP 47 tag of the text, such as en, de or pt-BR.",
            "overlap": "How many annotators judge each pair: 1 to 20.",
            "gold_rule": "How the judgements of one pair become its gold label.",
            "asks_phenomena": "In new batches annotators count elaborations, synonyms and the like in the "
            "pairs that they call paraphrases. Each batch can do otherwise.",
            "held_out_share": "Share of the clusters kept apart for testing: 0 to 0.9.",
            "seed": "Decides, with a cluster's key, whether it is held out.",
            "near_duplicate_share": "An article that has this share of its text in common with one of its "
            "cluster is left out at the import and counted: 0.1 to 1, such as 0.8. Empty: none is.",
            "guidelines": "What counts as a paraphrase here. Markdown; annotators see it beside every pair.",
        }
        widgets = {
            "overlap": forms.NumberInput(attrs={"min": 1, "max": 20}),
            "held_out_share": forms.NumberInput(attrs={"min": 0, "max": 0.9, "step": 0.05}),
            "near_duplicate_share": forms.NumberInput(attrs={"min": 0.1, "max": 1, "step": 0.05}),
            "guidelines": forms.Textarea(attrs={"rows": 16, "dir": "auto"}),
        }

    def __init__(self, data: Any = None, *, project: Project | None = None) -> None:
        super().__init__(data, instance=copy(project) if project else None)
        if project is not None and project.clusters.exists():
            for name in FIXED_BY_IMPORT:
                self.fields[name].disabled = True
                self.fields[name].help_text = "Fixed: clusters were imported with this value."

    def settings(self) -> dict[str, Any]:
        """The cleaned values, as the services take them."""
        return {name: self.cleaned_data[name] for name in ProjectSettingsForm.Meta.fields}

    def clean_language(self) -> str:
        tag: str = self.cleaned_data["language"]
        if not LANGUAGE_TAG.fullmatch(tag):
            raise forms.ValidationError("This is no language tag; write one such as en, de or pt-BR.")
        return tag

    def clean_overlap(self) -> int:
        overlap: int = self.cleaned_data["overlap"]
        if not 1 <= overlap <= 20:
            raise forms.ValidationError("Each pair is judged by 1 to 20 people.")
        return overlap

    def clean_held_out_share(self) -> float:
        share: float = self.cleaned_data["held_out_share"]
        if not 0 <= share <= 0.9:
            raise forms.ValidationError("The share is from 0 (none) to 0.9.")
        return share

    def clean_near_duplicate_share(self) -> float | None:
        share: float | None = self.cleaned_data["near_duplicate_share"]
        if share is not None and not 0.1 <= share <= 1:
            raise forms.ValidationError("The share is from 0.1 to 1; empty for none.")
        return share


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
