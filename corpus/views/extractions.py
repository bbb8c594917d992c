"""Candidates: launching extractions and matchings, their dry runs and estimates; following them."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_noop as _

from corpus.forms import ENCODINGS, ExtractionForm
from corpus.models import Extraction
from corpus.resources import EXTRACTIONS
from corpus.services.characteristics import distances_of, pairs_of
from corpus.services.dry_run import AT_ONCE, SOON, DryRun, dry_run, yields
from corpus.services.extraction import extraction_cost, launch_extraction
from corpus.services.method_settings import extraction_rows, settings_in_words
from corpus.services.presets import criteria_from, delete_preset, presets_of, save_preset
from corpus.services.text_matching import MAX_PAIRS, launch_text_matching
from corpus.services.uploads import on_disk
from jobs.launch_form import check_confirmed
from paragold.extraction.criteria import EXTRACTION_METHODS, Criteria
from paragold.extraction.presets import PRESETS, RECOMMENDED, Preset
from paragold.matching.specs import MatchingSpec
from paragold.spec import Spec
from projects.errors import PublicError
from projects.forms.spec_form import SpecForm
from projects.interface_language import in_language
from projects.models import Project
from projects.permissions import check_manage, check_read_corpus
from projects.views.figures import page_with_figures
from projects.views.lists import list_response, table_of
from projects.views.project_view import FORM, POST, SAFE, project_view, submitted, user_of

from .charts import distances_figure, pairs_between
from .datasets import presets_form
from .uploads import SizeLimit, bounded_upload, submitted_files

# The counts of a job in the order of what happens to a pair, with the words for them.
COUNTS = (
    ("clusters", "clusters"),
    ("articles", "articles"),
    ("sentences", "sentences"),
    ("repeated_headlines", _("headlines that repeat another, left out")),
    ("pairs_compared", _("pairs compared")),
    ("rejected_same_text", _("rejected: differ in punctuation only")),
    ("rejected_held_out", _("rejected: one side held out")),
    ("rejected_seen_before", _("rejected: seen before")),
    ("rejected_better_partner", _("rejected: a sentence has a better partner")),
    ("pairs_across_clusters", _("pairs of two clusters")),
)


# The sliders of a dry run: a threshold, its lowest and highest value, those of ratios in percent. A value
# beyond the highest can be typed into its field.
SLIDERS = (
    ("min_edit_distance", 0, 40),
    ("max_edit_distance", 0, 40),
    ("first_n", 1, 20),
    ("min_length_ratio", 0, 100),
    ("first_length_ratio", 0, 100),
    ("min_shared_words", 0, 20),
    ("shared_word_length", 1, 12),
    ("min_length", 1, 40),
    ("max_length", 1, 80),
)

# Parameters of two values; "on" is that of a ticked box.
SWITCHES = [
    {"name": name, "label": label, "on": on, "off": off}
    for name, label, on, off in (
        ("ratio_strict", _("Strict length ratio"), "yes", "no"),
        ("distance", _("Indel distance"), "indel", "levenshtein"),
        ("placeholders", _("Placeholders"), "yes", "no"),
        ("same_article", _("Pairs within one article"), "yes", "no"),
    )
]


@project_view(check_read_corpus, SAFE)
def candidates(request: HttpRequest, project: Project) -> HttpResponseBase:
    context = {
        "clusters": project.clusters.of_corpus().exists(),
        "datasets": project.datasets.current().exists(),
        "pairs": pairs_of(project),
        "presets": [(saved, saved.as_preset()) for saved in project.presets.select_related("created_by")],
    }
    extractions = table_of(request, project, EXTRACTIONS)
    return list_response(request, project, "corpus/candidates.html", extractions, **context)


@project_view(check_manage, FORM)
def new_extraction(request: HttpRequest, project: Project) -> HttpResponse:
    """Choose a preset (`?preset=`), change what is to be changed, launch."""
    preset = chosen_preset(request, project)
    form = ExtractionForm(request.POST if request.method == "POST" else None, preset=preset)
    if form.is_bound and form.is_valid():
        cost = extraction_cost(project, preset.criteria.replace(**form.settings()))
        check_confirmed(
            form,
            gettext("This extraction (%(processes)s)") % {"processes": cost.processes},
            cost.seconds,
            "confirmed_time",
        )
    by = user_of(request)
    if made := submitted(form, lambda: launch_extraction(project=project, by=by, **form.arguments())):
        messages.success(request, gettext("The extraction %(name)s is launched.") % {"name": made.name})
        return redirect("extraction", project.slug, made.pk)
    return launch_page(request, project, form)


@project_view(check_read_corpus, SAFE)
def extraction(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    extraction = get_object_or_404(project.extractions.select_related("job__requested_by"), pk=pk)
    counts = extraction.job.counts
    context = {
        "extraction": extraction,
        "job": extraction.job,
        "rows": extraction_rows([extraction.criteria]) if extraction.criteria else [],
        "settings": [] if extraction.criteria else settings_in_words(extraction),
        "counts": [(gettext(words), counts[name]) for name, words in COUNTS if name in counts],
        "kept": counts.get("pairs_kept"),
        "work_seconds": counts.get("milliseconds", 0) / 1000,
    }
    distances = None
    if extraction.finished:
        distances = distances_figure(
            distances_of(extraction), indel=False, url=pairs_between(project, f"extraction={extraction.pk}")
        )
        context |= {
            "distances": distances,
            "datasets": extraction.datasets.all(),
            "dataset": extraction.datasets.order_by("pk").first(),
        }
        several = presets_form(extraction)
        if counts.get("pairs_kept") and several.fields["presets"].initial:
            context["several"] = several
    return page_with_figures(request, "corpus/extraction.html", context, [distances])


def chosen_preset(request: HttpRequest, project: Project) -> Preset:
    """The preset of `?preset=`, or the recommended one."""
    known = presets_of(project)
    return known.get(request.GET.get("preset", ""), PRESETS[RECOMMENDED])


def launch_page(request: HttpRequest, project: Project, form: ExtractionForm) -> HttpResponse:
    """The page where an extraction is launched; 422 when the form was sent and cannot be used."""
    known = presets_of(project)
    criteria = form.preset.criteria
    if form.parameters_valid:
        criteria = criteria.replace(**form.settings())
    counted = "yields" in request.GET
    expected = yields(project, known.values()) if counted else {}
    context: dict[str, Any] = {
        "form": form,
        "preset": form.preset,
        "counted": counted,
        "presets": [(preset, expected.get(preset.name)) for preset in known.values()],
        "rows": extraction_rows([preset.criteria.as_json() for preset in known.values()]),
        "clusters": project.clusters.of_corpus().count(),
        "costs": [(gettext("With the parameters above"), extraction_cost(project, criteria))],
    }
    return render(request, "corpus/extraction_new.html", context, status=422 if form.is_bound else 200)


@project_view(check_manage, POST)
def new_preset(request: HttpRequest, project: Project) -> HttpResponse:
    """Save the parameters of the launch form under a name."""
    form = ExtractionForm(request.POST, preset=chosen_preset(request, project))
    saved = submitted(
        form,
        lambda: save_preset(
            project=project,
            by=user_of(request),
            name=form.cleaned_data["preset_name"],
            preset=form.preset.name,
            settings=form.settings(),
        ),
    )
    if saved:
        messages.success(
            request,
            gettext("The preset %(name)s is saved. It can be chosen like any other.") % {"name": saved.name},
        )
        query = urlencode({"preset": saved.name})
        return redirect(f"{reverse('extraction-new', args=[project.slug])}?{query}")
    return launch_page(request, project, form)


@project_view(check_manage, POST)
def preset_delete(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    preset = get_object_or_404(project.presets, pk=pk)
    delete_preset(preset=preset)
    messages.info(
        request,
        gettext("The preset %(name)s is deleted. What was extracted with it stays.") % {"name": preset.name},
    )
    return redirect("candidates", project.slug)


@project_view(check_manage, FORM)
def extraction_dry_run(request: HttpRequest, project: Project) -> HttpResponse:
    """Count with a preset (`?preset=`), on few clusters, or with the parameters that were sent, on more;
    nothing is stored or launched.
    """
    preset = chosen_preset(request, project)
    form = ExtractionForm(request.POST if request.method == "POST" else None, preset=preset)
    follows = bool(request.headers.get("HX-Request"))  # what is changed in the form, without a button
    limit = AT_ONCE if not form.is_bound else SOON if follows else None
    counted: DryRun | None = None
    if not form.is_bound or form.is_valid():
        fields = form.cleaned_data if form.is_bound else {}
        seed = fields.get("seed")
        try:
            counted = dry_run(
                project=project,
                criteria=criteria_from(project, preset.name, form.settings() if form.is_bound else None),
                sample=fields.get("sample"),
                seed=1 if seed is None else seed,
                seconds=limit,
            )
        except PublicError as error:
            if form.is_bound:
                form.add_error(None, str(error))
    context = {
        "form": form,
        "preset": preset,
        "counted": counted,
        "clusters": project.clusters.of_corpus().exists(),
        "sliders": sliders(form, counted.criteria if counted else preset.criteria),
        "switches": SWITCHES,
    }
    if counted is not None:
        context["distances"] = distances_figure(counted.distances, indel=counted.criteria.distance == "indel")
    # What follows the form is shown with its errors too.
    status = 422 if form.errors and not follows else 200
    return render(request, "corpus/extraction_dry_run.html", context, status=status)


def sliders(form: ExtractionForm, criteria: Criteria) -> list[dict[str, Any]]:
    """A slider for each threshold that limits what the method of these criteria finds."""
    first = EXTRACTION_METHODS.get(criteria.method).first_sentences
    has_effect = {"first_n": bool(first), "first_length_ratio": first == "also"}
    return [
        {
            "name": name,
            "label": form[name].label,
            "low": low,
            "high": high,
            "open": getattr(criteria, name) is None,  # the far end is no limit
        }
        for name, low, high in SLIDERS
        if has_effect.get(name, True)
    ]


class TextFilesForm(SpecForm):
    """Two files of texts and how they are compared."""

    spec_class: ClassVar[type[Spec]] = MatchingSpec
    first = forms.FileField(
        label=_("Texts"),
        help_text=_("Lines of id TAB text, a paragraph or a sentence each, or TSV with columns id and text."),
    )
    second = forms.FileField(
        label=_("Other texts"),
        help_text=_("In the same format, to be compared with the first."),
    )
    encoding = forms.ChoiceField(
        choices=in_language(ENCODINGS),
        initial="utf-8",
        required=False,
        help_text=_("Character encoding of the files."),
    )

    def opened(self, stack: ExitStack, *names: str) -> list[tuple[Path, str]]:
        """The files that were sent under these names, on the disk until the stack is closed."""
        sent = [file for name in names if (file := self.cleaned_data[name])]
        return [(stack.enter_context(on_disk(file.chunks())), file.name) for file in sent]


class TextMatchingForm(TextFilesForm):
    name = forms.CharField(
        max_length=70,
        required=False,
        help_text=_("Name of the dataset. Leave empty to use method and threshold."),
    )
    field_order = ("name", "first", "second", "encoding", "method")


@bounded_upload
@project_view(check_manage)
def new_text_matching(request: HttpRequest, project: Project, limit: SizeLimit) -> HttpResponse:
    sent = request.method == "POST"
    form = TextMatchingForm(request.POST if sent else None, request.FILES if sent else None)
    if made := submitted_files(form, limit, lambda: _launch(request, project, form)):
        messages.success(
            request,
            gettext("The pairs of %(name)s are stored. Their dataset is being made.") % {"name": made.name},
        )
        return redirect("extraction", project.slug, made.pk)
    context = {"form": form, "max_pairs": MAX_PAIRS}
    return render(request, "corpus/text_matching_new.html", context, status=422 if form.errors else 200)


def _launch(request: HttpRequest, project: Project, form: TextMatchingForm) -> Extraction:
    given = form.cleaned_data
    with ExitStack() as stack:
        return launch_text_matching(
            project=project,
            by=user_of(request),
            files=form.opened(stack, "first", "second"),
            spec=form.spec,
            name=given["name"],
            encoding=given["encoding"] or "utf-8",
        )
