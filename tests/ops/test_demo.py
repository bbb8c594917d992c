from __future__ import annotations

from collections import Counter, defaultdict
from io import StringIO

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.test import override_settings

from annotation.models import Assignment, AssignmentState, Batch, GoldSet
from annotation.schemes import Label
from ops.demo import ANNOTATORS, LOGINS, SLUG
from projects.models import Membership, Role

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def printed(module_database, tmp_path_factory):
    """What `manage.py load_demo` printed on an empty database."""
    with override_settings(EXPORTS_DIR=tmp_path_factory.mktemp("exports")):
        yield load()


def load():
    stdout = StringIO()
    call_command("load_demo", stdout=stdout)
    return stdout.getvalue()


def batch_called(name):
    return Batch.objects.get(project__slug=SLUG, name=name)


def test_each_login_is_printed_once_and_works(printed):
    logins = [line.split("\t") for line in printed.splitlines()]
    assert [(role, username) for role, username, _ in logins] == list(LOGINS.items())
    for _, username, password in logins:
        assert authenticate(username=username, password=password) is not None
    roles = set(Membership.objects.filter(project__slug=SLUG).values_list("user__username", "role"))
    assert roles == {
        ("manager", Role.MANAGER),
        ("manager", Role.ADJUDICATOR),
        *((username, Role.ANNOTATOR) for username in ANNOTATORS.values()),
    }


def test_batch_1_is_judged_by_both_with_disagreements_to_review(printed):
    batch = batch_called("Batch 1")
    size = batch.items.count()
    votes: dict[int, dict[str, str]] = defaultdict(dict)
    for entry in Assignment.objects.filter(item__batch=batch).select_related("judgement", "annotator"):
        assert entry.state == AssignmentState.DONE
        votes[entry.item_id][entry.annotator.username] = entry.judgement.label
    assert [len(labels) for labels in votes.values()] == [2] * size
    disputed = sum(len(set(labels.values())) == 2 for labels in votes.values())
    assert 0.1 * size <= disputed <= 0.3 * size
    gold = GoldSet.objects.get(project__slug=SLUG)
    labels = Counter(gold.judgements.values_list("label", flat=True))
    agreed = sum(set(labels.values()) == {Label.PARAPHRASE} for labels in votes.values())
    assert labels == {Label.PARAPHRASE: agreed, Label.NOT_PARAPHRASE: size - agreed}
    assert agreed >= 14
    assert gold.counts["disputed"] == disputed
    assert 0.4 < gold.agreement["cohen_kappa"]["value"] < 0.9
