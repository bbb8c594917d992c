"""Training a classifier: asked for here, done by the workers, one cross-validation after the other.

What needs NumPy's and scikit-learn's weight is imported by the functions that do the work, so that the web
server's processes go without.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from annotation.models import GoldSet, TrainedClassifier
from annotation.specs import TrainingSpec
from corpus.models import Dataset, Lexicon, LexiconKind
from jobs.kinds import Runner
from jobs.models import Job
from jobs.services import ledger
from jobs.services.launch_cost import LaunchCost, launch_cost
from jobs.services.removal import keep
from paragold.aligners.registry import ALIGNERS
from paragold.classification.classes import ENCODER
from paragold.classification.pair_scorers import all_classes
from paragold.classification.settings import ClassifierSpec
from projects.errors import PublicError
from projects.listings import grouped
from projects.models import Project
from projects.services.projects import next_version
from projects.services.server_choices import check_encoder

from .applying import ENCODER_SECONDS_A_PAIR, application_cost
from .context import spec_of
from .measuring import (
    ABLATION,
    BOOTSTRAP,
    CURVE,
    LARGEST_POOL,
    MODEL,
    RANDOM_FOLDS,
    UNREFINED,
    alignment_error,
    check_trainable,
    compute,
    pairs_held_out,
    pairs_of_gold,
    pairs_of_import,
    read_imported,
)

PLAIN = TrainingSpec()
KIND = "train_classifier"
VERSION = 2
# The model is cross-validated with every C and once more nested; the others take one cross-validation each.
MODEL_UNITS = 4
BOOTSTRAP_UNITS = 3
# A row of the ablation with an aligner of its own.
ALIGNED_UNITS = 2
# One run of a program at most.
PROGRAM_SECONDS = 24 * 3600
# The rate where no classifier was trained here yet: slower than measured (docs/classification.md).
SECONDS_A_PAIR = 3e-3
# Rows of the ablation besides one for each class, and points of the learning curve, at most.
FURTHER_ROWS = 4
CURVE_POINTS = 5


def launch_training(
    *,
    project: Project,
    by: User | None,
    name: str,
    gold_set: GoldSet | None = None,
    pairs: Path | None = None,
    filename: str = "",
    encoding: str = "utf-8",
    lexicon: Lexicon | None = None,
    spec: TrainingSpec = PLAIN,
    bootstrap: Dataset | None = None,
    aligned: Dataset | None = None,
) -> TrainedClassifier:
    """Ask for the next version of a classifier, trained on a gold set or on a file of labelled `pairs` in an
    `encoding`.

    lexicon: of word association; without one that class is off. bootstrap: a dataset; measure what it would
    cost to learn from its pairs by the classifier's own decisions, which the model itself never does.
    aligned: a dataset; measure for each row of the ablation the alignment error rate, on the project's newest
    gold links, of an aligner trained on what is accepted of it. Raises PublicError for what cannot be
    trained.
    """
    name = name.strip()
    if not name:
        raise PublicError("A classifier needs a name.", field="name")
    if (gold_set is None) == (pairs is None):
        raise PublicError("Choose either a gold set or a file of labelled pairs.", field="gold_set")
    # Before the transaction: on SQLite nobody else could write meanwhile.
    imported = read_imported(pairs, filename, encoding=encoding) if pairs else (None, "")
    return _launch(
        project=project,
        by=by,
        name=name,
        gold_set=gold_set,
        imported=imported,
        lexicon=lexicon,
        spec=spec,
        bootstrap=bootstrap,
        aligned=aligned,
    )


@transaction.atomic
def _launch(
    *,
    project: Project,
    by: User | None,
    name: str,
    gold_set: GoldSet | None,
    imported: tuple[bytes | None, str],
    lexicon: Lexicon | None,
    spec: TrainingSpec,
    bootstrap: Dataset | None,
    aligned: Dataset | None,
) -> TrainedClassifier:
    """The launch itself; `imported` are the file's pairs as they are kept, and its name."""
    check_encoder(spec, spec.encoder)
    keep(gold_set, lexicon, bootstrap, aligned)
    from paragold.classification.training import CURVE_SHARES, FOLDS, variants

    chosen = tuple(
        class_id
        for class_id in all_classes()
        if class_id in spec.classes and (class_id != ENCODER or spec.encoder)
    )
    rows = {"gold_set": gold_set, "lexicon": lexicon, "bootstrap": bootstrap, "aligned": aligned}
    for field, row in rows.items():
        if row is not None and row.project_id != project.pk:
            raise PublicError(
                "This %(noun)s belongs to another project.", field=field, noun=row._meta.verbose_name
            )
    if gold_set is not None:
        labelled = pairs_of_gold(gold_set, with_audit=spec.with_audit, with_held_out=spec.with_held_out)
        if not labelled and (left_out := pairs_held_out(gold_set)):
            raise PublicError(
                "All %(left_out)s pairs of %(gold_set)s are of held-out clusters, which are kept for "
                "testing. Choose a gold set with other pairs.",
                field="gold_set",
                left_out=left_out,
                gold_set=gold_set,
            )
    else:
        labelled = pairs_of_import(imported[0] or b"")
    try:
        check_trainable(labelled, folds=FOLDS)
    except PublicError as error:
        raise PublicError(str(error), field="pairs" if gold_set is None else "gold_set") from error
    if lexicon is not None and (lexicon.kind != LexiconKind.ASSOCIATION or not lexicon.finished):
        raise PublicError(
            "%(lexicon)s is not a finished lexicon of word association.", field="lexicon", lexicon=lexicon
        )
    gold = _gold_of(project, aligned, spec)
    version = next_version(project.classifiers, name)
    parts: list[tuple[int, dict[str, Any]]] = [(MODEL_UNITS, {"part": MODEL})]
    if spec.report:
        units = ALIGNED_UNITS if gold else 1
        parts.append((1, {"part": RANDOM_FOLDS}))
        parts += [(units, {"part": ABLATION, "name": variant, **gold}) for variant, *_ in variants(chosen)]
        parts += [(1, {"part": UNREFINED, **gold})] if gold else []
        parts += [(1, {"part": CURVE, "share": share}) for share in CURVE_SHARES]
    if bootstrap is not None:
        parts.append((BOOTSTRAP_UNITS, {"part": BOOTSTRAP, "dataset": bootstrap.pk}))
    parameters = {
        "spec": spec.as_json(),
        "folds": FOLDS,
        "language": project.language,
        "units": "cross-validations",
    }
    cost = training_cost(
        len(labelled),
        len(chosen),
        report=spec.report,
        bootstrap=bootstrap,
        aligned=aligned,
        aligner=spec.aligner,
        encoder=ENCODER in chosen,
        project=project,
    )
    program = gold and ALIGNERS.get(spec.aligner).trains_when_applied
    patience = {"chunk_seconds": PROGRAM_SECONDS} if program else {}
    job = ledger.request_job(
        project=project,
        by=by,
        kind=KIND,
        title=f"Train {name} v{version}",
        parameters=parameters | cost.work | patience,
        signature=f"{KIND}|version:{VERSION}",
        chunks=[ledger.ChunkPlan(units=units, payload=payload) for units, payload in parts],
    )
    classifier = TrainedClassifier.objects.create(
        project=project,
        job=job,
        gold_set=gold_set,
        imported_pairs=imported[0],
        imported_from=imported[1],
        lexicon=lexicon,
        name=name,
        version=version,
        parameters=parameters,
    )
    ledger.hand_over(job)
    return classifier


