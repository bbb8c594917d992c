"""Forms of the classifier pages. What they ask for is done by the services."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy, gettext_noop as _

from annotation.forms import OrderedForm
from annotation.models import ClassifierRun, GoldSet, TrainedClassifier
from annotation.services.classifiers.measuring import alignment_error
from annotation.services.drawing import default_datasets
from corpus.forms import ENCODINGS
from jobs.launch_form import LaunchForm
from projects.forms.spec_form import fit_encoder
from projects.interface_language import in_language
from projects.listings import grouped
from projects.models import Project
from projects.services.projects import first_free

ALIGNING = ("aligner", "identical_words", "symmetrisation")
MEGABYTES_AT_MOST = 50


def gold_set_label(gold_set: GoldSet) -> str:
    counts = gold_set.counts
    held_out = counts.get("held_out", 0)
    apart = (
        gettext(", %(held_out)s of held-out clusters: not trained on") % {"held_out": grouped(held_out)}
        if held_out
        else ""
    )
    pairs, paraphrases = counts.get("pairs", 0), counts.get("paraphrase", 0)
    return f"{gold_set} ({pairs:,} pairs, {paraphrases:,} paraphrases{apart})"


class TrainingForm(LaunchForm):
    """Training data of a classifier, a gold set or a file; its features, and how it is fitted."""

    pairs = forms.FileField(
        required=False,
        label=_("Or a file of labelled pairs"),
        help_text=format_lazy(
            gettext_lazy(
                "label TAB sentence TAB sentence, or the format of the Microsoft Research Paraphrase Corpus; "
                "{limit} MB at most."
            ),
            limit=MEGABYTES_AT_MOST,
        ),
    )
    encoding = forms.ChoiceField(
        choices=in_language(ENCODINGS), initial="utf-8", required=False, help_text=_("Encoding of the file.")
    )

    def fit(self) -> None:
        del self.fields["report"]
        fit_encoder(self.fields["encoder"], self.project)
        if "gold_set" in self.fields:
            self.fields["gold_set"].required = False
            self.fields["gold_set"].empty_label = gettext("None: use a file")  # type: ignore[attr-defined]  # of rows
        if not self.project.gold_sets.current().exists():
            self.notice = gettext(
                "This project has no gold set. Freeze one first, or give a file of labelled pairs."
            )
        if "aligned" in self.fields and (gold := alignment_error().gold(self.project)):
            self.fields["aligned"].help_text = gettext(
                "For each row of the feature class table, trains an aligner on the pairs accepted "
                "from this dataset and scores it on %(gold)s. Each row needs one training."
            ) % {"gold": gold[1]}
            for name in ALIGNING:
                self.fields[name].required = False
        else:
            for name in {"aligned", *ALIGNING} & self.fields.keys():
                del self.fields[name]

    def clean_pairs(self) -> Any:
        upload = self.cleaned_data.get("pairs")
        if upload and upload.size > MEGABYTES_AT_MOST << 20:
            raise forms.ValidationError(
                gettext("The file is larger than %(limit)s MB.") % {"limit": MEGABYTES_AT_MOST}
            )
        return upload

    def again(self) -> str:
        return gettext("Choose the file again too.") if self.cleaned_data.get("pairs") else ""

    def arguments_of(self, values: Mapping[str, Any]) -> dict[str, Any]:
        arguments = super().arguments_of(values)
        if upload := values.get("pairs"):
            arguments |= {"pairs": upload, "encoding": values.get("encoding") or "utf-8"}
        return arguments

    def launch(self, by: User) -> TrainedClassifier:
        upload = self.arguments.get("pairs")
        if not upload:
            return super().launch(by)
        # The importer reads files; small uploads are in memory.
        with TemporaryUploadedFile(upload.name, "", upload.size, "") as file:
            for part in upload.chunks():
                file.write(part)
            file.flush()
            self.arguments |= {
                "pairs": Path(file.temporary_file_path()),
                "filename": Path(upload.name).name,
            }
            return super().launch(by)


class ThresholdForm(OrderedForm):
    """Which pairs are accepted, and what the dataset is called."""

    threshold = forms.FloatField(
        min_value=0,
        max_value=1,
        required=False,
        widget=forms.NumberInput(attrs={"step": "0.01"}),
        help_text=_(
            "Minimum probability of an accepted pair, 0 to 1. Leave empty (recommended) to accept by "
            "the sign of the decision value."
        ),
    )
    name = forms.CharField(
        max_length=80, label=_("Name of the refined dataset"), widget=forms.TextInput(attrs={"dir": "auto"})
    )


class ApplicationForm(LaunchForm):
    def fit(self) -> None:
        datasets, reason = default_datasets(self.project)
        self.fields["dataset"].initial = next(iter(datasets), None)
        self.fields["dataset"].help_text = reason
        self.fields["name"].label = gettext("Name of the refined dataset")


def free_dataset_name(project: Project, run_or_classifier: ClassifierRun | TrainedClassifier) -> str:
    """A name for a refined dataset that none has yet."""
    classifier = getattr(run_or_classifier, "classifier", run_or_classifier)
    taken = set(project.datasets.values_list("name", flat=True))
    return first_free(f"refined by {classifier}", taken, between=", ")
