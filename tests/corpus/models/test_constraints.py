import pytest
from django.apps import apps
from django.db import models
from django.utils import timezone

from corpus.models import (
    Article,
    Cluster,
    CorpusImport,
    Dataset,
    DatasetPair,
    Extraction,
    Finding,
    KeptNumbers,
    Lexicon,
    LexiconEntry,
    LexiconRating,
    ProjectPreset,
    Sentence,
)
from jobs.models import Job, JobChunk
from projects.models import (
    ApiToken,
    EarlierGuidelines,
    Invitation,
    Membership,
    Project,
    Submission,
)
from tests.broken_rows import assert_refused
from tests.factories.corpus import (
    CandidatePairFactory,
    JobFactory,
    UserFactory,
    dataset_of,
    member,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair():
    return CandidatePairFactory()


@pytest.mark.parametrize(
    ("constraint", "fields"),
    [
        ("project_overlap", {"overlap": 0}),
        ("project_held_out", {"held_out_share": 0.95}),
        ("project_near_duplicates", {"near_duplicate_share": 0.05}),
        ("project_two_languages", {"language": "nl", "second_language": "nl"}),
        ("project_scheme", {"scheme": "five_way"}),
        ("project_gold_rule", {"gold_rule": "coin"}),
        ("project_count_phenomena", {"count_phenomena": "some"}),
    ],
)
def test_project(pair, constraint, fields):
    broken = Project(slug="other", name="Other", created_by=pair.project.created_by, **fields)
    assert_refused(constraint, broken)


def test_membership(pair):
    user = member(pair.project, "viewer", "vic")
    assert_refused("membership_unique", Membership(project=pair.project, user=user, role="viewer"))
    assert_refused("membership_role", Membership(project=pair.project, user=user, role="owner"))
    version = {"project": pair.project, "version": 1, "replaced_by": user}
    EarlierGuidelines.objects.create(**version)
    assert_refused("earlier_guidelines_version", EarlierGuidelines(**version))
    invitation = Invitation(
        project=pair.project, created_by=user, role="owner", uses_left=1, expires_at=timezone.now()
    )
    assert_refused("invitation_role", invitation)
    assert_refused("token_scope", ApiToken(user=user, digest="0", scope="all"))


def test_articles_and_sentences(pair):
    sentence = pair.sentence_a
    article = sentence.article
    cluster = article.cluster
    assert_refused("cluster_unique", Cluster(project=cluster.project, key=cluster.key))
    imported = CorpusImport.objects.create(project=cluster.project, filename="gold.tsv", sha256="0" * 64)
    held_out = Cluster(project=cluster.project, key="imported", pair_import=imported, held_out=True)
    assert_refused("cluster_imported_not_held_out", held_out)
    assert_refused("article_unique", Article(cluster=cluster, key=article.key, content_sha256="new"))
    copy = Article(cluster=cluster, key="new", content_sha256=article.content_sha256)
    assert_refused("article_no_duplicates", copy)
    again = Sentence(article=article, number=sentence.number, text="x", tokens="x", starts=[0])
    assert_refused("sentence_unique", again)


def test_jobs(pair):
    job = JobFactory(project=pair.project)
    assert_refused("job_state", Job(project=pair.project, kind="k", title="t", state="lost"))
    assert_refused("job_done_lte_total", Job(project=pair.project, kind="k", title="t", done=2, total=1))
    JobChunk.objects.create(job=job, number=0, units=1, payload={})
    assert_refused("chunk_unique", JobChunk(job=job, number=0, units=1, payload={}))
    assert_refused("chunk_state", JobChunk(job=job, number=1, units=1, payload={}, state="eaten"))


def test_pairs(pair):
    pair.pk = None
    pair._state.adding = True
    assert_refused("pair_unique", pair)
    pair.sentence_b = pair.sentence_a
    assert_refused("pair_two_sentences", pair)


def test_extractions_and_datasets(pair):
    dataset = dataset_of(pair.project, 1)
    extraction = dataset.extractions.get()
    finding = extraction.findings.get()
    assert_refused("finding_unique", Finding(extraction=extraction, pair=finding.pair))
    assert_refused("finding_score", Finding(extraction=extraction, pair=pair, score=1.5))
    assert_refused("finding_jaccard", Finding(extraction=extraction, pair=pair, jaccard=-0.5))
    same_name = Extraction(
        project=pair.project,
        job=JobFactory(project=pair.project),
        name=extraction.name,
        preset="L12-2004",
        criteria={},
        signature="",
    )
    assert_refused("extraction_name", same_name)
    assert_refused("dataset_name", Dataset(project=pair.project, name=dataset.name, size=0, signature=""))
    odd = Dataset(project=pair.project, name="odd", size=0, signature="", held_out="some")
    assert_refused("dataset_held_out", odd)


def test_kept_numbers(pair):
    fields = {"project": pair.project, "name": "pairs", "numbers": {}}
    KeptNumbers.objects.create(**fields)
    assert_refused("kept_numbers_once", KeptNumbers(**fields))


def test_presets(pair):
    fields = {"project": pair.project, "name": "near", "base": "L12", "criteria": {"method": "levenshtein"}}
    ProjectPreset.objects.create(**fields)
    assert_refused("preset_name", ProjectPreset(**fields))


def test_lexicons_and_refined_datasets(pair):
    project, dataset = pair.project, dataset_of(pair.project, 1)
    DatasetPair.objects.create(dataset=dataset, pair=pair)
    assert_refused("dataset_pair_once", DatasetPair(dataset=dataset, pair=pair))

    def lexicon(**fields):
        values = {"name": "words", "version": 1, "kind": "association", "dataset": dataset}
        return Lexicon(project=project, job=JobFactory(project=project), **(values | fields))

    words = lexicon()
    words.save()
    assert_refused("lexicon_version", lexicon())
    assert_refused("lexicon_kind", lexicon(version=2, kind="rhymes"))

    def entry(rank, first, second):
        return LexiconEntry(
            lexicon=words, rank=rank, first=first, second=second, score=9.0, together=3, in_wordnet=None
        )

    best = entry(1, "suppliers", "vendors")
    best.save()
    assert_refused("lexicon_entry_rank", entry(1, "operation", "procedure"))
    assert_refused("lexicon_entry_words", entry(2, "suppliers", "vendors"))
    rater = member(project, "viewer", "vic")
    LexiconRating.objects.create(entry=best, rater=rater, verdict="good")
    assert_refused("lexicon_rating_once", LexiconRating(entry=best, rater=rater, verdict="bad"))
    assert_refused("lexicon_rating_verdict", LexiconRating(entry=best, rater=UserFactory(), verdict="fine"))


def test_every_constraint_of_the_three_apps_is_tried():
    """A constraint that no test tries to break fails here, with its name."""
    from pathlib import Path

    tests = Path(__file__).resolve().parents[2]
    source = "".join(path.read_text(encoding="utf-8") for path in tests.glob("*/models/test_*.py"))
    declared = [
        constraint.name
        for app in ("projects", "jobs", "corpus", "annotation", "alignment")
        for model in apps.get_app_config(app).get_models()
        for constraint in model._meta.constraints
        if isinstance(constraint, models.UniqueConstraint | models.CheckConstraint)
    ]
    assert [name for name in declared if f'"{name}"' not in source] == []


def test_corpus_imports(pair):
    known = {"project": pair.project, "filename": "a.jsonl", "sha256": "0"}
    assert_refused("import_state", CorpusImport(state="lost", **known))
    assert_refused(
        "import_staging_while_storing", CorpusImport(state="imported", staging=pair.project, **known)
    )


def test_submissions(pair):
    known = {"user": pair.project.created_by, "key": "k", "body_sha256": "", "begun_at": timezone.now()}
    Submission.objects.create(**known)
    assert_refused("submission_once", Submission(**known))


def test_a_staging_project_is_seen_by_nobody(pair):
    hidden = Project(slug="~1", name="hidden", created_by=pair.project.created_by, staging=True)
    hidden.save()
    assert hidden not in Project.objects.all()
    assert not Project.objects.visible_to(pair.project.created_by).filter(slug="~1").exists()
    assert hidden in Project.everything.all()
