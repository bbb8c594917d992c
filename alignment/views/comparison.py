"""Two aligners on one set of gold links: a summary, and the pairs on which they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext, gettext_noop as _

from alignment.models import GoldAlignmentSet
from alignment.services.aligner_comparison import compare_aligners, link_sources, pair_ids
from alignment.services.experiment_tables import NAMES
from annotation.permissions import check_see_gold
from paragold.charts import Chart, ranked_chart
from paragold.metrics.link_comparison import (
    KINDS,
    OUTCOMES,
    STRENGTHS,
    ComparedPair,
    as_csv,
    as_json,
    by_difference,
    row_label,
)
from projects.errors import PublicError
from projects.listings import row_id
from projects.models import Project
from projects.reports import Asked, Report, report
from projects.views.project_view import show_field_error

from .ladder import Ladder, ladder, point_on

PAIRS_A_PAGE = 10
LETTERS = {"AB": "A B", "A": "A", "B": "B", "": "–"}
DRAWN_BY = {
    "AB": ("grid by-both", 0.5),
    "A": ("series by-a", 0.3),
    "B": ("series second by-b", 0.7),
    "": ("series third by-none", 0.5),
}
"""By who drew a link: the classes of its curve, and where on it the letters are."""
SHAPES = {"sure": "●", "possible": "○", "none": "×"}


class ComparisonForm(forms.Form):
    """Which gold set and which two aligners; the choices of aligners are those with links on the gold set."""

    gold_set = forms.ModelChoiceField(
        queryset=GoldAlignmentSet.objects.none(), required=False, label=_("Gold links")
    )
    a = forms.ChoiceField(label=_("Aligner A"))
    b = forms.ChoiceField(label=_("Aligner B"))

    outcome = forms.ChoiceField(choices=OUTCOMES.items(), required=False, widget=forms.HiddenInput)
    kind = forms.ChoiceField(
        choices=[(kind, label) for kind, (label, _meaning) in KINDS.items()],
        required=False,
        widget=forms.HiddenInput,
    )

    def __init__(self, data: Any, project: Project) -> None:
        gold_sets = project.gold_alignment_sets.current()
        given = row_id(data.get("gold_set", ""))
        chosen = gold_sets.first() if given is None else gold_sets.filter(pk=given).first()
        self.sources = link_sources(chosen) if chosen else []
        known = [setting for setting, _label in self.sources]
        sides = [data.get(side, "") for side in ("a", "b")]
        self.chosen = [side if side in known else "" for side in sides]
        first = [choice for choice in known if choice not in self.chosen]
        filled = [choice or first.pop(0) if choice or first else "" for choice in self.chosen]
        given_filters = {name: data[name] for name in ("outcome", "kind") if name in data}
        gold_set = chosen.pk if chosen else data.get("gold_set", "")
        super().__init__({"gold_set": gold_set, "a": filled[0], "b": filled[1]} | given_filters)
        for side in ("a", "b"):
            self.fields[side].choices = self.sources  # type: ignore[attr-defined]  # a ChoiceField
            self.fields[side].required = bool(self.sources)
        self.fields["gold_set"].queryset = gold_sets  # type: ignore[attr-defined]  # a ModelChoiceField
        self.fields["gold_set"].help_text = gettext(
            "After choosing other gold links, press Compare to see their aligners."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderChart(Chart):
    """The ladder of a pair as a chart: its links with who drew them."""

    ladder: Ladder
    links: list[DrawnLink]


@dataclass(frozen=True, slots=True)
class DrawnLink:
    """A link in the ladder: its curve, and where its letters and its shape are."""

    compared: Mapping[str, Any]
    path: str
    classes: str
    x: float
    y: float
    words: tuple[str, str]

    @property
    def mark(self) -> str:
        return f"{LETTERS[self.compared['drawn_by']]} {SHAPES[self.compared['strength']]}"

    @property
    def plain(self) -> bool:
        """Drawn by both, and SURE: nothing to look at."""
        return self.compared["drawn_by"] == "AB" and self.compared["strength"] == "sure"

    @property
    def outcome(self) -> str:
        return OUTCOMES[self.compared["outcome"]]

    @property
    def gold(self) -> str:
        return STRENGTHS[self.compared["strength"]]

    @property
    def drawn_by(self) -> str:
        return {"AB": "both", "": "neither"}.get(self.compared["drawn_by"], self.compared["drawn_by"])

    @property
    def kinds(self) -> str:
        names = dict.fromkeys(kind for kind in (self.compared["kind_a"], self.compared["kind_b"]) if kind)
        return ", ".join(KINDS[kind][0] for kind in names)


@dataclass(frozen=True, slots=True)
class ShownPair:
    pair: ComparedPair
    pair_id: int
    figure: LadderChart

    @property
    def links(self) -> list[DrawnLink]:
        """The links that the table lists: all wrong ones, and POSSIBLE ones that were drawn."""
        return sorted(
            (
                link
                for link in self.figure.links
                if (link.compared["drawn_by"] and not link.plain) or link.compared["outcome"] != "both_right"
            ),
            key=lambda row: row.compared["link"],
        )


@report("alignment/comparison.html", check_see_gold, choices=ComparisonForm)
def comparison(asked: Asked) -> Report:
    """Two aligners compared on gold links: who is right where; without `a` and `b` those there are.

    `?outcome=`, `?kind=`, `?page=`: the pairs shown.
    """
    form, query = asked.form, asked.request.GET
    gold_set = form.cleaned_data.get("gold_set")
    answer = {"gold_set": gold_set and gold_set.pk, "aligners": dict(form.sources)}
    a, b = [query.get(side, "") for side in ("a", "b")] if asked.by_program else form.chosen
    if gold_set is None or not a or not b:
        return Report(answer=answer)
    try:
        compared, summary = compare_aligners(project=asked.project, gold_set=gold_set, a=a, b=b)
    except PublicError as error:
        show_field_error(form, error)
        return Report(answer=answer, status=422)
    outcome, kind = (asked.chosen.get(name, "") for name in ("outcome", "kind"))
    pairs = by_difference(compared, outcome=outcome, kind=kind)
    if asked.by_program:
        answer |= {"pairs": [as_json(pair) for pair in pairs]}

    def page() -> dict[str, Any]:
        pages = max(1, -(-len(pairs) // PAIRS_A_PAGE))
        number = row_id(query.get("page", "")) or 1
        page = min(pages, number)
        ids = pair_ids(gold_set)
        shown = [
            ShownPair(pair, ids[pair["number"] - 1], _ladder(pair))
            for pair in pairs[(page - 1) * PAIRS_A_PAGE : page * PAIRS_A_PAGE]
        ]
        return {
            "gold_set": gold_set,
            "labels": [answer["aligners"][setting] for setting in (a, b)],
            "rows": [
                (
                    gettext(name),
                    *(summary["scores"][side][words] for side in ("a", "b")),
                    summary["tests"][words],
                )
                for words, name in NAMES.items()
            ],
            "outcomes": OUTCOMES.items(),
            "links": [(row_label(row), [row[outcome] for outcome in OUTCOMES]) for row in summary["links"]],
            "totals": summary["totals"].items(),
            "outcome": outcome,
            "kinds": [(k, label, definition) for k, (label, definition) in KINDS.items()],
            "errors": list(zip(*summary["errors"].values(), strict=True)),
            "kind": kind,
            "pairs": shown,
            "count": len(pairs),
            "page": page,
            "pages": pages,
            "chart": _chart(summary["links"]),
            "whole": "?" + urlencode({"gold_set": gold_set.pk, "a": a, "b": b}),
        }

    return Report(
        answer=answer | {"comparison": summary},
        page=page,
        figures=lambda context: [context["chart"], *(part.figure for part in context["pairs"])],
        name=f"comparison-{gold_set.pk}",
        files={"csv": lambda: as_csv(pairs)},
    )


def _ladder(pair: ComparedPair) -> LadderChart:
    source, target = pair["gold"].tokens
    drawing = ladder(source, target, [(*row["link"], row["outcome"]) for row in pair["links"]])
    links = []
    for compared, curve in zip(pair["links"], drawing.links, strict=True):
        classes, share = DRAWN_BY[compared["drawn_by"]]
        if compared["strength"] == "possible" and not compared["drawn_by"]:
            classes = "grid by-neither"
        a, b = compared["link"]
        place = point_on(a, b, share)
        links.append(DrawnLink(compared, curve.path, classes, *place, (curve.word_a, curve.word_b)))
    # What differs is drawn above what does not.
    links.sort(key=lambda link: (not link.plain, link.compared["outcome"] != "both_right"))
    return LadderChart(
        name=f"pair-{pair['number']}",
        title=gettext("Pair %(number)s: links of A and B; ● SURE, ○ POSSIBLE, × not in the gold")
        % {"number": pair["number"]},
        width=drawing.width,
        height=drawing.height,
        ladder=drawing,
        links=links,
        marks_template="alignment/_compared_marks.svg",
    )


def _chart(links: list[dict[str, Any]]) -> Chart | None:
    """The links on which just one aligner is right, by strength and words."""
    rows = [
        (f"{row_label(row)}: {OUTCOMES[outcome]}", row[outcome])
        for row in links
        for outcome in ("only_a", "only_b")
        if row["strength"] != "possible"
    ]
    chart = ranked_chart(
        [(name, float(count), None, False) for name, count in rows],
        name="who-is-right",
        title=gettext("Links on which only one aligner is right"),
        x_axis=gettext("links"),
        digits=0,
    )
    return (
        replace(chart, head=(gettext("Links"), gettext("Number")), rows=rows, text_columns=1)
        if chart
        else None
    )
