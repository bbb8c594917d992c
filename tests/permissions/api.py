"""Who gets what from every address of the API."""

from __future__ import annotations

from .route import ANSWERS, CORPUS, CREATES, DELETES, EVERYBODY, MANAGERS, MEMBERS, OWN, Route

# Something refers to the object; a job is under way that makes it, or these objects cannot be used so.
USED = "401 404 403 403 403 409 409"
BUSY = "401 404 403 403 403 400 400"
LAUNCHES = {"GET": MANAGERS, "POST": CREATES}
# Their gold set is too small to learn from, and nothing is trained or uncertain: whoever may ask is told so.
CANNOT_LAUNCH = {"GET": MANAGERS, "POST": BUSY}

API: dict[str, Route] = {
    "api-schema": Route({"GET": "200 200 200 200 200 200 200"}),
    "api-login": Route({"POST": "200 200 200 200 200 200 200"}, what="not of others"),
    "api-logout": Route({"POST": "401 401 401 401 401 401 401"}),  # a session is no token
    "api-tokens": Route({"GET": EVERYBODY, "POST": EVERYBODY}, what="not of others"),
    "api-token": Route({"DELETE": "401 404 404 204 404 404 404"}, "token", "not of others"),
    "api-projects": Route({"GET": EVERYBODY, "POST": "401 201 403 403 403 201 201"}, what="not of others"),
    # Without the name of the project: whoever may delete it is told so.
    "api-project": Route({"GET": MEMBERS, "PATCH": MANAGERS, "DELETE": BUSY}),
    "api-guidelines": Route({"POST": "401 404 403 200 403 403 403"}, what="not of others"),
    "api-tries": Route({"POST": "401 404 403 200 403 403 403"}, "training", "not of others"),
    "api-members": Route({"GET": MANAGERS, "POST": CREATES}),
    "api-imports": Route({"GET": CORPUS, "POST": CREATES}),
    "api-import": Route({"GET": MANAGERS, "PATCH": MANAGERS, "DELETE": DELETES}, "checked import"),
    "api-import-store": Route({"POST": "401 404 403 403 403 202 202"}, "checked import"),
    "api-clusters": Route({"GET": CORPUS}),
    "api-articles": Route({"GET": CORPUS}),
    "api-sentences": Route({"GET": CORPUS}),
    "api-jobs": Route({"GET": CORPUS}),
    "api-job": Route({"GET": CORPUS}, "running job"),
    "api-job-cancel": Route({"POST": MANAGERS}, "running job"),
    "api-job-retry": Route({"POST": MANAGERS}, "stopped job"),
    **{
        f"api-launch-{kind}": Route(LAUNCHES)
        for kind in (
            *("extract", "freeze-dataset", "match-sentences", "match-headlines", "build-lexicon"),
            *("train-aligner", "apply-aligner", "answer-batch"),
            *("draw-judging-batch", "draw-training", "draw-splitting-batch", "draw-linking-batch"),
            "export-gold",
            *(
                "export-dataset",
                "run-experiment",
                "freeze-gold-set",
                "freeze-subclusters",
                "freeze-gold-links",
            ),
        )
    },
    **{
        f"api-launch-{kind}": Route(CANNOT_LAUNCH)
        for kind in ("train-classifier", "apply-classifier", "match-translations", "ask-for-uncertain")
    },
    "api-bin": Route({"GET": MANAGERS}),
    "api-bin-entry:dataset": Route({"POST": DELETES, "DELETE": DELETES}, "deleted dataset"),
    "api-extractions": Route({"GET": CORPUS}),
    "api-pairs": Route({"GET": CORPUS}),
    "api-datasets": Route({"GET": CORPUS}),
    "api-batches": Route({"GET": MEMBERS}),
    "api-judgement-imports": Route({"POST": CREATES}),
    "api-batch": Route({"GET": "401 404 404 200 200 200 200", "PATCH": MANAGERS, "DELETE": DELETES}, "batch"),
    "api-review": Route({"GET": ANSWERS}, "answered batch"),
    "api-decision-queue": Route({"GET": ANSWERS}, "answered batch"),
    "api-queue": Route({"GET": OWN}, "batch"),
    "api-history": Route({"GET": OWN}, "batch"),
    "api-assignment": Route({"GET": OWN}, "assignment"),
    "api-context": Route({"GET": OWN}, "assignment"),
    "api-judgement": Route({"PUT": OWN}, "assignment"),
    "api-alignment": Route({"PUT": OWN}, "link assignment"),
    "api-suggestion-reasons": Route({"GET": OWN}, "link assignment"),
    "api-adjudication": Route({"PUT": "401 404 403 403 200 403 403"}, "item"),
    "api-gold-sets": Route({"GET": CORPUS}),
    "api-gold-set": Route({"GET": CORPUS, "PATCH": MANAGERS, "DELETE": USED}, "gold set"),
    "api-placements": Route({"PUT": OWN}, "split assignment"),
    "api-subcluster-review": Route(
        {"GET": "401 404 403 403 200 403 403", "PUT": "401 404 403 403 200 403 403"}, "split item"
    ),
    "api-gold-subcluster-sets": Route({"GET": CORPUS}),
    "api-gold-subcluster-set": Route(
        {"GET": CORPUS, "PATCH": MANAGERS, "DELETE": DELETES}, "gold subclusters"
    ),
    "api-gold-subcluster-clusters": Route({"GET": CORPUS}, "gold subclusters"),
    "api-extraction": Route({"GET": CORPUS, "PATCH": MANAGERS, "DELETE": USED}, "extraction"),
    "api-dataset": Route({"GET": CORPUS, "PATCH": MANAGERS, "DELETE": DELETES}, "fresh dataset"),
    "api-classifiers": Route({"GET": CORPUS, "POST": BUSY}),
    "api-classifier": Route({"GET": CORPUS, "PATCH": MANAGERS, "DELETE": USED}, "classifier"),
    "api-classifier-file": Route({"GET": "401 404 403 403 403 400 400"}, "classifier"),
    "api-classifier-runs": Route({"GET": CORPUS}),
    "api-classifier-run": Route({"GET": CORPUS, "PATCH": BUSY, "DELETE": BUSY}, "classifier run"),
    "api-classifier-scores": Route({"GET": CORPUS}, "classifier run"),
    "api-model-annotators": Route({"GET": MANAGERS}),
    "api-model-annotator": Route({"GET": MANAGERS, "PATCH": MANAGERS, "DELETE": DELETES}, "model"),
    "api-model-answers": Route({"GET": MANAGERS}, "model"),
    "api-gold-set-pairs": Route({"GET": CORPUS}, "gold set"),
    "api-link-review": Route(
        {"GET": "401 404 403 403 200 403 403", "PUT": "401 404 403 403 200 403 403"}, "link item"
    ),
    "api-link-imports": Route({"POST": CREATES}),
    "api-gold-alignment-sets": Route({"GET": CORPUS}),
    "api-gold-alignment-set": Route({"GET": CORPUS, "PATCH": MANAGERS, "DELETE": USED}, "gold links"),
    "api-gold-alignment-pairs": Route({"GET": CORPUS}, "gold links"),
    "api-experiments": Route({"GET": CORPUS}),
    "api-experiment": Route({"GET": CORPUS, "PATCH": MANAGERS, "DELETE": DELETES}, "experiment"),
    "api-trained-aligners": Route({"GET": CORPUS}),
    "api-trained-aligner": Route({"GET": CORPUS, "PATCH": MANAGERS, "DELETE": DELETES}, "aligner"),
    "api-aligner-runs": Route({"GET": CORPUS}),
    "api-aligner-run": Route({"GET": CORPUS, "PATCH": MANAGERS, "DELETE": DELETES}, "aligner run"),
    "api-automatic-alignments": Route({"GET": CORPUS}, "aligner run"),
    "api-evaluations": Route({"GET": CORPUS, "POST": CREATES}),
    "api-exports": Route({"GET": MANAGERS}),
    "api-export": Route({"GET": MANAGERS, "PATCH": MANAGERS, "DELETE": DELETES}, "export"),
    "api-export-download": Route({"GET": MANAGERS}, "export"),
}
