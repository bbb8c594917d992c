"""Choosing a file of articles, or a list of addresses."""

from __future__ import annotations

from typing import Any

from django import forms

from paragold.events.settings import EventSpec
from paragold.formats.tables import TableHead
from paragold.sources.articles.table import FIELDS, NEEDED, NEEDED_OF_A_STREAM, usual_mapping
from projects.forms.spec_form import SpecForm

ENCODINGS = (
    ("utf-8", "UTF-8"),
    ("utf-16", "UTF-16 with a byte order mark"),
    ("utf-16-le", "UTF-16, little-endian"),
    ("utf-16-be", "UTF-16, big-endian"),
    ("iso-8859-1", "Latin-1 (ISO 8859-1)"),
    ("windows-1252", "Western European (Windows-1252)"),
    ("iso-8859-2", "Central European (ISO 8859-2)"),
    ("windows-1250", "Central European (Windows-1250)"),
    ("iso-8859-5", "Cyrillic (ISO 8859-5)"),
    ("windows-1251", "Cyrillic (Windows-1251)"),
    ("koi8-r", "Cyrillic (KOI8-R)"),
    ("windows-1253", "Greek (Windows-1253)"),
    ("windows-1254", "Turkish (Windows-1254)"),
    ("windows-1255", "Hebrew (Windows-1255)"),
    ("windows-1256", "Arabic (Windows-1256)"),
    ("gb18030", "Chinese (GB 18030)"),
    ("big5", "Chinese (Big5)"),
    ("shift_jis", "Japanese (Shift JIS)"),
    ("euc-jp", "Japanese (EUC-JP)"),
    ("euc-kr", "Korean (EUC-KR)"),
)


class UploadForm(forms.Form):
    # Before the file, so that it is known even when the upload is stopped for its size.
    encoding = forms.ChoiceField(
        choices=ENCODINGS,
        initial="utf-8",
        help_text="What the file was written in. A byte order mark is recognised; nothing else is guessed.",
    )
    file = forms.FileField(
        label="Articles",
        max_length=255,
        allow_empty_file=True,  # the importer says what an empty file lacks
        widget=forms.FileInput(attrs={"accept": ".jsonl,.ndjson,.json,.csv,.tsv,.zip"}),
    )


LABELS = {
    "cluster_id": "Cluster: articles on the same event have the same",
    "id": "Article, a name that is used once in its cluster",
    "text": "Text",
    "title": "Title",
    "source": "Source, the outlet",
    "url": "Address (URL)",
    "published": "Date, as 2004-08-31",
}


class EventsForm(SpecForm):
    """Whether clusters are to be found, and how; what is left empty has its default."""

    spec_class = EventSpec
    leave_out = ("language", "title_weight", "name_weight")
    find_clusters = forms.BooleanField(
        label="Find the clusters",
        required=False,
        help_text="The articles are a stream: each has a date and an id of its own. Given clusters are "
        "passed over; articles may join clusters that are in the corpus already.",
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        self.fields["threshold"].required = False

    def clean(self) -> dict[str, Any]:
        self.cleaned_data = {name: one for name, one in self.cleaned_data.items() if one is not None}
        return super().clean()

    def chosen(self, language: str) -> EventSpec | None:
        """How clusters are to be found, if they are. Only of a valid form."""
        return self.spec.replace(language=language) if self.cleaned_data["find_clusters"] else None


class ColumnsForm(forms.Form):
    """Which column of a table is which field of an article; of a stream no cluster is asked for."""

    prefix = "column"

    def __init__(self, head: TableHead, data: Any = None, *, stream: bool = False) -> None:
        super().__init__(data, initial=usual_mapping(head.columns))
        columns = [(column, column) for column in head.columns]
        for field in FIELDS:
            if stream and field == "cluster_id":
                continue
            needed = field in (NEEDED_OF_A_STREAM if stream else NEEDED)
            empty = ("", "Choose a column" if needed else "None")
            self.fields[field] = forms.ChoiceField(
                label=LABELS[field], choices=[empty, *columns], required=needed
            )

    @property
    def mapping(self) -> dict[str, str]:
        """Field -> column, for the fields that were given one. Only of a valid form."""
        return {field: column for field, column in self.cleaned_data.items() if column}


class AddressListForm(forms.Form):
    encoding = forms.ChoiceField(
        choices=ENCODINGS, initial="utf-8", help_text="What the list was written in."
    )
    file = forms.FileField(
        label="Addresses",
        max_length=255,
        allow_empty_file=True,  # the reader says what an empty file lacks
        help_text="A CSV or TSV with the columns cluster and url, a text with an address on each line, or a "
        "zip of such texts, one for each cluster.",
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.zip"}),
    )
