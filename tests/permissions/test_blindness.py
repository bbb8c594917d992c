from __future__ import annotations

import io
import re
import uuid
import zipfile
from collections import defaultdict
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Batch, Item, ModelAnswer
from projects.models import Role
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of, gold_set, judge, judging_batch
from tests.factories.corpus import MembershipFactory
from tests.factories.models import answered_by_model
from tests.factories.subclusters import headline_cluster, split, splitting_batch

from .bodies import content_of
from .matrix import ROUTES
from .objects import Objects, make_objects, undone
from .people import by_role, make_people
from .signed_on import make_signed_on
from .test_matrix import ADDRESSES, parameters, url_of

CSRF = re.compile(rb'name="(csrfmiddlewaretoken|form_token)" value="[^"]*"')
# When the caller logged in, which each request here does, in the caller's own data.
LOGIN = re.compile(rb'"(last_login|at|request_id)": "[^"]*"')
# What differs between two times and keys of the same statement.
NUMBER = re.compile(r"'[^']*'|[0-9a-f]+")
# Where annotators answer, by the batch below.
ANSWERING = {"judging": "api-judgement", "linking": "api-alignment", "splitting": "api-placements"}
HEADERS = ("ETag", "Last-Modified", "Content-Length", "Content-Type", "Location", "Vary", "Cache-Control")


class Answering:
    """What is compared: everything `annotator` can ask for, and what is answered to own answers."""

    def __init__(self, people, signed_on):
        self.people, self.signed_on = people, signed_on
        self.client = people.client("annotator")
        source = gold_set(people.project, [people["second"], people["third"]], size=6)
        self.judging = judging_batch(people.project, people.annotators, size=4)
        # Where two differ, "third" is asked; and a model has answered.
        Batch.objects.filter(pk=self.judging.pk).update(third_judgement=True)
        self.judging.annotators.create(annotator=people["third"])
        answered_by_model(self.judging)
        self.linking = linking_batch(people.project, people.annotators, source=source, suggester="identity")
        answered_by_model(self.linking)
        judge(self.mine(self.judging)[0], comment="mine")
        judge(self.mine(self.judging)[1], None, skipped=True)
        link(self.mine(self.linking)[0])
        for key in ("first", "second"):
            headline_cluster(people.project, key=key)
        self.splitting = splitting_batch(people.project, people.annotators, fewest=6)
        split(self.splitting.items.all()[0], people["annotator"], [[1, 2]])

    def mine(self, batch):
        return assignments_of(batch, self.people["annotator"])

    def second_answers(self):
        """Everything the other annotator can do: agree, differ, skip, flag, comment, draft, submit. And the
        model answers otherwise."""
        ModelAnswer.objects.filter(label="not_paraphrase").update(label="paraphrase", score=0.99)
        assert ModelAnswer.objects.filter(score=0.99).exists()
        assert ModelAnswer.objects.exclude(links=None).update(links=[[0, 0]])
        first, *others = assignments_of(self.judging, self.people["second"])
        judge(first, "not_paraphrase", flagged=True, comment="I differ")
        judge(first, "paraphrase")
        judge(others[0], None, skipped=True)
        judge(others[1], "paraphrase")
        assert assignments_of(self.judging, self.people["third"])
        drafted, submitted, *_ = assignments_of(self.linking, self.people["second"])
        link(drafted, [[0, 0, "sure", "drawn"]], submitted=False)
        link(submitted)
        items = self.splitting.items.all()
        split(items[0], self.people["second"], [[1, 2, 3]], flagged=True, comment="I differ")
        split(items[1], self.people["second"], [[4, 5]], submitted=False)

    def worlds(self):
        """What the address of an object is asked for: others' objects, and each of one's own."""
        found = [Objects(self.people.project, self.numbers)]
        judging, linking = self.mine(self.judging), self.mine(self.linking)
        splitting = self.mine(self.splitting)
        others = zip(linking * len(judging), splitting * len(judging), strict=False)
        # Pages of the first pair alone are compared once more after single sign-on.
        mine = list(zip(judging, others, strict=False))[: 1 if self.signed_on else None]
        for batch in (self.judging, self.linking, self.splitting):
            for judged, (linked, parted) in mine:
                own = dict.fromkeys(("batch", "link batch", "answered batch", "split batch"), batch.pk)
                own |= {
                    "assignment": judged.pk,
                    "link assignment": linked.pk,
                    "split assignment": parted.pk,
                }
                own |= {"item": judged.item_id, "link item": linked.item_id, "split item": parted.item_id}
                if batch is not self.judging:
                    own["assignment"] = (linked if batch is self.linking else parted).pk
                found.append(Objects(self.people.project, self.numbers | own))
        return found

    def seen(self):
        """By route, every answer to a GET, by address; how a route refuses is asked for one object."""
        found: dict[str, dict[str, Any]] = defaultdict(dict)
        for objects in self.worlds():
            for name, route in ROUTES.items():
                if "GET" not in route.methods or route.says("changes"):
                    continue
                statuses = route.statuses("GET")
                if name in found and 200 not in (statuses["annotator"], statuses["viewer"]):
                    continue
                url = url_of(name, objects, objects)
                for address in (url, f"{url}?format=json") if route.json else (url,):
                    if address not in found[name]:
                        with undone():
                            answer = self.client.get(address)
                            found[name][address] = fingerprint(answer)
        return found

    def acknowledged(self):
        """What is said to own answers, good, stale and bad; nothing of it stays."""
        found: dict[str, Any] = {}
        for stage, view in ANSWERING.items():
            batch = getattr(self, stage)
            content, kind = content_of(view, "PUT", Objects(self.people.project, {}))
            for assignment in self.mine(batch):
                for body in (content, content.replace(b'"version": 0', b'"version": 1'), b"{}"):
                    url = reverse(view, args=[assignment.pk])
                    with undone():
                        answer = self.client.put(
                            url, body, content_type=kind, headers={"Idempotency-Key": str(uuid.UUID(int=1))}
                        )
                        found[f"{url} {body!r}"] = fingerprint(answer)
        return found


