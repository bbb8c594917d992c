"""Forms of the page on which links are imported."""

from __future__ import annotations

from typing import Any, cast

from django import forms

from annotation.forms import OrderedForm, annotators_of
from annotation.models import BatchKind
from corpus.forms.importing import ENCODINGS
from paragold.formats.links.registry import LINK_FORMATS
from projects.models import Project

MEGABYTES_AT_MOST = 20
GOLD = "gold"
# A user name may be "gold" too.
ANNOTATOR = "annotator:"


class LinkImportChoices(OrderedForm):
    """What is to become of an uploaded file."""

    order = ("file", "format", "source", "target", "encoding", "batch", "whose")

    format = forms.ChoiceField(
        required=False,
        choices=lambda: [("", "By the content of the file"), *LINK_FORMATS.choices()],
    )
    batch = forms.CharField(
        max_length=80,
        help_text="A new name makes a batch of the pairs in the file; that of an imported batch adds to it.",
    )
    encoding = forms.ChoiceField(
        choices=ENCODINGS, initial="utf-8", required=False, help_text="What the files were written in."
    )
    whose = forms.ChoiceField(label="Whose links are they?")

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = [user.username for user in annotators_of(project)]
        cast(forms.ChoiceField, self.fields["whose"]).choices = [
            *((f"{ANNOTATOR}{name}", name) for name in people),
            (GOLD, "Nobody in this project: gold, decided elsewhere"),
        ]
        imported = project.batches.current().filter(kind=BatchKind.LINK, corpus_import__isnull=False)
        self.imported = list(imported.values_list("name", flat=True))
        self.fields["batch"].widget.attrs["list"] = "imported-batches"

    @property
    def annotator(self) -> str | None:
        """The user name, None for gold. Only of a valid form."""
        whose: str = self.cleaned_data["whose"]
        return None if whose == GOLD else whose.removeprefix(ANNOTATOR)


class LinkImportForm(LinkImportChoices):
    """The same with the files themselves."""

    file = forms.FileField(label="Links", max_length=255, allow_empty_file=True)
    source = forms.FileField(
        label="First sentences",
        required=False,
        max_length=255,
        allow_empty_file=True,
        help_text="For formats that hold no text: one a line, tokens separated by spaces.",
    )
    target = forms.FileField(
        label="Second sentences", required=False, max_length=255, allow_empty_file=True, help_text="Likewise."
    )

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        for name in ("file", "source", "target"):
            if fields.get(name) and fields[name].size > MEGABYTES_AT_MOST << 20:
                self.add_error(
                    name,
                    f"This file is larger than {MEGABYTES_AT_MOST} MB. Split it, or use "
                    "`manage.py import_links` on the server, which has no such limit.",
                )
        if bool(fields.get("source")) != bool(fields.get("target")):
            self.add_error("target", "Give the sentences of both sides, or of none.")
        return fields
