"""Forms of the linking, gold, scoring, import and export pages. What they ask for is done by the services."""

from __future__ import annotations

from typing import Any, cast

from django import forms

from alignment.models import GoldAlignmentSet
from alignment.services.batches import suggester_choices
from alignment.services.gold_files import formats as gold_formats
from alignment.services.gold_links import RULES, STRENGTHS
from alignment.services.trained_aligners.stored import reference
from alignment.specs import DatasetExportSpec, GoldExportSpec
from annotation.forms import LARGEST, BatchForm, FreezeForm, OrderedForm
from annotation.models import Batch, BatchKind, GoldSet, Label
from corpus.forms import ENCODINGS
from paragold.aligners.registry import untrained_ids
from paragold.formats.link_files import LINK_FORMATS
from projects.forms.projects import LicenceInput
from projects.forms.spec_form import SpecForm
from projects.models import Project

MERGING = {
    "papers": "The papers' rule: SURE if every annotator says SURE, POSSIBLE if only some drew the link or "
    "its strength differs (Dolan, Quirk & Brockett 2004, section 3.2).",
    "intersection": "Intersection: only links that every annotator drew; SURE if all say SURE.",
    "union_sure": "Union: every link that any annotator drew; SURE if at least one says SURE.",
    "adjudicated": "Adjudicated: the adjudicator decides where annotators disagree; undecided pairs are "
    "left out.",
    "imported": "Imported as gold: final links from a file.",
}


class GoldSetField(forms.ModelChoiceField):
    def label_from_instance(self, obj: GoldSet) -> str:
        return f"{obj} ({obj.counts.get(Label.PARAPHRASE, 0):,} paraphrases of {obj.counts['pairs']:,} pairs)"


class GoldLinksField(forms.ModelChoiceField):
    def label_from_instance(self, obj: GoldAlignmentSet) -> str:
        return f"{obj} ({obj.counts['pairs']:,} pairs, {obj.counts['sure']:,} sure links)"


class LinkingBatchForm(BatchForm):
    stem = "Linking"

    size = forms.IntegerField(
        min_value=1, max_value=LARGEST, required=False, label="Pairs", help_text="Empty: all paraphrases."
    )
    suggester = forms.ChoiceField(
        label="Suggested links",
        required=False,
        help_text="Suggestions are drawn dotted and count only after an annotator accepts them.",
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        self.fields["gold_set"] = GoldSetField(
            project.gold_sets.current(),
            empty_label=None,
            label="Gold set",
            initial=project.gold_sets.current().first(),
        )
        cast(forms.ChoiceField, self.fields["suggester"]).choices = suggester_choices(project)


class SuggesterForm(forms.Form):
    """The suggester of an existing batch."""

    suggester = forms.ChoiceField(label="Suggest", required=False)

    def __init__(self, *args: Any, batch: Batch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["suggester"]).choices = suggester_choices(batch.project, batch)


class GoldLinksForm(FreezeForm):
    kind, stem = BatchKind.LINK, "links"

    rule = forms.ChoiceField(
        label="Merge rule",
        widget=forms.RadioSelect,
        choices=[(name, MERGING[name]) for name in RULES],
        initial="papers",
    )


class AgainstGoldForm(OrderedForm):
    """The gold links that links are scored against."""

    strengths = forms.ChoiceField(
        label="Links of the gold", choices=list(STRENGTHS.items()), initial="as_drawn", required=False
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["gold_set"] = GoldLinksField(
            project.gold_alignment_sets.current(), empty_label=None, label="Gold links"
        )

    def clean_strengths(self) -> str:
        return self.cleaned_data["strengths"] or "as_drawn"


class LinkFormatForm(OrderedForm):
    """How files of links are read."""

    format = forms.ChoiceField(
        required=False,
        choices=lambda: [("", "Recognise from the content"), *LINK_FORMATS.choices()],
    )
    encoding = forms.ChoiceField(
        choices=ENCODINGS, initial="utf-8", required=False, help_text="Encoding of the files."
    )


class ScoreForm(AgainstGoldForm):
    order = ("aligner", "gold_set", "strengths")

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        self.fields["aligner"] = forms.ChoiceField(
            choices=[
                *((name, name) for name in untrained_ids()),
                *((reference(trained), str(trained)) for trained in project.trained_aligners.offered()),
            ]
        )


class LinkFileForm(AgainstGoldForm, LinkFormatForm):
    """Links that another program drew for the pairs of a gold set, to be scored."""

    order = ("gold_set", "name", "file", "format", "encoding", "strengths")

    name = forms.CharField(max_length=40, label="Program", help_text="Name of the row of scores.")
    file = forms.FileField(
        label="Its links",
        max_length=255,
        allow_empty_file=True,
        help_text="Links for the pairs of the gold set, in the order of its export.",
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_MEGABYTES << 20:
            raise forms.ValidationError(f"This file is larger than {MAX_MEGABYTES} MB.")
        return file

    def arguments(self) -> dict[str, Any]:
        """The arguments of `score_link_file` apart from the path."""
        fields = self.cleaned_data
        return {
            "gold_set": fields["gold_set"],
            "name": fields["name"],
            "format_name": fields["format"] or None,
            "encoding": fields["encoding"] or "utf-8",
            "strengths": fields["strengths"],
            "filename": fields["file"].name,
        }


class ExportForm(SpecForm):
    """Begins with the project's licence."""

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["licence"].initial = project.licence
        self.fields["licence"].widget = LicenceInput()


class DatasetExportForm(ExportForm):
    spec_class = DatasetExportSpec
    more = ("seed", "limits")

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        self.fields["dataset"] = forms.ModelChoiceField(project.datasets.current(), empty_label=None)
        self.order_fields(["dataset", "formats", "splits", *self.fields])


class GoldExportForm(ExportForm):
    spec_class = GoldExportSpec
    more = ("strengths", "seed", "limits")

    format = forms.ChoiceField(
        widget=forms.RadioSelect, choices=lambda: list(gold_formats().items()), initial="all"
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        judged, linked = project.gold_sets.current(), project.gold_alignment_sets.current()
        optional: dict[str, Any] = {"required": False, "empty_label": "None"}
        self.fields["gold_set"] = GoldSetField(judged, label="Gold set", initial=judged.first(), **optional)
        self.fields["gold_links"] = GoldLinksField(
            linked, label="Gold links", initial=linked.first(), **optional
        )
        self.order_fields(
            ["gold_set", "gold_links", "format", "approved_only", "strengths", "splits", *self.fields]
        )

    def clean(self) -> dict[str, Any]:
        fields = super().clean()
        if not fields.get("gold_set") and not fields.get("gold_links") and not self.errors:
            raise forms.ValidationError("Choose a gold set, a set of gold links, or both.")
        return fields


MAX_MEGABYTES = 20