def fingerprint(response):
    body = b"".join(response.streaming_content) if response.streaming else response.content
    body = CSRF.sub(b"", body)
    headers = {name: response.headers[name] for name in HEADERS if name in response.headers}
    if headers.get("Content-Type") == "application/zip":
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            body = LOGIN.sub(b"", b"".join(archive.read(name) for name in archive.namelist()))
        headers.pop("Content-Length", None)
    return response.status_code, headers, body


@pytest.fixture(
    params=[(), (Role.VIEWER,), "signed on"], ids=["annotator", "annotator and viewer", "single sign-on"]
)
def answering(db, request, provider):
    signed_on = request.param == "signed on"
    people = make_signed_on(provider) if signed_on else make_people()
    people.users["third"] = MembershipFactory(project=people.project, role=Role.ANNOTATOR).user
    for role in () if signed_on else request.param:
        MembershipFactory(project=people.project, user=people["annotator"], role=role)
    found = Answering(people, signed_on)
    others = [people["second"], people["third"]]
    found.numbers = make_objects(people.project, others).numbers
    return found


def check_reach(seen):
    """Every route that the matrix lets an annotator read is among what is compared, with an answer."""
    walked = {name for name, answers in seen.items() if any(status == 200 for status, *_ in answers.values())}
    reachable = {
        name
        for name, route in ROUTES.items()
        if route.statuses("GET")["annotator"] == 200 and not route.says("changes")
    }
    assert reachable <= walked, f"not compared: {sorted(reachable - walked)}"


def check_equal(before, now):
    assert before.keys() == now.keys()
    for name, answer in before.items():
        assert now[name] == answer, name


def statements_of_judging(assignment):
    with undone(), CaptureQueriesContext(connection) as queries:
        judge(assignment)
    return [NUMBER.sub("", query["sql"]) for query in queries]


def test_neither_known_labels_nor_others_answers_change_what_an_annotator_is_shown(answering):
    """Control items look like all others, in pages, answers and queries; then others answer."""
    judged, waiting = answering.mine(answering.judging)[0], answering.mine(answering.judging)[2]
    items = Item.everything.filter(pk__in=[judged.item_id, waiting.item_id])
    statements = []
    with connection.execute_wrapper(lambda run, sql, *rest: statements.append(sql) or run(sql, *rest)):
        seen, acknowledged = answering.seen(), answering.acknowledged()
    assert not [sql for sql in statements if ModelAnswer._meta.db_table in sql]
    assert any(Item._meta.db_table in sql for sql in statements)
    check_reach(seen)
    assert {status for status, _, _ in acknowledged.values()} >= {200, 400, 409}

    expected = statements_of_judging(waiting)
    items.update(known_label="not_paraphrase")
    check_equal(seen, answering.seen())
    check_equal(acknowledged, answering.acknowledged())
    assert statements_of_judging(waiting) == expected

    items.update(known_label="")
    answering.second_answers()
    check_equal(seen, answering.seen())
    check_equal(acknowledged, answering.acknowledged())


def test_nothing_else_is_there_to_compare():
    """A route that is not in the matrix fails, and so does one that answers an annotator's writing."""
    assert {name.partition(":")[0] for name in ROUTES} == set(ADDRESSES)
    written = {
        name
        for name, route in ROUTES.items()
        for method, statuses in route.methods.items()
        if method != "GET" and by_role(statuses)["annotator"] in (200, 201)
        if not route.says("not of others")
    }
    assert written == set(ANSWERING.values()), (
        "compare its answers too, or say that none of others stands in it"
    )


def test_the_comparison_notices_a_leak(answering):
    """The manager does see the difference, in the same comparison."""
    url = reverse("api-batch", args=[answering.judging.pk])
    manager = answering.people.client("manager")
    before = fingerprint(manager.get(url))
    answering.second_answers()
    assert fingerprint(manager.get(url)) != before
    assert parameters("api-batch") == {"pk"}
