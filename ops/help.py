"""Which section of the documentation belongs to which page: the link Help of its header."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest

from projects.documentation import START, url_of

SECTIONS = {
    "projects": "README",
    "account": "people#accounts",
    "keys": "linking",
    "plugins": "plugins#install-a-plug-in",
    "people": "people#invitations",
    "person": "people#accounts",
    "join": "people#invitations",
    "audit-log": "deployment#audit-log",
    "deleted-projects": "deployment#deleting-and-keeping",
    "archives": "formats/archive",
    "project-new": "tutorial#your-own-corpus",
    "project": "tutorial#the-overview-manager",
    "project-settings": "two-languages",
    "members": "people",
    "bin": "deployment#deleting-and-keeping",
    "jobs": "deployment#the-worker",
    "corpus": "formats/articles",
    "corpus-import": "formats/sources",
    "import": "formats/articles#what-is-refused",
    "candidates": "extraction",
    "extraction-new": "extraction#presets",
    "extraction-dry-run": "extraction#dry-run",
    "extraction": "extraction#definitions",
    "pairs": "extraction#definitions",
    "text-matching-new": "matching#texts-across-a-corpus-match-texts",
    "characteristics": "extraction#characteristics",
    "datasets": "extraction#datasets-are-selections",
    "dataset": "extraction#datasets-are-selections",
    "judge": "sampling",
    "judge-batch": "tutorial#judge-annotator-a",
    "batch": "sampling#assignment",
    "model-annotator": "competence#a-model-as-an-annotator",
    "judgements-import": "formats/judgements",
    "second-pass": "linking#second-pass",
    "link": "linking",
    "link-batch": "tutorial#link-annotator-a",
    "link-import": "link-agreement#importing-links",
    "link-suggestions": "linking#suggestions-from-a-file",
    "link-agreement": "link-agreement",
    "split": "subclusters",
    "split-batch": "subclusters#splitting",
    "split-agreement": "subclusters#agreement",
    "subcluster-scores": "subclusters#agreement",
    "gold-subclusters": "subclusters#review-and-gold",
    "review": "tutorial#review-gold-export-manager",
    "link-review": "linking#review",
    "link-canvas": "linking#review",
    "split-review": "subclusters#review-and-gold",
    "agreement": "metrics#labels-of-several-annotators",
    "phenomena": "metrics#phenomena",
    "progress": "sampling",
    "gold": "tutorial#review-gold-export-manager",
    "gold-set": "formats/judgements#batches-and-gold-sets",
    "gold-links": "metrics#word-links-precision-recall-aer",
    "exports": "formats/pairs",
    "classifiers": "classification#in-a-project",
    "classifier": "classification#quality",
    "lexicons": "classification#features",
    "aligners": "aligners#in-a-project",
    "aligner": "aligners#in-a-project",
    "experiments": "replication#word-alignment",
    "experiment": "metrics#two-aligners-link-by-link",
}
"""By the name of a page's address. Others have that of their entry in the navigation; the form of an
operation has its own (`LaunchPage.manual`)."""


def help_url(request: HttpRequest, entry: Callable[[], str]) -> str:
    """`entry`: gives the name of the address of the page's entry in the navigation, "" outside projects;
    asked for only where the page has no section of its own."""
    match = request.resolver_match
    name = match.url_name if match and match.url_name else ""
    return url_of(getattr(request, "manual", "") or SECTIONS.get(name) or SECTIONS.get(entry(), START))
