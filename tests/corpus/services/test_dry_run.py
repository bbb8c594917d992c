import pytest

from corpus.models import CandidatePair
from corpus.services import dry_run as service
from corpus.services.dry_run import dry_run
from corpus.services.extraction import launch_extraction
from corpus.views.charts import histogram
from jobs.models import Job
from jobs.services.running import run_here
from paragold.extraction.presets import get_preset
from projects.models import Project
from tests.factories.corpus import ArticleFactory, ClusterFactory, ProjectFactory, SentenceFactory
from tests.factories.news import DEMO, extract, project_with

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def all_the_time_it_takes(monkeypatch):
    """All clusters are looked at, however busy the machine is."""
    monkeypatch.setattr(service, "SECONDS", 600.0)


@pytest.fixture(scope="module")
def demo_of_module(module_database):
    return project_with(DEMO).pk


@pytest.fixture
def demo(demo_of_module):
    """The demo's articles."""
    return Project.objects.get(pk=demo_of_module)


def asked(preset, **settings):
    return get_preset(preset).criteria.replace(**settings)


@pytest.mark.parametrize("preset", ["L12-2004", "L12-2004-word", "candidates-2005", "F3"])
def test_on_all_clusters_it_counts_what_the_extraction_stores(demo, preset):
    counted = dry_run(project=demo, criteria=asked(preset))
    assert not CandidatePair.objects.exists() and not Job.objects.filter(kind="extract").exists()
    stored = extract(demo, preset)
    assert counted.complete and counted.found == counted.projection[0] == stored.findings.count()
    assert sum(part.pairs for part in counted.bins) == counted.found
    if preset == "L12-2004":
        # A stored distance counts a replacement as one, whatever the criteria count.
        assert max(counted.distances) == 12 and counted.criteria.distance == "indel"
        return
    distances = sorted(stored.findings.values_list("pair__edit_distance", flat=True))
    assert sorted(d for d, n in counted.distances.items() for _ in range(n)) == distances


@pytest.mark.real_data
@pytest.mark.parametrize("preset", ["candidates-2005"])
def test_one_number_on_real_news(preset, shared_data, tmp_path):
    """The headline, the histogram, the examples and the extraction itself, on a ninth of ECB+."""
    clusters = (shared_data / "news" / "ecbplus_topics_1_35.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "third.jsonl").write_bytes(b"".join(clusters[::9]))
    project = project_with(tmp_path / "third.jsonl")
    counted = dry_run(project=project, criteria=asked(preset), seconds=600)
    stored = extract(project, preset)
    drawn = histogram(counted.distances)
    assert drawn is not None and counted.complete
    numbers = {
        counted.found,
        counted.projection[0],
        drawn.total,
        sum(part.pairs for part in counted.bins),
        stored.findings.count(),
        stored.job.counts["pairs_kept"],
    }
    assert len(numbers) == 1


def test_a_pair_is_counted_where_the_extraction_sees_it_first():
    project = ProjectFactory()
    cluster = ClusterFactory(project=project)
    short, long = "The dam broke in the night .", "The dam broke in the night after days of rain and wind ."
    for texts in ((long,), ("Nobody was hurt .", "All were saved .", short), (short,)):
        article = ArticleFactory(cluster=cluster)
        for text in texts:
            SentenceFactory(article=article, text=text)
    settings = {"first_n": 2, "min_length_ratio": "0.6", "first_length_ratio": "0.1", "min_shared_words": 1}
    counted = dry_run(project=project, criteria=asked("candidates-2005", **settings))
    extraction = launch_extraction(project=project, by=None, preset="candidates-2005", settings=settings)
    run_here(job=extraction.job)
    assert counted.found == extraction.findings.count() > 0


@pytest.mark.parametrize(
    ("preset", "option"),
    [
        ("L12-2004-word", {"distance": "indel"}),
        ("candidates-2005", {"placeholders": True, "same_article": True}),
        ("F3", {"shared_word_length": 2}),
    ],
)
def test_with_every_option_it_counts_what_the_extraction_stores(demo, preset, option):
    criteria = asked(preset, **option)
    counted = dry_run(project=demo, criteria=criteria)
    extraction = launch_extraction(project=demo, by=None, preset=preset, settings=option)
    run_here(job=extraction.job)
    assert counted.found == extraction.findings.count() > 0
