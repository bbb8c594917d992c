"""Aligners that answer a linking batch in quarantine: their links, what they reach, how they are compared."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse

from alignment.models import Alignment, GoldAlignment, SuggestedLinks, WordLink
from alignment.services.disputes import link_figures
from alignment.services.gold_links import freeze_gold_alignments, links_forecast
from alignment.services.link_agreement import batch_agreement
from annotation.models import Answer, Assignment, ModelAnnotator
from annotation.services.model_answers import launch_answers
from annotation.services.model_report import model_report
from annotation.specs import ModelSpec
from jobs.services.removal import used_by
from paragold.aligners.identity import Identity
from paragold.aligners.programs import ProgramError
from projects.errors import PublicError
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import assignments_of, gold_set
from tests.factories.corpus import dataset_of, member
from tests.factories.exports import export_contents
from tests.factories.models import answered_by_model
from tests.factories.trained_aligners import linked_gold, trained_aligner

pytestmark = pytest.mark.django_db

# The council mended dam 1 before the spring flood. Before the flood, dam 1 was repaired by the council.
EQUAL = [[0, 1], [1, 10], [3, 4], [4, 5], [5, 0], [6, 9], [8, 2], [9, 11]]


@pytest.fixture
def people(project):
    return [member(project, "annotator", name) for name in ("ann", "ben", "cas")]


def drawn(batch, user, links):
    for assignment in assignments_of(batch, user):
        link(assignment, [[a, b, "sure", "drawn"] for a, b in links])


def linked(project, people, *links, pairs=3):
    """A batch of so many pairs in which each of the people drew these links in all of them."""
    source = gold_set(project, people, size=2 * pairs)
    batch = linking_batch(project, people, source=source)
    for user, own in zip(people, links, strict=True):
        drawn(batch, user, own)
    return batch


class TestAnswers:
    def test_by_command(self, project, people):
        batch = linking_batch(project, people)
        words = f"answer-batch --project {project.slug} --aligner identity --price 0.5 --wait"
        call_command("launch", *words.split(), "--batch", str(batch), stdout=StringIO())
        model = ModelAnnotator.objects.get()
        assert (str(model), model.aligner) == ("identity", "identity")
        assert [row.links for row in model.answers.all()] == [EQUAL] * 3
        assert model.job.counts == {"pairs": 3, "failures": 0}
        assert model.signature.startswith("answer-batch|aligner:identity|version:")
        assert model_report(model, epsilon=0.15)["costs"]["total"] == 1.5

    def test_an_aligner_of_the_project_answers_and_its_training_pairs_are_counted(self, project, people):
        gold = linked_gold(project, 12)
        trained = trained_aligner(dataset_of(project, 4), gold_set=gold, aligner="best")
        model = answered_by_model(gold.batch, aligner="trained:newest")
        assert (str(model), model.aligner) == (str(trained), f"trained:{trained.pk}")
        assert model.job.chunks.count() == 1 and all(row.links for row in model.answers.all())
        assert model_report(model, epsilon=0.15)["trained_on"] == 6
        assert model in used_by(trained)

    def test_what_is_trained_on_the_pairs_gets_all_at_once(self, project, people, monkeypatch):
        monkeypatch.setattr("annotation.services.model_answers.PAIRS_A_CHUNK", 2)
        batch = linking_batch(project, people)
        quick = {"ibm1_iterations": 1, "hmm_iterations": 1}
        spec = ModelSpec(aligner="hmm")
        model = launch_answers(project=project, by=None, batch=batch, spec=spec, settings=quick)
        assert model.job.chunks.count() == 1 and model.parameters["settings"]["hmm_iterations"] == 1
        assert answered_by_model(batch).job.chunks.count() == 2

    def test_a_pair_that_fails_does_not_stop_the_others(self, project, people, monkeypatch):
        whole = Identity.draw

        def draw(self, pairs):
            if any("7" in source or len(pairs) > 1 for source, _ in pairs):
                raise ProgramError("No answer.")
            return whole(self, pairs)

        batch = linking_batch(project, people)
        second = batch.items.get(number=2).pair.sentence_a
        second.tokens = "7"
        second.save()
        monkeypatch.setattr(Identity, "draw", draw)
        model = answered_by_model(batch)
        assert [row.links is None for row in model.answers.order_by("item__number")] == [False, True, False]
        assert model_report(model, epsilon=0.15)["failures"] == [{"number": 2, "problem": "No answer."}]

    @pytest.mark.parametrize(
        ("spec", "settings"),
        [
            ({}, {}),
            ({"aligner": "none"}, {}),
            ({"aligner": "trained:1"}, {}),
            ({"scorer": "bleu", "threshold": 0.5}, {}),
            ({"aligner": "identity"}, {"length": 3}),
        ],
    )
    def test_refused(self, project, people, spec, settings):
        batch = linking_batch(project, people)
        with pytest.raises(PublicError, match=r"answered by one of|length"):
            launch_answers(project=project, by=None, batch=batch, spec=ModelSpec(**spec), settings=settings)
        assert not ModelAnnotator.objects.exists()

    def test_an_aligner_answers_no_judgements(self, project, people):
        batch = gold_set(project, people).batches.get()
        spec = ModelSpec(scorer="bleu", threshold=0.5, aligner="identity")
        with pytest.raises(PublicError, match="An aligner answers linking batches"):
            launch_answers(project=project, by=None, batch=batch, spec=spec)


def test_quarantine(project, people):
    """Nothing that is made of people's links changes when an aligner answers."""
    batch = linked(project, people, EQUAL, EQUAL[1:], EQUAL)
    manager = member(project, "manager", "boss")

    def everything():
        frozen = freeze_gold_alignments(project=project, by=None, name="links", batch=batch)
        tables = (Assignment, Answer, Alignment, WordLink, SuggestedLinks, GoldAlignment)
        return (
            [list(model.objects.order_by("pk").values()) for model in tables],
            repr(link_figures(manager, project, [batch])),
            repr(batch_agreement(batch)),
            links_forecast(project=project, batch=batch),
            (frozen.pk, frozen.counts, frozen.agreement, frozen.lineage),
        )

    before = everything()
    assert answered_by_model(batch).answers.count() == 3
    assert everything() == before


