"""Forms of the pages about sub-clusters. What they ask for is done by the services."""

from __future__ import annotations

from typing import Any

from django import forms

from annotation.models import BatchKind, SubclusterRule
from annotation.services.subclusters.drawing import FEWEST, MOST
from corpus.models import HeldOut
from projects.models import Project

from .forms import LARGEST, BatchField, BatchForm, OrderedForm


class SplittingBatchForm(BatchForm):
    stem = "Splitting"
    order = ("name", "headlines", "annotators", "overlap", "seed", "fewest", "most", "clusters", "again")
    more = ("fewest", "most", "clusters", "again")

    headlines = forms.IntegerField(
        min_value=1,
        max_value=LARGEST,
        required=False,
        help_text="Whole clusters are drawn until they hold as many headlines. Empty: all clusters.",
    )
    fewest = forms.IntegerField(
        min_value=FEWEST,
        max_value=MOST,
        initial=FEWEST,
        label="Fewest headlines of a cluster",
    )
    most = forms.IntegerField(
        min_value=FEWEST,
        max_value=MOST,
        initial=MOST,
        label="Most headlines of a cluster",
    )
    clusters = forms.ChoiceField(choices=HeldOut.choices, initial=HeldOut.ALL)
    again = forms.BooleanField(required=False, label="Also clusters that an earlier batch holds")

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        self.fields["overlap"].help_text = "How many annotators get each cluster."
        self.fields["seed"].help_text = "The same seed draws the same clusters again."


class GoldSubclustersForm(OrderedForm):
    order = ("name", "batch", "rule")

    name = forms.CharField(
        max_length=80,
        initial="sub-clusters",
        help_text="A name that exists gets its next version; earlier versions stay as they are.",
    )
    rule = forms.ChoiceField(
        widget=forms.RadioSelect,
        choices=SubclusterRule.choices,
        initial=SubclusterRule.ADJUDICATED,
    )

    def __init__(self, *args: Any, project: Project, labels: dict[int, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["batch"] = BatchField(
            project.batches.current().filter(kind=BatchKind.SPLIT), labels=labels, empty_label=None
        )
