import csv
import random

import pytest

from corpus.services import extraction as service
from corpus.services.dry_run import dry_run, yields
from corpus.services.extraction import launch_extraction
from paragold.extraction.files import extract_file
from paragold.extraction.presets import get_preset
from projects.errors import PublicError
from tests.factories.news import DEMO, extract, project_with, stored
from tests.paragold.text.tiny_encoder import write_encoder

pytestmark = pytest.mark.django_db


def written(source, preset, output):
    extract_file(source, get_preset(preset).criteria, output, processes=1)
    with output.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        return sorted((r[0], r[1], int(r[2]), r[3], int(r[4]), int(r[5])) for r in rows)


@pytest.mark.parametrize("preset", ["L12-2004", "L12-2004-word", "F2-2004"])
def test_the_job_finds_what_the_command_writes(preset, tmp_path):
    extraction = extract(project_with(DEMO), preset)
    found = stored(extraction)
    assert found == written(DEMO, preset, tmp_path / "pairs.tsv")
    assert len(found) == extraction.job.counts["pairs_kept"] >= 150
    assert extraction.project.datasets.get(name=preset).size == len(found)


@pytest.mark.real_data
def test_the_same_on_ecb_plus(tmp_path, shared_data):
    source = shared_data / "news" / "ecbplus_topics_1_35.jsonl"
    assert stored(extract(project_with(source), "L12-2004")) == written(
        source, "L12-2004", tmp_path / "pairs.tsv"
    )


def test_the_order_of_chunks_does_not_matter(monkeypatch, tmp_path):
    twice = tmp_path / "twice.jsonl"
    # The same events again under other keys, so that the same texts are found in two clusters.
    again = DEMO.read_text(encoding="utf-8").replace('"cluster_id": "', '"cluster_id": "again-')
    twice.write_text(DEMO.read_text(encoding="utf-8") + again, encoding="utf-8")
    monkeypatch.setattr(service, "CLUSTERS_A_CHUNK", 2)
    plan = service.plan_chunks
    results = []
    for seed in (0, 1, 2):
        draw = random.Random(seed)
        monkeypatch.setattr(
            service,
            "plan_chunks",
            lambda rows, draw=draw: draw.sample(chunks := list(plan(rows)), len(chunks)),
        )
        extraction = extract(project_with(twice), "L12-2004-word")
        results.append(stored(extraction))
        assert extraction.job.counts["rejected_seen_before"] > 300
    assert results[0] == results[1] == results[2] == written(twice, "L12-2004-word", tmp_path / "pairs.tsv")


def test_the_preset_by_meaning_needs_the_encoder_of_the_installation(tmp_path, monkeypatch):
    project = project_with(DEMO)
    with pytest.raises(PublicError, match="PARAGOLD_ENCODER names no folder") as error:
        launch_extraction(project=project, by=None, preset="meaning")
    assert error.value.field == "encoder"
    with pytest.raises(PublicError, match="names no folder"):
        dry_run(project=project, criteria=get_preset("meaning").criteria)
    assert yields(project, [get_preset("meaning")]) == {"meaning": None}
    folder = write_encoder(tmp_path / "tiny")
    monkeypatch.setenv("PARAGOLD_ENCODER", str(folder))
    with pytest.raises(PublicError, match="Choose default"):
        launch_extraction(project=project, by=None, preset="meaning", settings={"encoder": str(folder)})
    found = stored(extraction := extract(project, "meaning"))
    assert found == written(DEMO, "meaning", tmp_path / "pairs.tsv")
    assert len(found) == extraction.job.counts["pairs_kept"] > 0
    assert "|encoder:" in extraction.signature
