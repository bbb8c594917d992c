"""One of everything that an address can name, in two projects that have nobody in common."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field

from django.conf import settings
from django.db import transaction
from django.test.client import ClientHandler
from django.utils import timezone
from rest_framework.test import APIClient

from alignment.services.gold_links import freeze_gold_alignments
from alignment.services.trained_aligners.applying import apply_aligner
from annotation.schemes import Label
from annotation.services.gold import freeze_gold_set, freeze_gold_subclusters
from annotation.services.second_pass import start_second_pass
from annotation.services.training import draw_training
from corpus.models import CorpusImport, ImportState
from corpus.services.presets import save_preset
from jobs.models import JobState
from jobs.services.retention import delete
from jobs.services.running import run_here
from paragold.extraction.presets import PRESETS
from projects.models import Project, Role
from projects.services.people import invite
from projects.services.tokens import make_token
from tests.factories.alignment import link_all, linking_batch
from tests.factories.annotation import assignments_of, judge_all, judging_batch
from tests.factories.corpus import ExtractionFactory, JobFactory, dataset_of, member
from tests.factories.experiments import experiment
from tests.factories.exports import export_gold
from tests.factories.models import answered_by_model
from tests.factories.subclusters import headline_cluster, split, splitting_batch
from tests.factories.trained_aligners import trained_aligner

from .archives import archive_numbers
from .classifiers import classifier_numbers
from .people import ROLES, People, make_people


@dataclass
class Objects:
    """A project and the number of one object of each kind in it, by the name the matrix uses."""

    project: Project
    numbers: dict[str, int]

    def __getitem__(self, kind):
        return self.numbers[kind]


@dataclass
class World:
    people: People
    own: Objects
    foreign: Objects
    sessions: dict[str, str]
    handler: ClientHandler = field(default_factory=lambda: APIClient().handler)

    def client(self, role):
        """A new client in the session that was opened for that person once; all share their middleware."""
        client = APIClient()
        client.handler = self.handler
        if role in self.sessions:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[role]
        return client


def make_objects(project, annotators):
    """A disputed and closed item, an unanswered batch, gold, links, an export and a job in each state."""
    dataset = dataset_of(project, 4)
    candidates = PRESETS["candidates-2005"].criteria.as_json()
    project.extractions.filter(datasets=dataset).update(criteria=candidates)
    answered = judging_batch(project, annotators, size=2, dataset=dataset)
    judge_all(answered, annotators[0], [Label.PARAPHRASE])
    judge_all(answered, annotators[1], [Label.PARAPHRASE, Label.NOT_PARAPHRASE])
    waiting = judging_batch(project, annotators, size=2, dataset=dataset)
    model = answered_by_model(answered)
    gold_set = freeze_gold_set(project=project, by=None, name="gold", batches=[answered])
    linked = linking_batch(project, annotators, source=gold_set)
    for annotator in annotators:
        link_all(linked, annotator)
    headline_cluster(project, key="headlines")
    splitting = splitting_batch(project, annotators, fewest=6)
    for annotator, groups in zip(annotators, ([[1, 2]], [[1, 2, 3]]), strict=True):
        split(splitting.items.get(), annotator, groups)
    subclusters = freeze_gold_subclusters(
        project=project, by=None, name="heads", batch=splitting, rule="shared"
    )
    links = freeze_gold_alignments(project=project, by=None, name="links", batch=linked)
    pair = dataset.pairs()[0]
    disputed = judging_batch(project, annotators, size=1, dataset=dataset_of(project, 1))
    for annotator, label in zip(annotators, (Label.PARAPHRASE, Label.NOT_PARAPHRASE), strict=True):
        judge_all(disputed, annotator, [label])
    start_second_pass(batch=disputed, by=annotators[0])
    stopped = JobFactory(project=project, state=JobState.CANCELLED)
    stopped.chunks.create(number=0, units=1, payload={})
    running = JobFactory(project=project, state=JobState.RUNNING)
    for job in (stopped, running):
        ExtractionFactory(project=project, job=job)
    applied = trained_aligner(dataset)
    run = apply_aligner(project=project, by=None, trained=applied, gold_set=links)
    run_here(job=run.job)
    made = experiment([dataset], [links])
    checked = CorpusImport.objects.create(
        project=project, state=ImportState.CHECKED, filename="a.jsonl", sha256="0", options={"cuts": [0, 9]}
    )
    training = draw_training(
        project=project, by=None, name="training", size=1, measure="accuracy", threshold=1, seed=1,
        annotators=[user.username for user in annotators], gold_set=gold_set,
    )  # fmt: skip
    deleted = Project.objects.create(
        slug=f"deleted-{project.pk}",
        name="Deleted",
        created_by=project.created_by,
        deleted_at=timezone.now(),
        deleted_by=project.created_by,
    )
    in_bin = dataset_of(project, 1)
    delete(obj=in_bin, by=annotators[0])
    return Objects(
        project,
        {
            "training": training.pk,
            "membership": project.memberships.filter(role=Role.ANNOTATOR)[0].pk,
            "person": project.memberships.filter(role=Role.ANNOTATOR)[0].user_id,
            "token": make_token(user=annotators[0], name="script", scope="read")[0].pk,
            "invitation": invite(project=project, by=project.created_by, role=Role.VIEWER).pk,
            "free membership": project.memberships.get(
                user=member(project, Role.VIEWER, f"v{project.pk}")
            ).pk,
            "checked import": checked.pk,
            "deleted project": deleted.pk,
            "cluster": pair.cluster_id,
            "article": pair.sentence_a.article_id,
            "pair": pair.pk,
            "extraction": dataset.extractions.get().pk,
            "preset": save_preset(project=project, by=None, name="far", preset="F2").pk,
            "running job": running.pk,
            "stopped job": stopped.pk,
            "dataset": dataset.pk,
            "deleted dataset": in_bin.pk,
            "fresh dataset": dataset_of(project, 1).pk,
            "batch": waiting.pk,
            "second pass": disputed.pk,
            "answered batch": answered.pk,
            "item": answered.items.get(number=2).pk,
            "assignment": assignments_of(waiting, annotators[0])[0].pk,
            "model": model.pk,
            "gold set": gold_set.pk,
            "gold judgement": gold_set.judgements.first().pk,
            "link batch": linked.pk,
            **classifier_numbers(gold_set, dataset),
            "link item": linked.items.get(number=1).pk,
            "link assignment": assignments_of(linked, annotators[0])[0].pk,
            "split batch": splitting.pk,
            "split item": splitting.items.get().pk,
            "split assignment": assignments_of(splitting, annotators[0])[0].pk,
            "gold subclusters": subclusters.pk,
            "gold links": links.pk,
            "aligner": trained_aligner(dataset).pk,
            "aligner run": run.pk,
            "experiment": made.pk,
            "experiment cell": made.rows.first().cells.get().pk,
            **archive_numbers(project),
            "export": export_gold(project=project, by=None, gold_set=gold_set, gold_links=links).pk,
        },
    )


def make_world(people=None):
    people = people or make_people()
    strangers = [member(people.foreign, Role.ANNOTATOR, f"stranger {n}") for n in (1, 2)]
    return World(
        people=people,
        own=make_objects(people.project, people.annotators),
        foreign=make_objects(people.foreign, strangers),
        sessions={
            role: people.client(role).cookies[settings.SESSION_COOKIE_NAME].value
            for role in ROLES
            if role != "anonymous"
        },
    )


@contextmanager
def undone():
    """A transaction that is rolled back at its end."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def first_error(response):
    """What a failing test says of a response."""
    return f"{response.status_code} {getattr(response, 'content', b'')[:300]!r}"
