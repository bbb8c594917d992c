"""What is launched on a corpus: finding candidate pairs, freezing datasets, building lexicons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.forms import ModelChoiceField
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_noop as _

from corpus.forms import dataset_label
from corpus.models import Dataset, Extraction, HeldOut, Lexicon
from corpus.services.datasets import freeze_dataset, offered_selections
from corpus.services.extraction import launch_extraction
from corpus.services.headline_matching import expected_groups, headline_cost, launch_headline_matching
from corpus.services.lexicons import launch_lexicon, wordnet_problem
from corpus.services.matching import ROW_CAP, estimate, launch_matching, matching_cost
from corpus.services.presets import NAME_LENGTH, presets_of
from corpus.services.translation_matching import (
    launch_translation_matching,
    translation_cost,
    translation_lexicons,
)
from corpus.specs import ProjectHeadlineSpec, ProjectMatchingSpec, ProjectTranslationSpec
from jobs.launch_form import LaunchForm
from jobs.models import JobState
from jobs.operations import Confirmed, LaunchPage, Missing, Named, Operation, Rows
from paragold.classification.settings import LexiconSpec
from paragold.extraction.criteria import Selection
from paragold.extraction.presets import RECOMMENDED, names_with_purposes
from paragold.extraction.selection import preset_selections
from paragold.languages import language
from paragold.spec import Spec, param
from paragold.text.stemming import stemmer_name
from projects.listings import grouped, many
from projects.models import Project
from projects.services.projects import first_free
from projects.views.project_view import submitted

CANDIDATES = ("candidates", _("Candidates"))
COMPARES_WORDS = _(
    "This compares words, and sentences in two languages share hardly any: it is of use within one "
    "of them. Match translations instead."
)


class ExtractionOptions(Confirmed):
    preset: str = param(
        RECOMMENDED,
        "Preset",
        f"{names_with_purposes()}, or a preset that the project saved.",
        max_length=NAME_LENGTH,
    )


class WordsForm(LaunchForm):
    """Says that words are compared, where the project has two languages."""

    def fit(self) -> None:
        self.notice = COMPARES_WORDS if self.project.second_language else ""


class MatchingForm(WordsForm):
    """Begins with the stop words of the project's language."""

    note = _("An estimate matches a random sample, in a few seconds and without storing anything.")

    def fit(self) -> None:
        super().fit()
        words = language(self.project.language).stop_words
        self.fields["stop_words"].initial = words


class HeadlinesForm(WordsForm):
    def fit(self) -> None:
        super().fit()
        stemmer = stemmer_name(self.project.language)
        self.note = gettext(
            "Words are stemmed as %(stemmer)s. A headline with the words of an earlier one is left out."
        ) % {"stemmer": stemmer}


class DatasetForm(LaunchForm):
    """`?selection=` fills it with what a preset keeps."""

    def fit(self) -> None:
        if not self.project.clusters.filter(held_out=True).exists():
            self.note = gettext("No cluster of this project is held out.")
        presets = presets_of(self.project)
        self.selections = preset_selections(presets)
        self.preset = self.asked.get("selection", "")
        if self.preset not in self.selections:
            return
        for name, value in self.selections[self.preset]:
            self.fields[name].initial = value
        clusters = str(presets[self.preset].criteria.clusters)
        held_out = {"held_out": HeldOut.ONLY, "rest": HeldOut.REST}.get(clusters, HeldOut.ALL)
        self.fields["held_out"].initial = held_out
        self.fields["name"].initial = self.preset
        finished = finished_extractions(self.project).select_related("project")
        wide = [row for row in finished if self.preset in offered_selections(row)]
        self.fields["extractions"].initial = wide[:1]

    @property
    def opened(self) -> bool:
        return self.preset in self.selections or super().opened


class LexiconForm(LaunchForm):
    """In two languages, all imported pairs serve as seeds too, and only word association makes sense."""

    def fit(self) -> None:
        if self.project.second_language:
            del self.fields["kind"]
            self.fields["min_together"].initial = 1
            return
        self.notice = wordnet_problem(self.project.language)
        if isinstance(dataset := self.fields.get("dataset"), ModelChoiceField):
            dataset.required, dataset.empty_label = True, None


class DatasetOptions(Named):
    held_out: str = param(
        HeldOut.ALL.value,
        "Clusters",
        "Keeps clusters for testing apart from clusters for training.",
        choices=dict(HeldOut.choices),
    )


