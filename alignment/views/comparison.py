"""Two aligners on one set of gold links: a summary, and the pairs on which they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

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
    by_difference,
    row_label,
)
from projects.downloads import attachment
from projects.errors import PublicError
from projects.listings import row_id
from projects.models import Project
from projects.views.figures import page_with_figures
from projects.views.lists import csv_asked
from projects.views.project_view import SAFE, project_view, show_field_error

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

    gold_set = forms.ModelChoiceField(queryset=GoldAlignmentSet.objects.none(), label="Gold links")
    a = forms.ChoiceField(label="Aligner A")
    b = forms.ChoiceField(label="Aligner B")

    def __init__(self, data: Any, *, project: Project) -> None:
        gold_sets = project.gold_alignment_sets.current()
        given = row_id(data.get("gold_set", ""))
        chosen = gold_sets.first() if given is None else gold_sets.filter(pk=given).first()
        self.sources = link_sources(chosen) if chosen else []
        known = [setting for setting, _ in self.sources]
        sides = [data.get(side, "") for side in ("a", "b")]
        self.chosen = [side if side in known else "" for side in sides]
        first = [choice for choice in known if choice not in self.chosen]
        filled = [choice or first.pop(0) if choice or first else "" for choice in self.chosen]
        super().__init__({"gold_set": chosen.pk if chosen else "", "a": filled[0], "b": filled[1]})
        for side in ("a", "b"):
            self.fields[side].choices = self.sources  # type: ignore[attr-defined]  # a ChoiceField
        self.fields["gold_set"].queryset = gold_sets  # type: ignore[attr-defined]  # a ModelChoiceField
        self.fields[
            "gold_set"
        ].help_text = "After choosing other gold links, press Compare to see their aligners."


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


@project_view(check_see_gold, SAFE)
def comparison(request: HttpRequest, project: Project) -> HttpResponse:
    """`?gold_set=`, `?a=`, `?b=`: what is compared; `?outcome=`, `?kind=`, `?page=`: the pairs shown."""
    form = ComparisonForm(request.GET, project=project)
    context: dict[str, Any] = {"form": form, "names": NAMES}
    if not all(form.chosen) or not form.is_valid():
        return render(request, "alignment/comparison.html", context)
    gold_set = form.cleaned_data["gold_set"]
    a, b = form.chosen
    try:
        compared, summary = compare_aligners(project=project, gold_set=gold_set, a=a, b=b)
    except PublicError as error:
        show_field_error(form, error)
        return render(request, "alignment/comparison.html", context, status=422)
    outcome = request.GET.get("outcome", "")
    outcome = outcome if outcome in OUTCOMES else ""
    kind = request.GET.get("kind", "")
    kind = kind if kind in KINDS else ""
    pairs = by_difference(compared, outcome=outcome, kind=kind)
    if csv_asked(request):
        headers = attachment(f"{project.slug}-comparison-{gold_set.pk}.csv", project)
        return HttpResponse(as_csv(pairs), content_type="text/csv; charset=utf-8", headers=headers)
    pages = max(1, -(-len(pairs) // PAIRS_A_PAGE))
    number = request.GET.get("page", "")
    page = min(pages, max(1, int(number))) if number.isascii() and number.isdigit() and len(number) < 7 else 1
    ids = pair_ids(gold_set)
    shown = [
        ShownPair(pair, ids[pair["number"] - 1], _ladder(pair))
        for pair in pairs[(page - 1) * PAIRS_A_PAGE : page * PAIRS_A_PAGE]
    ]
    chart = _chart(summary["links"])
    context |= {
        "gold_set": gold_set,
        "labels": [dict(form.sources)[setting] for setting in (a, b)],
        "comparison": summary,
        "rows": [
            (name, *(summary["scores"][side][words] for side in ("a", "b")), summary["tests"][words])
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
        "chart": chart,
        "whole": "?" + urlencode({"gold_set": gold_set.pk, "a": a, "b": b}),
    }
    figures = [chart, *(part.figure for part in shown)]
    return page_with_figures(request, "alignment/comparison.html", context, figures)


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
        title=f"Pair {pair['number']}: links of A and B; ● SURE, ○ POSSIBLE, × not in the gold",
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
        title="Links on which only one aligner is right",
        x_axis="links",
        digits=0,
    )
    return replace(chart, head=("Links", "Number"), rows=rows, text_columns=1) if chart else None
