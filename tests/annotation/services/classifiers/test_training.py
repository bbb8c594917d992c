import json
import zlib

import pytest
from django.db import connection

from annotation.services.classifiers import measuring
from annotation.services.classifiers.context import contexts_of
from annotation.services.classifiers.inspection import contributions, model_of
from annotation.services.classifiers.measuring import pairs_of_gold, pairs_of_import
from annotation.services.classifiers.training import launch_training
from annotation.specs import TrainingSpec
from corpus.models import Article
from jobs.operations import operations
from paragold.sampling.sampling import AUDIT
from paragold.text import wordnet
from projects.errors import PublicError
from projects.parsing.process import limited
from tests.factories.classifiers import applied, built_lexicon, finished, trained
from tests.paragold.text.tiny_encoder import write_encoder

pytestmark = pytest.mark.django_db


def test_a_gold_set_makes_a_classifier_with_its_report(project, gold):
    classifier = finished(
        launch_training(
            project=project,
            by=None,
            name="svm",
            gold_set=gold,
            spec=TrainingSpec(classes=["string", "composite"]),
        )
    )
    assert classifier.finished
    assert (classifier.version, str(classifier)) == (1, "svm v1")
    figures = classifier.figures
    assert figures["pairs"] == 30
    measures = figures["measures"]
    counted = ("true_positive", "false_positive", "false_negative", "true_negative")
    assert sum(measures[name] for name in counted) == 30
    assert [row["name"] for row in figures["ablation"]] == [
        "all", "string only", "no word pairs", "no string", "no composite",
    ]  # fmt: skip
    assert figures["ablation"][0]["measures"] == measures or figures["errors_by_c"]
    assert [point["pairs"] for point in figures["curve"]] == [2, 4, 8, 14, 20]
    assert figures["random_folds"]["measures"]["accuracy"] > 0.5
    assert figures["c"] in [c for c, _ in figures["errors_by_c"]]
    assert len(figures["out_of_fold"]) == 30
    assert model_of(classifier).training["pairs"] == 30
    assert classifier.sha256 in classifier.signature
    job = classifier.job
    assert (job.done, job.counts["cross_validations"]) == (job.total, job.total)


def test_a_file_is_parsed_before_the_transaction(project, tmp_path, monkeypatch):
    """On SQLite nobody else could write while it is read."""
    path, around, within = tmp_path / "pairs.tsv", len(connection.savepoint_ids), []

    def noting(function, *arguments, **named):
        within.append(len(connection.savepoint_ids))
        return limited(function, *arguments, **named)

    monkeypatch.setattr(measuring, "limited", noting)
    path.write_text("1\ta b\tc d\n", encoding="utf-8")
    with pytest.raises(PublicError):
        launch_training(project=project, by=None, name="file", pairs=path, filename="pairs.tsv")
    assert within == [around]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("the dam\tthe other dam\n", "pairs.tsv, line 1: has no label"),
        ("1\tonly one\n", "line 1"),
        ("1\ta b\tc d\n1\te f\tg h\n", "All 2 pairs are paraphrases"),
        ("1\ta b\tc d\n0\te f\tg h\n", "Too few pairs for 3 folds"),
    ],
)
def test_files_that_cannot_teach_are_refused_with_the_reason(project, tmp_path, lines, message):
    path = tmp_path / "pairs.tsv"
    path.write_text(lines, encoding="utf-8")
    with pytest.raises(PublicError, match=message) as error:
        launch_training(project=project, by=None, name="file", pairs=path, filename="pairs.tsv")
    assert error.value.field == "pairs"
    assert not project.jobs.filter(kind="train_classifier").exists()


def test_trainings_of_an_earlier_version_are_read():
    spec = TrainingSpec(classes=["string"], seed=3)
    gone = {"classes": ["string", "gone"], "gone": "", "gone_version": ""}
    assert TrainingSpec.stored(spec.as_json() | gone) == spec
    line = json.dumps(["a b", "a c", True, "dam", "1", "2", 1, [2.0, [3, 0], 0.25, None]])
    assert pairs_of_import(zlib.compress(line.encode()))[0].context == (2.0, (3, 0), 0.25)


