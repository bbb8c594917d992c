"""Who gets what from every page."""

from __future__ import annotations

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

LOGIN_PAGE = Route(
    {
        "GET": "200 302 302 302 302 302 302",
        "POST": "422 302 302 302 302 302 302",
        "PUT": "405 302 302 302 302 302 302",
        "PATCH": "405 302 302 302 302 302 302",
        "DELETE": "405 302 302 302 302 302 302",
    }
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
    "account_reset_password": Route({"GET": EVERYBODYS_PAGE, "POST": EVERYBODYS_PAGE}),
    "account_reset_password_from_key": Route({"GET": NOT_VALID, "POST": NOT_VALID}),
    "account_confirm_email": Route({"GET": NOT_VALID, "POST": NOT_VALID}),
    "account_email": Route({"GET": OWN_ACCOUNT, "POST": LED_ON}),
    "account_reauthenticate": Route({"GET": OWN_ACCOUNT, "POST": OWN_ACCOUNT}),
    "mfa_authenticate": Route({"GET": LED_ON, "POST": LED_ON}),
    "mfa_reauthenticate": Route(PASSWORD_FIRST),
    "mfa_reauthenticate_webauthn": Route(PASSWORD_FIRST),
    "mfa_index": Route({"GET": OWN_ACCOUNT}),
    "mfa_activate_totp": Route(PASSWORD_FIRST),
    "mfa_deactivate_totp": Route({"GET": NOTHING, "POST": NOTHING}),
    "mfa_view_recovery_codes": Route({"GET": NOTHING}),
    "mfa_generate_recovery_codes": Route(PASSWORD_FIRST),
    "mfa_list_webauthn": Route({"GET": LED_ON, "POST": LED_ON}),
    "mfa_add_webauthn": Route(PASSWORD_FIRST),
    "mfa_remove_webauthn": Route({"GET": NOTHING, "POST": NOTHING}, "person"),
    "mfa_login_webauthn": Route({"GET": LED_ON, "POST": LED_ON}),
    "usersessions_list": Route({"GET": OWN_ACCOUNT, "POST": LED_ON}),
    # To the provider, and back without what it would send along.
    "openid_connect_login": Route({"GET": LED_ON}),
    "openid_connect_callback": Route({"GET": "403 403 403 403 403 403 403"}),
    # The one provider speaks no SAML: tests/projects/sign_on/test_saml.py has one that does.
    **dict.fromkeys(
        ("saml_login", "saml_metadata", "saml_acs", "saml_finish_acs", "saml_sls"),
        Route({"GET": NOT_VALID, "POST": NOT_VALID}),
    ),
    "socialaccount_connections": Route({"GET": OWN_ACCOUNT, "POST": OWN_ACCOUNT}),
}