class TestReport:
    def test_beside_people(self, project, people):
        """The model draws the 8 equal words; ben left one out, cas drew one more."""
        batch = linked(project, people, EQUAL, EQUAL[1:], [*EQUAL, [2, 7]], pairs=30)
        report = model_report(answered_by_model(batch), epsilon=0.15)
        ann, ben, cas = report["annotators"]
        names = ("agreement", "f1_sure", "f1_all", "kappa")
        assert [ann[name]["value"] for name in names] == [1, 1, 1, 1]
        assert [ben[name]["value"] for name in names[:3]] == [pytest.approx(14 / 15)] * 3
        assert [cas[name]["value"] for name in names[:3]] == [pytest.approx(16 / 17)] * 3
        # Of 10 * 12 cells 7 are linked by both, 1 by the model: observed 119 / 120.
        expected = (8 * 7 + 112 * 113) / 120**2
        assert ben["kappa"]["value"] == pytest.approx((119 / 120 - expected) / (1 - expected))
        # It is as close to ben and cas as ann is, and closer to the others than ben and cas are.
        assert [(row["model_wins"], row["annotator_wins"]) for row in (ann, ben, cas)] == [
            (1, 1),
            (1, 0),
            (1, 0),
        ]
        assert report["test"]["problem"] == ""
        assert (report["test"]["winning_rate"], report["test"]["advantage"]) == (1, 1)
        assert (ann["items"], ann["seconds"], report["trained_on"], report["suggested"]) == (30, 30.0, 0, 0)

    def test_links_that_people_were_shown(self, project, people):
        batch = linking_batch(project, people, suggester="identity")
        drawn(batch, people[0], EQUAL)
        assert model_report(answered_by_model(batch), epsilon=0.15)["suggested"] == 3


class TestGold:
    def test_counts_where_it_was_chosen(self, client, project, people):
        batch = linked(project, people, EQUAL[-1:], EQUAL[-1:], EQUAL[-1:])
        model = answered_by_model(batch)
        alone = freeze_gold_alignments(project=project, by=None, name="a", batch=batch)
        client.force_login(member(project, "manager", "boss"))
        launch = reverse("launch", args=[project.slug, "freeze-gold-links"])
        chosen = {"name": "with", "batch": batch.pk, "rule": "papers", "models": model.pk}
        assert "3 of 3 pairs" in client.post(launch, {**chosen, "preview": "yes"}).content.decode()
        client.post(launch, chosen)
        gold = project.gold_alignment_sets.get(name="with")
        assert (alone.counts["sure"], alone.counts["possible_only"]) == (3, 0)
        assert (gold.counts["sure"], gold.counts["possible_only"], gold.counts["model_decided"]) == (3, 21, 3)
        assert gold.agreement == alone.agreement  # of people alone
        assert ([*gold.model_annotators.all()], used_by(model)) == ([model], [gold])
        version = gold.alignments.first().versions[-1]
        assert version["annotator"] == "model identity"
        assert version["links"][0] == [0, 1, "sure", "model"]
        page = client.get(gold.get_absolute_url()).content.decode()
        assert "pairs with links decided by a model" in page and "The links of" in page
        card = export_contents(gold_links=gold)[0]["README.md"].decode()
        assert "links of identity count as those of further annotators" in card
        assert "3 pairs are decided by them" in card
        assert "4 annotators, under pseudonyms. 1 of them is a model." in card
        with pytest.raises(PublicError, match="differ on all 3 pairs"):
            freeze_gold_alignments(
                project=project, by=None, name="b", batch=batch, rule="adjudicated", models=[model]
            )

    def test_only_models_of_the_batch(self, project, people):
        model = answered_by_model(linking_batch(project, people))
        batch = linked(project, people, EQUAL, EQUAL, EQUAL)
        with pytest.raises(PublicError, match="has not answered any of these batches"):
            freeze_gold_alignments(project=project, by=None, name="b", batch=batch, models=[model])


def test_pages(client, project, people):
    batch = linked(project, people, EQUAL, EQUAL[1:], EQUAL)
    client.force_login(member(project, "manager", "boss"))
    launch = reverse("launch", args=[project.slug, "answer-batch"])
    form = client.get(f"{launch}?batch={batch.pk}").content.decode()
    assert 'name="aligner"' in form and 'name="scorer"' not in form
    assert form.index("Link</a>") < form.index("Have a model answer a batch</h1>")
    made = client.post(launch, {"batch": batch.pk, "aligner": "identity"})
    model = ModelAnnotator.objects.get()
    assert made.headers["Location"] == model.get_absolute_url()
    assert (
        "Nobody has linked a pair that it answered so far"
        in client.get(made.headers["Location"]).content.decode()
    )
    model = answered_by_model(batch)
    shown = client.get(model.get_absolute_url()).content.decode()
    assert "93.33 %" in shown and "1 - mean AER" in shown and "The test needs 30 shared items" in shown
    assert str(model) in client.get(batch.get_absolute_url()).content.decode()
    listed = client.get(reverse("api-model-answers", args=[model.pk])).json()
    assert listed["items"][0]["links"] == EQUAL
