"""What is launched on word links: drawing batches to link, training and applying aligners,
exports."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy, gettext_noop as _

from alignment.aligner_forms import (
    EXPERIMENT_PARAMETERS,
    TAUGHT,
    ApplicationForm,
    ExperimentForm,
    TrainingForm,
    experiment_choices,
    parameters_of_plugins,
)
from alignment.forms import (
    MERGING,
    ExportForm,
    GoldExportForm,
    LinkingForm,
    gold_links_label,
    paraphrases_label,
)
from alignment.models import Experiment, GoldAlignmentSet
from alignment.paper_tables import TABLES
from alignment.services import experiments
from alignment.services.batches import draw_linking_batch
from alignment.services.dataset_exports import export_dataset
from alignment.services.experiments import launch_experiment
from alignment.services.gold_exports import request_gold_export
from alignment.services.gold_links import PAPERS, RULES, freeze_gold_alignments, links_forecast
from alignment.services.trained_aligners.applying import apply_aligner
from alignment.services.trained_aligners.launching import launch_training, training_cost, training_rate
from alignment.specs import DatasetExportSpec, GoldExportSpec
from annotation.freezing_forms import FreezeForm, FreezeName, batches_of, freezing_page
from annotation.models import Batch, BatchKind
from annotation.operations import annotator_rows, models_rows, name_and_annotators, no_annotators
from annotation.specs import BatchSpec
from corpus.forms import dataset_label
from corpus.models import Dataset
from corpus.operations import datasets, no_dataset
from jobs.models import Job
from jobs.operations import LaunchPage, Missing, Named, Operation, Rows
from jobs.services.launch_cost import LaunchCost
from paragold.aligners.registry import ALIGNERS, DEFAULT_ALIGNER, all_parameters, trained_ids
from paragold.spec import LARGEST_SEED, Spec, param, suggestion
from projects.errors import PublicError
from projects.listings import grouped, many
from projects.models import Project

ALIGNERS_PAGE = ("aligners", _("Aligners"))
LEARNING = ", ".join(method.id for method in ALIGNERS if method.learns_from_gold)


def gold_links(project: Project) -> QuerySet[Any]:
    return project.gold_alignment_sets.all()


# From so many pairs on, own gold links do not make `best` worse (docs/aligners.md).
ENOUGH_PAIRS = 10


def enough_gold(project: Project) -> GoldAlignmentSet | None:
    """The newest gold links of which there are enough to learn from."""
    rows = project.gold_alignment_sets.current().filter(counts__pairs__gte=ENOUGH_PAIRS)
    newest: GoldAlignmentSet | None = rows.first()
    return newest


def other_gold_rows() -> Rows:
    return Rows(
        "other_gold",
        _(
            "Cross-validation on the gold links chosen above decides whether each of these sets is "
            "used, and how strongly. Pairs that share a sentence with those gold links are left out."
        ),
        gold_links,
        many=True,
        label=_("Other gold links, used only if they help"),
        called=gold_links_label,
    )


def no_text(project: Project) -> Missing | None:
    if project.datasets.current().exists() or project.gold_alignment_sets.current().exists():
        return None
    text = _("Aligners are trained on the sentence pairs of a dataset. Extract candidate pairs first.")
    return Missing(_("There is no text to train on"), text, "candidates", _("Go to the candidates"))


def no_trained_aligner(project: Project) -> Missing | None:
    if project.trained_aligners.offered().exists():
        return no_text(project)
    text = _("Links are drawn by an aligner that was trained on the project's pairs.")
    return Missing(_("There is no trained aligner"), text, "aligners", _("Go to the aligners"))


def cost_of_training(
    *, datasets: Sequence[Dataset], settings: Mapping[str, Any], **others: Any
) -> LaunchCost | None:
    return training_cost(settings["aligner"], sum(dataset.size for dataset in datasets)) if datasets else None


class LinkingSpec(BatchSpec):
    """A batch to link."""

    size: int | None = param(None, "Pairs", "Empty: all paraphrases.", ge=1, le=LARGEST_SEED)
    suggester: str = param(
        "",
        "Suggested links",
        "Suggestions are drawn dotted and count only after an annotator accepts them. An aligner, or empty "
        "for none; a refusal lists the choices.",
        max_length=40,
    )


def nothing_to_link(project: Project) -> Missing | None:
    if project.gold_sets.current().exists():
        return no_annotators(project)
    text = _("Have a batch judged, then freeze a gold set: its paraphrases can be linked.")
    return Missing(_("There is no gold set to draw from"), text, "gold", _("Go to the gold sets"))


def draw_linking(*, project: Project, name: str, annotators: Sequence[User], **given: Any) -> Batch:
    shared = name_and_annotators(project, LinkingForm.stem, name, annotators)
    return draw_linking_batch(project=project, **shared, **given)


def no_gold(project: Project) -> Missing | None:
    if project.gold_sets.current().exists() or project.gold_alignment_sets.current().exists():
        return None
    text = _("Freeze a gold set or gold links first.")
    return Missing(_("There is no gold to export yet"), text, "gold", _("Go to the gold sets"))


def export_pairs(*, project: Project, **given: Any) -> Job:
    """The project is that of the dataset."""
    return export_dataset(**given)


class ExperimentOptions(Named):
    aligners: frozenset[str] = param(
        frozenset({DEFAULT_ALIGNER, "identity"}),
        "Aligners",
        choices={value: label for value, label, _method in experiment_choices()},
    )
    test_sentences: bool = param(
        True,
        "Train on the sentences of the gold sets too, never on their links",
        "GIZA++ always does. Off: test sentences are new to the aligner.",
    )
    held_out_sentences: bool = param(
        False,
        "Also on test sentences of held-out clusters",
        "Off (recommended): nothing of held-out clusters is used for training.",
    )


def no_gold_links(project: Project) -> Missing | None:
    if project.gold_alignment_sets.current().exists():
        return None
    text = _("Have pairs linked and freeze gold links, or import some: aligners are tested on them.")
    return Missing(_("There are no gold links yet"), text, "gold", _("Go to the gold sets"))


def run_experiment(
    *,
    project: Project,
    by: User | None,
    aligners: Collection[str],
    settings: Mapping[str, Any] = MappingProxyType({}),
    taught_by: GoldAlignmentSet | None = None,
    other_gold: Sequence[GoldAlignmentSet] = (),
    **given: Any,
) -> Experiment:
    """Each aligner gets those of the `settings` that it has; `dice.min_dice` is for the aligner dice alone.

    Raises PublicError for a parameter that no aligner has, and as `launch_experiment` does.
    """
    known = [name for method in ALIGNERS for name in method.parameters.model_fields]
    if strange := sorted({name.rpartition(".")[2] for name in settings} - {*known}):
        raise PublicError(
            "No aligner has the parameter %(name)s. %(suggestion)s",
            name=strange[0],
            suggestion=suggestion(strange[0], known),
        )
    taught = {"taught_by": taught_by, "other_gold": [gold for gold in other_gold if gold != taught_by]}
    chosen = []
    for value, _label, method in experiment_choices():
        if value not in aligners:
            continue
        own = method.parameters.model_fields
        parameters = {name: settings[name] for name in own if name in settings}
        parameters |= {name: settings[key] for name in own if (key := f"{method.id}.{name}") in settings}
        learned = taught if value.endswith(TAUGHT) and taught_by else {}
        chosen.append({"aligner": method.id, **parameters, **learned})
    return launch_experiment(project=project, by=by, aligners=chosen, **given)


def cost_of_experiment(
    *, datasets: Sequence[Dataset], aligners: Collection[str], **others: Any
) -> LaunchCost | None:
    names = [name.removesuffix(TAUGHT) for name in aligners]
    trained = [name for name in names if ALIGNERS.get(name).learns_from_pairs]
    if not trained or not datasets:
        return None
    pairs = len(trained) * sum(dataset.size for dataset in datasets)
    trainings = len(names) - len(trained) + len(trained) * len(datasets)
    processes = gettext("%(trainings)s on %(pairs)s pairs in all")
    processes %= {"trainings": many(trainings, "training"), "pairs": grouped(pairs)}
    return LaunchCost(experiments.KIND, processes, pairs, rate=training_rate(sorted(set(trained))))


LISTED_BELOW = _("{}: the file is listed below when it is written; the same content gives the same bytes.")
LINK_RULES = {name: MERGING[name] for name in RULES}


class LinksRule(FreezeName):
    rule: str = param(
        "",
        "Merge rule",
        "By default adjudicated once an adjudicator has decided anything in the batch, else that of the "
        "papers.",
        choices={"": _("the default"), **LINK_RULES},
    )


class FreezeLinksForm(FreezeForm):
    stem, rules, further = "links", LINK_RULES, ("models",)

    def usual_rule(self) -> str:
        return PAPERS


def freeze_links(*, name: str, rule: str, **given: Any) -> GoldAlignmentSet:
    return freeze_gold_alignments(name=name or FreezeLinksForm.stem, rule=rule or None, **given)


OPERATIONS = (
    Operation(
        "freeze-gold-links",
        "Merge the links of a batch and freeze them as the next version of gold links.",
        freeze_links,
        rows=(
            Rows("batch", "", batches_of(BatchKind.LINK), required=True),
            models_rows(BatchKind.LINK, "links"),
        ),
        options=LinksRule,
        page=freezing_page(
            FreezeLinksForm,
            links_forecast,
            title=_("Freeze gold links"),
            about=_(
                "The links that annotators submitted for a batch are merged into one set for each "
                "pair. What is frozen never changes."
            ),
            thing="pair",
            kind=BatchKind.LINK,
            manual="linking#review",
            missing=Missing(
                _("No words were linked"),
                _(
                    "Gold links are merged from a linking batch. Draw one from a gold set and have it linked "
                    "first."
                ),
                "link",
                _("Go to the linking batches"),
            ),
        ),
    ),
    Operation(
        "draw-linking-batch",
        "Draw paraphrases of a gold set for annotators to link.",
        draw_linking,
        rows=(
            Rows(
                "gold_set",
                _("Its paraphrases are linked."),
                lambda project: project.gold_sets.all(),
                required=True,
                label=_("Gold set"),
                called=paraphrases_label,
                preselected=lambda project: project.gold_sets.current().first(),
            ),
            annotator_rows(),
        ),
        options=LinkingSpec,
        page=LaunchPage(
            title=_("Draw a linking batch"),
            about=_(
                "Pairs that a gold set calls paraphrases are drawn at random and assigned evenly. "
                "Annotators link their words without seeing each other's links."
            ),
            button=_("Draw the batch"),
            launched=_("{} is drawn."),
            back=("link", _("Link")),
            manual="linking#suggestions",
            order=("gold_set", "size", "annotators", "overlap", "suggester", "name"),
            folded=("own_order", "seed"),
            missing=nothing_to_link,
            form=LinkingForm,
        ),
    ),
    Operation(
        "train-aligner",
        "Train the next version of a word aligner on sentences and gold links.",
        launch_training,
        rows=(
            Rows(
                "datasets",
                _("Pairs whose sentences are training text."),
                datasets,
                many=True,
                called=dataset_label,
            ),
            Rows(
                "gold_set",
                _("Gold links to learn from; their sentences are training text too."),
                gold_links,
                label=format_lazy(gettext_lazy("Gold links that {aligner} learns from"), aligner=LEARNING),
                called=gold_links_label,
                preselected=enough_gold,
            ),
            other_gold_rows(),
            Rows(
                "texts",
                _("Gold links whose sentences, never links, are training text."),
                gold_links,
                many=True,
                label=_("Sentences of gold sets"),
                called=gold_links_label,
            ),
        ),
        settings=f"`aligner`, one of {', '.join(trained_ids())} ({DEFAULT_ALIGNER} by default), and its "
        f"parameters: {', '.join(parameter.name for parameter in all_parameters())}.",
        cost=cost_of_training,
        page=LaunchPage(
            title=_("Train an aligner"),
            about=_(
                "Training runs in the background. For external programs only the training text is stored. "
                "The same text and choices give the same numbers."
            ),
            button=_("Train aligner"),
            launched=_("{} is being trained."),
            back=ALIGNERS_PAGE,
            manual="aligners#in-a-project",
            order=("aligner", "datasets", "gold_set", "name", "other_gold", "texts"),
            folded=("other_gold", "texts", *(parameter.name for parameter in all_parameters())),
            missing=no_text,
            form=TrainingForm,
            preview=_("Estimate time"),
        ),
    ),
    Operation(
        "apply-aligner",
        "Link the pairs of a dataset, or of gold links, on which the aligner is scored as well.",
        apply_aligner,
        rows=(
            Rows(
                "trained",
                _("Aligner that draws the links."),
                lambda project: project.trained_aligners.all(),
                required=True,
                label=_("Trained aligner"),
            ),
            Rows("dataset", _("Pairs to link."), datasets, called=dataset_label),
            Rows(
                "gold_set",
                _("Gold links whose pairs are linked, in place of a dataset; the aligner is scored on them."),
                gold_links,
                label=_("Gold links"),
                called=gold_links_label,
            ),
        ),
        options=Spec,
        page=LaunchPage(
            title=_("Draw the links of an aligner"),
            about=_(
                "For the pairs of a dataset, as files; or for gold links, on which it is scored as well."
            ),
            button=_("Draw its links"),
            launched=_("{} is launched."),
            back=ALIGNERS_PAGE,
            manual="aligners#in-a-project",
            missing=no_trained_aligner,
            form=ApplicationForm,
        ),
    ),
    Operation(
        "run-experiment",
        "Train aligners on datasets and score them on gold links: a table.",
        run_experiment,
        rows=(
            Rows(
                "datasets",
                _("Each aligner is trained on each of them."),
                datasets,
                many=True,
                label=_("Training sets"),
                called=dataset_label,
            ),
            Rows(
                "gold_sets",
                _("Gold links that the aligners are scored on."),
                gold_links,
                many=True,
                required=True,
                label=_("Test sets"),
                called=gold_links_label,
                preselected=lambda project: list(project.gold_alignment_sets.current()[:1]),
            ),
            Rows(
                "taught_by",
                _("Test pairs among them are held out in five folds."),
                gold_links,
                label=format_lazy(gettext_lazy("Gold links that {aligner} learns from"), aligner=LEARNING),
                called=gold_links_label,
            ),
            other_gold_rows(),
        ),
        options=ExperimentOptions,
        settings="Parameters of the aligners, such as linking or hmm_iterations; each gets its own.",
        cost=cost_of_experiment,
        page=LaunchPage(
            title=_("New experiment"),
            about=_("Every aligner is trained on every training set and scored on every test set."),
            button=_("Run experiment"),
            launched=_("{} is running."),
            back=("experiments", _("Experiments")),
            manual="replication#word-alignment",
            order=("datasets", "aligners", "gold_sets", "taught_by", "name"),
            folded=(
                *("other_gold", "test_sentences", "held_out_sentences"),
                *EXPERIMENT_PARAMETERS,
                *parameters_of_plugins(),
            ),
            missing=no_gold_links,
            form=ExperimentForm,
            template="alignment/launch_experiment.html",
            context=lambda request, form: {"tables": TABLES, "filled": request.GET.get("table") in TABLES},
            preview=_("Estimate time"),
        ),
    ),
    Operation(
        "export-gold",
        "Write a gold set, gold links or both to one zip file, with a manifest and a data card.",
        request_gold_export,
        rows=(
            Rows(
                "gold_set",
                _("Judged pairs to write."),
                lambda project: project.gold_sets.all(),
                label=_("Gold set"),
                called=paraphrases_label,
                preselected=lambda project: project.gold_sets.current().first(),
            ),
            Rows(
                "gold_links",
                _("Linked pairs to write."),
                gold_links,
                label=_("Gold links"),
                called=gold_links_label,
                preselected=lambda project: project.gold_alignment_sets.current().first(),
            ),
        ),
        options=Spec,
        spec=GoldExportSpec,
        page=LaunchPage(
            title=_("Export gold"),
            about=_(
                "One zip file with what you choose, a manifest and a data card. Annotators appear under "
                "pseudonyms."
            ),
            button=_("Export"),
            launched=LISTED_BELOW,
            back=("exports", _("Export")),
            manual="formats/pairs#options-of-a-gold-export",
            order=("gold_set", "gold_links", "format", "approved_only", "strengths", "splits"),
            folded=("strengths", "seed", "limits"),
            folded_under=_("Links, seed and known limits"),
            missing=no_gold,
            form=GoldExportForm,
        ),
    ),
    Operation(
        "export-dataset",
        "Write all pairs of a dataset, judged or not, to one zip file, with a manifest and a data card.",
        export_pairs,
        rows=(Rows("dataset", _("Pairs to write."), datasets, required=True, called=dataset_label),),
        options=Spec,
        spec=DatasetExportSpec,
        page=LaunchPage(
            title=_("Export the pairs of a dataset"),
            about=_(
                "All candidate pairs, judged or not, in one zip file with a manifest and a data card. A "
                "worker writes it; a million pairs take about a minute."
            ),
            button=_("Export"),
            launched=LISTED_BELOW,
            back=("exports", _("Export")),
            manual="formats/pairs#pairs-of-a-dataset",
            order=("dataset", "formats", "splits"),
            folded=("seed", "limits"),
            folded_under=_("Seed and known limits"),
            missing=no_dataset,
            form=ExportForm,
        ),
    ),
)