def training_cost(
    pairs: int,
    classes: int,
    *,
    report: bool = True,
    bootstrap: Dataset | None = None,
    aligned: Dataset | None = None,
    aligner: str = PLAIN.aligner,
    encoder: bool = False,
    project: Project | None = None,
) -> LaunchCost:
    """The cross-validations of a training on so many labelled pairs with so many feature classes, and the
    time for them; `report`, `bootstrap`, `aligned` and `aligner` as in `launch_training`."""
    rows = classes + FURTHER_ROWS
    validations = MODEL_UNITS + (1 + rows + CURVE_POINTS if report else 0)
    processes = gettext("%(pairs)s labelled pairs in up to %(validations)s cross-validations") % {
        "pairs": grouped(pairs),
        "validations": validations,
    }
    expected = pairs * validations * SECONDS_A_PAIR
    if encoder:
        # Once in each worker process.
        expected += (pairs + (min(bootstrap.size, LARGEST_POOL) if bootstrap else 0)) * ENCODER_SECONDS_A_PAIR
    if bootstrap is not None:
        pool = min(bootstrap.size, LARGEST_POOL)
        processes += gettext(", %(pool)s pairs for bootstrapping") % {"pool": grouped(pool)}
        expected += BOOTSTRAP_UNITS * (pairs + pool) * SECONDS_A_PAIR
    if aligned is not None:
        text = gettext(", up to %(aligners)s aligners trained on at most %(pairs)s pairs each")
        processes += text % {"aligners": rows + 1, "pairs": grouped(aligned.size)}
        training = alignment_error().seconds(aligner, aligned.size)
        expected += (rows + 1) * (training + application_cost(aligned).seconds)
    how = " ".join(
        [*(["with the encoder"] if encoder else []), *([f"with {aligner}"] if aligned is not None else [])]
    )
    return launch_cost(KIND, processes, expected, how=how, project=project)


