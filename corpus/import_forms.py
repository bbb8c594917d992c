"""Forms of imports: the files with how they are read, the same beside what a check has found, the end."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy, gettext_noop as _

from corpus.forms import ENCODINGS, RECOMMENDED_HELD_OUT
from corpus.services.importing import ImportKind
from paragold.extraction.presets import RECOMMENDED
from paragold.problems import shortened
from projects.forms.spec_form import SpecForm
from projects.interface_language import in_language
from projects.models import Project

COLUMN = "column-"
NO_COLUMN = "-"
NAME_CHARACTERS = 200
# The choices of these say it all; the help is for those who write the value.
EXPLAINED = ("file_format", "whose")


class ImportForm(SpecForm):
    """The parameters of a kind of import, before them the files, behind them the columns of a table.

    `head` are the names of the columns and the cells of the first line; without it no column is asked for.
    """

    kind: ClassVar[ImportKind]

    def __init__(
        self,
        *args: Any,
        project: Project | None,
        head: tuple[list[str], list[str]] = ([], []),
        files: bool = True,
        required: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.required = False
        choices = {"encoding": in_language(ENCODINGS), **self.kind.choices(project)}
        for name, offered in choices.items():
            old, several = self.fields[name], name in self.kind.several
            field_class: Any = forms.MultipleChoiceField if several else forms.ChoiceField
            widget: Any = forms.CheckboxSelectMultiple if several else forms.Select
            self.fields[name] = field_class(
                choices=offered,
                required=False,
                widget=widget,
                initial=old.initial,
                label=old.label,
                help_text="" if name in EXPLAINED else old.help_text,
            )
            if len(offered) < 2 and not several:
                del self.fields[name]
        self.known = self.kind.known_names(project) if project else {}
        for name in self.known:
            self.fields[name].widget.attrs["list"] = f"known-{name}"
        for part, (label, help_text) in self.kind.parts.items() if files else ():
            self.fields[part] = forms.FileField(
                label=label,
                help_text=help_text,
                required=required and part == "file",
                max_length=255,
                allow_empty_file=True,  # the check says what an empty file lacks
            )
        names, cells = head
        columns = [
            ("", gettext("By its usual name")),
            (NO_COLUMN, gettext("None")),
            (gettext("Called"), [(name, shortened(name)) for name in names if len(name) <= NAME_CHARACTERS]),
            (
                gettext("Without a header"),
                [(str(n), f"{n}: {cell}") for n, cell in enumerate(cells, start=1)],
            ),
        ]
        for name, label in self.kind.columns.items() if names or cells else ():
            self.fields[f"{COLUMN}{name}"] = forms.ChoiceField(
                label=label, required=False, choices=[choice for choice in columns if choice[1]]
            )

    def clean(self) -> dict[str, Any]:
        for name, value in list(self.cleaned_data.items()):
            if value in (None, ""):
                del self.cleaned_data[name]  # what is left empty has its default
            elif isinstance(value, list):
                self.cleaned_data[name] = ",".join(value)
        for part in self.kind.parts:
            file = self.cleaned_data.get(part)
            if file and file.size > self.kind.megabytes << 20:
                self.add_error(part, self.kind.too_large)
        return super().clean()

    @property
    def columns(self) -> dict[str, str]:
        """Field -> column, "" for fields that are left out. Only of a valid form."""
        chosen = {
            name.removeprefix(COLUMN): value
            for name, value in self.cleaned_data.items()
            if name.startswith(COLUMN) and value
        }
        return {name: "" if value == NO_COLUMN else value for name, value in chosen.items()}

    def options(self, project: Project) -> dict[str, Any]:
        """As `launch_check` takes them. Only of a valid form."""
        return self.kind.options(self.spec, self.columns, project)

    @property
    def file_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.kind.parts if name in self.fields]

    @property
    def first_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.kind.on_page if name in self.fields]

    @property
    def column_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(COLUMN)]

    @property
    def other_fields(self) -> list[forms.BoundField]:
        shown = {field.name for field in (*self.file_fields, *self.first_fields, *self.column_fields)}
        return [self[name] for name in self.fields if name not in shown]

    @property
    def has_other_errors(self) -> bool:
        return any(field.errors for field in self.other_fields)


def import_form(kind: ImportKind, *args: Any, **kwargs: Any) -> ImportForm:
    """The form of a kind."""
    about = {"kind": kind, "spec_class": kind.spec, "leave_out": (*kind.leave_out, *kind.not_on_page)}
    form: ImportForm = type("ImportFormOfKind", (ImportForm,), about)(*args, **kwargs)
    return form


class ConfirmForm(forms.Form):
    """Choices at the import of checked articles; before the first import, the share that is held out."""

    held_out_share = forms.FloatField(
        label=_("Held-out share"),
        required=False,
        min_value=0,
        max_value=0.9,
        widget=forms.NumberInput(attrs={"min": 0, "max": 0.9, "step": 0.05}),
        help_text=format_lazy(
            gettext_lazy(
                "Share of the clusters kept apart for testing classifiers and aligners. Recommended: "
                "{share}; 0 for none. It cannot be changed after this import."
            ),
            share=RECOMMENDED_HELD_OUT,
        ),
    )
    extract = forms.BooleanField(
        label=format_lazy(
            gettext_lazy("Then extract candidate pairs with the recommended preset ({preset})"),
            preset=RECOMMENDED,
        ),
        required=False,
        help_text=_("Starts by itself when the import is done. Other presets can be added under Candidates."),
    )

    def __init__(self, data: Any = None, *, project: Project, kind: ImportKind) -> None:
        share = project.held_out_share or RECOMMENDED_HELD_OUT
        first = not project.extractions.exists()
        super().__init__(data, initial={"held_out_share": share, "extract": first}, label_suffix="")
        if not kind.grows_corpus:
            self.fields.clear()
        elif project.clusters.exists():
            del self.fields["held_out_share"]
