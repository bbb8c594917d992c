"""Imported pairs are a collection apart: nothing takes them for the corpus unless that is asked for."""

import pytest

from corpus.imports import import_corpus
from corpus.models import Cluster, CorpusImport
from corpus.services.characteristics import characteristics
from corpus.services.dry_run import dry_run
from corpus.services.extraction import launch_extraction
from corpus.services.headline_matching import launch_headline_matching
from corpus.services.matching import estimate, launch_matching
from corpus.services.presets import criteria_from
from corpus.specs import ProjectHeadlineSpec, ProjectMatchingSpec
from jobs.models import JobState
from jobs.services.running import run_here
from ops.archive.storing import import_project
from ops.archive.writing import export_project
from paragold.extraction.criteria import WITH_IMPORTED
from paragold.formats.judgement_formats import Reading
from tests.factories.imports import import_judgements
from tests.factories.news import DEMO, project_with

pytestmark = pytest.mark.django_db

PAIRS = 40


def import_pairs(project, folder, count=PAIRS):
    """Pairs that L12 finds, and that would match each other across the project."""
    lines = [
        f"1\tThe dam at Salis broke in night {n} of the flood .\tIn night {n} of the flood the dam broke ."
        for n in range(count)
    ]
    path = folder / "pairs.tsv"
    path.write_text("\n".join([*lines, ""]))
    report = import_judgements(
        project=project, by=None, path=path, filename=path.name, name="gold", reading=Reading()
    )
    assert report.status == "imported"


@pytest.fixture
def both(tmp_path):
    """The same corpus without imported pairs and with them."""
    projects = [project_with(DEMO, slug=slug, held_out_share=0.4) for slug in ("plain", "mixed")]
    import_pairs(projects[1], tmp_path)
    return projects[0], projects[1]


def done(extraction):
    run_here(job=extraction.job)
    assert extraction.job.state == JobState.DONE
    return extraction


def l12(project, **settings):
    return done(launch_extraction(project=project, by=None, preset="L12", settings=settings))


def match(project, scope, clusters="all"):
    spec = ProjectMatchingSpec(method="exact", threshold=0.2, scope=scope, clusters=clusters)
    return done(launch_matching(project=project, by=None, spec=spec))


def headlines(project, clusters="all"):
    spec = ProjectHeadlineSpec(weights="file", clusters=clusters)
    return done(launch_headline_matching(project=project, by=None, spec=spec))


def found(extraction):
    rows = extraction.findings.values_list("pair__sentence_a__text", "pair__sentence_b__text")
    return sorted(tuple(sorted(row)) for row in rows)


def test_extraction_and_matching_find_what_they_find_without_them(both):
    plain, mixed = both
    for run in (l12, headlines, lambda one: match(one, "clusters"), lambda one: match(one, "project")):
        without, with_them = run(plain), run(mixed)
        assert found(with_them) == found(without) != []
        assert with_them.signature == without.signature
        ours, theirs = (characteristics(one.datasets.get()) for one in (with_them, without))
        assert (ours["pairs"], ours["clusters"]) == (theirs["pairs"], theirs["clusters"])
    for clusters in ("all", "held_out", "rest"):
        counted = [
            dry_run(project=one, criteria=criteria_from(one, "L12", {"clusters": clusters}), seconds=600)
            for one in both
        ]
        assert counted[0].found == counted[1].found and counted[0].clusters == counted[1].clusters
    expected = [estimate(project=one, spec=ProjectMatchingSpec(scope="project")) for one in both]
    assert expected[0] == expected[1]


def test_they_are_included_where_that_is_asked_for(both):
    plain, mixed = both
    wide = l12(mixed, clusters=WITH_IMPORTED)
    assert f"clusters:{WITH_IMPORTED}" in wide.signature
    assert wide.findings.count() == l12(plain).findings.count() + PAIRS
    assert (
        match(mixed, "clusters", WITH_IMPORTED).findings.count() > match(plain, "clusters").findings.count()
    )
    assert headlines(mixed, WITH_IMPORTED).findings.count() > headlines(plain).findings.count()


def test_articles_do_not_join_an_imported_pair(both, tmp_path):
    _, mixed = both
    path = tmp_path / "more.jsonl"
    path.write_text(
        '{"cluster_id": "gold/1", "articles": [{"id": "a", "paragraphs": ["It broke again."]}]}\n'
    )
    report = import_corpus(project=mixed, by=None, path=path, filename=path.name)
    assert report.state == "refused" and "imported pair" in report.problems[0]["message"]
    assert Cluster.objects.get(project=mixed, key="gold/1").articles.count() == 2


def test_an_archive_keeps_them_apart(both, tmp_path, settings):
    _, mixed = both
    settings.VAR = tmp_path / "var"
    settings.EXPORTS_DIR = settings.VAR / "exports"
    settings.VAR.mkdir()
    path = tmp_path / "mixed.zip"
    export_project(project=mixed, path=path)
    again = import_project(path=path, slug="again").project
    keys = set(again.clusters.imported_pairs().values_list("key", flat=True))
    assert keys == set(mixed.clusters.imported_pairs().values_list("key", flat=True))
    source = CorpusImport.objects.get(project=again, pair_clusters__key="gold/1")
    assert source.filename == "pairs.tsv"
    assert found(l12(again)) == found(l12(mixed))
