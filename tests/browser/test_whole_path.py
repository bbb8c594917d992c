import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from alignment.models import Evaluation, GoldAlignmentSet, TrainedAligner, WordLink
from annotation.models import GoldSet, Judgement
from projects.models import Project
from tests.browser import whole_path as path
from tests.factories.corpus import UserFactory

DEMO = Path(__file__).resolve().parents[2] / "demo" / "corpus.jsonl"
SIZE = 6


@pytest.fixture
def people(transactional_db):
    UserFactory(username="mary", is_superuser=True)
    for username in ("ada", "bert"):
        UserFactory(username=username)


def walk(corpus, log_in):
    """The whole path on one file. Every step is checked where a person would look."""
    slug = "walk"
    manager = log_in("mary")
    path.create_project(manager, "A walk", slug)
    for username in ("ada", "bert"):
        path.add_member(manager, slug, username, "annotator")
    path.import_file(manager, slug, corpus)
    for preset in ("L12-2004-word", "F2-2004"):
        path.extract(manager, slug, preset)
    path.make_dataset(manager, slug, "both", ["L12-2004-word", "F2-2004"])
    path.draw_batch(manager, slug, "both", SIZE)

    ada, bert = log_in("ada"), log_in("bert")
    assert path.judge_all(ada, slug, "jjf") == SIZE
    assert path.judge_all(bert, slug, "jff") == SIZE
    assert Judgement.objects.count() == 2 * SIZE

    manager.goto(f"/projects/{slug}/review/")
    path.press(manager.locator("tbody a").first)
    expect(manager.locator("main")).to_contain_text(f"{SIZE // 3}")
    path.freeze(manager, f"/projects/{slug}/launch/freeze-gold-set/", "first gold")
    gold = GoldSet.objects.get()
    assert (gold.counts["disputed"], gold.counts["paraphrase"]) == (SIZE // 3, SIZE // 3)

    manager.goto(f"/projects/{slug}/launch/draw-linking-batch/")
    manager.get_by_label("Suggested links").select_option("identity")
    path.press(manager.locator("form.stack button.main"))
    manager.wait_for_url(re.compile(r"/link/\d+/$"))
    assert path.link_all(ada, slug, possible=False) == SIZE // 3
    assert path.link_all(bert, slug, possible=True) == SIZE // 3
    assert WordLink.objects.filter(origin="accepted").exists()

    path.freeze(manager, f"/projects/{slug}/launch/freeze-gold-links/", "first links")
    links = GoldAlignmentSet.objects.get()
    assert links.counts["pairs"] == SIZE // 3
    assert links.counts["sure"] > 0
    assert links.counts["possible_only"] > 0
    manager.goto(f"/projects/{slug}/aligners/")
    path.push(manager, "Score")
    expect(manager.locator("table.data").first).to_contain_text("identity")
    assert Evaluation.objects.get().scores["all"]["aer"] is not None

    for _ in range(2):
        manager.goto(f"/projects/{slug}/launch/export-gold/?gold_set={gold.pk}&gold_links={links.pk}")
        path.press(manager.locator("form.stack button.main"))
        expect(manager.get_by_role("link", name=path.ZIP)).to_have_count(1)
    with zipfile.ZipFile(io.BytesIO(path.download(manager, slug))) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        assert manifest["counts"]["judgements.pairs"] == SIZE
        assert len(archive.read("pairs.tsv").decode().strip().split("\n")) == SIZE + 1
        assert len(archive.read("links.pharaoh").decode().rstrip("\n").split("\n")) == SIZE // 3
    return Project.objects.get(slug=slug)


def test_on_the_demo_corpus(log_in, people, worker):
    project = walk(DEMO, log_in)
    assert project.clusters.count() == 16
    manager = log_in("mary")
    links = project.gold_alignment_sets.get()
    manager.goto(f"/projects/{project.slug}/launch/train-aligner/?gold_links={links.pk}")
    path.press(manager.locator("form.stack button.main"))
    expect(manager.get_by_role("link", name="Download the file")).to_be_visible(timeout=path.STORED_WITHIN)
    assert TrainedAligner.objects.get().sha256