def _gold_of(project: Project, aligned: Dataset | None, spec: TrainingSpec) -> dict[str, Any]:
    """The gold links and aligner for the alignment error rate; empty where it is not measured."""
    if aligned is None:
        return {}
    if not spec.report:
        raise PublicError(
            "The alignment error rate is part of the ablation report: turn the report on.", field="aligned"
        )
    gold = alignment_error().gold(project)
    if gold is None:
        raise PublicError(
            "There are no gold links to measure the alignment error rate with. Freeze some, or turn this "
            "off.",
            field="aligned",
        )
    aligner = alignment_error().settings(project, spec.aligner_settings, aligned.size)
    return {"dataset": aligned.pk, "gold": gold[0], "gold name": gold[1], "aligner": aligner}


@transaction.atomic
def store(job: Job, result: dict[str, Any]) -> dict[str, int]:
    """Lay a part's figures beside those that are there. Parts may end in any order."""
    classifier = TrainedClassifier.objects.select_for_update().get(job=job)
    figures = dict(classifier.figures)
    for part, part_figures in result.items():
        if part == MODEL:
            classifier.model, classifier.sha256 = part_figures["data"], part_figures["sha256"]
            classifier.notes = part_figures["notes"]
            figures |= part_figures["figures"]
        elif part == RANDOM_FOLDS:
            figures["random_folds"] = part_figures
        elif part == BOOTSTRAP:
            figures["bootstrap"] = part_figures
        elif part == UNREFINED:
            figures["unrefined"] = part_figures
        elif part == CURVE:
            figures["curve"] = sorted([*figures.get("curve", []), part_figures], key=lambda row: row["pairs"])
        else:
            figures["ablation"] = [*figures.get("ablation", []), part_figures]
    classifier.figures = figures
    classifier.save(update_fields=["model", "sha256", "notes", "figures"])
    units = {MODEL: MODEL_UNITS, BOOTSTRAP: BOOTSTRAP_UNITS}
    aligned = ALIGNED_UNITS if "aligned" in result.get(ABLATION, {}) else 1
    return {"cross_validations": sum(units.get(part, aligned) for part in result)}


def finish(job: Job) -> None:
    """Bring the rows of the ablation into their order, and sign."""
    from paragold.classification.training import variants

    classifier = TrainedClassifier.objects.select_for_update().get(job=job)
    order = [name for name, *_ in variants(classifier.figures["classes"])]
    if rows := classifier.figures.get("ablation"):
        classifier.figures["ablation"] = sorted(rows, key=lambda row: order.index(row["name"]))
    classifier.signature = signature_of(classifier)
    classifier.save(update_fields=["figures", "signature"])


def signature_of(classifier: TrainedClassifier) -> str:
    """All that a model's bytes depend on."""
    from paragold.text import tokenisation

    figures = classifier.figures
    spec = spec_of(classifier)
    shared = {name: getattr(spec, name) for name in ClassifierSpec.model_fields}
    fitted = ClassifierSpec(**shared | {"classes": figures["classes"], "c": figures["c"]})
    source = classifier.gold_set or classifier.imported_from
    parts = [
        f"classifier|version:{VERSION}",
        f"pairs:{source}({figures['pairs']})",
        fitted.signature(),
        f"with_audit:{'yes' if spec.with_audit else 'no'}",
        f"with_held_out:{'yes' if spec.with_held_out else 'no'}",
        f"folds:{classifier.parameters['folds']}",
        f"lexicon:{classifier.lexicon or 'none'}",
        *(f"{name}:{signature}" for name, signature in sorted(figures["lexicons"].items())),
        *([f"encoder: {figures['encoder']}"] if figures.get("encoder") else []),
        tokenisation.SIGNATURE,
        f"sha256:{classifier.sha256}",
    ]
    return "|".join(parts)


RUNNER = Runner(compute=compute, store=store, finish=finish)
