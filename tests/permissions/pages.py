"""Who gets what from every page."""

from __future__ import annotations

from django.core.files.uploadedfile import SimpleUploadedFile

from .route import (
    ADMINS_OBJECT_PAGE,
    ANSWERS_PAGE,
    CORPUS_PAGE,
    EVERYBODY,
    FORM,
    MANAGERS_FORM,
    MANAGERS_MOVE,
    MANAGERS_PAGE,
    MEMBERS_PAGE,
    OWN_PAGE,
    Route,
)

ARTICLES = b'[{"id": "1", "text": "A dam broke."}, {"id": "2", "text": "It did."}]'
LINES = b'{"cluster_id": "new", "articles": ' + ARTICLES + b"}\n"
JUDGED = b'{"a": "A dam broke.", "b": "It broke.", "label": 1}\n'

# Whoever is logged in is led on from the login page, whatever the method.
LOGIN_PAGE = Route(
    {
        "GET": "200 302 302 302 302 302 302",
        "POST": "422 302 302 302 302 302 302",
        "PUT": "405 302 302 302 302 302 302",
        "PATCH": "405 302 302 302 302 302 302",
        "DELETE": "405 302 302 302 302 302 302",
    },
    what="makes nothing",
)
EVERYBODYS_PAGE = "200 200 200 200 200 200 200"
OWN_ACCOUNT = "302 200 200 200 200 200 200"
NOT_VALID = "404 404 404 404 404 404 404"
# What nobody here has: a code to be asked for, an authenticator app, recovery codes, a passkey.
NOTHING = "302 404 404 404 404 404 404"
LED_ON = "302 302 302 302 302 302 302"
# The password is asked for again.
PASSWORD_FIRST = {"GET": LED_ON, "POST": LED_ON}
# Every way of signing on, switched on: tests/projects/sign_on has what happens there.
SIGN_ON: dict[str, Route] = {
    "account_login": LOGIN_PAGE,
    "account_reset_password": Route({"GET": EVERYBODYS_PAGE, "POST": EVERYBODYS_PAGE}, what="not of others"),
    "account_reset_password_done": Route({"GET": EVERYBODYS_PAGE}, what="not of others"),
    # Links that are not valid.
    "account_reset_password_from_key": Route(
        {"GET": EVERYBODYS_PAGE, "POST": EVERYBODYS_PAGE}, what="not of others"
    ),
    "account_confirm_email": Route({"GET": EVERYBODYS_PAGE, "POST": NOT_VALID}, what="not of others"),
    "account_email": Route({"GET": OWN_ACCOUNT, "POST": LED_ON}),
    "account_reauthenticate": Route({"GET": OWN_ACCOUNT, "POST": OWN_ACCOUNT}, what="changes, not of others"),
    "mfa_authenticate": Route({"GET": LED_ON, "POST": LED_ON}),
    "mfa_reauthenticate": Route(PASSWORD_FIRST),
    "mfa_reauthenticate_webauthn": Route(PASSWORD_FIRST),
    "mfa_index": Route({"GET": OWN_ACCOUNT}),
    "mfa_activate_totp": Route(PASSWORD_FIRST, what="changes"),
    "mfa_deactivate_totp": Route({"GET": NOTHING, "POST": NOTHING}),
    "mfa_view_recovery_codes": Route({"GET": NOTHING}),
    "mfa_generate_recovery_codes": Route(PASSWORD_FIRST),
    "mfa_list_webauthn": Route({"GET": OWN_ACCOUNT}),
    "mfa_add_webauthn": Route(PASSWORD_FIRST, what="changes"),
    "mfa_remove_webauthn": Route(PASSWORD_FIRST, "person"),
    "mfa_edit_webauthn": Route(PASSWORD_FIRST, "person"),
    "mfa_login_webauthn": Route({"GET": LED_ON, "POST": LED_ON}),
    "usersessions_list": Route({"GET": OWN_ACCOUNT, "POST": LED_ON}, what="changes"),
    # To the provider, and back without what it would send along.
    "openid_connect_login": Route({"GET": LED_ON}, what="changes"),
    "openid_connect_callback": Route({"GET": "403 403 403 403 403 403 403"}),
    # The one provider speaks no SAML: tests/projects/sign_on/test_saml.py has one that does.
    **dict.fromkeys(
        ("saml_login", "saml_metadata", "saml_acs", "saml_finish_acs", "saml_sls"),
        Route({"GET": NOT_VALID, "POST": NOT_VALID}),
    ),
    "socialaccount_connections": Route({"GET": OWN_ACCOUNT, "POST": OWN_ACCOUNT}, what="not of others"),
}

