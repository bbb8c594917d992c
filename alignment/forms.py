"""Forms of the linking, gold, scoring, import and export pages. What they ask for is done by the services."""

from __future__ import annotations

from typing import Any, cast

from django import forms

from alignment.models import GoldAlignmentSet
from alignment.services.batches import suggester_choices
from alignment.services.gold_files import formats as gold_formats
from alignment.services.gold_links import RULES, STRENGTHS
from alignment.services.trained_aligners.stored import reference
from annotation.drawing_forms import BatchForm
from annotation.forms import FreezeForm, OrderedForm, annotators_of
from annotation.models import Batch, BatchKind, GoldSet, Label
from corpus.forms import ENCODINGS
from jobs.launch_form import LaunchForm
from paragold.aligners.registry import untrained_ids
from paragold.formats.link_files import LINK_FORMATS
from paragold.formats.link_formats import LINK_COLUMNS
from paragold.formats.tables import choice_from_words
from paragold.problems import FileProblem
from projects.forms.projects import LicenceInput
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


def paraphrases_label(gold_set: GoldSet) -> str:
    paraphrases, pairs = gold_set.counts.get(Label.PARAPHRASE, 0), gold_set.counts["pairs"]
    return f"{gold_set} ({paraphrases:,} paraphrases of {pairs:,} pairs)"


def gold_links_label(gold: GoldAlignmentSet) -> str:
    return f"{gold} ({gold.counts['pairs']:,} pairs, {gold.counts['sure']:,} sure links)"


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
            help_text="Suggestions are drawn dotted and count only after an annotator accepts them.",
        )


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
            raise forms.ValidationError("Choose a gold set, a set of gold links, or both.")
        return fields


MAX_MEGABYTES = 20
GOLD = "gold"
SUGGESTIONS = "suggestions"
# A user name may be "gold" too.
ANNOTATOR = "annotator:"


class LinkImportChoices(LinkFormatForm):
    """What is to become of an uploaded file."""

    order = (
        "file",
        "format",
        "source",
        "target",
        "encoding",
        "batch",
        "whose",
        "annotators",
        "judge",
        "columns",
    )

    batch = forms.CharField(
        max_length=80,
        help_text="A new name makes a batch of the pairs in the file; the name of an imported batch adds "
        "to it. Suggestions are for any linking batch.",
    )
    whose = forms.ChoiceField(label="Import as")
    annotators = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Annotators of suggestions",
        help_text="Who accept or correct them, in a batch in which nobody links yet; each gets every pair.",
    )
    judge = forms.CharField(
        required=False,
        max_length=200,
        label="Judge",
        help_text="Whose links are read, if the file has several people's: a name in it; of a zip with a "
        "file for each, the file's name; of predictions, the model.",
    )
    columns = forms.CharField(
        required=False,
        max_length=1_000,
        label="Columns",
        help_text="Of a table or JSON Lines, those that are not called as usual, such as source=first, "
        f"target=second, sure=links; of {', '.join(LINK_COLUMNS.usual)}. Numbers where there is no header.",
    )

    def clean_columns(self) -> dict[str, str]:
        try:
            return choice_from_words(filter(None, self.cleaned_data["columns"].split(",")))
        except FileProblem as problem:
            raise forms.ValidationError(f"{problem.message} {problem.remedy}") from problem

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = [user.username for user in annotators_of(project)]
        cast(forms.ChoiceField, self.fields["whose"]).choices = [
            *((f"{ANNOTATOR}{name}", name) for name in people),
            (GOLD, "Gold links, decided elsewhere"),
            (SUGGESTIONS, "Suggestions, which annotators accept or correct"),
        ]
        cast(forms.MultipleChoiceField, self.fields["annotators"]).choices = [(name, name) for name in people]
        linking = project.batches.current().filter(kind=BatchKind.LINK)
        self.imported = list(linking.values_list("name", flat=True))
        self.fields["batch"].widget.attrs["list"] = "imported-batches"

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        if fields.get("annotators") and fields.get("whose") != SUGGESTIONS:
            self.add_error("annotators", "Choose annotators only for suggestions.")
        is_new = fields.get("batch", "").strip() not in self.imported
        if fields.get("whose") == SUGGESTIONS and is_new and not fields.get("annotators"):
            self.add_error("annotators", "Choose who links the pairs of the new batch.")
        return fields

    @property
    def annotator(self) -> str | None:
        """The user name, None for gold and suggestions. Only of a valid form."""
        whose: str = self.cleaned_data["whose"]
        return whose.removeprefix(ANNOTATOR) if whose.startswith(ANNOTATOR) else None

    @property
    def suggest_to(self) -> list[str] | None:
        """Who get the suggestions, None for other links. Only of a valid form."""
        return self.cleaned_data["annotators"] if self.cleaned_data["whose"] == SUGGESTIONS else None


def sent_file(label: str, help_text: str = "", *, required: bool = False) -> forms.FileField:
    return forms.FileField(
        label=label, help_text=help_text, required=required, max_length=255, allow_empty_file=True
    )


class LinkImportForm(LinkImportChoices):
    """The same with the files themselves."""

    file = sent_file("Links", required=True)
    source = sent_file(
        "First sentences", "For formats without text: one sentence per line, tokens separated by spaces."
    )
    target = sent_file("Second sentences", "In the same format as the first sentences.")

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or self.cleaned_data
        for name in ("file", "source", "target"):
            if fields.get(name) and fields[name].size > MAX_MEGABYTES << 20:
                self.add_error(
                    name,
                    f"This file is larger than {MAX_MEGABYTES} MB. Split it, or use `manage.py "
                    "import_links` on the server, which has no limit.",
                )
        if bool(fields.get("source")) != bool(fields.get("target")):
            self.add_error("target", "Give the sentences of both sides, or of neither.")
        return fields
