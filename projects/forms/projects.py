"""A project's settings, when it is made and later."""

from __future__ import annotations

from copy import copy
from typing import Any, ClassVar

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_noop as _

from paragold.formats.publishing import LICENCES
from projects.guidelines import guidelines_of
from projects.interface_language import in_language
from projects.language_choices import HELP, SECOND_HELP, language_choices
from projects.models import Project, Scheme
from projects.services.projects import FIXED_BY_IMPORT, SETTINGS

# Addresses under /projects/ that are no project.
RESERVED = frozenset({"new"})


class LicenceInput(forms.TextInput):
    """A field for a licence, with the usual ones of data sets as suggestions."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        list_id = f"{name}-suggestions"
        field = super().render(name, value, (attrs or {}) | {"list": list_id}, renderer)
        options = format_html_join("", '<option value="{}">', ((licence,) for licence in LICENCES))
        return format_html('{}<datalist id="{}">{}</datalist>', field, list_id, options)


class ProjectSettingsForm(forms.ModelForm):
    """What may change while a project lives; `project` is not changed, its copy is."""

    class Meta:
        model = Project
        fields = SETTINGS
        widgets = {
            "overlap": forms.NumberInput(attrs={"min": 1, "max": 20}),
            "held_out_share": forms.NumberInput(attrs={"min": 0, "max": 0.9, "step": 0.05}),
            "near_duplicate_share": forms.NumberInput(attrs={"min": 0.1, "max": 1, "step": 0.05}),
            "licence": LicenceInput,
            "authors": forms.Textarea(attrs={"rows": 2, "dir": "auto"}),
            "guidelines": forms.Textarea(attrs={"rows": 16, "dir": "auto"}),
        }

        help_texts: ClassVar[dict[str, str]] = {
            "guidelines": _(
                "What counts as a paraphrase and which links are sure, in Markdown. Annotators see it "
                "beside every pair. The default text follows the judging scheme and the language."
            ),
        }

    def __init__(self, data: Any = None, *, project: Project | None = None) -> None:
        initial = None if project else {"guidelines": guidelines_of(Scheme.BINARY, "en")}
        super().__init__(data, instance=copy(project) if project else None, initial=initial)
        for name in ("scheme", "gold_rule", "count_phenomena"):
            choice: Any = self.fields[name]
            choice.choices = in_language(choice.choices)
        field = self.fields["language"]
        self.fields["language"] = forms.ChoiceField(
            label=field.label,
            choices=language_choices(project.language if project else ""),
            initial="en",
            help_text=HELP,
        )
        self.fields["second_language"] = forms.ChoiceField(
            label=self.fields["second_language"].label,
            choices=[
                ("", gettext("None: one language")),
                *language_choices(project.second_language if project else ""),
            ],
            required=False,
            help_text=SECOND_HELP,
        )
        if project is not None and project.clusters.exists():
            for name in FIXED_BY_IMPORT:
                self.fields[name].disabled = True
                self.fields[name].help_text = gettext(
                    "Cannot be changed: clusters were imported with this value."
                )

    def settings(self) -> dict[str, Any]:
        """The cleaned values, as the services take them."""
        return {name: self.cleaned_data[name] for name in SETTINGS if name in self.fields}


class NewProjectForm(ProjectSettingsForm):
    slug = forms.SlugField(
        label=_("Address"),
        required=False,
        max_length=60,
        help_text=_(
            "Part of the project's web addresses: letters, digits and hyphens. Leave empty to make "
            "it from the name."
        ),
    )

    field_order = ["name", "slug"]

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        del self.fields["held_out_share"]  # asked at the first import, which fixes it

    def settings(self) -> dict[str, Any]:
        return {"slug": self.cleaned_data["slug"], **super().settings()}

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if "slug" not in self.errors and "name" in cleaned:
            cleaned["slug"] = cleaned.get("slug") or slugify(cleaned["name"])[:60].strip("-")
            if not cleaned["slug"]:
                self.add_error(
                    "slug", gettext("The address cannot be made from this name. Write one in Latin letters.")
                )
            elif cleaned["slug"] in RESERVED:
                self.add_error(
                    "slug",
                    gettext("The address %(slug)r is reserved. Choose another.") % {"slug": cleaned["slug"]},
                )
        return cleaned
