from __future__ import annotations

import io
import json
import zipfile

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, Decision, GoldJudgement
from annotation.schemes import Label
from annotation.services.gold import freeze_gold_set, gold_outcome
from annotation.services.reassignment import hand_over_waiting
from corpus.models import LexiconRating
from jobs.services.running import run_here
from ops.archive.archive_storage import request_archive
from ops.deletion.people import KEEP, REMOVE, contributions, delete_person, write_data
from projects.errors import PublicError
from projects.models import ApiToken, AuditEntry, Membership, Project, Role
from projects.services.people import create_account, invite
from projects.services.projects import add_member
from tests.factories.annotation import adjudicate, assignments_of, judge, judge_all, judging_batch
from tests.factories.corpus import ProjectFactory, UserFactory, dataset_of, member
from tests.factories.exports import export_gold

from .world import traces

pytestmark = pytest.mark.django_db
NAME = "zoe.quixley"


@pytest.fixture(autouse=True)
def var(settings, tmp_path):
    settings.VAR, settings.EXPORTS_DIR = tmp_path, tmp_path / "exports"


@pytest.fixture
def admin():
    return UserFactory(username="admin", is_superuser=True)


@pytest.fixture
def project():
    """Zoe and Ben judged three pairs and differ on one; frozen, exported, archived. Zoe began another."""
    project: Project = ProjectFactory(slug="dams", name="Dams")
    create_account(by=project.created_by, username=NAME, password="a long password")
    zoe = User.objects.get(username=NAME)
    zoe.email, zoe.first_name = f"{NAME}@news.example", NAME
    zoe.save()
    for role in (Role.ANNOTATOR, Role.ADJUDICATOR):
        add_member(project=project, by=project.created_by, username=NAME, role=role)
    ben = member(project, Role.ANNOTATOR, "ben")
    batch = judging_batch(project, [zoe, ben], size=3, name="judged")
    judge_all(batch, zoe, [Label.PARAPHRASE] * 3)
    judge_all(batch, ben, [Label.PARAPHRASE, Label.PARAPHRASE, Label.NOT_PARAPHRASE])
    freeze_gold_set(project=project, by=zoe, name="gold", batches=[batch])
    open_batch = judging_batch(project, [zoe, ben], size=2, dataset=dataset_of(project, 2), name="open")
    judge(assignments_of(open_batch, zoe)[0], Label.PARAPHRASE, comment="by me")
    invite(project=project, by=zoe, role=Role.VIEWER)
    export_gold(project=project, by=zoe, gold_set=project.gold_sets.get())
    run_here(job=request_archive(project=project, by=zoe))
    ApiToken.objects.create(user=zoe)
    return project


def outcome(project):
    batch = project.batches.get(name="judged")
    made = gold_outcome(project=project, batches=[batch], rule=project.gold_rule)
    return [(entry.item.number, label) for entry, label in made.judged], made.counts


def frozen():
    return list(GoldJudgement.objects.order_by("pk").values("label", "votes", "adjudication"))


def test_the_name_is_gone_and_answers_gold_and_agreement_stay(
    project, admin, django_capture_on_commit_callbacks
):
    client = Client()
    client.login(username=NAME, password="a long password")
    zoe = User.objects.get(username=NAME)
    assert traces(NAME)
    before = outcome(project), frozen(), project.gold_sets.get().agreement, Assignment.objects.count()
    with django_capture_on_commit_callbacks(execute=True):
        pseudonym = delete_person(user=zoe, by=admin, confirmed=NAME, answers=KEEP)
    assert pseudonym == f"person-{zoe.pk}"
    assert traces(NAME) == []
    assert (
        outcome(project),
        frozen(),
        project.gold_sets.get().agreement,
        Assignment.objects.count(),
    ) == before
    zoe = User.objects.get(pk=zoe.pk)
    assert (zoe.username, zoe.is_active, zoe.has_usable_password()) == (pseudonym, False, False)
    assert not ApiToken.objects.exists() and not Membership._base_manager.filter(user=zoe).exists()
    assert client.get(reverse("account")).status_code == 302
    client.force_login(admin)
    page = client.get(reverse("progress", args=["dams"])).content.decode()
    assert pseudonym in page and NAME not in page


