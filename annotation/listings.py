"""The long lists of annotation as resources: annotated items with all answers, batches; pairs for a batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, gettext_noop as _
from django_filters import BooleanFilter, ChoiceFilter, DateFilter, DateTimeFilter, NumberFilter

from annotation.models import (
    Assignment,
    Batch,
    BatchKind,
    BatchState,
    Item,
    Pseudonym,
)
from annotation.permissions import check_see_answers, visible_items
from annotation.presenters import letter
from annotation.schemes import Label
from annotation.services.batch_figures import disputed_items
from annotation.services.batches import (
    add_to_batch,
    batches_that_grow,
    close_batch,
    delete_empty,
    flag,
    reopen_batch,
)
from annotation.services.item_agreement import agreement_of_items, agreement_of_labels
from annotation.services.review import Vote, votes_of
from corpus import resources as corpus
from projects.columns import Column, number
from projects.interface_language import in_language
from projects.listings import (
    Action,
    ActionForm,
    ListFilters,
    NamedFilters,
    ObjectFilter,
    Outcome,
    Resource,
    SortFilter,
    TextFilter,
    WholeNumberFilter,
    each,
)
from projects.models import Project, Scheme

STATE_WORDS = {
    "open": _("not answered"), "answered": _("answered"), "done": _("judged"),
    "skipped": _("skipped"), "flagged": _("flagged"),
}  # fmt: skip
DISAGREEMENT = [
    ("disputed", _("disputed")),
    ("undecided", _("disputed and undecided")),
    ("agreed", _("agreed")),
]
YES = "1"
BELOW = (
    "0 to 1, the mean over every two annotators: of labels the share who agree, of links 1 - average "
    "directional AER, of sub-clusters the adjusted Rand index."
)


class BatchForm(ActionForm):
    """The batch that something is added to."""

    batch = forms.ModelChoiceField(
        Batch.objects.none(),
        label=_("Batch"),
        required=False,  # the same form has buttons for other actions
        empty_label=_("choose a batch"),
        error_messages={"invalid_choice": gettext_lazy("That is not an open judging batch.")},
    )

    def __init__(self, *args: Any, project: Project, **kwargs: Any) -> None:
        super().__init__(*args, project=project, **kwargs)
        field = self.fields["batch"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - for the type checker
        field.queryset = batches_that_grow(project)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not self.errors and cleaned["batch"] is None:
            self.add_error("batch", gettext("Choose an open judging batch; draw one first if there is none."))
        return cleaned


def _add_pairs(rows: list[Any], by: User, batch: Batch) -> Outcome:
    added = add_to_batch(batch=batch, by=by, pairs=[row.pk for row in rows])
    return _added(rows, [row.pk in added for row in rows], batch)


def _add_items(rows: list[Item], by: User, batch: Batch) -> Outcome:
    added = add_to_batch(batch=batch, by=by, pairs=[row.pair_id for row in rows if row.pair_id])
    return _added(rows, [row.pair_id in added for row in rows], batch)


def _added(rows: list[Any], added: list[bool], batch: Batch) -> Outcome:
    there = gettext("%(batch)s holds the pair already.") % {"batch": batch}
    return Outcome(
        [row for row, new in zip(rows, added, strict=True) if new],
        [(row, there) for row, new in zip(rows, added, strict=True) if not new],
    )


PAIRS = replace(
    corpus.PAIRS,
    actions=(Action("add", _("Add to the batch"), _("added to the batch"), _add_pairs, form=BatchForm),),
)


class BatchListFilters(NamedFilters):
    state = ChoiceFilter(
        label=_("State"), choices=in_language(BatchState.choices), empty_label=_("any state")
    )
    kind = ChoiceFilter(label=_("Work"), choices=in_language(BatchKind.choices), widget=forms.HiddenInput)
    sort = SortFilter({"id": "pk", "name": "name", "state": "state"})
    not_narrowing = ("sort", "kind", "archived")


BATCHES = Resource(
    name="batches",
    noun="batch",
    plural="batches",
    objects=Batch.objects.all(),
    filters=BatchListFilters,
    order="-id",
    columns=(
        Column(_("Batch"), sort="name"),
        number(_("Answers")),
        number(_("Expected")),
        Column(_("Progress"), css="bar"),
        Column(_("By annotator")),
        Column(_("State"), sort="state"),
        number(_("Drawn"), sort="id"),
    ),
    actions=(
        Action("close", _("Close"), _("closed"), each(lambda batch, by: close_batch(batch=batch))),
        Action("reopen", _("Reopen"), _("open again"), each(lambda batch, by: reopen_batch(batch=batch))),
        Action("delete", _("Delete empty batches"), _("deleted"), each(delete_empty), destroys=True),
    ),
)


class ItemFilters(ListFilters):
    """Filters of items by their answers; people have the numbers of their pseudonyms.

    person and other: both labelled it. label, other_label: their labels; without persons, those of any two
    people. state: of the answer of the person, or of anybody. first, last: when it was judged last.
    """

    kind = ChoiceFilter(
        label=_("Work"),
        choices=in_language(BatchKind.choices),
        empty_label=_("any"),
        field_name="batch__kind",
    )
    batch = ObjectFilter(Batch, "batch", label=_("Batch"), empty_label=_("any batch"))
    person = WholeNumberFilter(label=_("Annotator"), widget=forms.Select)
    label = ChoiceFilter(label=_("Label"), choices=in_language(Label.choices), empty_label=_("any label"))
    disagreement = ChoiceFilter(label=_("Agreement"), choices=in_language(DISAGREEMENT), empty_label=_("any"))
    below = NumberFilter(
        label=_("Agreement below"),
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "any", "title": BELOW}),
        help_text=BELOW,
    )
    state = ChoiceFilter(
        label=_("Answer"), choices=in_language(list(STATE_WORDS.items())), empty_label=_("any")
    )
    flagged = ChoiceFilter(label=_("Flags"), choices=in_language([(YES, _("flagged"))]), empty_label=_("any"))
    comment = ChoiceFilter(
        label=_("Comments"), choices=in_language([(YES, _("with a comment"))]), empty_label=_("any")
    )
    q = TextFilter(label=_("Text or comment"))
    since = DateFilter(label=_("Answered from"), widget=forms.DateInput(attrs={"type": "date"}))
    until = DateFilter(label=_("Answered to"), widget=forms.DateInput(attrs={"type": "date"}))
    other = WholeNumberFilter(label=_("Other annotator"), widget=forms.HiddenInput)
    other_label = ChoiceFilter(
        label=_("Other label"), choices=in_language(Label.choices), widget=forms.HiddenInput
    )
    shared = BooleanFilter(label=_("Two labels or more"), widget=forms.HiddenInput)
    day = DateFilter(label=_("Answered on"), widget=forms.HiddenInput)
    first = DateTimeFilter(label=_("Judged last from"), widget=forms.HiddenInput)
    last = DateTimeFilter(label=_("Judged last to"), widget=forms.HiddenInput)
    scheme = ChoiceFilter(label=_("Scheme"), choices=in_language(Scheme.choices), widget=forms.HiddenInput)
    sort = SortFilter({"id": "pk", "number": "number", "answered": "answered", "answers": "answers_given"})

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.request is not None:
            numbers = sorted(self._people())
            self.form.fields["person"].widget.choices = [
                ("", "anybody"),
                *((number, letter(f"annotator-{number}")) for number in numbers),
            ]

    def _people(self) -> dict[int, int]:
        rows = Pseudonym.objects.filter(project=self.request.project)
        return dict(rows.values_list("number", "user_id"))

    @property
    def pair_filters(self) -> dict[str, Any]:
        """The valid filters, with ids of users for people; a number that nobody has is left out."""
        chosen, people = dict(self.chosen), self._people()
        users = {name: people.get(chosen.pop(name, None)) for name in ("person", "other")}
        return chosen | {name: user for name, user in users.items() if user}

    def filter_queryset(self, queryset: QuerySet[Item]) -> QuerySet[Item]:
        return filtered_items(queryset, self.pair_filters)


def items_of(user: Any, project: Project) -> QuerySet[Item]:
    """The items whose answers the user may see, of batches that are not archived."""
    return reviewed_items(user, project).filter(batch__in=Batch.objects.current().filter(project=project))


def reviewed_items(user: Any, project: Project) -> QuerySet[Item]:
    """The items whose answers the user may see, of any batch."""
    answers = Assignment.objects.filter(item=OuterRef("pk")).order_by().values("item")
    latest = answers.annotate(latest=Max("answered_at")).values("latest")
    given = answers.filter(~Q(state="open")).annotate(given=Count("pk")).values("given")
    # Not by a join, in which a database may forget that the items of a batch are in the order of an index.
    created = Batch.everything.filter(pk=OuterRef("batch")).values("created_at")
    return (
        visible_items(user, project)
        .select_related("batch__project")
        .annotate(
            answered=Coalesce(Subquery(latest), Subquery(created)),
            answers_given=Coalesce(Subquery(given), 0),
        )
    )


def filtered_items(items: QuerySet[Item], filters: Mapping[str, Any]) -> QuerySet[Item]:
    """The `items` that pass all filters, see `ItemFilters`."""
    person, other, label, other_label = map(filters.get, ("person", "other", "label", "other_label"))
    for name in ("batch", "batch__kind", "batch__scheme"):
        if value := filters.get(name.removeprefix("batch__")):
            items = items.filter(**{name: value})
    if person and other:
        items = items.filter(Exists(_labelled(person, label)), Exists(_labelled(other, other_label)))
    elif label and other_label and label != other_label:
        items = items.filter(Exists(_labelled(None, label)), Exists(_labelled(None, other_label)))
    elif label and other_label:
        given = Count("assignments", filter=Q(assignments__judgement__label=label))
        items = items.annotate(same_label=given).filter(same_label__gt=1)
    elif label:
        items = items.filter(Exists(_labelled(person, label)))
    if (person and not other) or {"state", "day", "since", "until"} & set(filters):
        items = items.filter(Exists(_answers(filters)))
    if "shared" in filters:
        items = items.annotate(label_count=Count("assignments__judgement")).filter(label_count__gt=1)
    if "first" in filters and "last" in filters:
        finished = Max("assignments__answered_at", filter=Q(assignments__judgement__isnull=False))
        items = items.annotate(finished=finished).filter(finished__range=(filters["first"], filters["last"]))
    if disagreement := filters.get("disagreement"):
        labelled = _labelled(None, None).values("item").annotate(labels=Count("pk")).filter(labels__gt=1)
        differ = Exists(disputed_items(Item.objects.filter(pk=OuterRef("pk")).order_by()))
        others = agreement_of_items(items)  # of links and clusters
        if disagreement == "agreed":
            alike = [pk for pk, answers in others.items() if not answers.differ]
            items = items.filter(Exists(labelled) & ~differ | Q(pk__in=alike))
        else:
            items = items.filter(differ | Q(pk__in=[pk for pk, answers in others.items() if answers.differ]))
            items = items.filter(decisions=None) if disagreement == "undecided" else items
    if (below := filters.get("below")) is not None:
        values = agreement_of_items(items) | agreement_of_labels(items)
        low = [pk for pk, value in values.items() if value.value is not None and value.value < below]
        items = items.filter(pk__in=low)
    there = Assignment.objects.filter(item=OuterRef("pk"))
    if "flagged" in filters:
        items = items.filter(Q(flagged=True) | Exists(there.filter(flagged=True)))
    if "comment" in filters:
        items = items.filter(Exists(there.exclude(comment="")))
    if text := filters.get("q"):
        commented = Exists(there.filter(comment__icontains=text))
        a, b = (Q(**{f"pair__sentence_{side}__text__icontains": text}) for side in "ab")
        items = items.filter(commented | a | b)
    return items


def _answers(filters: Mapping[str, Any]) -> QuerySet[Assignment]:
    """The answers, of the person if one is asked for, to the item of an outer query."""
    answers = Assignment.objects.filter(item=OuterRef("pk"))
    state = filters.get("state")
    if "person" in filters:
        answers = answers.filter(annotator=filters["person"])
    if state == "flagged":
        answers = answers.filter(flagged=True)
    elif state is not None and state != "answered":
        answers = answers.filter(state=state)
    if state == "answered" or {"day", "since", "until"} & set(filters):
        answers = answers.exclude(state="open")
    # Moments rather than dates: SQLite knows no time zones.
    if since := filters.get("day", filters.get("since")):
        answers = answers.filter(answered_at__gte=_midnight(since))
    if until := filters.get("day", filters.get("until")):
        answers = answers.filter(answered_at__lt=_midnight(until + timedelta(days=1)))
    return answers


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _labelled(person: int | None, label: str | None) -> QuerySet[Assignment]:
    """The answers with a label to the item of an outer query, of one person and with one label if given."""
    answers = Assignment.objects.filter(item=OuterRef("pk"), judgement__isnull=False)
    answers = answers.filter(annotator=person) if person else answers
    return answers.filter(judgement__label=label) if label else answers


def item_cells(project: Project, items: list[Item]) -> Iterator[Sequence[Any]]:
    """A line for each answer, one without an answer for an item that has none.

    differing, agreement: of links and sub-clusters, see `ItemAgreement`.
    """
    agreements = agreement_of_items(Item.objects.filter(pk__in=[item.pk for item in items]))
    votes = votes_of(project, [item.pk for item in items])
    pairs = Item.objects.select_related("pair__sentence_a", "pair__sentence_b", "pair__cluster", "cluster")
    by_id = pairs.prefetch_related("decisions").in_bulk([item.pk for item in items])
    for item in (by_id[item.pk] for item in items):
        pair = item.pair if item.pair_id else None
        about: tuple[Any, ...] = (item.batch_id, item.number, item.flagged)
        about += (
            (pair.cluster.key, pair.pk, pair.sentence_a.text, pair.sentence_b.text)
            if pair
            else (*(item.cluster.key, None, "", ""),)
        )
        decision = max(item.decisions.all(), key=lambda row: row.version, default=None)
        decided = decision.label if decision else ""
        agreement = agreements.get(item.pk)
        alike = (agreement.differing, agreement.value) if agreement else ("", "")
        given: list[Vote | None] = [*votes.get(item.pk, [])]
        for vote in given or [None]:
            words = (
                (letter(vote.annotator), vote.word, vote.flagged, vote.comment, vote.at)
                if vote
                else (*("", "", "", "", ""),)
            )
            yield *about, *words, decided, *alike


ITEMS = Resource(
    name="items",
    noun="item",
    objects=Item.objects.all(),
    visible=items_of,
    project_path=("batch", "project"),
    filters=ItemFilters,
    check=check_see_answers,
    columns=(
        Column(_("Item"), sort="id"),
        Column(_("Sentences or headlines")),
        Column(_("Answers"), sort="answers"),
        Column(_("State")),
        number(_("Latest answer"), sort="answered"),
    ),
    actions=(
        Action("flag", _("Flag"), _("flagged"), each(flag)),
        Action(
            "unflag", _("Remove the flag"), _("without your flag"), each(lambda row, by: flag(row, by, False))
        ),
        Action("add", _("Add to the batch"), _("added to the batch"), _add_items, form=BatchForm),
    ),
    head=(
        *("batch", "number", "flagged_by_manager", "cluster", "pair", "a", "b"),
        *("annotator", "answer", "flagged", "comment", "answered_at", "decided", "differing", "agreement"),
    ),
    cells=item_cells,
)


class ReviewFilters(ItemFilters):
    """Filters of the items of one batch, on its review page."""

    kind = ChoiceFilter(
        label=_("Work"),
        choices=in_language(BatchKind.choices),
        field_name="batch__kind",
        widget=forms.HiddenInput,
    )
    batch = ObjectFilter(Batch, "batch", label=_("Batch"), widget=forms.HiddenInput)
    disagreement = ChoiceFilter(
        label=_("Agreement"), choices=in_language(DISAGREEMENT), widget=forms.HiddenInput
    )
    flagged = ChoiceFilter(
        label=_("Flags"), choices=in_language([(YES, _("flagged"))]), widget=forms.HiddenInput
    )
    not_narrowing = ("sort", "kind", "batch", "disagreement", "flagged")


# The same items with the same actions, so under the same name, in the reviews of batches.
REVIEW = replace(
    ITEMS,
    visible=reviewed_items,
    filters=ReviewFilters,
    order="number",
    columns=(replace(ITEMS.columns[0], sort="number"), *ITEMS.columns[1:]),
)
