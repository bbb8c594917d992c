import re

import pytest
from django.urls import reverse

from annotation.services.drawing import draw_judging_batch
from corpus.services.characteristics import characteristics, pairs_of
from corpus.services.dry_run import dry_run
from corpus.services.extraction import launch_extraction
from corpus.services.headline_matching import launch_headline_matching
from corpus.services.matching import estimate, launch_matching
from corpus.services.presets import criteria_from
from corpus.specs import ProjectHeadlineSpec, ProjectMatchingSpec
from jobs.models import JobState
from jobs.services.running import run_here
from paragold.extraction.criteria import WITH_IMPORTED
from paragold.formats.judgement_formats import Reading
from paragold.sampling.strategy import DrawSpec
from projects.models import Role
from tests.factories.corpus import (
    ArticleFactory,
    ClusterFactory,
    ProjectFactory,
    SentenceFactory,
    UserFactory,
    member,
)
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


@pytest.mark.parametrize("clusters", ["all", WITH_IMPORTED])
def test_rejected_pairs_are_drawn_from_what_was_looked_at(tmp_path, clusters):
    project = ProjectFactory()
    for number in range(3):
        cluster = ClusterFactory(project=project)
        for text in (
            "The dam broke at night .",
            "At night the dam broke .",
            f"Nobody slept in {number} towns .",
        ):
            SentenceFactory(article=ArticleFactory(cluster=cluster), text=text)
    import_pairs(project, tmp_path, 30)
    [dataset] = l12(project, min_shared_words=2, clusters=clusters).datasets.all()
    member(project, Role.ANNOTATOR, "ann")
    batch = draw_judging_batch(
        project=project,
        by=None,
        name="audit",
        dataset=dataset,
        size=4,
        annotators=["ann"],
        seed=1,
        overlap=1,
        strategy=DrawSpec(rejected=100, again=True),
    )
    [figures] = [one for one in batch.sampling["strata"] if one["stratum"] == "rejected"]
    assert figures["sentence_pairs"] == 3 * 3 + (30 if clusters == WITH_IMPORTED else 0)


def test_they_are_listed_and_counted_apart(both, client):
    plain, mixed = both
    clusters = plain.clusters.count()
    client.force_login(UserFactory(is_superuser=True))

    def page(**asked):
        return client.get(reverse("corpus", args=["mixed"]), asked)

    shown = page()
    assert (shown.context["total"], shown.context["imported"]) == (clusters, PAIRS)
    for name in ("articles", "sentences", "held_out_clusters"):
        reference = client.get(reverse("corpus", args=["plain"])).context
        assert shown.context[name] == reference[name]
    assert "<bdi>gold/" not in shown.content.decode()
    apart = page(collection="imported")
    assert len(apart.context["tables"][0].rows) == PAIRS and "pairs.tsv" in apart.content.decode()
    assert DEMO.name not in apart.content.decode()
    assert len(page(collection="imported", q="gold/7").context["tables"][0].rows) == 1
    pair = mixed.clusters.imported_pairs().first()
    assert (
        pair is not None
        and "pairs.tsv" in client.get(reverse("cluster", args=["mixed", pair.pk])).content.decode()
    )
    assert pairs_of(mixed) == 0 and not client.get(reverse("pairs", args=["mixed"])).context["tables"][0].rows

    def listed(kind, **asked):
        url = reverse(f"api-{kind}", args=["mixed"])
        return client.get(url, {"limit": 200, **asked}).json()["items"]

    assert [row["collection"] for row in listed("clusters")] == ["corpus"] * clusters
    assert [row["collection"] for row in listed("clusters", collection="imported")] == ["imported"] * PAIRS
    assert len(listed("clusters", collection="all")) == clusters + PAIRS
    assert len(listed("articles", cluster=pair.pk)) == len(listed("sentences", cluster=pair.pk)) == 2
    assert len(listed("articles", collection="imported")) == 2 * PAIRS
    assert listed("pairs") == [] and len(listed("pairs", collection="imported")) == PAIRS
    overview = client.get(reverse("project", args=["mixed"])).content.decode()
    assert f"{clusters} clusters" in overview
    assert re.search(rf"imported pairs</bdi></a> <span><bdi>{PAIRS}<", overview)
