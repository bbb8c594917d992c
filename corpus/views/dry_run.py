"""What an extraction would find: a dry run with the parameters of the launch form."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from corpus.forms.extractions import ExtractionForm
from corpus.services.dry_run import DryRun, dry_run
from corpus.services.presets import criteria_from
from paragold.extraction.criteria import PARAMETERS
from paragold.extraction.registry import EXTRACTION_METHODS
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import project_view

from .extractions import chosen_preset
from .histogram import histogram

# How far beyond what was counted a slider can be moved; the page counts again when it is.
FURTHER_DISTANCE, FURTHER_FIRST, FURTHER_LENGTH = 15, 7, 20
LONGEST_SHARED_WORD = 12


@dataclass(frozen=True, slots=True)
class Slider:
    """A threshold that can be moved from `low` to `high`; `open`: the far end stands for no limit."""

    name: str
    label: str
    low: int
    high: int
    open: bool = False


@dataclass(frozen=True, slots=True)
class Switch:
    """A parameter of two values; `on` is the one that a ticked box stands for."""

    name: str
    label: str
    on: str
    off: str


SWITCHES = (
    Switch("ratio_strict", "Ratio strict", "yes", "no"),
    Switch("distance", "Indel distance", "indel", "levenshtein"),
    Switch("placeholders", "Placeholders", "yes", "no"),
)


@require_http_methods(["GET", "HEAD", "POST"])
@project_view(check_manage)
def extraction_dry_run(request: HttpRequest, project: Project) -> HttpResponse:
    """Count with a preset (`?preset=`) and the parameters that were sent; nothing is stored or launched."""
    preset = chosen_preset(request, project)
    form = ExtractionForm(request.POST if request.method == "POST" else None, preset=preset)
    found: DryRun | None = None
    if not form.is_bound or form.is_valid():
        fields = form.cleaned_data if form.is_bound else {}
        seed = fields.get("seed")
        try:
            found = dry_run(
                project=project,
                criteria=criteria_from(project, preset.name, form.settings() if form.is_bound else None),
                sample=fields.get("sample"),
                seed=1 if seed is None else seed,
                kernel=fields.get("kernel", ""),
            )
        except PublicError as error:
            if form.is_bound:
                form.add_error(None, str(error))
    context = {
        "form": form,
        "preset": preset,
        "found": found,
        "clusters": project.clusters.of_corpus().exists(),
    }
    if found is not None:
        context |= {
            "histogram": histogram(found.distances),
            "distance": found.criteria.distance,
            "sliders": sliders(found),
            "switches": SWITCHES,
            "numbers": found.numbers(),
        }
    return render(request, "corpus/extraction_dry_run.html", context, status=200 if not form.errors else 422)


def sliders(found: DryRun) -> list[Slider]:
    """A slider for each threshold of the method; ratios are in percent."""
    counted, columns = found.counted, found.columns
    furthest, longest = max(columns.distance, default=0), max(columns.longer, default=0)
    greatest, first_n, most = counted.max_edit_distance, counted.first_n, counted.max_length

    def slider(name: str, low: int, high: int, *, no_limit: bool = False) -> Slider:
        return Slider(name, PARAMETERS[name].label, low, high, no_limit)

    all_of_them = [
        slider("min_edit_distance", 0, furthest + FURTHER_DISTANCE),
        slider(
            "max_edit_distance",
            0,
            furthest if greatest is None else greatest + FURTHER_DISTANCE,
            no_limit=greatest is None,
        ),
        slider("first_n", 1, (first_n or max(columns.position, default=0) + 1) + FURTHER_FIRST),
        slider("min_length_ratio", 0, 100),
        slider("first_length_ratio", 0, 100),
        slider("min_shared_words", 0, max(columns.shared, default=0)),
        slider("shared_word_length", 1, LONGEST_SHARED_WORD),
        slider("min_length", 1, longest),
        slider("max_length", 1, longest if most is None else most + FURTHER_LENGTH, no_limit=most is None),
    ]
    first = EXTRACTION_METHODS.get(counted.method).first_sentences
    has_effect = {"first_n": bool(first), "first_length_ratio": first == "also"}
    return [one for one in all_of_them if has_effect.get(one.name, True)]