class LexiconName(Spec):
    name: str = param("", "Name", "Empty: its kind. A name in use gets its next version.", max_length=80)


def datasets(project: Project) -> QuerySet[Any]:
    return project.datasets.all()


def newest_dataset(project: Project) -> Any:
    return project.datasets.current().first()


def finished_extractions(project: Project) -> QuerySet[Any]:
    return project.extractions.filter(job__state=JobState.DONE).select_related("job")


def no_extraction(project: Project) -> Missing | None:
    if project.extractions.current().filter(job__state=JobState.DONE).exists():
        return None
    text = _("A dataset is selected from what finished extractions found.")
    return Missing(_("No extraction is finished yet"), text, "extraction-new", _("Extract candidate pairs"))


def extraction_label(extraction: Extraction) -> str:
    return (
        f"{extraction.name} ({extraction.preset}, {many(extraction.job.counts.get('pairs_kept', 0), 'pair')})"
    )


def no_dataset(project: Project) -> Missing | None:
    if project.datasets.current().exists():
        return None
    if project.second_language:
        if project.clusters.imported_pairs().exists():
            return None
        text = _("Import pairs that are translations of each other, with judgements or word links.")
        return Missing(
            _("There are no translations to learn from"), text, "judgements-import", _("Import pairs")
        )
    text = _("An extraction that has finished makes one.")
    return Missing(_("There is no dataset"), text, "candidates", _("Go to the candidates"))


def no_clusters(project: Project) -> Missing | None:
    if project.clusters.of_corpus().exists():
        return None
    text = _("Sentences and headlines come from articles.")
    return Missing(_("There is nothing to compare yet"), text, "corpus-import", _("Import a corpus"))


def no_translations(project: Project) -> Missing | None:
    if not project.second_language:
        text = _("Sentences in one language are matched by the words that they share.")
        return Missing(_("The project has one language"), text, "candidates", _("Go to the candidates"))
    if translation_lexicons(project).exists():
        return no_clusters(project)
    text = _("It is learned from pairs of sentences that are translations of each other.")
    return Missing(_("There is no lexicon of translations"), text, "lexicons", _("Go to the lexicons"))


def no_headlines(project: Project) -> Missing | None:
    if stemmer_name(project.language):
        return no_clusters(project)
    text = gettext("The language of the project is %(language)s. Match sentences by their words instead.") % {
        "language": project.language
    }
    return Missing(_("There is no stemmer for this language"), text, "candidates", _("Go to the candidates"))


def expected_matching(request: HttpRequest, form: LaunchForm) -> dict[str, Any]:
    """What a random sample says that the matching would give, where that is asked for."""
    if not form.previews:
        return {}
    estimated = submitted(form, lambda: estimate(project=form.project, spec=form.arguments["spec"]))
    return {"estimated": estimated, "row_cap": ROW_CAP}


def expected_headlines(request: HttpRequest, form: LaunchForm) -> dict[str, Any]:
    """How many groups k-means would make."""
    chosen = form.arguments["spec"] if form.is_bound and form.is_valid() else ProjectHeadlineSpec()
    made = expected_groups(form.project, chosen)
    if made is None:
        return {}
    words = gettext(
        "Expected by k-means with the choices above: about %(groups)s groups of %(headlines)s headlines, "
        "computed from %(clusters)s. Number of groups: %(chosen)s."
    )
    values = {"groups": grouped(made["groups"]), "headlines": grouped(made["headlines"])}
    values |= {"clusters": many(made["clusters"], "cluster"), "chosen": made["chosen"]}
    return {"expected": words % values}


def select_dataset(
    *,
    project: Project,
    by: User | None,
    name: str,
    extractions: Sequence[Extraction],
    spec: Selection,
    held_out: str,
) -> Dataset:
    """A dataset is called by its extraction where no name is given."""
    taken = project.datasets.values_list("name", flat=True)
    name = name.strip() or first_free(extractions[0].name, taken)
    return freeze_dataset(
        project=project, name=name, extractions=extractions, held_out=held_out, criteria=spec.as_json()
    )


def build_lexicon(*, name: str, spec: LexiconSpec, **given: Any) -> Lexicon:
    """A lexicon is called by its kind where no name is given."""
    return launch_lexicon(name=name or spec.kind, spec=spec, **given)


