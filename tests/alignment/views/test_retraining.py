"""The switch on an aligner's page that lets it be trained again by itself, and the log of its versions."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from alignment.models import TrainedAligner
from alignment.services.retraining import KIND, RECOMMENDED
from jobs.kinds import job_kind
from jobs.models import Job
from jobs.services.running import run_here
from tests.factories.corpus import UserFactory
from tests.factories.retraining import Linking
from tests.factories.trained_aligners import trained_aligner

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(db: None) -> Client:
    client = Client()
    client.force_login(UserFactory(is_superuser=True))
    return client


def text_of(client: Client, trained: TrainedAligner) -> str:
    return client.get(reverse("aligner", args=[trained.project.slug, trained.pk])).content.decode()


def test_it_is_off_until_switched_on_and_logs_what_it_did(client: Client) -> None:
    linking = Linking()
    trained = linking.aligner
    assert "<b>Off:</b>" in text_of(client, trained)
    assert f'value="{RECOMMENDED}"' in text_of(client, trained)
    address = reverse("aligner-retraining", args=[trained.project.slug, trained.pk])
    client.post(address, {"retrain_after": "2"})
    trained.refresh_from_db()
    assert trained.retrain_after == 2
    assert "after 2 new gold pairs; 0 of them are finished" in text_of(client, trained)
    linking.link(2)
    job = Job.objects.get(kind=KIND)
    assert "a retraining is under way" in text_of(client, trained)
    run_here(job=job)
    second = linking.project.trained_aligners.get(version=2)
    run_here(job=second.job)
    assert "itself, after 2 new gold pairs" in text_of(client, second)
    page = client.get(job_kind(KIND).page_of(job))
    assert page.context["trained"] == second
    # The older version can no longer be switched.
    assert address not in text_of(client, trained)
    off = reverse("aligner-retraining", args=[trained.project.slug, second.pk])
    client.post(off, {"off": "1", "retrain_after": "2"})
    second.refresh_from_db()
    assert second.retrain_after is None


def test_what_cannot_be_is_said(client: Client) -> None:
    linking = Linking()
    address = reverse("aligner-retraining", args=[linking.project.slug, linking.aligner.pk])
    answer = client.post(address, {"retrain_after": "0"}, follow=True)
    assert "Nothing was changed." in answer.content.decode()
    plain = trained_aligner(linking.dataset, name="plain")
    refused = client.post(
        reverse("aligner-retraining", args=[linking.project.slug, plain.pk]),
        {"retrain_after": "5"},
        follow=True,
    )
    assert "does not learn from the links" in refused.content.decode()
    assert not TrainedAligner.objects.filter(retrain_after__isnull=False).exists()
