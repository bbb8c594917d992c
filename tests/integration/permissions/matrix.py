"""Who gets what from every address: route -> (which object `pk` names, method -> status for each role).

The statuses stand in the order of `people.ROLES`: anonymous stranger viewer annotator adjudicator manager
admin. A method that is not listed must be refused. A route that is not listed fails the tests.
"""

from __future__ import annotations

from typing import NamedTuple


class Route(NamedTuple):
    methods: dict[str, str]
    pk: str = ""


# Pages send anonymous visitors to the login; the API answers 401.
MEMBERS_PAGE = "302 404 200 200 200 200 200"
CORPUS_PAGE = "302 404 200 403 200 200 200"
ANSWERS_PAGE = "302 404 403 403 200 200 200"
MANAGERS_PAGE = "302 404 403 403 403 200 200"
MANAGERS_FORM = "302 404 403 403 403 422 422"
MANAGERS_MOVE = "302 404 403 403 403 302 302"
OWN_PAGE = "302 404 404 200 404 404 404"

MEMBERS = "401 404 200 200 200 200 200"
CORPUS = "401 404 200 403 200 200 200"
ANSWERS = "401 404 403 403 200 200 200"
MANAGERS = "401 404 403 403 403 200 200"
CREATES = "401 404 403 403 403 201 201"
DELETES = "401 404 403 403 403 204 204"
OWN = "401 404 404 200 404 404 404"
EVERYBODY = "401 200 200 200 200 200 200"

FORM = {"GET": MANAGERS_PAGE, "POST": MANAGERS_FORM}