PAGES: dict[str, Route] = {
    "icon": Route({"GET": "200 200 200 200 200 200 200"}),
    "livez": Route({"GET": "200 200 200 200 200 200 200"}),
    "readyz": Route({"GET": "200 200 200 200 200 200 200"}),
    # Without a token there is no such page: tests/ops/test_metrics.py.
    "metrics": Route({"GET": "404 404 404 404 404 404 404"}),
    # Accounts and projects
    # Whoever is logged in is led on from the login page, whatever the method.
    "login": LOGIN_PAGE,
    **SIGN_ON,
    "account": Route({"GET": "302 200 200 200 200 200 200", "POST": "302 422 422 422 422 422 422"}),
    "tokens": Route({"GET": "302 200 200 200 200 200 200", "POST": "302 422 422 422 422 422 422"}),
    "token-revoke": Route({"POST": "302 404 404 302 404 404 404"}, "token"),
    "audit-log": Route({"GET": "302 403 403 403 403 403 200"}, json=True),
    # A link that is not valid, to everybody: tests/projects/views/test_people.py has those that are.
    "join": Route({"GET": "404 404 404 404 404 404 404", "POST": "404 404 404 404 404 404 404"}),
    # A wrong code: tests/projects/views/test_first_administrator.py has the right one.
    "first-administrator": Route(
        {"GET": "404 404 404 404 404 404 404", "POST": "404 404 404 404 404 404 404"}
    ),
    "people": Route({"GET": "302 403 403 403 403 403 200", "POST": "302 403 403 403 403 403 422"}),
    "person": Route({"GET": ADMINS_OBJECT_PAGE, "POST": "302 404 404 404 404 404 302"}, "person"),
    "person-data": Route({"GET": ADMINS_OBJECT_PAGE}, "person"),
    "person-delete": Route({"GET": ADMINS_OBJECT_PAGE, "POST": "302 404 404 404 404 404 422"}, "person"),
    "account-data": Route({"GET": "302 200 200 200 200 200 200"}),
    "logout": Route({"POST": "302 302 302 302 302 302 302"}),
    "projects": Route({"GET": "302 200 200 200 200 200 200"}),
    "glossary": Route({"GET": "302 200 200 200 200 200 200"}),
    "plugins": Route({"GET": "302 403 403 403 403 403 200"}, json=True),
    "project-new": Route({"GET": "302 200 403 403 403 200 200", "POST": "302 422 403 403 403 422 422"}),
    "project": Route({"GET": MEMBERS_PAGE}),
    "example-data": Route({"POST": MANAGERS_MOVE}),
    "jobs": Route({"GET": CORPUS_PAGE}),
    "project-settings": Route(FORM),
    "project-delete": Route(FORM),
    # Of others, only administrators restore them: tests/ops/deletion/test_projects.py has one's own.
    "deleted-projects": Route({"GET": "302 200 200 200 200 200 200"}),
    "project-restore": Route({"POST": "302 404 404 404 404 404 302"}, "deleted project"),
    "members": Route(FORM),
    "invitation-new": Route({"POST": MANAGERS_FORM}),
    "invitation-revoke": Route({"POST": MANAGERS_MOVE}, "invitation"),
    "member-remove": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_FORM}, "membership"),
    "batch-hand-over": Route({"POST": MANAGERS_MOVE}, "batch"),
    "become-adjudicator": Route({"POST": MANAGERS_MOVE}),
    "keys": Route({"GET": "302 200 200 200 200 200 200"}),
    "api-key-bindings": Route({"GET": EVERYBODY, "PUT": EVERYBODY}),
    # Corpus and candidates
    "corpus": Route({"GET": CORPUS_PAGE}),
    "corpus-import": Route(FORM),
    "import": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_PAGE}, "checked import"),
    "cluster": Route({"GET": CORPUS_PAGE}, "cluster"),
    "article": Route({"GET": CORPUS_PAGE}, "article"),
    "candidates": Route({"GET": CORPUS_PAGE}),
    "extraction-new": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_MOVE}),
    "extraction-dry-run": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_PAGE}),
    # An empty form lacks a method.
    "matching-new": Route(FORM),
    "text-matching-new": Route(FORM),
    "headline-matching-new": Route(FORM),
    "preset-new": Route({"POST": MANAGERS_FORM}),
    "preset-delete": Route({"POST": MANAGERS_MOVE}, "preset"),
    "extraction": Route({"GET": CORPUS_PAGE}, "extraction"),
    "datasets-of-presets": Route({"POST": MANAGERS_MOVE}, "extraction"),
    "pairs": Route({"GET": CORPUS_PAGE}),
    "pair": Route({"GET": CORPUS_PAGE}, "pair"),
    "characteristics": Route({"GET": CORPUS_PAGE}, json=True),
    "dataset-new": Route(FORM),
    "dataset": Route({"GET": CORPUS_PAGE}, "dataset"),
    "job-progress": Route({"GET": CORPUS_PAGE}, "running job"),
    "articles": Route({"GET": CORPUS_PAGE}),
    **{
        f"list-action:{name}": Route({"POST": MANAGERS_MOVE})
        for name in ("pairs", "batches", "items", "jobs")
    },
    "job-cancel": Route({"POST": MANAGERS_MOVE}, "running job"),
    "job-retry": Route({"POST": MANAGERS_MOVE}, "stopped job"),
    # Judging, review, gold
    "judge": Route({"GET": MEMBERS_PAGE}),
    "batch-new": Route(FORM),
    "batch-trial": Route({"POST": MANAGERS_MOVE}),
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
    "agreement": Route({"GET": ANSWERS_PAGE}, json=True),
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
    "subcluster-links": Route({"GET": CORPUS_PAGE}, "gold subclusters"),
    # Classifiers and lexicons
    "classifiers": Route({"GET": CORPUS_PAGE}),
    "classifier-new": Route(FORM),
    "classifier": Route({"GET": CORPUS_PAGE}, "classifier"),
    "classifier-apply": Route(FORM, "classifier"),
    "classifier-run": Route({"GET": CORPUS_PAGE, "POST": MANAGERS_FORM}, "classifier run"),
    "classifier-pair": Route({"GET": CORPUS_PAGE}, "classifier"),
    "lexicons": Route({"GET": CORPUS_PAGE}),
    "lexicon-new": Route(FORM),
    "lexicon-file": Route({"GET": CORPUS_PAGE}, "lexicon"),
    "lexicon": Route({"GET": CORPUS_PAGE, "POST": "302 404 403 403 302 302 302"}, "lexicon"),
    "gold-pair": Route({"GET": CORPUS_PAGE}, "gold judgement"),
    # Links, aligners, exports
    "link": Route({"GET": MEMBERS_PAGE}),
    "link-new": Route(FORM),
    "link-import": Route(FORM),
    "link-suggestions": Route({"POST": MANAGERS_MOVE}, "link batch"),
    "link-detail": Route({"GET": ANSWERS_PAGE, "POST": "302 404 403 403 403 302 302"}, "link batch"),
    "link-batch": Route({"GET": OWN_PAGE}, "link batch"),
    "link-agreement": Route({"GET": ANSWERS_PAGE}, "link batch"),
    "link-review": Route({"GET": ANSWERS_PAGE}, "link batch"),
    "link-canvas": Route({"GET": "302 404 403 403 200 403 403"}, "link item"),
    "gold-links-new": Route(FORM),
    "gold-links": Route({"GET": CORPUS_PAGE}, "gold links"),
    "gold-phrases": Route({"GET": CORPUS_PAGE}, "gold links"),
    "aligners": Route({"GET": CORPUS_PAGE}),
    "score": Route({"POST": MANAGERS_FORM}),
    "score-file": Route(FORM),
    "aligner-new": Route(FORM),
    "aligner": Route({"GET": CORPUS_PAGE}, "aligner"),
    "aligners-compare": Route({"GET": CORPUS_PAGE}),
    "aligner-again": Route({"POST": MANAGERS_MOVE}, "aligner"),
    "aligner-download": Route({"GET": MANAGERS_PAGE}, "aligner"),
    "aligner-apply": Route({"POST": MANAGERS_FORM}, "aligner"),
    "aligner-pair": Route({"GET": CORPUS_PAGE}, "aligner"),
    "aligner-run": Route({"GET": CORPUS_PAGE}, "aligner run"),
    "aligner-run-download": Route({"GET": MANAGERS_PAGE}, "aligner run"),
    "run-phrases": Route({"GET": CORPUS_PAGE}, "aligner run"),
    "experiments": Route({"GET": CORPUS_PAGE}),
    "experiment-new": Route(FORM),
    "experiment": Route({"GET": CORPUS_PAGE}, "experiment"),
    "experiment-table": Route({"GET": CORPUS_PAGE}, "experiment"),
    "experiment-cell": Route({"GET": CORPUS_PAGE}, "experiment cell"),
    "experiment-pair": Route({"GET": CORPUS_PAGE}, "experiment cell"),
    "exports": Route({"GET": MANAGERS_PAGE}),
    "export-dataset": Route(FORM),
    "export-new": Route(FORM),
    "export-download": Route({"GET": MANAGERS_PAGE}, "export"),
    # Archives
    "archives": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_MOVE}),
    "archive-download": Route({"GET": MANAGERS_PAGE}, "archive"),
    "archive-delete": Route({"POST": MANAGERS_MOVE}, "archive"),
}

# Of each kind that can be deleted one that nobody refers to, or one that is refused: the page is the same.
REMOVABLE = {
    "import": "checked import",
    "extraction": "extraction",
    "dataset": "fresh dataset",
    "lexicon": "lexicon",
    "batch": "batch",
    "gold-set": "gold set",
    "gold-subclusters": "gold subclusters",
    "classifier": "classifier",
    "classifier-run": "classifier run",
    "gold-alignments": "gold links",
    "trained-aligner": "aligner",
    "aligner-run": "aligner run",
    "experiment": "experiment",
    "export": "export",
}
PAGES |= {
    f"removal:{kind}": Route({"GET": MANAGERS_PAGE, "POST": MANAGERS_MOVE}, named)
    for kind, named in REMOVABLE.items()
}
