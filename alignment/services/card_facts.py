"""Sections of data cards on who judged and linked: each sentence only where it holds for what was written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import F

from alignment.models import GoldAlignmentSet, Origin
from annotation.models import IMPORTED, Answer, GoldSet
from corpus.models import CorpusImport
from paragold.formats.pairs.card import Section

from .gold_counts import Counted
from .imported_gold import RULE as IMPORTED_LINKS

FIGURES = {
    "observed": "observed agreement",
    "krippendorff_alpha": "Krippendorff's alpha",
    "cohen_kappa": "Cohen's kappa",
}
BLIND = "Annotators of this project {verb} on their own, blind to each other, and appear under pseudonyms."


def judging(gold_set: GoldSet, counted: Counted) -> list[Section]:
    """How the labels came about, how many pairs have which, and agreement where two people judged."""
    text = f"{gold_set}: {counted.judged:,} judged pairs, scheme {gold_set.get_scheme_display()}. "
    text += (
        _labels_external(gold_set, counted) if gold_set.rule == IMPORTED else _labels_own(gold_set, counted)
    )
    labels = [(label, f"{count:,}") for label, count in sorted(counted.labels.items())]
    sections = [Section("Judgements", text, ("label", "pairs"), labels)]
    figures = [
        (title, *estimate(value))
        for title, value in in_order(gold_set.agreement)
        if value.get("value") is not None
    ]
    if figures and len(counted.label_votes) > 1:
        why = "Of the annotators' own labels over the whole gold set, before an adjudicator decided."
        sections.append(Section("Agreement", why, ("agreement", "value", "pairs compared"), figures))
    return sections


def _labels_external(gold_set: GoldSet, counted: Counted) -> str:
    text = f"The labels are external: they were imported from {_files(gold_set)} and not decided here. "
    if counted.label_votes:
        return text + "The file names its annotators; whether they saw each other's answers is not known."
    return text + "The file does not say who gave them."


def _labels_own(gold_set: GoldSet, counted: Counted) -> str:
    text = f"Rule for labels: {gold_set.get_rule_display().lower()}. "
    if len(counted.label_votes) > 1:
        text += f"Annotators differed on {counted.disputed:,} pairs. "
    answers = Answer.objects.filter(
        assignment__item__batch__in=gold_set.batches.all(),
        version=F("assignment__version"),
        at__lte=gold_set.frozen_at,
    )
    imported = answers.filter(body__imported=True)
    here = answers.exclude(pk__in=imported.values("pk"))
    sentences = []
    if here.exists():
        sentences.append(BLIND.format(verb="judged"))
    if imported.exists():
        sentences.append(
            f"{'Some' if sentences else 'All'} judgements were imported from files, as what an annotator "
            "said; whether they were given blindly is not known."
        )
    return text + " ".join(sentences)


def _files(gold_set: GoldSet) -> str:
    sources = CorpusImport.objects.filter(batches__in=gold_set.batches.all()).order_by("pk")
    return ", ".join(
        f"{one.filename} (format {one.options['format']})" if one.options.get("format") else one.filename
        for one in sources
    )


def linking(gold_links: GoldAlignmentSet, counted: Counted) -> Section:
    text = (
        f"{gold_links}: {counted.linked:,} linked pairs, {counted.sure:,} SURE links and "
        f"{counted.possible_only:,} POSSIBLE ones. "
    )
    if gold_links.rule == IMPORTED_LINKS:
        source = gold_links.lineage.get("links", {}).get("file", "a file")
        return Section("Word links", text + f"The links are external: they were imported from {source}.")
    text += f"Rule for links: {gold_links.rule}."
    if set(counted.origins) - {Origin.IMPORTED.value}:
        text += f" {BLIND.format(verb='linked')}"
    if counted.origins[Origin.IMPORTED.value]:
        text += " Imported links came from a file; whether they were drawn blindly is not known."
    value = gold_links.agreement.get("value")
    if value is not None and len(counted.link_votes) > 1:
        measure = gold_links.agreement.get("measure", "agreement")
        text += f" Agreement of annotators over the whole set ({measure}): {value:.3f}."
    return Section(
        "Word links",
        text,
        ("origin of annotators' links", "links"),
        [(origin, f"{count:,}") for origin, count in sorted(counted.origins.items())],
    )


def people(counted: Counted) -> list[Section]:
    """How much each annotator did of what was written; nothing where none is known."""
    labels, links = counted.label_votes, counted.link_votes
    rows = [(name, f"{labels[name]:,}", f"{links[name]:,}") for name in sorted({*labels, *links})]
    return [Section("Annotators", "", ("pseudonym", "judgements", "linked pairs"), rows)] if rows else []


def in_order(agreement: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """(what it is, value) of each figure; the database need not keep their order."""
    return [(title, agreement[name]) for name, title in FIGURES.items() if name in agreement]


def estimate(value: Mapping[str, Any]) -> tuple[str, str]:
    """A figure and the items that it is over, as text."""
    number = value.get("value")
    return ("undefined" if number is None else f"{number:.3f}", f"{value.get('items', 0):,}")
