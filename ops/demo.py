"""The demo project: the whole path walked once, with work left for the newcomer."""

from __future__ import annotations

import json
import secrets
import uuid
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from alignment.services.batches import draw_linking_batch
from alignment.services.gold_exports import request_gold_export
from alignment.services.gold_links import freeze_gold_alignments, pair_key
from alignment.services.linking import save_alignment
from alignment.services.scoring import score_aligner
from annotation.models import Assignment, Batch, GoldSet
from annotation.services.answers import save_judgement
from annotation.services.drawing import draw_judging_batch
from annotation.services.gold import freeze_gold_set
from corpus.imports import import_corpus, options_json
from corpus.models import CorpusImport, Dataset, ImportState
from corpus.services.datasets import freeze_dataset
from corpus.services.extraction import launch_extraction
from corpus.services.importing import launch_check
from corpus.services.uploads import keep_upload
from jobs.services.running import run_here
from ops.launcher.installation import Login
from paragold.sources.article_sources import SourceOptions
from projects.errors import PublicError
from projects.models import Project, Role
from projects.services.projects import add_member, create_project

# The corpus, and what the two annotators answered, as written down.
FOLDER = Path(settings.BASE_DIR) / "demo"
SLUG = "demo"
PRESETS = ("L12-2004-word", "F2-2004")
JUDGED, LEFT_TO_JUDGE = 80, 60
SEED = 38
ANNOTATORS = {"a": "annotator_a", "b": "annotator_b"}
LOGINS = {"manager": "manager", "annotator A": "annotator_a", "annotator B": "annotator_b"}


EXAMPLE = "96 example articles on 16 events, in English,"


def launch_example(*, project: Project, by: User) -> CorpusImport:
    """Ask for the demo's corpus to be checked and stored in a project that has no articles.

    Raises PublicError for a project that has some, or into which some are being imported.
    """
    if project.clusters.exists() or project.imports.exclude(state=ImportState.REFUSED).exists():
        raise PublicError("The project has articles already: example data is for empty projects.")
    data = (FOLDER / "corpus.jsonl").read_bytes()
    upload = keep_upload(
        pieces=[data], size=len(data), filename="example.jsonl", encoding="utf-8", project=project, user=by
    )
    options = options_json(SourceOptions())
    return launch_check(project=project, by=by, uploads={"file": upload}, options=options, then_store=True)


@transaction.atomic
def load_demo() -> list[Login]:
    """Create the demo project and its people. Changes nothing when the project exists already."""
    if Project.objects.filter(slug=SLUG).exists():
        return []
    logins = [login for role, name in LOGINS.items() if (login := create_login(role, name)) is not None]
    manager = User.objects.get(username="manager")
    project = create_project(
        by=manager,
        slug=SLUG,
        name="Demo: sixteen events",
        language="en",
    )
    add_member(project=project, by=manager, username="manager", role=Role.ADJUDICATOR)
    for username in ANNOTATORS.values():
        add_member(project=project, by=manager, username=username, role=Role.ANNOTATOR)
    path = FOLDER / "corpus.jsonl"
    import_corpus(project=project, by=manager, path=path, filename=path.name)
    extractions = [launch_extraction(project=project, by=manager, preset=preset) for preset in PRESETS]
    for extraction in extractions:
        run_here(job=extraction.job)
    dataset = freeze_dataset(project=project, name="L12 and F2", extractions=extractions)
    judged = draw_batch(project, manager, dataset, "Batch 1", JUDGED)
    judge(judged)
    gold = freeze_gold_set(project=project, by=manager, name="demo-gold", batches=[judged])
    draw_batch(project, manager, dataset, "Batch 2", LEFT_TO_JUDGE)
    link(project, manager, gold)
    return logins


def create_login(role: str, username: str) -> Login | None:
    """A user with a generated password; None when there is one of that name, whose password stays."""
    if User.objects.filter(username=username).exists():
        return None
    password = secrets.token_urlsafe(9)
    User.objects.create_user(username, password=password)
    return Login(role, username, password)


def draw_batch(project: Project, manager: User, dataset: Dataset, name: str, size: int) -> Batch:
    return draw_judging_batch(
        project=project,
        by=manager,
        name=name,
        dataset=dataset,
        size=size,
        annotators=list(ANNOTATORS.values()),
        seed=SEED,
    )


def assignments_of(batch: Batch) -> dict[tuple[str, str], Assignment]:
    """By key of the pair and username."""
    assignments = (
        Assignment.objects.filter(item__batch=batch)
        .with_sentences()
        .select_related("annotator")
        .select_related("item__pair__sentence_a__article__cluster")
        .select_related("item__pair__sentence_b__article__cluster")
    )
    return {(pair_key(entry.item.pair), entry.annotator.username): entry for entry in assignments}


def judge(batch: Batch) -> None:
    """Give the answers that were written down; Batch 1 is complete after it."""
    assignments = assignments_of(batch)
    _, *lines = (FOLDER / "judgements.tsv").read_text(encoding="utf-8").rstrip("\n").split("\n")
    for line in lines:
        pair, annotator, label, comment = line.split("\t")
        assignment = assignments[pair, ANNOTATORS[annotator]]
        save_judgement(
            assignment=assignment,
            by=assignment.annotator,
            key=uuid.uuid5(uuid.NAMESPACE_URL, f"{pair} {annotator}"),
            version=0,
            label=label,
            comment=comment,
            describe=nothing,
        )


def link(project: Project, manager: User, gold: GoldSet) -> None:
    """A linking batch of all paraphrases, some of them linked by both, with gold, score and export."""
    batch = draw_linking_batch(
        project=project,
        by=manager,
        name="Links 1",
        gold_set=gold,
        annotators=list(ANNOTATORS.values()),
        seed=SEED,
        suggester="identity",
    )
    assignments = assignments_of(batch)
    for line in (FOLDER / "links.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n"):
        answer = json.loads(line)
        assignment = assignments[answer["pair"], ANNOTATORS[answer["annotator"]]]
        save_alignment(
            assignment=assignment,
            by=assignment.annotator,
            key=uuid.uuid5(uuid.NAMESPACE_URL, f"{answer['pair']} {answer['annotator']}"),
            version=0,
            links=[[*link, name, "drawn"] for name in ("sure", "possible") for link in answer[name]],
            null_a=answer["null_a"],
            null_b=answer["null_b"],
            submitted=True,
            describe=nothing,
        )
    gold_links = freeze_gold_alignments(project=project, by=manager, name="demo-links", batch=batch)
    score_aligner(gold_set=gold_links, aligner="identity")
    request_gold_export(project=project, by=manager, gold_set=gold, gold_links=gold_links)


def nothing(assignment: Assignment) -> dict[str, Any]:
    """First answers cannot be stale, so there is nothing to describe."""
    return {}
