"""An assignment as the annotation pages and the API show it to its annotator, and to nobody else."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils.module_loading import import_string
from rest_framework import serializers

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchKind,
    HandingOut,
    ItemHeadline,
    PhenomenonCount,
)
from annotation.models.item import AssignmentQuerySet
from annotation.schemes import Label
from annotation.services.leasing import lease_items
from annotation.services.progress import own_progress
from annotation.services.second_pass import running_second_pass
from corpus.models import CandidatePair, Sentence
from paragold.languages import language as language_of
from projects.models import Project, Scheme


class ItemSentenceSerializer(serializers.Serializer[Any]):
    """`starts` are the offsets of the tokens in `text`, in code points."""

    text = serializers.CharField()
    tokens = serializers.ListField(child=serializers.CharField())
    starts = serializers.ListField(child=serializers.IntegerField())
    language = serializers.CharField()
    direction = serializers.ChoiceField(choices=["ltr", "rtl", "auto"])


class ItemHeadlineSerializer(serializers.Serializer[Any]):
    """The title of an article of a cluster; `number` names it in placements and sub-clusters."""

    number = serializers.IntegerField(help_text="Its place, from 1.")
    text = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # a field of that name, not the framework's setting
    published = serializers.CharField()
    language = serializers.CharField()
    direction = serializers.ChoiceField(choices=["ltr", "rtl", "auto"])


class ItemSerializer(serializers.Serializer[Any]):
    """The sentences `a` and `b` belong to judging and linking batches; `label` to judging batches; `links`
    [a, b, strength, origin], `null_a`, `null_b` and `suggestions` [a, b] to linking batches; `headlines` and
    `placements` [number, group or null for none] to batches for splitting."""

    assignment = serializers.IntegerField()
    position = serializers.IntegerField(help_text="Its place, from 1.")
    version = serializers.IntegerField(
        help_text="Version of the answer that you saw, to be sent with the next one."
    )
    state = serializers.ChoiceField(choices=AssignmentState.choices)
    flagged = serializers.BooleanField()
    comment = serializers.CharField()
    a = ItemSentenceSerializer(required=False)
    b = ItemSentenceSerializer(required=False)
    headlines = ItemHeadlineSerializer(many=True, required=False)
    placements = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(allow_null=True)), required=False
    )
    label = serializers.ChoiceField(choices=Label.choices, allow_null=True, required=False)  # type: ignore[assignment]  # a field of that name, not the framework's setting
    first = serializers.CharField(
        required=False, help_text="In a second pass: your first answer; annotators disagree on this item."
    )
    phenomena = serializers.DictField(
        child=serializers.IntegerField(),
        required=False,
        help_text="In the history: what you counted in the pair.",
    )
    links = serializers.ListField(child=serializers.ListField(child=serializers.JSONField()), required=False)
    null_a = serializers.ListField(child=serializers.IntegerField(), required=False)
    null_b = serializers.ListField(child=serializers.IntegerField(), required=False)
    suggestions = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()), required=False
    )
    offered = serializers.IntegerField(
        required=False, allow_null=True, help_text="Names the suggestions, for the answer; null: none."
    )
    disputed = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        required=False,
        help_text="In a second pass: the links [a, b] on which annotators differ; without who drew them.",
    )


class QueueProjectSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()


class QueueBatchSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=BatchKind.choices)
    scheme = serializers.ChoiceField(choices=Scheme.choices)
    project = QueueProjectSerializer()


class HistorySerializer(serializers.Serializer[Any]):
    items = ItemSerializer(many=True)
    count = serializers.IntegerField(help_text="How many answers match, with those beyond the limit.")
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page.")


class QueueSerializer(serializers.Serializer[Any]):
    """`done` of `total` are the caller's own items: answered, or `skipped`. The items are open ones and,
    after the last of them, the skipped ones in the order in which they were skipped."""

    batch = QueueBatchSerializer(help_text="Batch that the items belong to.")
    items = ItemSerializer(many=True)
    next = serializers.CharField(allow_null=True, help_text="Cursor of the next page.")
    total = serializers.IntegerField()
    done = serializers.IntegerField()
    skipped = serializers.IntegerField(help_text="How many items the caller skipped.")
    paused = serializers.BooleanField(help_text="A manager has paused your work on this batch.")
    preparing = serializers.BooleanField(
        help_text="The suggestions for this batch are being prepared; items come once they are there."
    )


class SentenceContextSerializer(serializers.Serializer[Any]):
    """`before` and `after` are the sentences around, nearest to it last and first."""

    source = serializers.CharField()  # type: ignore[assignment]  # a field of that name, not the framework's setting
    published = serializers.CharField()
    title = serializers.CharField()
    url = serializers.CharField()
    before = serializers.ListField(child=serializers.CharField())
    after = serializers.ListField(child=serializers.CharField())


class ContextSerializer(serializers.Serializer[Any]):
    cluster = serializers.CharField()
    a = SentenceContextSerializer()
    b = SentenceContextSerializer()


class StaleSerializer(serializers.Serializer[Any]):
    """The sent version is not the latest: `current` is what is stored now."""

    detail = serializers.CharField()
    current = ItemSerializer()


QUEUE_LIMIT = 100


def sentence_payload(sentence: Sentence, language: str) -> dict[str, Any]:
    return {
        "text": sentence.text,
        "tokens": sentence.token_list,
        "starts": sentence.starts,
        "language": language,
        "direction": direction_of(language),
    }


def pair_payload(pair: CandidatePair, project: Project) -> dict[str, Any]:
    """Both sentences, each with its language."""
    return {
        "a": sentence_payload(pair.sentence_a, pair.sentence_a.language_in(project)),
        "b": sentence_payload(pair.sentence_b, pair.sentence_b.language_in(project)),
    }


def direction_of(language: str) -> str:
    return "rtl" if language_of(language).direction == "rtl" else "auto"


def item_payload(assignment: Assignment) -> dict[str, Any]:
    """The item with the annotator's own present answer, without anybody else's and without scores."""
    item = assignment.item
    batch = item.batch
    payload: dict[str, Any] = {
        "assignment": assignment.pk,
        "position": assignment.position,
        "version": assignment.version,
        "state": assignment.state,
        "flagged": assignment.flagged,
        "comment": assignment.comment,
    }
    if batch.kind == BatchKind.SPLIT:
        payload["headlines"] = headlines_payload(item.headlines.all(), batch.project.language)
    else:
        payload |= pair_payload(item.pair, batch.project)
    return payload | item_kind(batch).answer(assignment)


def headlines_payload(headlines: Iterable[ItemHeadline], language: str) -> list[dict[str, Any]]:
    return [
        {
            "number": headline.number,
            "text": headline.article.title,
            "source": headline.article.source,
            "published": headline.article.published,
            "language": language,
            "direction": direction_of(language),
        }
        for headline in headlines
    ]


def placements_payload(assignment: Assignment) -> dict[str, Any]:
    """Where the annotator put the headlines: [number, group], the group null for none; others are open."""
    return {"placements": [[place.headline.number, place.group] for place in assignment.placements.all()]}


def judgement_payload(assignment: Assignment) -> dict[str, Any]:
    look = getattr(assignment, "second_look", None)
    if look is not None and look.second_pass.ended_at is None:
        # The annotator's own first answer is shown; nobody else's is, before this one has decided again.
        state = AssignmentState.DONE if look.done else AssignmentState.OPEN
        return {"label": look.label or None, "first": look.first_label, "state": state}
    judgement = getattr(assignment, "judgement", None)
    return {"label": judgement.label if judgement else None}


@dataclass(frozen=True, slots=True)
class ItemKind:
    """How the items of one kind of batch are shown.

    answer: the annotator's own answer; related: what many answers are read from together, for
    `prefetch_related`, beyond their judgements.
    """

    answer: Callable[[Assignment], dict[str, Any]]
    related: tuple[str, ...] = ()


def item_kind(batch: Batch) -> ItemKind:
    if batch.kind == BatchKind.LINK:
        links: ItemKind = import_string(settings.LINK_ITEMS)
        return links
    if batch.kind == BatchKind.SPLIT:
        return ItemKind(placements_payload, ("placements__headline", "item__headlines__article"))
    return ItemKind(judgement_payload)


def queue_payload(batch: Batch, user: Any, *, limit: int, cursor: int = 0) -> dict[str, Any]:
    """The batch, the annotator's progress in it, and `limit` items in order after the first `cursor`, none if
    paused or while its suggestions are being prepared.

    They are the open ones, and after the last of them those that were skipped, in the order in which they
    were. While the second pass of the batch runs, they are the own disputed ones. In a batch that is assigned
    on demand, items that are missing are taken first.
    """
    second = running_second_pass(batch)
    if batch.handing_out == HandingOut.AS_THEY_COME and not second and not batch.suggestions_pending:
        lease_items(batch=batch, by=user, count=limit)
    own = own_progress(batch, user)
    mine = Assignment.objects.of(user).filter(item__batch=batch)
    waiting = Q(second_look__done=False) if second else Q(state=AssignmentState.OPEN)
    rows: list[Assignment] = []
    if not (own.paused or batch.suggestions_pending):
        end = cursor + limit + 1
        rows += _with_content(mine.filter(waiting).order_by("position"), batch)[:end]
        if own.skipped and not second and len(rows) < end:
            rows += _with_content(skipped_again(mine, batch), batch)[: end - len(rows)]
    return {
        "batch": QueueBatchSerializer(batch).data,
        "total": own.total,
        "done": own.done,
        "skipped": own.skipped,
        "paused": own.paused,
        "preparing": batch.suggestions_pending,
        **_page(rows, batch, limit, cursor),
    }


def skipped_again(mine: AssignmentQuerySet, batch: Batch) -> AssignmentQuerySet:
    """The skipped ones of a person's assignments in a batch, the one skipped first first.

    Links and sub-clusters that an adjudicator has decided take no more answers: they do not come again.
    """
    skipped = mine.filter(state=AssignmentState.SKIPPED)
    if batch.kind != BatchKind.JUDGE:
        skipped = skipped.filter(item__decisions=None)
    return skipped.order_by("answered_at", "pk")


def history_payload(
    batch: Batch, user: Any, *, limit: int, cursor: int = 0, show: str = "", q: str = ""
) -> dict[str, Any]:
    """The annotator's own answered or skipped items, the latest first, and how many there are.

    `show` narrows them to a label, or to "done", "skipped" or "flagged" ones; `q` to those with these words
    in a sentence, a headline or the annotator's comment.
    """
    answered = Assignment.objects.of(user).filter(item__batch=batch).exclude(state=AssignmentState.OPEN)
    label = "judgement__label"
    if running_second_pass(batch):
        answered = answered.filter(second_look__done=True)
        label = "second_look__label"
    if show == "flagged":
        answered = answered.filter(flagged=True)
    elif show in AssignmentState.values:
        answered = answered.filter(state=show)
    elif show:
        answered = answered.filter(**{label: show})
    if q:
        texts = ["item__pair__sentence_a__text", "item__pair__sentence_b__text"]
        if batch.kind == BatchKind.SPLIT:
            texts = ["item__headlines__article__title"]
        words = (Q(**{f"{text}__icontains": q}) for text in [*texts, "comment"])
        answered = answered.filter(reduce(or_, words)).distinct()
    newest = _with_content(answered.order_by("-answered_at", "-position"), batch)
    page = _page(newest, batch, limit, cursor)
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    rows = PhenomenonCount.objects.filter(assignment__in=[item["assignment"] for item in page["items"]])
    for assignment, phenomenon, count in rows.values_list("assignment", "phenomenon", "count"):
        counts[assignment][phenomenon] = count
    for item in page["items"]:
        if item["assignment"] in counts:
            item["phenomena"] = counts[item["assignment"]]
    return page | {"count": answered.count()}


def _with_content(assignments: AssignmentQuerySet, batch: Batch) -> AssignmentQuerySet:
    """With all that `_page` shows of assignments of one batch, which is not read again for each."""
    related = ["judgement", "second_look__second_pass"]
    if batch.kind != BatchKind.SPLIT:
        related += ["item__pair__sentence_a", "item__pair__sentence_b"]
        if batch.project.second_language:
            related += [f"{sentence}__article" for sentence in related[-2:]]
    return assignments.select_related("item", *related).prefetch_related(*item_kind(batch).related)


def _page(assignments: Iterable[Assignment], batch: Batch, limit: int, cursor: int) -> dict[str, Any]:
    """`items` after the first `cursor` ones, and the cursor of the `next` page, None for the last one."""
    rows, following = page_of(assignments, limit, cursor)
    for assignment in rows:
        assignment.item.batch = batch
    return {"items": [item_payload(assignment) for assignment in rows], "next": following}


def page_of(rows: Any, limit: int, cursor: int) -> tuple[list[Any], str | None]:
    """The `limit` rows of a list or query after the first `cursor`, and the cursor of the next page."""
    page = list(rows[cursor : cursor + limit + 1])
    return page[:limit], str(cursor + limit) if len(page) > limit else None
