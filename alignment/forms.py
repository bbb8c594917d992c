"""Forms of the linking, gold, scoring and export pages. What they ask for is done by the services."""

from __future__ import annotations

from typing import Any, cast

from django import forms

from alignment.models import GoldAlignmentSet
from alignment.services.gold_links import RULES, STRENGTHS
from alignment.services.suggestions import suggester_choices
from alignment.services.trained_aligners.stored import reference
from annotation.forms import LARGEST, BatchField, BatchForm, OrderedForm
from annotation.models import BatchKind, GoldSet, Label
from paragold.aligners.registry import untrained_ids
from projects.models import Project

MERGING = {
    "papers": "The papers' rule: SURE where every annotator says SURE, POSSIBLE wherever only some drew "
    "the link or its strength differs (Dolan, Quirk & Brockett 2004, section 3.2).",
    "intersection": "Intersection: only the links that every annotator drew; SURE where all say SURE.",
    "union_sure": "Union: every link that anybody drew; SURE where at least one says SURE.",
    "adjudicated": "Adjudicated: as an adjudicator decided where people differ; pairs that wait for a "
    "decision are left out.",
    "imported": "Imported as gold: the links of a file, as they were settled elsewhere.",
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
        help_text="Suggestions are drawn dotted and count only once an annotator accepts them.",
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
    """Whose links are suggested in a batch that is there already."""

    suggester = forms.ChoiceField(label="Suggest", required=False)

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["suggester"]).choices = suggester_choices(project)


class GoldLinksForm(OrderedForm):
    order = ("name", "batch", "rule")

    name = forms.CharField(
        max_length=80,
        initial="links",
        help_text="A name that exists gets its next version; earlier versions stay as they are.",
    )
    rule = forms.ChoiceField(
        label="Merge rule",
        widget=forms.RadioSelect,
        choices=[(name, MERGING[name]) for name in RULES],
        initial="papers",
    )

    def __init__(self, *args: Any, project: Project, labels: dict[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["batch"] = BatchField(
            project.batches.current().filter(kind=BatchKind.LINK), labels=labels, empty_label=None
        )


class ScoreForm(OrderedForm):
    order = ("aligner", "gold_set", "strengths")

    strengths = forms.ChoiceField(
        label="Links of the gold", choices=list(STRENGTHS.items()), initial="as_drawn", required=False
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["aligner"] = forms.ChoiceField(
            choices=[
                *((name, name) for name in untrained_ids()),
                *((reference(trained), str(trained)) for trained in project.trained_aligners.offered()),
            ]
        )
        self.fields["gold_set"] = GoldLinksField(
            project.gold_alignment_sets.current(), empty_label=None, label="Gold alignment set"
        )

    def clean_strengths(self) -> str:
        return self.cleaned_data["strengths"] or "as_drawn"
