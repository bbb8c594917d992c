"""Every page of the demo installation that there is a picture of."""

from __future__ import annotations

import sqlite3
from pathlib import Path

P = "/projects/demo/"
WITHOUT_LOGIN = {"login": "/accounts/login/", "password-reset": "/accounts/password/reset/"}
# Items of which the answers differ: the first by label, that with most links of one person only.
DISPUTED_LABELS = """SELECT item_id FROM annotation_assignment a
    JOIN annotation_judgement j ON j.assignment_id = a.id
    GROUP BY item_id HAVING count(DISTINCT label) > 1 ORDER BY item_id"""
DISPUTED_LINKS = """SELECT item_id FROM (
        SELECT item_id, a, b, strength FROM annotation_assignment s
        JOIN alignment_alignment t ON t.assignment_id = s.id
        JOIN alignment_wordlink l ON l.alignment_id = t.id
        GROUP BY item_id, a, b, strength HAVING count(*) = 1)
    GROUP BY item_id ORDER BY count(*) DESC, item_id"""


def addresses(database: Path) -> dict[str, tuple[str, str]]:
    """User and address of every page, by the picture's name."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:

        def first(query: str) -> int:
            return int(connection.execute(query).fetchone()[0])

        ids = {
            "annotator": first("SELECT id FROM auth_user WHERE username = 'annotator_a'"),
            "cluster": first("SELECT min(id) FROM corpus_cluster"),
            "article": first("SELECT min(id) FROM corpus_article"),
            "extraction": first("SELECT min(id) FROM corpus_extraction"),
            "matching": first("SELECT id FROM corpus_extraction WHERE name = 'words'"),
            "pair": first("SELECT pair_id FROM annotation_item WHERE number = 3"),
            "dataset": first("SELECT max(id) FROM corpus_dataset"),
            "judged": first("SELECT id FROM annotation_batch WHERE name = 'Batch 1'"),
            "open": first("SELECT id FROM annotation_batch WHERE name = 'Batch 2'"),
            "links": first("SELECT id FROM annotation_batch WHERE kind = 'link'"),
            "gold": first("SELECT min(id) FROM annotation_goldset"),
            "goldlinks": first("SELECT min(id) FROM alignment_goldalignmentset"),
            "split": first("SELECT id FROM annotation_batch WHERE name = 'Headlines 1'"),
            "unsplit": first("SELECT id FROM annotation_batch WHERE name = 'Headlines 2'"),
            "cluster to split": first("SELECT min(id) FROM annotation_item WHERE cluster_id IS NOT NULL"),
            "goldsubclusters": first("SELECT min(id) FROM annotation_goldsubclusterset"),
            "import": first("SELECT min(id) FROM corpus_corpusimport"),
            "disputed": first(DISPUTED_LABELS),
            "disputed links": first(DISPUTED_LINKS),
            "goldpair": first("SELECT min(id) FROM annotation_goldjudgement"),
            "lexicon": first("SELECT max(id) FROM corpus_lexicon"),
            "classifier": first("SELECT max(id) FROM annotation_trainedclassifier"),
            "run": first("SELECT max(id) FROM annotation_classifierrun"),
            "aligner": first("SELECT max(id) FROM alignment_trainedaligner"),
            "aligner run": first("SELECT max(id) FROM alignment_alignerrun"),
            "member": first("SELECT min(id) FROM projects_membership WHERE role = 'annotator'"),
            "experiment": first("SELECT max(id) FROM alignment_experiment"),
            "cell": first("SELECT max(id) FROM alignment_experimentcell"),
        }
    manager = {
        "projects": "/",
        "project": P,
        "project-new": "/projects/new/",
        "project-settings": f"{P}settings/",
        "project-delete": f"{P}settings/delete/",
        "deleted-projects": "/deleted-projects/",
        "members": f"{P}members/",
        "member-remove": f"{P}members/{ids['member']}/remove/",
        "corpus": f"{P}corpus/",
        "corpus-import": f"{P}corpus/import/",
        "imported": f"{P}corpus/imports/{ids['import']}/",
        "articles": f"{P}corpus/articles/",
        "cluster": f"{P}corpus/clusters/{ids['cluster']}/",
        "article": f"{P}corpus/articles/{ids['article']}/",
        "candidates": f"{P}candidates/",
        "extraction-new": f"{P}candidates/new/",
        "extraction": f"{P}candidates/extractions/{ids['extraction']}/",
        "dry-run": f"{P}candidates/dry-run/?preset=L12",
        "matching-new": f"{P}launch/match-sentences/",
        "headline-matching-new": f"{P}launch/match-headlines/",
        "matching": f"{P}candidates/extractions/{ids['matching']}/",
        "text-matching-new": f"{P}candidates/match-texts/",
        "characteristics": f"{P}candidates/characteristics/",
        "pairs": f"{P}candidates/pairs/",
        "pair": f"{P}candidates/pairs/{ids['pair']}/",
        "dataset-new": f"{P}candidates/datasets/new/",
        "dataset": f"{P}candidates/datasets/{ids['dataset']}/",
        "batches": f"{P}judge/",
        "batch-new": f"{P}launch/draw-judging-batch/",
        "batch": f"{P}judge/{ids['judged']}/",
        "review": f"{P}review/",
        "review-batch": f"{P}review/{ids['judged']}/",
        "adjudicate": f"{P}review/items/{ids['disputed']}/",
        "gold": f"{P}gold/",
        "gold-new": f"{P}launch/freeze-gold-set/",
        "gold-subclusters-new": f"{P}launch/freeze-subclusters/",
        "gold-set": f"{P}gold/{ids['gold']}/",
        "linking-batches": f"{P}link/",
        "linking-batch-new": f"{P}launch/draw-linking-batch/",
        "linking-batch": f"{P}link/{ids['links']}/",
        "gold-links-new": f"{P}launch/freeze-gold-links/",
        "gold-links": f"{P}gold/links/{ids['goldlinks']}/",
        "link-agreement": f"{P}link/{ids['links']}/agreement/",
        "link-review": f"{P}link/{ids['links']}/review/",
        "link-canvas": f"{P}link/items/{ids['disputed links']}/review/",
        "gold-phrases": f"{P}gold/links/{ids['goldlinks']}/phrases/",
        "split-batches": f"{P}split/",
        "split-new": f"{P}launch/draw-splitting-batch/",
        "split-batch": f"{P}split/{ids['split']}/",
        "split-agreement": f"{P}split/{ids['split']}/agreement/",
        "split-review": f"{P}split/{ids['split']}/review/",
        "split-decide": f"{P}split/items/{ids['cluster to split']}/review/",
        "gold-subclusters": f"{P}gold/subclusters/{ids['goldsubclusters']}/",
        "subcluster-scores": f"{P}gold/subclusters/{ids['goldsubclusters']}/scores/",
        "subcluster-links": f"{P}gold/subclusters/{ids['goldsubclusters']}/links/",
        "agreement": f"{P}agreement/",
        "phenomena": f"{P}phenomena/",
        "progress": f"{P}progress/",
        "judged-pairs": f"{P}review/pairs/",
        "judgements-import": f"{P}judge/import/",
        "gold-pair": f"{P}gold/pairs/{ids['goldpair']}/",
        "link-import": f"{P}link/import/",
        "classifiers": f"{P}classifier/",
        "classifier-new": f"{P}launch/train-classifier/",
        "classifier": f"{P}classifier/{ids['classifier']}/",
        "classifier-apply": f"{P}launch/apply-classifier/?classifier={ids['classifier']}",
        "classifier-pair": f"{P}classifier/{ids['classifier']}/pair/?pair={ids['pair']}",
        "classifier-run": f"{P}classifier/runs/{ids['run']}/",
        "lexicons": f"{P}classifier/lexicons/",
        "lexicon-new": f"{P}launch/build-lexicon/",
        "lexicon": f"{P}classifier/lexicons/{ids['lexicon']}/",
        "aligners": f"{P}aligners/",
        "aligner-new": f"{P}launch/train-aligner/",
        "aligner": f"{P}aligners/{ids['aligner']}/",
        "aligner-pair": f"{P}aligners/{ids['aligner']}/pair/?pair={ids['pair']}",
        "aligner-run": f"{P}aligners/runs/{ids['aligner run']}/",
        "aligner-run-phrases": f"{P}aligners/runs/{ids['aligner run']}/phrases/",
        "aligners-compare": f"{P}aligners/compare/",
        "score-file": f"{P}aligners/score-file/",
        "experiments": f"{P}experiments/",
        "experiment-new": f"{P}launch/run-experiment/",
        "experiment": f"{P}experiments/{ids['experiment']}/",
        "experiment-cell": f"{P}experiments/cells/{ids['cell']}/",
        "experiment-pair": f"{P}experiments/cells/{ids['cell']}/pair/",
        "exports": f"{P}export/",
        "removal": f"{P}remove/gold-set/{ids['gold']}/",
        "jobs": f"{P}jobs/",
        "archives": f"{P}export/archives/",
        "export-new": f"{P}launch/export-gold/",
        "export-dataset": f"{P}launch/export-dataset/",
        "account": "/accounts/",
        "mail-address": "/accounts/mail/",
        "sessions": "/accounts/sessions/",
        "second-factor": "/accounts/second-factor/",
        "password-again": "/accounts/again/?next=/accounts/second-factor/app/",
        "authenticator-app": "/accounts/second-factor/app/",
        "passkey-new": "/accounts/passkeys/add/",
        "keys": "/accounts/keys/",
        "tokens": "/accounts/tokens/",
        "glossary": "/glossary/",
        "not-found": f"{P}nowhere/",
    }
    annotator = {
        "own-work": "/",
        "annotator-project": P,
        "judge": f"{P}judge/{ids['open']}/answer/",
        "link": f"{P}link/{ids['links']}/answer/",
        "split": f"{P}split/{ids['unsplit']}/answer/",
    }
    admin = {
        "audit-log": "/installation/audit/",
        "plugins": "/installation/plugins/",
        "people": "/people/",
        "person": f"/people/{ids['annotator']}/",
        "person-delete": f"/people/{ids['annotator']}/delete/",
    }
    return {
        name: (user, address)
        for user, theirs in (("manager", manager), ("annotator_a", annotator), ("admin", admin))
        for name, address in theirs.items()
    }