PAGES: dict[str, Route] = {
    "icon": Route({"GET": "200 200 200 200 200 200 200"}, what="no page"),
    "livez": Route({"GET": "200 200 200 200 200 200 200"}, what="no page, changes"),
    "readyz": Route({"GET": "200 200 200 200 200 200 200"}, what="no page, changes"),
    # Without a token there is no such page: tests/ops/test_metrics.py.
    "metrics": Route({"GET": "404 404 404 404 404 404 404"}),
    # Accounts and projects
    **SIGN_ON,
    "account": Route(
        {"GET": "302 200 200 200 200 200 200", "POST": "302 422 422 422 422 422 422"}, what="makes nothing"
    ),
    "language": Route({"POST": "302 302 302 302 302 302 302"}, what="makes nothing"),
    "tokens": Route(
        {"GET": "302 200 200 200 200 200 200", "POST": "302 422 422 422 422 422 422"}, what="makes nothing"
    ),
    "token-revoke": Route({"POST": "302 404 404 302 404 404 404"}, "token", "makes nothing"),
    "audit-log": Route({"GET": "302 403 403 403 403 403 200"}, json=True),
    # A link that is not valid, to everybody: tests/projects/views/test_people.py has those that are.
    "join": Route(
        {"GET": "404 404 404 404 404 404 404", "POST": "404 404 404 404 404 404 404"}, what="makes nothing"
    ),
    # A wrong code: tests/projects/views/test_first_administrator.py has the right one.
    "first-administrator": Route(
        {"GET": "404 404 404 404 404 404 404", "POST": "404 404 404 404 404 404 404"}, what="makes nothing"
    ),
    "people": Route(
        {"GET": "302 403 403 403 403 403 200", "POST": "302 403 403 403 403 403 422"}, what="makes nothing"
    ),
    "person": Route(
        {"GET": ADMINS_OBJECT_PAGE, "POST": "302 404 404 404 404 404 302"}, "person", "makes nothing"
    ),
    "person-data": Route({"GET": ADMINS_OBJECT_PAGE}, "person", "no page"),
    "person-delete": Route(
        {"GET": ADMINS_OBJECT_PAGE, "POST": "302 404 404 404 404 404 422"}, "person", "makes nothing"
    ),
    "account-data": Route({"GET": "302 200 200 200 200 200 200"}, what="no page"),
    "logout": Route({"POST": "302 302 302 302 302 302 302"}, what="makes nothing"),
    "projects": Route({"GET": "302 200 200 200 200 200 200"}),
    "glossary": Route({"GET": "302 200 200 200 200 200 200"}),
    "documentation": Route({"GET": "302 200 200 200 200 200 200"}),
    "documentation-page:extraction": Route({"GET": "302 200 200 200 200 200 200"}),
    "plugins": Route({"GET": "302 403 403 403 403 403 200"}, json=True),
    "project-new": Route(
        {"GET": "302 200 403 403 403 200 200", "POST": "302 422 403 403 403 422 422"},
        form=lambda own: {"name": "Another", "slug": "another"},
    ),
    "project": Route({"GET": MEMBERS_PAGE}, what="walked"),
    "example-data": Route({"POST": MANAGERS_MOVE}, what="makes nothing"),
    # Shown to annotators of closed batches that allow it: tests/ops/test_own_decisions.py.
    "own-decisions": Route({"GET": "302 404 404 404 404 404 404"}, "batch", "no page"),
    "find": Route({"GET": CORPUS_PAGE}, what="no page"),
    "jobs": Route({"GET": CORPUS_PAGE}, what="walked"),
    "project-settings": Route(FORM, what="makes nothing"),
    "project-delete": Route(FORM, what="makes nothing"),
    # Of others, only administrators restore them: tests/ops/deletion/test_projects.py has one's own.
    "deleted-projects": Route({"GET": "302 200 200 200 200 200 200"}),
    "project-restore": Route({"POST": "302 404 404 404 404 404 302"}, "deleted project", "makes nothing"),
    "members": Route(FORM, what="makes nothing"),
    "invitation-new": Route({"POST": MANAGERS_FORM}, form=lambda own: {}, on="members"),
    "invitation-revoke": Route({"POST": MANAGERS_MOVE}, "invitation", "makes nothing"),
    "member-remove": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_FORM}, "membership", "makes nothing"),
    "batch-hand-over": Route({"POST": MANAGERS_MOVE}, "batch", "makes nothing"),
    "become-adjudicator": Route({"POST": MANAGERS_MOVE}, what="makes nothing"),
    "keys": Route({"GET": "302 200 200 200 200 200 200"}),
    "api-key-bindings": Route({"GET": EVERYBODY, "PUT": EVERYBODY}, what="not of others"),
    # Corpus and candidates
    "corpus": Route({"GET": CORPUS_PAGE}),
    "corpus-import": Route(
        FORM, what="walked", form=lambda own: {"file": SimpleUploadedFile("new.jsonl", LINES)}
    ),
    "import": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_PAGE}, "checked import", "makes nothing"),
    "cluster": Route({"GET": CORPUS_PAGE}, "cluster"),
    "article": Route({"GET": CORPUS_PAGE}, "article"),
    "candidates": Route({"GET": CORPUS_PAGE}),
    "extraction-new": Route(
        {"GET": MANAGERS_PAGE, "POST": MANAGERS_MOVE}, what="walked", form=lambda own: {}
    ),
    "extraction-dry-run": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_PAGE}, what="makes nothing"),
    # An empty form lacks a method.
    "launch:match-sentences": Route(FORM, what="makes nothing"),
    "text-matching-new": Route(
        FORM,
        form=lambda own: {
            **{
                "method": "exact",
                "permutations": "16",
                "threshold": "0.3",
                "seed": "1",
                "encoder": "default",
            },
            "first": SimpleUploadedFile("a.tsv", b"a\tOne dam broke.\n"),
            "second": SimpleUploadedFile("b.tsv", b"b\tA dam broke, one.\n"),
        },
    ),
    "launch:match-translations": Route(FORM, what="makes nothing"),
    "launch:match-headlines": Route(FORM, form=lambda own: {}),
    "preset-new": Route(
        {"POST": MANAGERS_FORM}, form=lambda own: {"preset_name": "mine"}, on="extraction-new"
    ),
    "preset-delete": Route({"POST": MANAGERS_MOVE}, "preset", "makes nothing"),
    "extraction": Route({"GET": CORPUS_PAGE}, "extraction"),
    "datasets-of-presets": Route({"POST": MANAGERS_MOVE}, "extraction", "makes nothing"),
    "pairs": Route({"GET": CORPUS_PAGE}),
    "pair": Route({"GET": CORPUS_PAGE}, "pair"),
    "characteristics": Route({"GET": CORPUS_PAGE}, json=True),
    "launch:freeze-dataset": Route(
        FORM, form=lambda own: {"name": "again", "extractions": [own["extraction"]]}
    ),
    "datasets": Route({"GET": CORPUS_PAGE}, what="walked"),
    "dataset": Route({"GET": CORPUS_PAGE}, "dataset"),
    "job-progress": Route({"GET": CORPUS_PAGE}, "running job", "no page"),
    "articles": Route({"GET": CORPUS_PAGE}),
    **{
        f"list-action:{name}": Route({"POST": MANAGERS_MOVE}, what="makes nothing")
        for name in ("pairs", "batches", "items", "jobs")
    },
    "job-cancel": Route({"POST": MANAGERS_MOVE}, "running job", "makes nothing"),
    "job-retry": Route({"POST": MANAGERS_MOVE}, "stopped job", "makes nothing"),
    # Judging, review, gold
    "judge": Route({"GET": MEMBERS_PAGE}),
    "launch:draw-judging-batch": Route(
        FORM, what="walked", form=lambda own: {"dataset": own["fresh dataset"], "size": "1"}
    ),
    "launch:draw-training": Route(FORM, form=lambda own: {"gold_set": own["gold set"], "size": "1"}),
    "training-try": Route({"POST": "302 404 403 302 403 403 403"}, "training", "makes nothing"),
    # Without a version: refused where the batches are.
    "guidelines-confirm": Route({"POST": "302 404 302 302 302 302 302"}, what="makes nothing"),
    "batch-trial": Route({"POST": MANAGERS_MOVE}, what="makes nothing"),
    "judgements-import": Route(FORM, form=lambda own: {"file": SimpleUploadedFile("judged.jsonl", JUDGED)}),
    "batch": Route({"GET": ANSWERS_PAGE, "POST": "302 404 403 403 403 302 302"}, "batch", "makes nothing"),
    "second-pass": Route({"POST": MANAGERS_MOVE}, "second pass", "makes nothing"),
    "batch-annotator": Route({"POST": MANAGERS_MOVE}, "batch", "makes nothing"),
    "judge-batch": Route({"GET": OWN_PAGE}, "batch"),
    "launch:answer-batch": Route(
        FORM, form=lambda own: {"batch": own["batch"], "scorer": "edit-similarity", "threshold": "0.5"}
    ),
    "launch:ask-for-uncertain": Route(FORM, what="makes nothing"),
    "model-annotator": Route({"GET": MANAGERS_PAGE}, "model", json=True),
    "review": Route({"GET": ANSWERS_PAGE}),
    "progress": Route({"GET": MANAGERS_PAGE}, json=True),
    "judged-pairs": Route({"GET": ANSWERS_PAGE}),
    "review-batch": Route({"GET": ANSWERS_PAGE}, "answered batch"),
    "adjudicate": Route(
        {"GET": "302 404 403 403 200 403 403", "POST": "302 404 403 403 422 403 403"}, "item", "makes nothing"
    ),
    "agreement": Route({"GET": ANSWERS_PAGE}, json=True),
    "competence": Route({"GET": ANSWERS_PAGE}, json=True),
    "phenomena": Route({"GET": ANSWERS_PAGE}, json=True),
    "batch-phenomena": Route({"POST": MANAGERS_MOVE}, "batch", "makes nothing"),
    "gold": Route({"GET": CORPUS_PAGE}),
    "launch:freeze-gold-set": Route(
        FORM, form=lambda own: {"name": "new", "batches": [own["answered batch"]]}
    ),
    "gold-set": Route({"GET": CORPUS_PAGE}, "gold set", json=True),
    # Sub-clusters of headlines
    "split": Route({"GET": MEMBERS_PAGE}),
    "launch:draw-splitting-batch": Route(FORM, form=lambda own: {"again": "on"}),
    "split-detail": Route(
        {"GET": ANSWERS_PAGE, "POST": "302 404 403 403 403 302 302"}, "split batch", "makes nothing"
    ),
    "split-batch": Route({"GET": OWN_PAGE}, "split batch"),
    "split-agreement": Route({"GET": ANSWERS_PAGE}, "split batch", json=True),
    "split-review": Route({"GET": ANSWERS_PAGE}, "split batch"),
    "split-decide": Route({"GET": "302 404 403 403 200 403 403"}, "split item"),
    "launch:freeze-subclusters": Route(
        FORM, form=lambda own: {"name": "n", "batch": own["split batch"], "rule": "shared"}
    ),
    "gold-subclusters": Route({"GET": CORPUS_PAGE}, "gold subclusters"),
    "gold-subclusters-file": Route({"GET": CORPUS_PAGE}, "gold subclusters", "no page"),
    "subcluster-scores": Route({"GET": CORPUS_PAGE}, "gold subclusters", json=True),
    "subcluster-links": Route({"GET": CORPUS_PAGE}, "gold subclusters", json=True),
    # Classifiers and lexicons
    "classifiers": Route({"GET": CORPUS_PAGE}),
    "launch:train-classifier": Route(FORM, what="makes nothing"),
    "classifier": Route({"GET": CORPUS_PAGE}, "classifier", json=True),
    "launch:apply-classifier": Route(FORM, what="makes nothing"),
    "classifier-run": Route({"GET": CORPUS_PAGE, "POST": MANAGERS_FORM}, "classifier run", "makes nothing"),
    "classifier-pair": Route({"GET": CORPUS_PAGE}, "classifier", json=True),
    "lexicons": Route({"GET": CORPUS_PAGE}),
    "launch:build-lexicon": Route(
        FORM, form=lambda own: {"kind": "association", "name": "words", "dataset": own["dataset"]}
    ),
    "lexicon-file": Route({"GET": CORPUS_PAGE}, "lexicon", "no page"),
    "lexicon": Route({"GET": CORPUS_PAGE, "POST": "302 404 403 403 302 302 302"}, "lexicon", "makes nothing"),
    "gold-pair": Route({"GET": CORPUS_PAGE}, "gold judgement"),
    # Links, aligners, exports
    "link": Route({"GET": MEMBERS_PAGE}),
    "launch:draw-linking-batch": Route(FORM, form=lambda own: {"gold_set": own["gold set"]}),
    "link-import": Route(FORM, what="makes nothing"),
    "link-suggestions": Route({"POST": MANAGERS_MOVE}, "link batch", "makes nothing"),
    "link-detail": Route(
        {"GET": ANSWERS_PAGE, "POST": "302 404 403 403 403 302 302"}, "link batch", "makes nothing"
    ),
    "link-batch": Route({"GET": OWN_PAGE}, "link batch"),
    "link-agreement": Route({"GET": ANSWERS_PAGE}, "link batch", json=True),
    "link-review": Route({"GET": ANSWERS_PAGE}, "link batch"),
    "link-canvas": Route({"GET": "302 404 403 403 200 403 403"}, "link item"),
    "launch:freeze-gold-links": Route(
        FORM, form=lambda own: {"name": "new", "batch": own["link batch"], "rule": "papers"}
    ),
    "gold-links": Route({"GET": CORPUS_PAGE}, "gold links"),
    "gold-phrases": Route({"GET": CORPUS_PAGE}, "gold links", json=True),
    "aligners": Route({"GET": CORPUS_PAGE}, json=True),
    "score": Route({"POST": MANAGERS_FORM}, form=lambda own: {}, on="aligners"),
    "score-file": Route(FORM, what="makes nothing"),
    "launch:train-aligner": Route(FORM, form=lambda own: {"datasets": [own["dataset"]]}),
    "aligner": Route({"GET": CORPUS_PAGE}, "aligner"),
    "aligners-compare": Route({"GET": CORPUS_PAGE}, json=True),
    "aligner-again": Route({"POST": MANAGERS_MOVE}, "aligner", form=lambda own: {}, on="aligner"),
    "aligner-download": Route({"GET": MANAGERS_PAGE}, "aligner", "no page"),
    "launch:apply-aligner": Route(
        FORM, form=lambda own: {"trained": own["aligner"], "dataset": own["dataset"]}
    ),
    "aligner-pair": Route({"GET": CORPUS_PAGE}, "aligner", json=True),
    "aligner-run": Route({"GET": CORPUS_PAGE}, "aligner run"),
    "aligner-run-download": Route({"GET": MANAGERS_PAGE}, "aligner run", "no page"),
    "run-phrases": Route({"GET": CORPUS_PAGE}, "aligner run", json=True),
    "experiments": Route({"GET": CORPUS_PAGE}),
    "launch:run-experiment": Route(FORM, form=lambda own: {}),
    "experiment": Route({"GET": CORPUS_PAGE}, "experiment"),
    "experiment-cell": Route({"GET": CORPUS_PAGE}, "experiment cell", json=True),
    "experiment-pair": Route({"GET": CORPUS_PAGE}, "experiment cell"),
    "exports": Route({"GET": MANAGERS_PAGE}),
    "launch:export-dataset": Route(FORM, form=lambda own: {"dataset": own["dataset"]}),
    "launch:export-gold": Route(
        FORM, what="walked", form=lambda own: {"gold_set": own["gold set"], "gold_links": ""}
    ),
    "export-download": Route({"GET": MANAGERS_PAGE}, "export", "no page"),
    # Archives
    "archives": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_MOVE}, what="makes nothing"),
    "archive-download": Route({"GET": MANAGERS_PAGE}, "archive", "no page"),
    "archive-delete": Route({"POST": MANAGERS_MOVE}, "archive", "makes nothing"),
}

# Of each kind that can be deleted one in the bin, one that nobody refers to, or one that is refused: the page
# is the same.
REMOVABLE = {
    "import": "checked import",
    "extraction": "extraction",
    "dataset": "deleted dataset",
    "lexicon": "lexicon",
    "batch": "batch",
    "gold-set": "gold set",
    "gold-subclusters": "gold subclusters",
    "classifier": "classifier",
    "classifier-run": "classifier run",
    "model-annotator": "model",
    "gold-alignments": "gold links",
    "trained-aligner": "aligner",
    "aligner-run": "aligner run",
    "experiment": "experiment",
    "export": "export",
}
PAGES |= {"bin": Route({"GET": MANAGERS_PAGE})} | {
    f"removal:{kind}": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_MOVE}, named, "makes nothing")
    for kind, named in REMOVABLE.items()
}
