"""Every kind of job: adding one means one entry here.

Functions are named by dotted path and pages by their address, so that reading this table imports nothing.
"""

from datetime import timedelta

from django.utils.translation import gettext_noop as _

from jobs.kinds import JobKind

_KINDS = (
    JobKind(
        name="import-check",
        label=_("Check of a file to import"),
        run="corpus.services.importing.CHECK_RUNNER",
        page="import",
        made="corpus_import",
        in_list="corpus-import",
    ),
    JobKind(
        name="import-store",
        label=_("Import"),
        run="corpus.services.importing.STORE_RUNNER",
        page="import",
        made="corpus_import",
        in_list="corpus-import",
    ),
    JobKind(
        name="extract",
        label=_("Extraction"),
        run="corpus.services.extraction.RUNNER",
        page="extraction",
        made="extraction",
        in_list="candidates",
    ),
    JobKind(
        name="match",
        label=_("Matching"),
        run="corpus.services.matching.RUNNER",
        page="extraction",
        made="extraction",
        in_list="candidates",
    ),
    JobKind(
        name="match-headlines",
        label=_("Headline matching"),
        run="corpus.services.headline_matching.RUNNER",
        page="extraction",
        made="extraction",
        in_list="candidates",
    ),
    JobKind(
        name="match-translations",
        label=_("Matching of translations"),
        run="corpus.services.translation_matching.RUNNER",
        page="extraction",
        made="extraction",
        in_list="candidates",
    ),
    JobKind(
        name="match_texts",
        label=_("Matching of texts"),
        run="corpus.services.text_matching.RUNNER",
        page="extraction",
        made="extraction",
        in_list="candidates",
    ),
    JobKind(
        name="build_lexicon",
        label=_("Lexicon"),
        run="corpus.services.lexicons.RUNNER",
        page="lexicon",
        made="lexicon",
    ),
    JobKind(
        name="train_classifier",
        label=_("Training of a classifier"),
        run="annotation.services.classifiers.training.RUNNER",
        page="classifier",
        made="trained_classifier",
    ),
    JobKind(
        name="apply_classifier",
        label=_("Run of a classifier"),
        run="annotation.services.classifiers.applying.RUNNER",
        page="classifier-run",
        made="classifier_run",
    ),
    JobKind(
        name="answer-batch",
        label=_("Answers of a model"),
        run="annotation.services.model_answers.RUNNER",
        page="model-annotator",
        made="model_annotator",
        in_list="judge",
    ),
    JobKind(
        name="train-aligner",
        label=_("Training of an aligner"),
        run="alignment.services.trained_aligners.training.RUNNER",
        page="aligner",
        made="trained_aligner",
    ),
    JobKind(
        name="align",
        label=_("Run of an aligner"),
        run="alignment.services.trained_aligners.applying.RUNNER",
        page="aligner-run",
        made="aligner_run",
    ),
    JobKind(
        name="suggest",
        label=_("Suggested links"),
        run="alignment.services.batches.RUNNER",
        page="alignment.views.batches.page_of_job",
    ),
    JobKind(
        name="experiment",
        label=_("Experiment"),
        run="alignment.services.experiments.RUNNER",
        page="experiment",
        made="experiment",
    ),
    JobKind(
        name="export-gold",
        label=_("Export of gold data"),
        run="alignment.services.gold_exports.RUNNER",
        page="exports",
    ),
    JobKind(
        name="export-dataset",
        label=_("Export of a dataset"),
        run="alignment.services.dataset_exports.RUNNER",
        page="exports",
    ),
    JobKind(
        name="list-action",
        label=_("Change of many rows of a list"),
        run="jobs.services.list_actions.RUNNER",
        page="jobs",
        retention=timedelta(days=90),
    ),
    JobKind(
        name="remove",
        label=_("Deletion"),
        run="jobs.services.removal.RUNNER",
        page="project",
        retention=timedelta(days=90),
    ),
    JobKind(
        name="remove-project",
        label=_("Removal of a deleted project"),
        run="ops.deletion.projects.RUNNER",
        page="project",
    ),
    JobKind(
        name="archive",
        label=_("Archive of a project"),
        run="ops.archive.archive_storage.RUNNER",
        page="archives",
        retention=timedelta(days=90),
    ),
)
JOB_KINDS: dict[str, JobKind] = {kind.name: kind for kind in _KINDS}
