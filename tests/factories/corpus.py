"""Users, projects, clusters, candidate pairs and datasets for tests."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from hashlib import sha256

import factory
from django.contrib.auth.models import User
from django.utils import timezone
from factory.django import DjangoModelFactory

from corpus.models import Article, CandidatePair, Cluster, Dataset, Extraction, Finding, Sentence
from jobs.models import Job, JobState
from paragold.extraction.records import content_key, sentence_bytes
from projects.models import Membership, Project, Role

PASSWORD = "reading-room-7"


class UserFactory(DjangoModelFactory):
    """A user who logs in with PASSWORD."""

    class Meta:
        model = User

    username = factory.Sequence(lambda n: f"user{n}")
    password = factory.django.Password(PASSWORD)


class ProjectFactory(DjangoModelFactory):
    """A project without members; its creator is not one either."""

    class Meta:
        model = Project

    slug = factory.Sequence(lambda n: f"project-{n}")
    name = factory.Sequence(lambda n: f"Project {n}")
    created_by = factory.SubFactory(UserFactory)


class MembershipFactory(DjangoModelFactory):
    class Meta:
        model = Membership

    project = factory.SubFactory(ProjectFactory)
    user = factory.SubFactory(UserFactory)
    role = Role.ANNOTATOR


class ClusterFactory(DjangoModelFactory):
    class Meta:
        model = Cluster

    project = factory.SubFactory(ProjectFactory)
    key = factory.Sequence(lambda n: f"event-{n}")


class ArticleFactory(DjangoModelFactory):
    class Meta:
        model = Article

    cluster = factory.SubFactory(ClusterFactory)
    key = factory.Sequence(lambda n: f"article-{n}")
    source = factory.Sequence(lambda n: f"The Courier {n}")
    published = "2004-03-17"
    title = factory.Sequence(lambda n: f"A dam is mended, part {n}")
    content_sha256 = factory.LazyAttribute(lambda article: sha256(article.key.encode()).hexdigest())


class SentenceFactory(DjangoModelFactory):
    """A sentence of `text`, its words and marks as tokens."""

    class Meta:
        model = Sentence

    article = factory.SubFactory(ArticleFactory)
    number = factory.LazyAttribute(
        lambda sentence: sentence.article.sentences.count() if sentence.article.pk else 0
    )
    text = factory.Sequence(lambda n: f"The council mended dam {n} before the spring flood .")
    tokens = factory.LazyAttribute(lambda sentence: " ".join(found[0] for found in words(sentence.text)))
    starts = factory.LazyAttribute(lambda sentence: [found.start() for found in words(sentence.text)])


def words(text):
    return list(re.finditer(r"\w+|[^\w\s]", text))


class CandidatePairFactory(DjangoModelFactory):
    """Two sentences of two articles of one cluster; `text_a` and `text_b` give their texts."""

    class Meta:
        model = CandidatePair

    class Params:
        text_a = factory.Sequence(lambda n: f"The council mended dam {n} before the spring flood.")
        text_b = factory.Sequence(lambda n: f"Before the flood, dam {n} was repaired by the council.")

    project = factory.SubFactory(ProjectFactory)
    cluster = factory.SubFactory(ClusterFactory, project=factory.SelfAttribute("..project"))
    sentence_a = factory.SubFactory(
        SentenceFactory,
        text=factory.SelfAttribute("..text_a"),
        article__cluster=factory.SelfAttribute("...cluster"),
    )
    sentence_b = factory.SubFactory(
        SentenceFactory,
        text=factory.SelfAttribute("..text_b"),
        article__cluster=factory.SelfAttribute("...cluster"),
    )
    content_key = factory.LazyAttribute(
        lambda pair: uuid.UUID(bytes=content_key(lowered(pair.sentence_a), lowered(pair.sentence_b)))
    )
    edit_distance = 8
    length_a = factory.LazyAttribute(lambda pair: len(pair.sentence_a.token_list))
    length_b = factory.LazyAttribute(lambda pair: len(pair.sentence_b.token_list))
    shared_words = 3
    position_a = factory.LazyAttribute(lambda pair: pair.sentence_a.number)
    position_b = factory.LazyAttribute(lambda pair: pair.sentence_b.number)


def lowered(sentence):
    return sentence_bytes([token.lower() for token in sentence.token_list])


class JobFactory(DjangoModelFactory):
    """A finished job; give `state`, `total`, `done` for another."""

    class Meta:
        model = Job

    project = factory.SubFactory(ProjectFactory)
    kind = "extract"
    title = "Extract L12"
    state = JobState.DONE


def slow_job(
    project,
    kind,
    how="",
    *,
    expected=2,
    seconds=1e8,
    state=JobState.DONE,
):
    """A finished job that was expected to take some seconds and took far longer."""
    ended = timezone.now()
    job: Job = JobFactory(
        project=project,
        kind=kind,
        state=state,
        started_at=ended - timedelta(seconds=seconds),
        finished_at=ended,
        parameters={"work": {"expected": expected, "how": how}},
    )
    return job


class ExtractionFactory(DjangoModelFactory):
    """A finished extraction without findings."""

    class Meta:
        model = Extraction

    project = factory.SubFactory(ProjectFactory)
    job = factory.SubFactory(JobFactory, project=factory.SelfAttribute("..project"))
    name = factory.Sequence(lambda n: f"L12 {n}")
    preset = "L12-2004"
    criteria = factory.LazyFunction(dict)
    signature = "extraction of a test"


class DatasetFactory(DjangoModelFactory):
    """An empty dataset; `dataset_of` makes one that holds pairs."""

    class Meta:
        model = Dataset

    project = factory.SubFactory(ProjectFactory)
    name = factory.Sequence(lambda n: f"dataset {n}")
    size = 0
    signature = "dataset of a test"


def member(project, role, username):
    """The user of that name, made when there is none, with a role in the project."""
    user = User.objects.filter(username=username).first() or UserFactory(username=username)
    MembershipFactory(project=project, user=user, role=role)
    return user


def dataset_of(project, pairs=6, **fields):
    """A dataset of new pairs, each in a cluster of its own, that one finished extraction found."""
    return dataset_of_pairs(project, CandidatePairFactory.build_batch(pairs, project=project), **fields)


def dataset_of_pairs(project, pairs, **fields):
    """The same of pairs that were built and not stored; stored here together, since that is quicker."""
    sentences = [sentence for pair in pairs for sentence in (pair.sentence_a, pair.sentence_b)]
    Cluster.objects.bulk_create(pair.cluster for pair in pairs)
    Article.objects.bulk_create(sentence.article for sentence in sentences)
    Sentence.objects.bulk_create(sentences)
    CandidatePair.objects.bulk_create(pairs)
    extraction = ExtractionFactory(project=project)
    Finding.objects.bulk_create(Finding(extraction=extraction, pair=pair) for pair in pairs)
    dataset = DatasetFactory(project=project, size=len(pairs), **fields)
    dataset.extractions.add(extraction)
    return dataset