ROUTES: dict[str, Route] = {
    "livez": Route({"GET": "200 200 200 200 200 200 200"}),
    "readyz": Route({"GET": "200 200 200 200 200 200 200"}),
    # Accounts and projects
    # Whoever is logged in is led on from the login page, whatever the method.
    "login": Route(
        {
            "GET": "200 302 302 302 302 302 302",
            "POST": "422 302 302 302 302 302 302",
            "PUT": "422 302 302 302 302 302 302",
            "PATCH": "405 302 302 302 302 302 302",
            "DELETE": "405 302 302 302 302 302 302",
        }
    ),
    "logout": Route({"POST": "302 302 302 302 302 302 302"}),
    "projects": Route({"GET": "302 200 200 200 200 200 200"}),
    "project-new": Route({"GET": "302 200 403 403 403 200 200", "POST": "302 422 403 403 403 422 422"}),
    "project": Route({"GET": MEMBERS_PAGE}),
    "project-settings": Route(FORM),
    "members": Route(FORM),
    "keys": Route({"GET": "302 200 200 200 200 200 200"}),
    "api-key-bindings": Route({"GET": EVERYBODY, "PUT": EVERYBODY}),
    # Corpus and candidates
    "corpus": Route({"GET": CORPUS_PAGE}),
    "corpus-import": Route(FORM),
    "import": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_PAGE}, "checked import"),
    "import-pages": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_MOVE}, "import of pages"),
    "import-method": Route({"POST": MANAGERS_MOVE}, "import of pages"),
    "story": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_MOVE}),
    "marked-page-forget": Route({"POST": MANAGERS_MOVE}, "marked page"),
    "fetch-new": Route(FORM),
    "fetch": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_MOVE}, "fetch"),
    "cluster": Route({"GET": CORPUS_PAGE}, "cluster"),
    "article": Route({"GET": CORPUS_PAGE}, "article"),
    "candidates": Route({"GET": CORPUS_PAGE}),
    "extraction-new": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_MOVE}),
    "extraction-dry-run": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_PAGE}),
    # An empty form lacks a method.
    "matching-new": Route(FORM),
    "matching-studies": Route({"GET": CORPUS_PAGE}),
    "matching-study-new": Route(FORM),
    "matching-study": Route({"GET": CORPUS_PAGE}, "matching study"),
    "matching-study-delete": Route({"POST": MANAGERS_MOVE}, "matching study"),
    "matching-study-table": Route({"GET": CORPUS_PAGE}, "matching study"),
    "matching-study-plot": Route({"GET": CORPUS_PAGE}, "matching study"),
    "headline-matching-new": Route(FORM),
    "preset-new": Route({"POST": MANAGERS_FORM}),
    "preset-delete": Route({"POST": MANAGERS_MOVE}, "preset"),
    "extraction": Route({"GET": CORPUS_PAGE}, "extraction"),
    "datasets-of-presets": Route({"POST": MANAGERS_MOVE}, "extraction"),
    "pairs": Route({"GET": CORPUS_PAGE}),
    "pair": Route({"GET": CORPUS_PAGE}, "pair"),
    "characteristics": Route({"GET": CORPUS_PAGE}),
    "dataset-new": Route(FORM),
    "dataset": Route({"GET": CORPUS_PAGE}, "dataset"),
    "job-progress": Route({"GET": CORPUS_PAGE}, "running job"),
    "job-cancel": Route({"POST": MANAGERS_MOVE}, "running job"),
    "job-retry": Route({"POST": MANAGERS_MOVE}, "stopped job"),
    # Judging, review, gold
    "judge": Route({"GET": MEMBERS_PAGE}),
    "batch-new": Route(FORM),
    "judgements-import": Route(FORM),
    "batch": Route({"GET": ANSWERS_PAGE, "POST": "302 404 403 403 403 302 302"}, "batch"),
    "second-pass": Route({"POST": MANAGERS_MOVE}, "second pass"),
    "batch-annotator": Route({"POST": MANAGERS_MOVE}, "batch"),
    "judge-batch": Route({"GET": OWN_PAGE}, "batch"),
    "review": Route({"GET": ANSWERS_PAGE}),
    "progress": Route({"GET": MANAGERS_PAGE}),
    "judged-pairs": Route({"GET": ANSWERS_PAGE}),
    "review-batch": Route({"GET": ANSWERS_PAGE}, "answered batch"),
    "adjudicate": Route(
        {"GET": "302 404 403 403 200 403 403", "POST": "302 404 403 403 422 403 403"}, "item"
    ),
    "agreement": Route({"GET": ANSWERS_PAGE}),
    "phenomena": Route({"GET": ANSWERS_PAGE}),
    "batch-phenomena": Route({"POST": MANAGERS_MOVE}, "batch"),
    "gold": Route({"GET": CORPUS_PAGE}),
    "gold-new": Route(FORM),
    "gold-set": Route({"GET": CORPUS_PAGE}, "gold set"),
    # Sub-clusters of headlines
    "split": Route({"GET": MEMBERS_PAGE}),
    "split-new": Route(FORM),
    "split-detail": Route({"GET": ANSWERS_PAGE, "POST": "302 404 403 403 403 302 302"}, "split batch"),
    "split-batch": Route({"GET": OWN_PAGE}, "split batch"),
    "split-agreement": Route({"GET": ANSWERS_PAGE}, "split batch"),
    "split-review": Route({"GET": ANSWERS_PAGE}, "split batch"),
    "split-decide": Route({"GET": "302 404 403 403 200 403 403"}, "split item"),
    "gold-subclusters-new": Route(FORM),
    "gold-subclusters": Route({"GET": CORPUS_PAGE}, "gold subclusters"),
    "gold-subclusters-file": Route({"GET": CORPUS_PAGE}, "gold subclusters"),
    "subcluster-scores": Route({"GET": CORPUS_PAGE}, "gold subclusters"),
    # Classifiers and lexicons
    "classifiers": Route({"GET": CORPUS_PAGE}),
    "classifier-new": Route(FORM),
    "classifier": Route({"GET": CORPUS_PAGE}, "classifier"),
    "classifier-apply": Route(FORM, "classifier"),
    "classifier-run": Route({"GET": CORPUS_PAGE, "POST": MANAGERS_FORM}, "classifier run"),
    "classifier-pair": Route({"GET": CORPUS_PAGE}, "classifier"),
    "lexicons": Route({"GET": CORPUS_PAGE}),
    "lexicon-new": Route(FORM),
    "lexicon": Route({"GET": CORPUS_PAGE, "POST": "302 404 403 403 302 302 302"}, "lexicon"),
    "gold-pair": Route({"GET": CORPUS_PAGE}, "gold judgement"),
    # Links, aligners, exports
    "link": Route({"GET": MEMBERS_PAGE}),
    "link-new": Route(FORM),
    "link-import": Route(FORM),
    "link-suggestions": Route({"POST": MANAGERS_MOVE}, "link batch"),
    "link-detail": Route({"GET": ANSWERS_PAGE, "POST": "302 404 403 403 403 302 302"}, "link batch"),
    "link-batch": Route({"GET": OWN_PAGE}, "link batch"),
    "link-second-pass": Route({"GET": OWN_PAGE}, "link batch"),
    "link-agreement": Route({"GET": ANSWERS_PAGE}, "link batch"),
    "link-review": Route({"GET": ANSWERS_PAGE}, "link batch"),
    "link-canvas": Route({"GET": "302 404 403 403 200 403 403"}, "link item"),
    "gold-links-new": Route(FORM),
    "gold-links": Route({"GET": CORPUS_PAGE}, "gold links"),
    "aligners": Route({"GET": CORPUS_PAGE}),
    "score": Route({"POST": MANAGERS_FORM}),
    "aligner-new": Route(FORM),
    "aligner": Route({"GET": CORPUS_PAGE}, "aligner"),
    "aligner-again": Route({"POST": MANAGERS_MOVE}, "aligner"),
    "aligner-retire": Route({"POST": MANAGERS_MOVE}, "aligner"),
    "aligner-delete": Route({"POST": MANAGERS_MOVE}, "aligner"),
    "aligner-download": Route({"GET": MANAGERS_PAGE}, "aligner"),
    "aligner-apply": Route({"POST": MANAGERS_FORM}, "aligner"),
    "aligner-pair": Route({"GET": CORPUS_PAGE}, "aligner"),
    "aligner-run": Route({"GET": CORPUS_PAGE}, "aligner run"),
    "aligner-run-delete": Route({"POST": MANAGERS_MOVE}, "aligner run"),
    "aligner-run-download": Route({"GET": MANAGERS_PAGE}, "aligner run"),
    "experiments": Route({"GET": CORPUS_PAGE}),
    "experiment-new": Route(FORM),
    "experiment": Route({"GET": CORPUS_PAGE}, "experiment"),
    "experiment-table": Route({"GET": CORPUS_PAGE}, "experiment"),
    "experiment-delete": Route({"POST": MANAGERS_MOVE}, "experiment"),
    "experiment-cell": Route({"GET": CORPUS_PAGE}, "experiment cell"),
    "experiment-pair": Route({"GET": CORPUS_PAGE}, "experiment cell"),
    "exports": Route({"GET": MANAGERS_PAGE}),
    "export-dataset": Route(FORM),
    "export-new": Route(FORM),
    "export-download": Route({"GET": MANAGERS_PAGE}, "export"),
    # The API
    "api-schema": Route({"GET": EVERYBODY}),
    "api-login": Route({"POST": "200 200 200 200 200 200 200"}),
    "api-logout": Route({"POST": "401 401 401 401 401 401 401"}),  # a session is no token
    "api-logoutall": Route({"POST": "401 401 401 401 401 401 401"}),
    "api-presets": Route({"GET": EVERYBODY}),
    "api-aligners": Route({"GET": EVERYBODY}),
    "api-projects": Route({"GET": EVERYBODY, "POST": "401 201 403 403 403 201 201"}),
    "api-project": Route({"GET": MEMBERS, "PATCH": MANAGERS}),
    "api-members": Route({"GET": MANAGERS, "POST": CREATES}),
    "api-member": Route({"DELETE": DELETES}, "membership"),
    "api-imports": Route({"GET": CORPUS, "POST": CREATES}),
    "api-import": Route({"GET": MANAGERS, "DELETE": DELETES}, "checked import"),
    "api-import-store": Route({"POST": "401 404 403 403 403 202 202"}, "checked import"),
    "api-import-pages": Route({"GET": MANAGERS, "PUT": MANAGERS}, "import of pages"),
    "api-import-method": Route({"POST": "401 404 403 403 403 202 202"}, "import of pages"),
    "api-marked-pages": Route({"GET": MANAGERS}),
    "api-marked-page": Route({"DELETE": DELETES}, "marked page"),
    "api-story-models": Route({"GET": MANAGERS, "POST": CREATES}),
    "api-story-model": Route({"GET": MANAGERS}, "story model"),
    "api-fetches": Route({"GET": MANAGERS, "POST": CREATES}),
    "api-fetch": Route({"GET": MANAGERS, "DELETE": DELETES}, "fetch"),
    "api-fetched-addresses": Route({"GET": MANAGERS}, "fetch"),
    "api-fetch-import": Route({"POST": "401 404 403 403 403 202 202"}, "fetch"),
    "api-uploads": Route({"POST": CREATES}),
    # An upload that nobody made: only managers learn that it is not there.
    "api-upload": Route(dict.fromkeys(("GET", "PUT", "DELETE"), "401 404 403 403 403 404 404")),
    "api-clusters": Route({"GET": CORPUS}),
    "api-near-duplicates": Route({"GET": CORPUS}, "cluster"),
    "api-articles": Route({"GET": CORPUS}),
    "api-sentences": Route({"GET": CORPUS}),
    "api-jobs": Route({"GET": CORPUS}),
    "api-job": Route({"GET": CORPUS}, "running job"),
    "api-job-cancel": Route({"POST": MANAGERS}, "running job"),
    "api-job-retry": Route({"POST": MANAGERS}, "stopped job"),
    "api-project-presets": Route({"GET": CORPUS, "POST": CREATES}),
    "api-project-preset": Route({"DELETE": DELETES}, "preset"),
    "api-extractions": Route({"GET": CORPUS, "POST": CREATES}),
    "api-extraction-dry-run": Route({"POST": MANAGERS}),
    "api-matchings": Route({"POST": CREATES}),
    "api-headline-matchings": Route({"POST": CREATES}),
    "api-matching-estimate": Route({"POST": MANAGERS}),
    "api-matching-studies": Route({"GET": CORPUS, "POST": CREATES}),
    "api-matching-study": Route({"GET": CORPUS, "DELETE": DELETES}, "matching study"),
    "api-pairs": Route({"GET": CORPUS}),
    "api-datasets": Route({"GET": CORPUS, "POST": CREATES}),
    "api-preset-datasets": Route({"POST": CREATES}),
    "api-characteristics": Route({"GET": CORPUS}),
    "api-batches": Route({"GET": MEMBERS, "POST": CREATES}),
    "api-judgement-imports": Route({"POST": CREATES}),
    "api-batch": Route({"GET": "401 404 404 200 200 200 200"}, "batch"),
    "api-batch-annotators": Route({"GET": MANAGERS, "PUT": MANAGERS}, "batch"),
    "api-judging-second-pass": Route({"GET": MANAGERS, "POST": MANAGERS}, "second pass"),
    "api-batch-close": Route({"POST": MANAGERS}, "batch"),
    "api-batch-reopen": Route({"POST": MANAGERS}, "batch"),
    "api-review": Route({"GET": ANSWERS}, "answered batch"),
    "api-queue": Route({"GET": OWN}, "batch"),
    "api-history": Route({"GET": OWN}, "batch"),
    "api-assignment": Route({"GET": OWN}, "assignment"),
    "api-context": Route({"GET": OWN}, "assignment"),
    "api-judgement": Route({"PUT": OWN}, "assignment"),
    "api-alignment": Route({"PUT": OWN}, "link assignment"),
    "api-adjudication": Route({"PUT": "401 404 403 403 200 403 403"}, "item"),
    "api-progress": Route({"GET": MANAGERS}),
    "api-agreement": Route({"GET": ANSWERS}),
    "api-phenomena": Route({"GET": ANSWERS}),
    "api-batch-phenomena": Route({"PUT": MANAGERS}, "batch"),
    "api-gold-sets": Route({"GET": CORPUS, "POST": CREATES}),
    "api-gold-set": Route({"GET": CORPUS}, "gold set"),
    "api-split-batches": Route({"POST": CREATES}),
    "api-placements": Route({"PUT": OWN}, "split assignment"),
    "api-subcluster-agreement": Route({"GET": ANSWERS}, "split batch"),
    "api-subcluster-review": Route(
        {"GET": "401 404 403 403 200 403 403", "PUT": "401 404 403 403 200 403 403"}, "split item"
    ),
    "api-gold-subcluster-sets": Route({"GET": CORPUS, "POST": CREATES}),
    "api-gold-subcluster-set": Route({"GET": CORPUS}, "gold subclusters"),
    "api-gold-subcluster-clusters": Route({"GET": CORPUS}, "gold subclusters"),
    "api-gold-subcluster-file": Route({"GET": CORPUS}, "gold subclusters"),
    "api-subcluster-scores": Route({"GET": CORPUS}, "gold subclusters"),
    # Their gold set is too small to learn from, and nothing is trained: whoever may ask is told so.
    "api-classifiers": Route({"GET": CORPUS, "POST": "401 404 403 403 403 400 400"}),
    "api-classifier": Route({"GET": CORPUS}, "classifier"),
    "api-classifier-file": Route({"GET": "401 404 403 403 403 400 400"}, "classifier"),
    "api-classifier-doubts": Route({"GET": CORPUS}, "classifier"),
    "api-classifier-explanation": Route({"GET": "401 404 400 403 400 400 400"}, "classifier"),
    "api-classifier-runs": Route({"GET": CORPUS, "POST": "401 404 403 403 403 400 400"}),
    "api-classifier-run": Route({"GET": CORPUS}, "classifier run"),
    "api-classifier-scores": Route({"GET": CORPUS}, "classifier run"),
    "api-classifier-datasets": Route({"POST": "401 404 403 403 403 400 400"}, "classifier run"),
    "api-lexicons": Route({"GET": CORPUS, "POST": CREATES}),
    "api-lexicon": Route({"GET": CORPUS}, "lexicon"),
    "api-lexicon-entries": Route({"GET": CORPUS}, "lexicon"),
    "api-lexicon-rating": Route({"PUT": "401 404 403 403 200 200 200"}, "lexicon"),
    "api-gold-set-precision": Route({"GET": CORPUS}, "gold set"),
    "api-gold-set-pairs": Route({"GET": CORPUS}, "gold set"),
    "api-link-agreement": Route({"GET": ANSWERS}, "link batch"),
    "api-second-pass": Route({"GET": OWN}, "link batch"),
    "api-link-review": Route(
        {"GET": "401 404 403 403 200 403 403", "PUT": "401 404 403 403 200 403 403"}, "link item"
    ),
    "api-link-batches": Route({"POST": CREATES}),
    "api-link-imports": Route({"POST": CREATES}),
    "api-suggestions": Route({"GET": MANAGERS, "PUT": MANAGERS}, "link batch"),
    "api-gold-alignment-sets": Route({"GET": CORPUS, "POST": CREATES}),
    "api-gold-alignment-set": Route({"GET": CORPUS}, "gold links"),
    "api-gold-alignment-pairs": Route({"GET": CORPUS}, "gold links"),
    "api-experiments": Route({"GET": CORPUS, "POST": CREATES}),
    "api-experiment": Route({"GET": CORPUS, "DELETE": DELETES}, "experiment"),
    "api-experiment-errors": Route({"GET": CORPUS}, "experiment cell"),
    "api-trained-aligners": Route({"GET": CORPUS, "POST": CREATES}),
    "api-trained-aligner": Route({"GET": CORPUS, "PATCH": MANAGERS, "DELETE": DELETES}, "aligner"),
    "api-trained-aligner-again": Route({"POST": CREATES}, "aligner"),
    "api-trained-aligner-file": Route({"GET": MANAGERS}, "aligner"),
    "api-link-explanation": Route({"GET": "401 404 400 403 400 400 400"}, "aligner"),
    "api-aligner-runs": Route({"GET": CORPUS, "POST": CREATES}),
    "api-aligner-run": Route({"GET": CORPUS, "DELETE": DELETES}, "aligner run"),
    "api-automatic-alignments": Route({"GET": CORPUS}, "aligner run"),
    "api-aligner-run-files": Route({"GET": MANAGERS}, "aligner run"),
    "api-evaluations": Route({"GET": CORPUS, "POST": CREATES}),
    "api-exports": Route({"GET": MANAGERS, "POST": CREATES}),
    "api-dataset-exports": Route({"POST": "401 404 403 403 403 202 202"}),
    "api-export-download": Route({"GET": MANAGERS}, "export"),
}
