"""What is launched on judgements: drawing batches, freezing gold, training a classifier, and applying it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext_noop as _

from annotation.classifier_forms import ApplicationForm, TrainingForm, gold_set_label
from annotation.drawing_forms import JudgingForm, SplittingForm, TrainingBatchForm
from annotation.forms import annotators_of, free_name
from annotation.freezing_forms import (
    GOLD_RULES,
    FreezeForm,
    FreezeJudgementsForm,
    FreezeName,
    batches_of,
    freezing_page,
)
from annotation.model_form import ModelForm
from annotation.models import (
    Batch,
    BatchKind,
    BatchState,
    ClassifierRun,
    GoldSet,
    GoldSubclusterSet,
    ModelAnnotator,
    SubclusterRule,
    TrainedClassifier,
)
from annotation.services.batches import batches_that_grow
from annotation.services.classifiers.applying import application_cost, launch_application
from annotation.services.classifiers.training import launch_training, training_cost
from annotation.services.drawing import default_datasets, draw_judging_batch, draw_splitting_batch
from annotation.services.gold import (
    freeze_gold_set,
    freeze_gold_subclusters,
    gold_forecast,
    subclusters_forecast,
)
from annotation.services.model_answers import answers_cost, launch_answers
from annotation.services.third_judgements import ask_for_uncertain
from annotation.services.training import draw_training, known_answers
from annotation.specs import (
    BatchSpec,
    JudgingSpec,
    ModelSpec,
    MorePairs,
    SplitDrawSpec,
    TrainingBatchSpec,
    TrainingSpec,
)
from annotation.views.classifiers import application_context
from corpus.forms import dataset_label
from corpus.models import Article, Dataset, LexiconKind
from corpus.operations import datasets, no_dataset
from corpus.services.uploads import lines_of
from jobs.models import JobState
from jobs.operations import LaunchPage, Missing, Named, Operation, Rows
from jobs.services.launch_cost import LaunchCost
from paragold.sampling.strategy import DrawSpec
from paragold.spec import Spec, param
from projects.models import Project, Role

CLASSIFIERS = ("classifiers", _("Classifiers"))
# A file is not counted before it is sent: its cost is shown for so many pairs.
PAIRS_SHOWN = 1_000


class ClassifierName(Spec):
    name: str = param("svm", "Name", "A name in use gets its next version.", max_length=80)


class ApplicationOptions(Named):
    threshold: float | None = param(
        None,
        "Threshold",
        "Minimum probability of an accepted pair. None (recommended): by the sign of the decision value.",
        ge=0,
        le=1,
    )


def apply_classifier(*, project: Project, by: User | None, **given: Any) -> ClassifierRun:
    """The project is that of the classifier."""
    return launch_application(by=by, **given)


def association_lexicons(project: Project) -> Any:
    rows = project.lexicons.filter(
        kind=LexiconKind.ASSOCIATION, job__state=JobState.DONE, parameters__second_language__isnull=True
    )
    return rows.select_related("dataset")


def cost_of_training(
    *,
    project: Project,
    spec: TrainingSpec,
    gold_set: GoldSet | None,
    bootstrap: Dataset | None,
    aligned: Dataset | None,
    pairs: Any = None,
    **others: Any,
) -> LaunchCost:
    labelled = gold_set.counts.get("pairs", 0) if gold_set else PAIRS_SHOWN
    number = lines_of(pairs) if pairs else labelled
    return training_cost(
        number,
        len(spec.classes),
        bootstrap=bootstrap,
        aligned=aligned,
        aligner=spec.aligner,
        encoder=bool(spec.encoder),
        project=project,
    )


def cost_of_application(*, dataset: Dataset, classifier: TrainedClassifier, **others: Any) -> LaunchCost:
    return application_cost(dataset, classifier)


def nothing_to_apply(project: Project) -> Missing | None:
    if project.classifiers.current().exists():
        return no_dataset(project)
    text = _("A classifier is trained on a gold set or on a file of labelled pairs.")
    return Missing(_("There is no classifier yet"), text, "classifiers", _("Go to the classifiers"))


def annotator_rows() -> Rows:
    return Rows(
        "annotators",
        _("User names of those who answer."),
        annotators_of,
        many=True,
        required=True,
        key="username",
    )


def known_rows(
    what: str, preselected: Callable[[Project], GoldSet | None] = lambda project: None
) -> tuple[Rows, ...]:
    """The choices of where right answers come from; `what` they are for."""
    about = f"Its labels are the right answers {what}."
    return (
        Rows("gold_set", about, gold_sets, label=_("Gold set"), preselected=preselected),
        Rows(
            "expert_batch",
            f"Instead of a gold set: what an expert decided, or else judged, in it is right {what}.",
            closed_batches,
            label=_("Closed batch of an expert"),
        ),
        Rows(
            "expert", _("Whose answers in that batch are right."), experts, key="username", label=_("Expert")
        ),
    )


def gold_sets(project: Project) -> Any:
    return project.gold_sets.filter(scheme=project.scheme)


def newest_gold(project: Project) -> GoldSet | None:
    newest: GoldSet | None = gold_sets(project).filter(archived_at=None).first()
    return newest


def closed_batches(project: Project) -> Any:
    return project.batches.filter(kind=BatchKind.JUDGE, state=BatchState.CLOSED, trial=False)


def experts(project: Project) -> Any:
    roles = [Role.ANNOTATOR, Role.ADJUDICATOR]
    people = User.objects.filter(memberships__project=project, memberships__role__in=roles)
    return people.order_by("username").distinct()


def no_known_answers(project: Project) -> Missing | None:
    if gold_sets(project).exists() or closed_batches(project).exists():
        return no_annotators(project)
    text = _(
        "A training needs pairs whose right label is known: freeze a gold set, or have an expert judge a "
        "batch and close it."
    )
    return Missing(_("No right answer is known yet"), text, "judge", _("Go to the batches"))


def no_annotators(project: Project) -> Missing | None:
    if annotators_of(project).exists():
        return None
    text = _("This project has no annotator. Add people as annotators, then draw a batch for them.")
    return Missing(_("Nobody can annotate yet"), text, "members", _("Add annotators"))


def nothing_to_judge(project: Project) -> Missing | None:
    return no_dataset(project) or no_annotators(project)


def nothing_to_split(project: Project) -> Missing | None:
    if Article.objects.filter(cluster__project=project).exclude(title="").exists():
        return no_annotators(project)
    text = _("Headlines are the titles of articles. Import clusters of articles with titles, or headlines.")
    return Missing(_("There are no headlines"), text, "corpus-import", _("Import articles"))


def name_and_annotators(project: Project, stem: str, name: str, annotators: Sequence[User]) -> dict[str, Any]:
    """The arguments of a draw: a free name where none was chosen, and user names."""
    taken = project.batches.values_list("name", flat=True)
    return {
        "name": name.strip() or free_name(taken, stem),
        "annotators": [person.get_username() for person in annotators],
    }


def draw_judging(
    *,
    project: Project,
    by: User | None,
    name: str,
    annotators: Sequence[User],
    spec: DrawSpec,
    quota: int | None,
    count_phenomena: str,
    control: int,
    gold_set: GoldSet | None = None,
    expert_batch: Batch | None = None,
    expert: User | None = None,
    **given: Any,
) -> Batch:
    """Draw a batch to judge; with a quota, the same for each annotator."""
    if control:
        given["known"] = known_answers(
            project=project, gold_set=gold_set, expert_batch=expert_batch, expert=expert
        )
    shared = name_and_annotators(project, JudgingForm.stem, name, annotators)
    return draw_judging_batch(
        project=project,
        by=by,
        strategy=spec,
        quotas=dict.fromkeys(shared["annotators"], quota) if quota else None,
        count_phenomena=count_phenomena or None,
        control=control,
        **shared,
        **given,
    )


def draw_training_batch(*, project: Project, name: str, annotators: Sequence[User], **given: Any) -> Batch:
    shared = name_and_annotators(project, TrainingBatchForm.stem, name, annotators)
    return draw_training(project=project, **shared, **given)


def draw_splitting(*, project: Project, name: str, annotators: Sequence[User], **given: Any) -> Batch:
    shared = name_and_annotators(project, SplittingForm.stem, name, annotators)
    return draw_splitting_batch(project=project, **shared, **given)


class JudgementsRule(FreezeName):
    rule: str = param(
        "",
        "Rule",
        "By default adjudicated once an adjudicator has decided anything in the batches, else the project's.",
        choices={"": _("the default"), **GOLD_RULES},
    )


class SubclustersRule(FreezeName):
    rule: str = param(SubclusterRule.ADJUDICATED.value, "Rule", choices=dict(SubclusterRule.choices))


class FreezeSubclustersForm(FreezeForm):
    stem, rules = "sub-clusters", dict(SubclusterRule.choices)

    def usual_rule(self) -> str:
        return SubclusterRule.ADJUDICATED


def freeze_judgements(*, name: str, rule: str, **given: Any) -> GoldSet:
    return freeze_gold_set(name=name or FreezeJudgementsForm.stem, rule=rule or None, **given)


def freeze_subclusters(*, name: str, **given: Any) -> GoldSubclusterSet:
    return freeze_gold_subclusters(name=name or FreezeSubclustersForm.stem, **given)


def models_rows(kind: str, thing: str) -> Rows:
    """The choice of models that answered batches of a kind, whose answers then count in gold."""

    def offered(project: Project) -> Any:
        models = ModelAnnotator.objects.filter(batch__in=batches_of(kind)(project), job__state=JobState.DONE)
        return models.select_related("batch", "job")

    return Rows(
        "models",
        f"Their {thing} count as those of further annotators, and the card of the set says so.",
        offered,
        many=True,
        label=_("Models (none is recommended)"),
        called=lambda model: f"{model}, in {model.batch}",
    )


def to_answer(project: Project) -> Any:
    return Batch.objects.filter(project=project, trial=False).exclude(kind=BatchKind.SPLIT)


def nothing_to_answer(project: Project) -> Missing | None:
    if to_answer(project).current().exists():
        return None
    text = _("A model answers the pairs of a batch that people judge too. Draw one first.")
    return Missing(_("There is no batch"), text, "judge", _("Go to the batches"))


OPERATIONS = (
    Operation(
        "ask-for-uncertain",
        "Ask for another judgement of the pairs of a batch whose labels are the most uncertain.",
        ask_for_uncertain,
        rows=(Rows("batch", _("An open batch."), batches_that_grow, required=True),),
        options=MorePairs,
        page=LaunchPage(
            title=_("Ask for more judgements"),
            about=_(
                "Pairs of a batch whose labels have a posterior of 0.9 or less get another annotator, the "
                "most uncertain pairs first, the most competent annotators first."
            ),
            button=_("Ask for them"),
            launched=_("More judgements of {} are asked for."),
            back=("judge", _("Judge")),
            manual="competence#use",
            missing=nothing_to_answer,
        ),
    ),
    Operation(
        "answer-batch",
        "Have a model answer a batch of judgements or links, in quarantine.",
        launch_answers,
        rows=(
            Rows("batch", _("Pairs to answer."), to_answer, required=True),
            Rows(
                "classifier",
                _("Trained classifier."),
                lambda project: project.classifiers.filter(job__state=JobState.DONE),
                label=_("Classifier"),
                none=_("None: another model answers"),
            ),
        ),
        options=Spec,
        spec=ModelSpec,
        settings="Parameters of the pair scorer, such as length, or of the aligner; its language is the "
        "project's by default.",
        cost=lambda *, batch, **others: answers_cost(batch),
        page=LaunchPage(
            title=_("Have a model answer a batch"),
            about=_(
                "A model judges or links the pairs of a batch beside people. Annotators never see its "
                "answers, and they count nowhere unless you choose so when you freeze gold."
            ),
            button=_("Have it answer"),
            launched=_("{} answers the batch."),
            back=("judge", _("Judge")),
            manual="competence#a-model-as-an-annotator",
            order=("batch", "aligner", "classifier", "scorer", "threshold", "partial_from", "price"),
            missing=nothing_to_answer,
            form=ModelForm,
        ),
    ),
    Operation(
        "freeze-gold-set",
        "Freeze the judgements of batches of one scheme as the next version of a gold set.",
        freeze_judgements,
        rows=(
            Rows(
                "batches",
                "",
                batches_of(BatchKind.JUDGE),
                many=True,
                required=True,
            ),
            models_rows(BatchKind.JUDGE, "answers"),
        ),
        options=JudgementsRule,
        page=freezing_page(
            FreezeJudgementsForm,
            gold_forecast,
            title=_("Freeze a gold set"),
            about=_(
                "A rule turns the judgements of one or more batches into one label for each pair. What "
                "is frozen never changes; judge more, and freeze the next version."
            ),
            thing="pair",
            kind=BatchKind.JUDGE,
            manual="formats/judgements#batches-and-gold-sets",
            missing=Missing(
                _("No batch was judged"),
                _("A gold set is made of judged batches. Draw one and have it judged first."),
                "judge",
                _("Go to the batches"),
            ),
        ),
    ),
    Operation(
        "freeze-subclusters",
        "Freeze the sub-clusters of a batch as the next version of gold sub-clusters.",
        freeze_subclusters,
        rows=(Rows("batch", "", batches_of(BatchKind.SPLIT), required=True),),
        options=SubclustersRule,
        page=freezing_page(
            FreezeSubclustersForm,
            subclusters_forecast,
            title=_("Freeze gold sub-clusters"),
            about=_(
                "What annotators submitted for a batch is merged into one set of sub-clusters for each "
                "cluster. What is frozen never changes."
            ),
            thing="cluster",
            kind=BatchKind.SPLIT,
            manual="subclusters#review-and-gold",
            missing=Missing(
                _("No cluster was split"),
                _("Gold sub-clusters are merged from a batch for splitting. Draw a batch and have it split."),
                "split",
                _("Go to the batches"),
            ),
        ),
    ),
    Operation(
        "draw-judging-batch",
        "Draw pairs of a dataset for annotators to judge.",
        draw_judging,
        rows=(
            Rows("dataset", _("Pairs to draw from."), datasets, required=True, called=dataset_label),
            annotator_rows(),
            Rows(
                "paraphrases_of",
                _(
                    "Draws only pairs that are paraphrases or partial paraphrases in this gold set, "
                    "again, for a separate count of phenomena."
                ),
                lambda project: project.gold_sets.all(),
                label=_("Only paraphrases of"),
                none=_("No gold set: all pairs of the dataset"),
            ),
            Rows(
                "requires",
                _("Training that annotators must have passed before they get pairs of the batch."),
                lambda project: project.batches.exclude(measure=""),
                label=_("Required training"),
            ),
            *known_rows("of control items"),
        ),
        options=JudgingSpec,
        spec=DrawSpec,
        page=LaunchPage(
            title=_("Draw a batch to judge"),
            about=_(
                "Pairs are drawn from a dataset, at random unless you say otherwise, and assigned evenly."
            ),
            button=_("Draw the batch"),
            launched=_("{} is drawn."),
            back=("judge", _("Judge")),
            manual="sampling#the-draw",
            order=(
                *("dataset", "size", "annotators", "overlap", "name"),
                *("requires", "control", "gold_set", "expert_batch", "expert"),
            ),
            folded=(
                *(
                    "third_judgement",
                    "own_order",
                    "seed",
                    "count_phenomena",
                    "handing_out",
                    "lease_minutes",
                    "quota",
                    "paraphrases_of",
                    *("requires", "control", "gold_set", "expert_batch", "expert"),
                ),
                *(parameter.name for parameter in DrawSpec.parameters()),
            ),
            folded_under=_("How it is drawn"),
            missing=nothing_to_judge,
            form=JudgingForm,
        ),
    ),
    Operation(
        "draw-training",
        "Draw pairs whose right label is known for annotators to learn by and to pass.",
        draw_training_batch,
        rows=(*known_rows("of the training", preselected=newest_gold), annotator_rows()),
        options=TrainingBatchSpec,
        page=LaunchPage(
            title=_("Draw a training"),
            about=_(
                "Annotators see the right label after each answer, with the guidelines' words on it. Who "
                "reaches the threshold has passed; others try again. A batch can require it."
            ),
            button=_("Draw the training"),
            launched=_("{} is drawn."),
            back=("judge", _("Judge")),
            manual="people#training",
            order=("gold_set", "expert_batch", "expert", "size", "measure", "threshold", "annotators"),
            folded=("seed",),
            missing=no_known_answers,
            form=TrainingBatchForm,
        ),
    ),
    Operation(
        "draw-splitting-batch",
        "Draw clusters for annotators to split into sub-clusters of headlines.",
        draw_splitting,
        rows=(annotator_rows(),),
        options=BatchSpec,
        spec=SplitDrawSpec,
        page=LaunchPage(
            title=_("Draw a batch to split"),
            about=_(
                "Clusters are drawn at random with the titles of their articles, and assigned evenly. "
                "Annotators put headlines that say the same into one group, without seeing each other's."
            ),
            button=_("Draw the batch"),
            launched=_("{} is drawn."),
            back=("split", _("Headlines")),
            manual="subclusters#drawing-a-batch",
            order=("name", "headlines", "annotators", "overlap"),
            folded=("fewest", "most", "clusters", "again", "own_order", "seed"),
            folded_under=_("Which clusters"),
            missing=nothing_to_split,
            form=SplittingForm,
        ),
    ),
    Operation(
        "train-classifier",
        "Train the next version of a classifier on a gold set.",
        launch_training,
        rows=(
            Rows(
                "gold_set",
                _("Gold set to train on."),
                lambda project: project.gold_sets.all(),
                required=True,
                label=_("Gold set"),
                called=gold_set_label,
                preselected=lambda project: project.gold_sets.current().first(),
            ),
            Rows(
                "lexicon",
                _("Lexicon of word association; without one this class is off."),
                association_lexicons,
                label=_("Word association lexicon"),
                none=_("None: turn the class association off"),
                called=lambda lexicon: lexicon.in_words,
                preselected=lambda project: association_lexicons(project).filter(archived_at=None).first(),
            ),
            Rows(
                "bootstrap",
                _(
                    "Measures the effect of adding the classifier's own decisions on this dataset to "
                    "its training pairs. The classifier itself is trained on people's labels only."
                ),
                datasets,
                label=_("Measure bootstrapping"),
                none=_("No"),
                called=dataset_label,
            ),
            Rows(
                "aligned",
                _(
                    "Dataset: for each row of the ablation, train an aligner on the pairs accepted "
                    "from it, and measure its alignment error rate. The project needs gold links."
                ),
                datasets,
                label=_("Measure the alignment error rate"),
                none=_("No"),
                called=dataset_label,
                preselected=lambda project: next(iter(default_datasets(project)[0]), None),
            ),
        ),
        options=ClassifierName,
        spec=TrainingSpec,
        leave_out=("language",),
        cost=cost_of_training,
        page=LaunchPage(
            title=_("Train a classifier"),
            about=_(
                "Binary classifier: paraphrase against everything else. Evaluated by 3-fold "
                "cross-validation grouped by cluster."
            ),
            button=_("Train it"),
            launched=_("The training of {} is launched."),
            back=CLASSIFIERS,
            manual="classification#training",
            order=("name", "gold_set", "pairs", "encoding", "lexicon", "classes", "encoder", "aligned"),
            folded=(
                *("pair_words", "function_words", "min_frequency", "loss", "c", "class_weight", "seed"),
                *("with_audit", "with_held_out", "bootstrap"),
                *("aligner", "identical_words", "symmetrisation"),
            ),
            folded_under=_("How it is fitted"),
            form=TrainingForm,
        ),
    ),
    Operation(
        "apply-classifier",
        "Apply a classifier to a dataset; the accepted pairs become a dataset.",
        apply_classifier,
        rows=(
            Rows(
                "classifier",
                _("Trained classifier."),
                lambda project: project.classifiers.all(),
                required=True,
                preselected=lambda project: project.classifiers.current().first(),
            ),
            Rows("dataset", _("Pairs to decide on."), datasets, required=True, called=dataset_label),
        ),
        options=ApplicationOptions,
        cost=cost_of_application,
        page=LaunchPage(
            title=_("Apply a classifier to a dataset"),
            about=_(
                "Every pair gets a decision value and a probability. The accepted pairs become a frozen "
                "dataset that can be used like any other."
            ),
            button=_("Apply it"),
            launched=_("{} is launched."),
            back=CLASSIFIERS,
            manual="classification#in-a-project",
            order=("classifier", "dataset", "threshold", "name"),
            missing=nothing_to_apply,
            form=ApplicationForm,
            template="annotation/launch_application.html",
            context=application_context,
        ),
    ),
)
