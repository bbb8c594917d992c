"""Forms of the page that takes in judgements from a file."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.forms import annotators_of
from annotation.services.imported_pairs import LONGEST_NAME
from corpus.forms.importing import ENCODINGS
from paragold.formats.judgements.judged_pairs import AUTO, HIGHEST_SIMILARITY, JUDGEMENT_FORMATS, Reading
from projects.models import Project


class JudgementsUploadForm(forms.Form):
    file = forms.FileField(
        help_text="MSR Paraphrase Corpus; label or similarity and two sentences, separated by tabs; or JSONL."
    )
    encoding = forms.ChoiceField(
        choices=ENCODINGS, initial="utf-8", help_text="What the file was written in."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **({"label_suffix": ""} | kwargs))


def similarity(label: str, help_text: str) -> forms.FloatField:
    return forms.FloatField(
        required=False, min_value=0, max_value=HIGHEST_SIMILARITY, label=label, help_text=help_text
    )


class JudgementsForm(forms.Form):
    """How an uploaded file is read, and what it becomes."""

    become = forms.ChoiceField(
        label="It becomes",
        widget=forms.RadioSelect,
        choices=[
            ("gold", "A gold set: its labels are final"),
            ("annotator", "What an annotator said: to be compared, reviewed and frozen with others'"),
        ],
        initial="gold",
    )
    name = forms.CharField(
        max_length=LONGEST_NAME,
        help_text="Of the gold set; a name that exists gets its next version. Or of the batch: a new one is "
        "made of these pairs; in one that exists the pairs are found by their texts.",
    )
    annotator = forms.ChoiceField(required=False, help_text="Whose judgements these are.")
    format = forms.ChoiceField(
        choices=lambda: [(AUTO, "As the file looks"), *JUDGEMENT_FORMATS.choices()],
    )
    threshold = similarity("Paraphrase from similarity", "0 to 5, for files of similarities.")
    partial_threshold = similarity(
        "Partial paraphrase from similarity",
        "Leave empty for two labels; otherwise pairs below this are unrelated.",
    )
    judge = forms.CharField(
        required=False,
        max_length=100,
        label="Judge",
        help_text="A pseudonym in an export's pairs.jsonl whose judgements are read; empty: the gold labels.",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **({"label_suffix": ""} | kwargs))
        people = [user.username for user in annotators_of(project)]
        self.fields["annotator"] = forms.ChoiceField(
            required=False,
            choices=[("", "Nobody"), *((name, name) for name in people)],
            help_text="Whose judgements these are, if they become an annotator's.",
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("become") == "annotator" and not cleaned.get("annotator"):
            self.add_error("annotator", "Choose whose judgements these are.")
        try:
            self.reading = Reading(
                format=cleaned.get("format") or AUTO,
                threshold=cleaned.get("threshold"),
                partial_threshold=cleaned.get("partial_threshold"),
                judge=cleaned.get("judge", ""),
            )
        except ValueError as error:
            field, _, message = str(error).partition(": ")
            self.add_error(field, message[:1].upper() + message[1:] + ".")
        return cleaned

    @property
    def whose(self) -> str | None:
        """The username of the annotator that they become; None for a gold set."""
        return self.cleaned_data["annotator"] if self.cleaned_data["become"] == "annotator" else None
