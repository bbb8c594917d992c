"""A body for each request of the matrix that is to succeed; most forms of pages are sent incomplete."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from alignment.services.link_review import link_review
from annotation.models import Item
from tests.factories.corpus import PASSWORD

from .api import API
from .objects import Objects

ANNOTATORS = ["annotator", "second"]
CORPUS_LINE = {
    "cluster_id": "new event",
    "articles": [{"id": "1", "text": "A dam broke."}, {"id": "2", "text": "The dam has broken."}],
}

ARCHIVED = [name for name, route in API.items() if "PATCH" in route.methods and name != "api-project"]
LINKS = b'[{"id": "1", "source": "A dam", "target": "The dam", "sureAlign": "1-1", "possibleAlign": ""}]'

BODIES: dict[tuple[str, str], Callable[[Objects], dict[str, Any]]] = {
    ("api-login", "POST"): lambda own: {"username": "viewer", "password": PASSWORD},
    ("api-tokens", "POST"): lambda own: {"name": "new", "scope": "read"},
    ("api-key-bindings", "PUT"): lambda own: {"page": "judge", "keys": {"undo": "KeyB"}},
    ("api-projects", "POST"): lambda own: {"slug": "new", "name": "New"},
    ("api-project", "PATCH"): lambda own: {"name": "Renamed"},
    **dict.fromkeys(((name, "PATCH") for name in ARCHIVED), lambda own: {"archived": True}),
    ("api-members", "POST"): lambda own: {"username": "viewer", "role": "annotator"},
    ("api-imports", "POST"): lambda own: CORPUS_LINE,
    ("api-launch-export-dataset", "POST"): lambda own: {"dataset": own["dataset"]},
    ("api-judgement-imports", "POST"): lambda own: {"a": "A dam broke.", "b": "It broke.", "label": 1},
    ("api-launch-extract", "POST"): lambda own: {"preset": "L12-2004"},
    ("api-launch-build-lexicon", "POST"): lambda own: {"dataset": own["dataset"], "kind": "wordnet"},
    ("api-launch-freeze-dataset", "POST"): lambda own: {"name": "new", "extractions": [own["extraction"]]},
    ("api-launch-draw-judging-batch", "POST"): lambda own: {
        "name": "new", "dataset": own["fresh dataset"], "size": 1, "annotators": ANNOTATORS,
    },
    ("api-launch-draw-training", "POST"): lambda own: {
        "name": "new", "gold_set": own["gold set"], "size": 1, "annotators": ANNOTATORS,
    },
    ("api-guidelines", "POST"): lambda own: {"version": 1},
    ("api-judgement", "PUT"): lambda own: {"label": "paraphrase", "version": 0},
    ("api-alignment", "PUT"): lambda own: {"links": [], "submitted": True, "version": 1},
    ("api-adjudication", "PUT"): lambda own: {"label": "paraphrase", "version": 0},
    ("api-link-review", "PUT"): lambda own: {
        "links": link_review(Item.objects.get(pk=own["link item"])).agreed, "version": 0, "basis": [1, 1],
    },
    ("api-launch-freeze-gold-set", "POST"): lambda own: {"name": "new", "batches": [own["answered batch"]]},
    ("api-launch-draw-splitting-batch", "POST"): lambda own: {
        "name": "new", "annotators": ANNOTATORS, "again": True,
    },
    ("api-placements", "PUT"): lambda own: {"placements": [[1, 1]], "submitted": True, "version": 1},
    ("api-subcluster-review", "PUT"): lambda own: {"subclusters": [[1, 2]], "version": 0, "basis": [1, 1]},
    ("api-launch-freeze-subclusters", "POST"): lambda own: {
        "name": "new", "batch": own["split batch"], "rule": "shared",
    },
    ("api-launch-draw-linking-batch", "POST"): lambda own: {
        "name": "new", "gold_set": own["gold set"], "annotators": ANNOTATORS,
    },
    ("api-link-imports", "POST"): lambda own: {
        "file": SimpleUploadedFile("l.json", LINKS), "batch": "new", "whose": "annotator:annotator",
    },
    ("api-launch-freeze-gold-links", "POST"): lambda own: {"name": "new", "batch": own["link batch"]},
    ("api-launch-train-aligner", "POST"): lambda own: {"datasets": [own["dataset"]]},
    ("api-launch-run-experiment", "POST"): lambda own: {
        "gold_sets": [own["gold links"]], "aligners": ["identity"],
    },
    ("api-launch-apply-aligner", "POST"): lambda own: {"trained": own["aligner"], "dataset": own["dataset"]},
    ("api-evaluations", "POST"): lambda own: {"gold_set": own["gold links"], "aligner": "identity"},
    ("api-launch-train-classifier", "POST"): lambda own: {"name": "new", "gold_set": own["gold set"]},
    ("api-launch-apply-classifier", "POST"): lambda own: {
        "classifier": own["classifier"], "dataset": own["dataset"],
    },
    ("api-launch-ask-for-uncertain", "POST"): lambda own: {"batch": own["batch"]},
    ("api-launch-answer-batch", "POST"): lambda own: {
        "batch": own["batch"], "scorer": "edit-similarity", "threshold": 0.5,
    },
    ("api-launch-export-gold", "POST"): lambda own: {"gold_set": own["gold set"]},
}  # fmt: skip


# Other forms lack what they need: whoever may send them is told so.
FORMS = {
    "second-pass": b"second_pass=end",
    "batch-phenomena": b"count_phenomena=every_pair",
    "batch": b"state=closed",
    "link-detail": b"state=closed",
    "split-detail": b"state=closed",
}


MULTIPART = {"api-link-imports", "api-classifiers"}
NDJSON = {"api-imports", "api-judgement-imports"}


def content_of(name, method, own):
    """The body of a request and its type."""
    if not name.startswith("api-"):
        return FORMS.get(name, b"nothing=1"), "application/x-www-form-urlencoded"
    body = BODIES.get((name, method))
    if name in MULTIPART:
        return encode_multipart(BOUNDARY, body(own) if body else {}), MULTIPART_CONTENT
    text = json.dumps(body(own)) if body else "{}"
    return text.encode(), "application/x-ndjson" if name in NDJSON else "application/json"
