"""A gold set that does not change is exported as the same bytes, before and after any change of the code.

Where a format is changed on purpose, the new hashes stand in the failing test's message.
"""

import hashlib
import json
import re

import pytest

from annotation.models import GoldSet
from tests.factories import corpus
from tests.factories.alignment import gold_alignment_set
from tests.factories.corpus import ProjectFactory, member
from tests.factories.exports import export_contents

pytestmark = pytest.mark.django_db

# They name the version of the program and the time of the export.
OF_ITS_TIME = ("README.md", "manifest.json")
TIME = re.compile(rb"\d{4}-\d{2}-\d{2}T[0-9:.]+(?:Z|\+00:00)")
SHA256 = {
    "links.A3.final": "930c0fdcf23ee05f",
    "links.csv": "fd2859318aca65f7",
    "links.json": "598baa4ecaff180a",
    "links.jsonl": "f28a5a539a7dc866",
    "links.naacl": "93a3527db474e3b5",
    "links.parquet": "669e2946bbe513d4",
    "links.pharaoh": "ef757bdd983eb9aa",
    "links.src": "727227742fc6cf20",
    "links.tgt": "3bcc11ac98cd5377",
    "links.tsv": "e840ee82942860d9",
    "pairs.csv": "579043194c7c5790",
    "pairs.jsonl": "4829c9a931f144be",
    "pairs.parquet": "71d82834c4c90592",
    "pairs.tsv": "4d2d3da4a4eec3ce",
}


def test_frozen_gold_has_the_same_bytes():
    for factory in (corpus.ClusterFactory, corpus.ArticleFactory, corpus.CandidatePairFactory):
        factory.reset_sequence(0)
    project = ProjectFactory(slug="frozen", name="Frozen")
    links = gold_alignment_set(project, [member(project, "annotator", name) for name in ("ann", "ben")])
    files, _ = export_contents(gold_set=GoldSet.objects.get(project=project), gold_links=links)
    hashes = {
        name: hashlib.sha256(TIME.sub(b"TIME", content)).hexdigest()[:16]
        for name, content in files.items()
        if name not in OF_ITS_TIME
    }
    assert hashes == SHA256, json.dumps(hashes, indent=4)