def test_answers_are_removed_and_frozen_gold_keeps_its_bytes(
    project, admin, django_capture_on_commit_callbacks
):
    zoe, before = User.objects.get(username=NAME), frozen()
    others = [member(project, Role.ANNOTATOR, name) for name in ("dan", "eva")]
    disputed = judging_batch(project, others, size=1, dataset=dataset_of(project, 1), name="disputed")
    for annotator, label in zip(others, (Label.PARAPHRASE, Label.NOT_PARAPHRASE), strict=True):
        judge_all(disputed, annotator, [label])
    adjudicate(item=disputed.items.get(), by=zoe, label=Label.PARAPHRASE)
    row = contributions(zoe)[0]
    assert (row.answers, row.decisions, row.pairs_without_gold, row.gold_sets) == (4, 1, 3, 1)
    labelled = len(outcome(project)[0])
    with django_capture_on_commit_callbacks(execute=True):
        delete_person(user=zoe, by=admin, confirmed=NAME, answers=REMOVE)
    assert labelled - len(outcome(project)[0]) == row.pairs_without_gold
    assert traces(NAME) == [] and frozen() == before
    assert not Decision.objects.exists() and not LexiconRating.objects.exists()
    assert not Assignment.objects.filter(annotator=zoe.pk).exclude(state="open").exists()
    cy = member(project, Role.ANNOTATOR, "cy")
    opened = project.batches.get(name="open")
    hand_over_waiting(batch=opened, to="cy", by=project.created_by)
    assert len(assignments_of(opened, cy)) == 2


def test_who_and_when(project, admin):
    zoe = User.objects.get(username=NAME)
    add_member(project=project, by=admin, username=NAME, role=Role.MANAGER)
    refused = [
        ({"by": zoe}, "another administrator"),
        ({"by": User.objects.get(username="ben")}, "another administrator"),
        ({"confirmed": "zoe"}, "type its name"),
        ({"answers": ""}, "kept or removed"),
    ]
    right = {"user": zoe, "by": admin, "confirmed": NAME, "answers": KEEP}
    for wrong, sentence in refused:
        with pytest.raises(PublicError, match=sentence):
            delete_person(**right | wrong)
    Membership.objects.filter(role=Role.MANAGER).exclude(user=zoe).delete()
    with pytest.raises(PublicError, match="only manager of Dams"):
        delete_person(**right)
    assert User.objects.get(pk=zoe.pk).is_active


def test_the_only_administrator_stays(admin):
    UserFactory(is_superuser=True, is_active=False)
    with pytest.raises(PublicError, match="only administrator"):
        delete_person(user=admin, by=None, confirmed="admin", answers=KEEP)
    UserFactory(is_superuser=True)
    delete_person(user=admin, by=None, confirmed="admin", answers=KEEP)


def commanded(*arguments):
    out = io.StringIO()
    call_command("delete_person", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_shows_what_changes_and_deletes(project, django_capture_on_commit_callbacks):
    preview = commanded(NAME, "--preview")
    assert "dams: 4 answers, 0 decisions, 0 lexicon ratings." in preview
    assert "3 pairs lose their gold label; 1 frozen gold sets stay" in preview
    assert User.objects.get(username=NAME).is_active
    with pytest.raises(CommandError, match="no user 'zoe'"):
        commanded("zoe", "--answers", "keep")
    pseudonym = f"person-{User.objects.get(username=NAME).pk}"
    with django_capture_on_commit_callbacks(execute=True):
        assert f"shown under {pseudonym}" in commanded(NAME, "--answers", "keep")
    entry = AuditEntry.objects.get(event="person-deleted")
    assert (entry.actor, entry.target, entry.details) == ("", NAME, {"kept_as": pseudonym})


def test_my_data_is_mine_alone(project):
    zoe, file = User.objects.get(username=NAME), io.BytesIO()
    write_data(zoe, file)
    with zipfile.ZipFile(file) as archive:
        lines = {name: archive.read(name).decode().splitlines() for name in archive.namelist()}
    assert sorted(lines) == ["account.jsonl", "answers.jsonl", "records.jsonl"]
    answers = [json.loads(line) for line in lines["answers.jsonl"]]
    assert [one["label"] for one in answers] == ["paraphrase"] * 4
    assert answers[-1]["comment"] == "by me" and answers[-1]["history"][0]["answer"]["label"] == "paraphrase"
    assert all(len(one["sentences"]) == 2 for one in answers)
    kinds = {json.loads(line)["kind"] for line in lines["records.jsonl"]}
    assert kinds >= {"membership", "invitation", "gold set", "export", "audit entry"}
    assert "ben" not in str(lines) and "password" not in str(lines["account.jsonl"])
    client = Client()
    client.force_login(zoe)
    assert zipfile.is_zipfile(io.BytesIO(client.get(reverse("account-data")).getvalue()))
    assert client.get(reverse("person-data", args=[project.created_by_id])).status_code == 404
