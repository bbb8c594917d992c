"""Nearly equal articles of a cluster: found by the check of an import, shown on its page, told by the API."""

from __future__ import annotations

import json
import random

from django.test import Client

from corpus.models import CorpusImport
from corpus.services.import_storing import begin_storing
from corpus.services.importing import launch_check
from corpus.services.uploads import Upload, new_token, upload_path
from jobs.services.running import run_here
from paragold.sources.article_sources import SourceOptions
from projects.models import Project
from tests.factories.corpus import member

WIRE = "The council mended the dam on Wednesday, after it had leaked for a whole year."


HURT = " Nobody in the town below was hurt, the mayor said."
HURT_TOO = " Nobody in the town below was hurt, said the mayor on Friday."
OWN = "A dam in the valley was repaired this week, according to officials."


def checked(project: Project, texts: dict[str, str]) -> CorpusImport:
    """An import that waits: one cluster of articles with these texts, by their keys."""
    articles = [{"id": key, "text": text} for key, text in texts.items()]
    data = json.dumps({"cluster_id": "dam", "articles": articles}).encode()
    token = new_token()
    upload_path(token).write_bytes(data)
    upload = Upload(token, "dam.jsonl", "utf-8", project.pk, 0, len(data))
    source = launch_check(project=project, by=None, upload=upload, options=SourceOptions("jsonl"))
    run_here(job=source.job)
    source.refresh_from_db()
    return source


def imported(project: Project, texts: dict[str, str]) -> None:
    run_here(job=begin_storing(source=checked(project, texts), by=None))


def test_the_check_tells_the_pairs_before_anything_is_stored(project: Project) -> None:
    client = Client()
    client.force_login(member(project, "manager", "mia"))
    imported(project, {"wire": WIRE + HURT})
    source = checked(project, {"wire": WIRE + HURT, "paper": WIRE + HURT_TOO, "own": OWN})
    (row,) = source.near["shown"]
    assert row[:3] == ["dam", "wire", "paper"] and 0.7 < row[3] < 1
    assert source.near | {"shown": []} == {
        "least": 0.5, "pairs": 1, "clusters": 1, "articles": 2, "shown": [],
    }  # fmt: skip
    address = f"/projects/dams/corpus/imports/{source.pk}/"
    told = client.get(address).content.decode()
    wire = project.clusters.get().articles.get()
    assert "Near duplicates: 1 pair" in told and f"/corpus/articles/{wire.pk}/" in told
    assert "All of them are imported" in told
    told = client.get(f"/api/v1/projects/dams/imports/{source.pk}/").json()["near_duplicates"]
    assert told["shown"] == [row]
    project.near_duplicate_share = 0.9
    project.save()
    assert checked(project, {"paper": WIRE + HURT_TOO}).near == {}


def test_many_copies_are_told_by_their_number(project: Project) -> None:
    """Many are looked through by MinHash; of a cluster the nearest hundred pairs are kept."""
    draw = random.Random(3)
    story = [f"{word}{number}" for number, word in enumerate(["dam", "council", "road", "river"] * 10)]
    texts = {}
    for number in range(120):
        words = [word if draw.random() > 0.01 else f"other{number}" for word in story]
        texts[f"a{number}"] = " ".join(words) + f" end{number}."
    source = checked(project, texts)
    assert source.near["articles"] == 120
    assert 5_000 < source.near["pairs"] <= 120 * 119 // 2
    assert len(source.near["shown"]) == 100
    shares = [row[3] for row in source.near["shown"]]
    assert shares == sorted(shares, reverse=True) and shares[-1] > 0.8
    assert "share 50% of the shorter one's text" in source.report_notes[-1]