def test_classes_without_their_lexicon_are_off_and_say_so(project, gold, monkeypatch):
    monkeypatch.setenv(wordnet.ENVIRONMENT_VARIABLE, "/absent")
    classifier = trained(project, gold, classes=["string", "wordnet", "association"], report=True)
    assert classifier.figures["classes"] == ["string"]
    assert [note.split(":")[0] for note in classifier.notes] == ["The class wordnet is off"]
    assert "let PARAGOLD_WORDNET name a file" in classifier.notes[0]
    assert "no wordnet" not in [row["name"] for row in classifier.figures["ablation"]]


def test_a_lexicon_is_built_again_without_the_labelled_pairs(project, dataset, gold):
    lexicon = built_lexicon(dataset, min_together=1)
    classifier = trained(project, gold, classes=["string", "association"], lexicon=lexicon)
    assert classifier.notes[0].startswith(f"30 labelled pairs are in the dataset of {lexicon} as well.")
    labelled = {frozenset((pair.first, pair.second)) for pair in pairs_of_gold(gold)}
    kept = {
        word
        for pair in dataset.pairs()
        if frozenset((pair.sentence_a.text, pair.sentence_b.text)) not in labelled
        for word in (pair.sentence_a.tokens + " " + pair.sentence_b.tokens).split()
    }
    assert {word for words in model_of(classifier).association for word in words} <= kept


def test_pairs_drawn_for_an_audit_teach_only_when_asked(gold):
    item = gold.judgements.first().item
    item.stratum = AUDIT
    item.save()
    assert len(pairs_of_gold(gold)) == 29
    assert len(pairs_of_gold(gold, with_audit=True)) == 30


def test_the_context_of_pairs_is_learned_from_where_it_is_asked_for(project, gold, dataset):
    first = dataset.pairs().order_by("pk").first()
    for pair, day in ((first.sentence_a, "2004-05-01T23:00:00Z"), (first.sentence_b, "2004-05-04")):
        Article.objects.filter(pk=pair.article_id).update(published=day)
    days, places, cohesion = contexts_of(dataset.pairs(), ["context"])[first.pk]
    assert (days, places) == (3.0, (first.position_a, first.position_b))
    words = [{*sentence.tokens.lower().split(" ")} for sentence in (first.sentence_a, first.sentence_b)]
    assert cohesion == pytest.approx(len(words[0] & words[1]) / len(words[0] | words[1]))
    assert contexts_of(dataset.pairs(), ["string"]) == {}
    classifier = trained(project, gold, classes=["string", "context"], report=True)
    assert "context:days_apart" in model_of(classifier).model[0].dense_names
    assert "no context" in [row["name"] for row in classifier.figures["ablation"]]
    applied(classifier, dataset)
    assert "context:cohesion" in [one["name"] for one in contributions(classifier, [first])[0]]


def test_the_encoder_of_the_installation_is_a_class_of_features(project, gold, tmp_path, monkeypatch):
    monkeypatch.setenv("PARAGOLD_ENCODER", str(folder := write_encoder(tmp_path / "tiny")))
    options = {"classes": ["string", "encoder"], "c": 0.01, "report": False}
    with pytest.raises(PublicError, match="Choose nothing: none or default"):
        trained(project, gold, encoder=str(folder), **options)
    classifier = trained(project, gold, encoder="default", **options)
    assert classifier.figures["classes"] == ["string", "encoder"]
    assert classifier.figures["encoder"].startswith("tiny (licence: not stated), SHA-256 ")
    assert classifier.figures["encoder"] in classifier.signature
    run = applied(classifier, gold.batches.get().dataset)
    assert run.refined.get().refinement["encoder"] == classifier.figures["encoder"]
    assert trained(project, gold, **options).figures["classes"] == ["string"]
    form = operations()["train-classifier"].page.form
    assert (
        form(operation=operations()["train-classifier"], project=project).fields["encoder"].initial
        == "default"
    )
    monkeypatch.delenv("PARAGOLD_ENCODER")
    field = form(operation=operations()["train-classifier"], project=project).fields["encoder"]
    assert field.disabled and "No encoder is installed" in field.help_text
    with pytest.raises(PublicError, match="names no folder"):
        trained(project, gold, encoder="default", **options)
