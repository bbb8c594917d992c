import json

import pytest

from alignment.services.batches import suggester_choices
from alignment.services.trained_aligners.launching import aligner_for
from annotation.api.items import queue_payload
from annotation.models import Assignment, AssignmentState, Batch
from corpus.imports import ARTICLES, import_corpus
from corpus.models import Article, CandidatePair, LexiconKind
from corpus.services.lexicons import launch_lexicon
from corpus.services.translation_matching import launch_translation_matching
from corpus.specs import ProjectTranslationSpec
from jobs.services.running import run_here
from paragold.classification.settings import LexiconSpec
from paragold.sources.article_sources import SourceOptions
from projects.errors import PublicError
from projects.services.projects import change_project, create_project
from tests.factories.corpus import UserFactory, member
from tests.factories.imports import import_links

pytestmark = pytest.mark.django_db

SEEDS = [
    ("1", "The dam leaked .", "Le barrage fuyait .", "0-0 1-1 2-2 3-3", ""),
    ("2", "The council met .", "Le conseil s' est réuni .", "0-0 1-1 3-5", "2-2"),
    ("3", "The dam broke .", "Le barrage a rompu .", "0-0 1-1 2-3", "2-2"),
]
FRENCH = [("Le barrage a rompu hier soir.", "L'eau monte."), ("Le conseil s'est réuni.",)]
ENGLISH = [("Nobody slept.", "The dam broke last night."), ("The council met.",)]


@pytest.fixture
def project():
    made = create_project(by=UserFactory(), slug="dams", name="Dams", language="en", second_language="fr")
    member(made, "annotator", "ann")
    return made


@pytest.fixture
def seeds(project, tmp_path):
    path = tmp_path / "seeds.json"
    fields = ("id", "source", "target", "sureAlign", "possibleAlign")
    path.write_text(json.dumps([dict(zip(fields, row, strict=True)) for row in SEEDS]))
    import_links(project=project, path=path, batch="seeds", whose="ann")
    return Batch.objects.get()


def import_articles(project, tmp_path, texts, tag="en", **fields):
    path = tmp_path / f"{len(list(tmp_path.iterdir()))}.jsonl"
    rows = [
        {"cluster_id": f"event-{number}", "id": f"{tag}-{number}", "sentences": sentences, **fields}
        for number, sentences in enumerate(texts)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    options = SourceOptions(language=tag)
    done = import_corpus(project=project, by=None, path=path, filename=path.name, options=options)
    assert done.state == "imported"


def lexicon_of(project):
    lexicon = launch_lexicon(project=project, by=None, name="seeds", spec=LexiconSpec(min_together=1))
    run_here(job=lexicon.job)
    lexicon.refresh_from_db()
    return lexicon


def matched(project, lexicon, **chosen):
    spec = ProjectTranslationSpec(**chosen)
    extraction = launch_translation_matching(project=project, by=None, lexicon=lexicon, spec=spec)
    run_here(job=extraction.job)
    assert extraction.job.error == ""
    rows = extraction.findings.order_by("-score", "pair")
    return [*rows.values_list("pair__sentence_a__text", "pair__sentence_b__text")]


def test_languages_are_checked_and_fixed_by_the_first_import(project, seeds):
    for languages, message in (
        (("en", "xx"), "no language 'xx'"),
        (("en", "en-GB"), "Both languages are English"),
    ):
        with pytest.raises(PublicError, match=message):
            create_project(
                by=UserFactory(),
                slug="x",
                name="X",
                **dict(zip(("language", "second_language"), languages, strict=True)),
            )
    with pytest.raises(PublicError, match="second_language cannot be changed"):
        change_project(project=project, by=project.created_by, second_language="")


def test_each_sentence_of_an_imported_pair_has_its_language(project, seeds, django_assert_max_num_queries):
    pair = CandidatePair.objects.earliest("pk")
    assert [side.language_in(project) for side in (pair.sentence_a, pair.sentence_b)] == ["en", "fr"]
    Assignment.objects.update(state=AssignmentState.OPEN)
    own = Batch.objects.own(Assignment.objects.first().annotator, seeds.pk)
    with django_assert_max_num_queries(12):
        items = queue_payload(own, Assignment.objects.first().annotator, limit=10)["items"]
    assert [(item["a"]["language"], item["b"]["language"]) for item in items] == [("en", "fr")] * 3


def test_articles_have_the_language_that_they_or_their_import_name(project, tmp_path):
    import_articles(project, tmp_path, FRENCH, "fr")
    import_articles(project, tmp_path, ENGLISH, language="en-GB")
    languages = Article.objects.order_by("pk").values_list("key", "language")
    assert list(languages) == [("fr-0", "fr"), ("fr-1", "fr"), ("en-0", ""), ("en-1", "")]
    tokens = Article.objects.get(key="fr-0").sentences.get(number=1).tokens
    assert tokens == "L' eau monte ."
    spec = ARTICLES.spec(article_language="de")
    with pytest.raises(PublicError, match="choose en or fr"):
        ARTICLES.options(spec, {}, project)
    assert ARTICLES.options(ARTICLES.spec(article_language="fr"), {}, project)["language"] == "fr"


@pytest.mark.parametrize("scope", ["clusters", "project"])
def test_articles_are_matched_across_languages(project, seeds, tmp_path, scope):
    # What came in first does not decide which sentence is the first of a pair.
    import_articles(project, tmp_path, FRENCH, "fr")
    import_articles(project, tmp_path, ENGLISH)
    lexicon = lexicon_of(project)
    assert (lexicon.kind, lexicon.dataset) == (LexiconKind.ASSOCIATION, None)
    entries = set(lexicon.entries.values_list("first", "second"))
    assert ("dam", "barrage") in entries and ("council", "conseil") in entries
    assert matched(project, lexicon, scope=scope) == [
        ("The council met.", "Le conseil s'est réuni."),
        ("The dam broke last night.", "Le barrage a rompu hier soir."),
    ]
    # Again, the same pairs are found and not stored twice.
    pairs = CandidatePair.objects.count()
    assert len(matched(project, lexicon, scope=scope)) == 2 and CandidatePair.objects.count() == pairs


def test_aligners_begin_with_what_two_languages_ask_for(project):
    hmm = aligner_for(project, {"aligner": "hmm"})
    assert (hmm.spec.one_language, hmm.spec.lexicon, hmm.spec.identical) == (False, False, True)
    best = aligner_for(project, {"aligner": "best"}).spec
    assert (best.one_language, best.stemmer, best.wordnet, best.starting_point) == (
        False,
        "none",
        False,
        "none",
    )
    assert [name for name, _ in suggester_choices(project)] == ["", "best"]
