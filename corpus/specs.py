"""Declarations of the operations on a project's corpus."""

from __future__ import annotations

from typing import Literal

from django.utils.translation import gettext_noop as _

from paragold.extraction.criteria import CLUSTERS
from paragold.matching.specs import HeadlineSpec, MatchingSpec, TranslationSpec
from paragold.spec import param

Clusters = Literal["all", "held_out", "rest", "with_imported"]


class ProjectMatchingSpec(MatchingSpec):
    """Matching the sentences of a project. No pair joins a held-out cluster to another one."""

    scope: Literal["clusters", "project"] = param(
        "clusters",
        "Compare",
        "Sentences of one article are never compared, nor those of held-out clusters with others.",
        choices={"clusters": _("within each cluster"), "project": _("across the whole project")},
    )
    clusters: Clusters = param("all", "Clusters", choices=CLUSTERS)


class ProjectTranslationSpec(TranslationSpec):
    """Matching the sentences of a project's two languages. No pair joins held-out clusters and others."""

    scope: Literal["clusters", "project"] = param(
        "clusters",
        "Compare",
        "Within a cluster there are few candidates, so that a small lexicon suffices.",
        choices={"clusters": _("within each cluster"), "project": _("across the whole project")},
    )
    clusters: Clusters = param("all", "Clusters", choices=CLUSTERS)


class ProjectHeadlineSpec(HeadlineSpec):
    """Matching the first sentences of the articles of each cluster of a project."""

    clusters: Clusters = param("all", "Clusters", choices=CLUSTERS)