OPERATIONS = (
    Operation(
        "extract",
        "Extract candidate pairs with a preset.",
        launch_extraction,
        options=ExtractionOptions,
        settings="Parameters of the preset to replace, such as max_edit_distance.",
    ),
    Operation(
        "freeze-dataset",
        "Freeze pairs that finished extractions found as a dataset.",
        select_dataset,
        rows=(
            Rows(
                "extractions",
                _("The dataset contains every pair found by at least one of them."),
                finished_extractions,
                many=True,
                required=True,
                called=extraction_label,
            ),
        ),
        options=DatasetOptions,
        spec=Selection,
        page=LaunchPage(
            title=_("New dataset"),
            about=_(
                "A frozen selection of pairs. Batches are drawn from it, and it never changes afterwards."
            ),
            button=_("Freeze the dataset"),
            launched=_("The dataset {} is frozen."),
            back=("datasets", _("Datasets")),
            manual="extraction#datasets-are-selections",
            order=("name", "extractions", "held_out"),
            folded=tuple(parameter.name for parameter in Selection.parameters()),
            folded_under=_("Criteria for pairs"),
            missing=no_extraction,
            form=DatasetForm,
            template="corpus/launch_dataset.html",
        ),
    ),
    Operation(
        "match-sentences",
        "Match the sentences of the project by the words that they share.",
        launch_matching,
        options=Confirmed,
        spec=ProjectMatchingSpec,
        leave_out=("language",),
        cost=matching_cost,
        page=LaunchPage(
            title=_("Match sentences by their words"),
            about=_(
                "Pairs that share many of their words, in whatever order, within a cluster or across "
                "all of them (Chung and Knight)."
            ),
            button=_("Launch the matching"),
            launched=_("The matching {} is launched."),
            back=CANDIDATES,
            manual="matching#sentences-of-a-project",
            order=("scope", "clusters", "method"),
            form=MatchingForm,
            missing=no_clusters,
            template="corpus/launch_matching.html",
            context=expected_matching,
            preview=_("Estimate first"),
        ),
    ),
    Operation(
        "match-translations",
        "Match the sentences of the project's two languages by a lexicon of translations.",
        launch_translation_matching,
        rows=(
            Rows(
                "lexicon",
                _("It says which words are translations; learned from pairs of sentences that are."),
                translation_lexicons,
                required=True,
                called=lambda lexicon: lexicon.in_words,
                preselected=lambda project: translation_lexicons(project).filter(archived_at=None).first(),
            ),
        ),
        spec=ProjectTranslationSpec,
        leave_out=("language", "second_language"),
        cost=translation_cost,
        page=LaunchPage(
            title=_("Match translations"),
            about=_(
                "Each sentence of the project's language with those of the second one that have the "
                "largest share of translated words, compared with what their neighbours have."
            ),
            button=_("Launch the matching"),
            launched=_("The matching {} is launched."),
            back=CANDIDATES,
            manual="two-languages#finding-translations",
            order=("lexicon", "scope", "clusters"),
            missing=no_translations,
        ),
    ),
    Operation(
        "match-headlines",
        "Match the headlines of each cluster.",
        launch_headline_matching,
        spec=ProjectHeadlineSpec,
        leave_out=("language",),
        cost=headline_cost,
        page=LaunchPage(
            title=_("Match headlines"),
            about=_(
                "The first sentences of the articles of a cluster, paired by the cosine of their words, "
                "with what follows them as context (Wubben et al. 2009)."
            ),
            button=_("Launch the matching"),
            launched=_("The matching {} is launched."),
            back=CANDIDATES,
            manual="matching#headlines-match-headlines",
            missing=no_headlines,
            form=HeadlinesForm,
            context=expected_headlines,
            preview=_("Count the groups"),
        ),
    ),
    Operation(
        "build-lexicon",
        "Build the next version of a lexicon of word pairs from a dataset.",
        build_lexicon,
        rows=(
            Rows(
                "dataset",
                _(
                    "Identical words are taken out of its pairs; what is left is read like a "
                    "translation. In a project of two languages its pairs are translations, and so are "
                    "the words that are learned."
                ),
                datasets,
                none=_("All imported pairs"),
                called=dataset_label,
                preselected=newest_dataset,
            ),
        ),
        options=LexiconName,
        spec=LexiconSpec,
        page=LaunchPage(
            title=_("Build a lexicon"),
            about=_("Pairs of words that may replace each other, for the features of a classifier."),
            button=_("Build it"),
            launched=_("The building of {} is launched."),
            back=("lexicons", _("Lexicons")),
            manual="classification#features",
            order=("kind", "name", "dataset"),
            missing=no_dataset,
            form=LexiconForm,
        ),
    ),
)
