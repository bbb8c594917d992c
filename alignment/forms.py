"""Forms of the linking, gold, scoring, import and export pages. What they ask for is done by the services."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.utils.translation import gettext, gettext_noop as _

from alignment.models import GoldAlignmentSet
from alignment.services.batches import suggester_choices
from alignment.services.gold_files import formats as gold_formats
from alignment.services.gold_links import STRENGTHS
from alignment.services.trained_aligners.stored import reference
from annotation.drawing_forms import BatchForm
from annotation.forms import OrderedForm
from annotation.models import Batch, GoldSet
from annotation.schemes import Label
from corpus.forms import ENCODINGS
from jobs.launch_form import LaunchForm
from paragold.aligners.registry import untrained_ids
from paragold.formats.link_files import LINK_FORMATS
from projects.forms.projects import LicenceInput
from projects.interface_language import in_language
from projects.listings import grouped
from projects.models import Project

MERGING = {
    "papers": _(
        "The papers' rule: SURE if every annotator says SURE, POSSIBLE if only some drew the link or "
        "its strength differs (Dolan, Quirk & Brockett 2004, section 3.2)."
    ),
    "intersection": _("Intersection: only links that every annotator drew; SURE if all say SURE."),
    "union_sure": _("Union: every link that any annotator drew; SURE if at least one says SURE."),
    "adjudicated": _(
        "Adjudicated: the adjudicator decides where annotators disagree; undecided pairs are left out."
    ),
    "imported": _("Imported as gold: final links from a file."),
}


def paraphrases_label(gold_set: GoldSet) -> str:
    paraphrases, pairs = gold_set.counts.get(Label.PARAPHRASE, 0), gold_set.counts["pairs"]
    return gettext("%(gold_set)s (%(paraphrases)s paraphrases of %(pairs)s pairs)") % {
        "gold_set": gold_set,
        "paraphrases": grouped(paraphrases),
        "pairs": grouped(pairs),
    }


def gold_links_label(gold: GoldAlignmentSet) -> str:
    return gettext("%(gold)s (%(pairs)s pairs, %(sure)s sure links)") % {
        "gold": gold,
        "pairs": grouped(gold.counts["pairs"]),
        "sure": grouped(gold.counts["sure"]),
    }


class GoldLinksField(forms.ModelChoiceField):
    def label_from_instance(self, obj: GoldAlignmentSet) -> str:
        return gold_links_label(obj)


class LinkingForm(BatchForm):
    stem = "Linking"

    def fit(self) -> None:
        super().fit()
        about = self.fields["suggester"]
        self.fields["suggester"] = forms.ChoiceField(
            choices=suggester_choices(self.project),
            required=False,
            label=about.label,
            initial="identity",
            help_text=_("Suggestions are drawn dotted and count only after an annotator accepts them."),
        )


class SuggesterForm(forms.Form):
    """The suggester of an existing batch."""

    suggester = forms.ChoiceField(label=_("Suggest"), required=False)

    def __init__(self, *args: Any, batch: Batch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["suggester"]).choices = suggester_choices(batch.project, batch)


class AgainstGoldForm(OrderedForm):
    """The gold links that links are scored against."""

    strengths = forms.ChoiceField(
        label=_("Links of the gold"),
        choices=in_language(list(STRENGTHS.items())),
        initial="as_drawn",
        required=False,
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["gold_set"] = GoldLinksField(
            project.gold_alignment_sets.current(), empty_label=None, label=_("Gold links")
        )

    def clean_strengths(self) -> str:
        return self.cleaned_data["strengths"] or "as_drawn"


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


class LinkFileForm(AgainstGoldForm):
    """Links that another program drew for the pairs of a gold set, to be scored."""

    order = ("gold_set", "name", "file", "format", "encoding", "strengths")

    name = forms.CharField(max_length=40, label=_("Program"), help_text=_("Name of the row of scores."))
    file = forms.FileField(
        label=_("Its links"),
        max_length=255,
        allow_empty_file=True,
        help_text=_("Links for the pairs of the gold set, in the order of its export."),
    )
    format = forms.ChoiceField(
        required=False,
        choices=lambda: [("", gettext("Recognise from the content")), *LINK_FORMATS.choices()],
    )
    encoding = forms.ChoiceField(
        choices=in_language(ENCODINGS), initial="utf-8", required=False, help_text=_("Encoding of the files.")
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_MEGABYTES << 20:
            raise forms.ValidationError(
                gettext("This file is larger than %(limit)s MB.") % {"limit": MAX_MEGABYTES}
            )
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


class ExportForm(LaunchForm):
    """Begins with the project's licence."""

    def fit(self) -> None:
        self.fields["licence"].initial = self.project.licence
        self.fields["licence"].widget = LicenceInput()


class GoldExportForm(ExportForm):
    def fit(self) -> None:
        super().fit()
        self.fields["format"].widget = forms.RadioSelect(choices=list(gold_formats().items()))
        if self.asked.keys() & {"gold_set", "gold_links"}:
            # Only what the address names is chosen.
            for name in {"gold_set", "gold_links"} & self.fields.keys():
                self.fields[name].initial = None

    def clean(self) -> dict[str, Any]:
        fields = super().clean()
        if not fields.get("gold_set") and not fields.get("gold_links") and not self.errors:
            raise forms.ValidationError(gettext("Choose a gold set, a set of gold links, or both."))
        return fields


MAX_MEGABYTES = 20
