import csv
import io
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation.schemes import Label
from annotation.services.competence import posteriors_of
from annotation.services.gold import freeze_gold_set, gold_forecast
from annotation.services.review import adjudicate_label
from projects.errors import PublicError
from projects.models import EarlierGuidelines, Role
from tests.factories.annotation import assignments_of, judge, judging_batch
from tests.factories.corpus import dataset_of, member

YES, NO = Label.PARAPHRASE, Label.NOT_PARAPHRASE
PAIRS = 48
WRONG = {0: {3, 20}, 1: {4, 21, 30}, 2: {5, 6, 22, 31, 40, 41}}
"""By annotator, the pairs on which the label is not the true one: every second pair is a paraphrase."""


def true_label(place):
    return NO if place % 2 else YES


def judged(project, people, wrong=WRONG):
    batch = judging_batch(
        project, people, size=PAIRS, overlap=len(people), dataset=dataset_of(project, PAIRS)
    )
    for who, person in enumerate(people):
        for assignment in assignments_of(batch, person):
            place = assignment.item.number - 1
            label = true_label(place)
            if place in wrong[who]:
                label = NO if label == YES else YES
            judge(assignment, label)
    return batch


@pytest.fixture
def three(project, annotators):
    return [*annotators, member(project, Role.ANNOTATOR, "third-person")]


@pytest.fixture
def batch(project, three):
    return judged(project, three)


@pytest.fixture
def ask(as_, project):
    def get(role="manager", **query):
        return as_(role).get(reverse("competence", args=[project.slug]), query)

    return get


def test_the_page_shows_competence_bias_and_depth(ask, batch):
    answer = ask()
    people = answer.context["people"]
    values = [float(figures[0].value.removesuffix(" %")) for _, _, figures in people]
    assert [row["items"] for _, row, _ in people] == [PAIRS] * 3
    assert values[0] > 90 and values[1] > 88 and 80 < values[2] < 92
    assert all(" to " in figures[0].interval for _, _, figures in people)
    assert len(answer.context["shares"]) == 6
    depth = answer.context["depth"]
    assert len(depth["by_pair_and_label"]) == 6
    for name in ("by_week", "by_length", "by_edit_distance"):
        assert sum(row["items"] for row in depth[name]) == PAIRS
    text = answer.content.decode()
    assert "Agreement in depth" in text and "third-person" not in text
    assert ask(model="mace").context["model"] == "mace"


def test_agreement_before_and_after_a_change_of_the_guidelines(ask, project, people, batch, three):
    earlier = EarlierGuidelines.objects.create(project=project, version=1, replaced_by=people["manager"])
    last = sorted(assignments_of(batch, three[2]), key=lambda place: place.answered_at)[9].answered_at
    EarlierGuidelines.objects.filter(pk=earlier.pk).update(replaced_at=last + timedelta(microseconds=1))
    rows = ask().context["depth"]["by_guidelines"]
    assert [(row["group"], row["items"]) for row in rows] == [("version 1", 10), ("version 2", PAIRS - 10)]


def test_two_annotators_see_what_cannot_be_known(ask, project, annotators):
    judged(project, annotators)
    answer = ask()
    assert "A third annotator shows it." in answer.content.decode()
    assert [figures[0].value for _, _, figures in answer.context["people"]] == ["-", "-"]
    assert ask(format="json").json()["posteriors"] == [] and answer.context["bias"] == []


def test_json_and_files(ask, batch):
    answer = ask(format="json").json()
    assert answer["third_judgements"]["items"] == PAIRS and answer["identified"]
    assert {row["label"] for row in answer["posteriors"]} == {YES, NO}
    rows = list(csv.DictReader(io.StringIO(ask(format="csv", table="posteriors").content.decode())))
    assert len(rows) == PAIRS and {row["judgements"] for row in rows} == {"3"}
    assert b"accuracy" in ask(format="tex").content


def test_annotators_see_nothing_and_adjudicators_only_finished_pairs(ask, batch, three):
    assert ask("annotator").status_code == 403
    assert ask("adjudicator").context["items"] == PAIRS
    judge(assignments_of(batch, three[0])[0], None, skipped=True)
    assert ask("adjudicator").context["items"] == PAIRS
    assert ask(batch=10**6).status_code == 404


def test_gold_by_posterior_leaves_the_uncertain_to_the_adjudicator(project, people, as_, batch):
    certain = {pk: label for pk, (label, posterior) in posteriors_of(people["manager"], batch).items()
               if posterior > 0.9}  # fmt: skip
    forecast = gold_forecast(project=project, batches=[batch], rule="posterior")
    assert forecast.frozen == len(certain) and 0 < forecast.missing < PAIRS
    assert [part.code for part in forecast.left_out] == ["uncertain"]
    item = next(item for item in batch.items.all() if item.pk not in certain)
    adjudicate_label(item=item, by=people["adjudicator"], label=YES, version=0)
    gold = freeze_gold_set(project=project, by=None, name="gold", batches=[batch], rule="posterior")
    labels = dict(gold.judgements.values_list("item", "label"))
    assert labels == certain | {item.pk: YES}
    assert gold.judgements.get(item=item).adjudication["label"] == YES
    assert "competence:" in gold.signature and gold.counts["uncertain"] == PAIRS - len(labels)


def test_gold_by_posterior_needs_three(project, annotators):
    two = judged(project, annotators)
    with pytest.raises(PublicError, match="A third annotator shows it"):
        freeze_gold_set(project=project, by=None, name="gold", batches=[two], rule="posterior")


def test_the_queue_begins_with_the_most_uncertain(project, people, as_, batch):
    by = people["adjudicator"]
    address = reverse("api-decision-queue", args=[batch.pk])
    posteriors = posteriors_of(by, batch)
    queue = as_("adjudicator").get(address, {"order": "uncertain", "limit": 50}).json()["items"]
    values = [posteriors[entry["item"]][1] for entry in queue]
    assert len(values) == 11 and values == sorted(values)
    numbers = [entry["number"] for entry in as_("adjudicator").get(address, {"limit": 50}).json()["items"]]
    assert numbers == sorted(numbers) != [entry["number"] for entry in queue]
    review = as_("adjudicator").get(reverse("review-batch", args=[project.slug, batch.pk]))
    first = reverse("adjudicate", args=[project.slug, queue[0]["item"]])
    assert f'href="{first}?order=uncertain"' in review.content.decode()
    page = as_("adjudicator").get(first, {"order": "uncertain"})
    assert page.context["bootstrap"]["queue"]["items"][0]["item"] == queue[1]["item"]
    decision = {"label": YES, "version": 0, "basis": "1,1,1", "comment": ""}
    saved = as_("adjudicator").post(f"{first}?order=uncertain", decision)
    assert saved.url == reverse("adjudicate", args=[project.slug, queue[1]["item"]]) + "?order=uncertain"


def test_pairs_of_unknown_annotators_have_no_posterior(project, ask, annotators, batch):
    others = [member(project, Role.ANNOTATOR, f"other-{number}") for number in (1, 2)]
    apart = judged(project, others)
    answer = ask()
    posteriors = ask(format="json").json()["posteriors"]
    assert {row["batch"] for row in posteriors} == {batch.pk} and len(posteriors) == answer.context["known"]
    assert "D, E: Shares no item with" in answer.content.decode()
    forecast = gold_forecast(project=project, batches=[batch, apart], rule="posterior")
    alone = gold_forecast(project=project, batches=[batch], rule="posterior")
    assert forecast.frozen == alone.frozen and forecast.missing == alone.missing + PAIRS
