"""Progress of batches and speed of the work: one person's, everybody's, and the items that wait."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from datetime import date, timedelta
from math import ceil
from operator import itemgetter
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Sum, TextField
from django.db.models.functions import Cast, Least, Substr
from django.utils import timezone

from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchAnnotator,
    BatchState,
    HandingOut,
    SecondLook,
    SecondPass,
    TrainingTry,
)
from annotation.models.item import takes_part
from projects.models import Membership, Project, Role

from .answer_rows import adapted

# In SQL, which Django does not compile again each time: this is asked for with every answer, while the
# answer's transaction holds up the other writers of SQLite.
OWN_FIGURES = """
SELECT COUNT(*), COUNT(*) FILTER (WHERE mine.state <> 'open'), COUNT(*) FILTER (WHERE mine.state = 'skipped'),
    EXISTS (SELECT 1 FROM annotation_secondpass WHERE batch_id = %(batch)s AND ended_at IS NULL),
    (SELECT paused FROM annotation_batchannotator WHERE batch_id = %(batch)s AND annotator_id = %(annotator)s)
FROM annotation_assignment mine
JOIN annotation_item item ON item.id = mine.item_id AND item.batch_id = %(batch)s
WHERE mine.annotator_id = %(annotator)s
"""
LOOKS = """
SELECT COUNT(*), COUNT(*) FILTER (WHERE look.done)
FROM annotation_secondlook look
JOIN annotation_assignment mine ON mine.id = look.assignment_id AND mine.annotator_id = %(annotator)s
JOIN annotation_item item ON item.id = mine.item_id AND item.batch_id = %(batch)s
"""
# Places that can be taken: unanswered ones that nobody has, and those that are held no longer.
UNTAKEN = "place.state = 'open' AND place.version = 0 AND place.annotator_id IS NULL"
RUN_OUT = "place.state = 'open' AND place.version = 0 AND place.leased_until < %(now)s"
# Items are taken from the first on, so the last is looked at first; LIMIT and OFFSET keep PostgreSQL from
# joining all free places with all of the person's, of which there are many.
LEFT_TO_TAKE = """
SELECT settled.quota, (SELECT COUNT(*) FROM annotation_item WHERE batch_id = %(batch)s),
    (
        SELECT item.id FROM annotation_item item
        WHERE item.batch_id = %(batch)s
        AND NOT EXISTS (
            SELECT 1 FROM annotation_assignment mine
            WHERE mine.item_id = item.id AND mine.annotator_id = %(annotator)s LIMIT 1 OFFSET 0
        )
        AND EXISTS (
            SELECT 1 FROM annotation_assignment place
            WHERE place.item_id = item.id AND ({untaken} OR {run_out}) LIMIT 1 OFFSET 0
        )
        ORDER BY item.number DESC LIMIT 1
    )
FROM annotation_batchannotator settled
WHERE settled.batch_id = %(batch)s AND settled.annotator_id = %(annotator)s
"""


@dataclass(frozen=True, slots=True)
class OwnProgress:
    """`done` are answered or skipped, `skipped` of them skipped, of `total`."""

    done: int
    skipped: int
    total: int
    paused: bool


def own_progress(batch: Batch, user: Any) -> OwnProgress:
    """The user's progress in a batch; while its second pass runs, in that.

    Where items are taken as people come, `total` is the quota, or all items of the batch, while there is
    something left to take, and then what was taken: how fast others are does not show before the end.
    """
    names = {"batch": batch.pk, "annotator": user.pk}
    with connection.cursor() as cursor:
        cursor.execute(OWN_FIGURES, names)
        total, done, skipped, second_pass_runs, paused = cursor.fetchone()
        if second_pass_runs:
            cursor.execute(LOOKS, names)
            looks, looked = cursor.fetchone()
            return OwnProgress(looked, 0, looks, bool(paused))
        if batch.handing_out == HandingOut.AS_THEY_COME and batch.state == BatchState.OPEN and not paused:
            names["now"] = adapted(timezone.now())
            cursor.execute(LEFT_TO_TAKE.format(untaken=UNTAKEN, run_out=RUN_OUT), names)
            quota, size, left_to_take = cursor.fetchone() or (None, 0, None)
            if left_to_take is not None and (quota is None or quota > total):
                total = size if quota is None else min(quota, size)
    return OwnProgress(done, skipped, total, bool(paused))


@dataclass(frozen=True, slots=True)
class Progress:
    """Answers of a batch, or of several, by everybody or by one annotator.

    `answered` were given or skipped, `skipped` of them skipped; `left` are waited for. `missing` are open and
    not waited for: of them `withheld` until a running second pass ends, the others because the batch is
    closed. `looks` are the answers that a running second pass shows once more, `looked` those of them that
    were decided again.
    """

    answered: int = 0
    left: int = 0
    missing: int = 0
    withheld: int = 0
    looks: int = 0
    looked: int = 0
    skipped: int = 0

    @property
    def given(self) -> int:
        return self.answered - self.skipped

    @property
    def done(self) -> int:
        """What a bar shows of `due`: while a second pass runs, its answers alone."""
        return self.looked if self.looks else self.given

    @property
    def due(self) -> int:
        return self.looks or self.expected

    @property
    def all_done(self) -> int:
        """What a bar for managers shows of `all_due`: answers of both passes."""
        return self.given + self.looked

    @property
    def all_due(self) -> int:
        return self.expected + self.looks

    @property
    def expected(self) -> int:
        return self.answered + self.left

    @property
    def places(self) -> int:
        """All that were asked for when the batch was drawn."""
        return self.expected + self.missing

    @property
    def waiting(self) -> int:
        """The open work of annotators: answers, and in a second pass looks."""
        return self.left + self.looks - self.looked

    @property
    def complete(self) -> bool:
        """Every answer is in: nothing is skipped and nothing is open, whether it is waited for or not."""
        return not (self.left or self.missing or self.skipped)


def counted(batches: Iterable[Batch], user: Any = None) -> dict[int, Progress]:
    """By batch id, everybody's progress, or the user's own.

    Where items are taken as people come, what the user may still take is left as well.
    """
    batches = list(batches)
    return _progress(batches, _counts(batches, user), user)


def total(parts: Iterable[Progress]) -> Progress:
    """All of them added up."""
    return Progress(*map(sum, zip(*map(astuple, parts), strict=True)))


ANSWERED = ~Q(state=AssignmentState.OPEN)
Counts = list[tuple[int, int | None, int, int, int, int]]
"""By batch and annotator: answers that were given or skipped, all places, skipped and flagged ones."""


def _counts(batches: Sequence[Batch], user: Any = None) -> Counts:
    places = Assignment.objects.filter(item__batch__in=[batch.pk for batch in batches])
    rows = places.filter(annotator=user) if user else places
    return list(
        rows.order_by()
        .values_list("item__batch", "annotator")
        .annotate(
            given=Count("pk", filter=ANSWERED),
            all=Count("pk"),
            skips=Count("pk", filter=Q(state=AssignmentState.SKIPPED)),
            flags=Count("pk", filter=Q(flagged=True)),
        )
    )


def _progress(batches: Iterable[Batch], answers: Counts, user: Any = None) -> dict[int, Progress]:
    """By batch id, the progress that the answers, of the user alone if there is one, amount to."""
    sums: dict[int, tuple[int, int, int]] = defaultdict(lambda: (0, 0, 0))
    for pk, _, given, places, skips, _ in answers:
        answered, unanswered, skipped = sums[pk]
        sums[pk] = answered + given, unanswered + places - given, skipped + skips
    running = _second_passes(batches)
    seen = SecondLook.objects.filter(second_pass__in=running.values())
    seen = seen.filter(assignment__annotator=user) if user else seen
    counts = (
        seen.order_by()
        .values_list("second_pass")
        .annotate(all=Count("pk"), done=Count("pk", filter=Q(done=True)))
    )
    looks = {second_pass: both for second_pass, *both in counts} if running else {}
    progress = {}
    for batch in batches:
        answered, unanswered, skipped = sums[batch.pk]
        missing = withheld = looked_at = looked = 0
        if batch.state != BatchState.OPEN:
            missing = unanswered
        elif batch.pk in running:
            missing = withheld = unanswered
            looked_at, looked = looks.get(running[batch.pk], (0, 0))
        elif user and batch.handing_out == HandingOut.AS_THEY_COME:
            unanswered = max(own_progress(batch, user).total - answered, 0)
        progress[batch.pk] = Progress(
            answered=answered,
            left=unanswered - missing,
            missing=missing,
            withheld=withheld,
            looks=looked_at,
            looked=looked,
            skipped=skipped,
        )
    return progress


def _second_passes(batches: Iterable[Batch]) -> dict[int, int]:
    """By batch id, the second pass that is running."""
    rows = SecondPass.objects.filter(batch__in=[batch.pk for batch in batches], ended_at=None)
    return dict(rows.values_list("batch", "pk"))


@dataclass(frozen=True, slots=True)
class Waiting:
    """A batch and how many of its items wait for the person, at least one; whether to be answered again."""

    batch: Batch
    items: int
    second_pass: bool = False


def waiting_for(user: Any, project: Project | None = None) -> list[Waiting]:
    """The open batches in which items wait for an annotator, of one project or all, the oldest first.

    Items that nobody has taken yet count, as far as the annotator may take them; while a second pass runs,
    only those that are to be looked at again do. Nothing waits for an annotator who is paused, nor in a batch
    whose suggestions are not there yet.
    """
    annotates = Membership.objects.filter(user=user, role=Role.ANNOTATOR).values("project")
    batches: Any = (
        Batch.objects.assigned_to(user)
        .current()
        .filter(
            ~Exists(takes_part(user, "pk").filter(paused=True)),
            project__in=annotates,
            state=BatchState.OPEN,
            suggestions_pending=False,
        )
    )
    if project:
        batches = batches.filter(project=project)
    rows = list(batches.select_related("project").order_by("pk"))
    progress = counted(rows, user)
    return [
        Waiting(batch, progress[batch.pk].waiting, second_pass=progress[batch.pk].looks > 0)
        for batch in rows
        if progress[batch.pk].waiting
    ]


def waiting_items(waiting: Iterable[Waiting], kind: str) -> int:
    """How many items of a kind wait."""
    return sum(entry.items for entry in waiting if entry.batch.kind == kind)


@dataclass(frozen=True, slots=True)
class AnnotatorProgress:
    """One annotator's work in a batch; `done` are answered or skipped, of `total`."""

    user_id: int
    username: str
    done: int = 0
    total: int = 0
    skipped: int = 0
    flagged: int = 0

    @property
    def given(self) -> int:
        return self.done - self.skipped


@dataclass(frozen=True, slots=True)
class OwnWork:
    """A batch and one's own progress in it; `latest` is when one last answered there.

    training: the one that has to be passed before. passed: whether this is a training that one has passed.
    """

    batch: Batch
    progress: Progress
    paused: bool = False
    latest: Any = None
    training: Batch | None = None
    passed: bool = False

    @property
    def left(self) -> int:
        return self.progress.waiting

    @property
    def waits(self) -> bool:
        """Whether there is something to do now."""
        is_open = self.batch.state == BatchState.OPEN and not self.batch.suggestions_pending
        return bool(self.left) and is_open and not self.paused


def own_work(user, project, kind: str) -> list[OwnWork]:
    """The user's own progress in the batches that hold something for them, newest first."""
    return _own_work(user, Batch.objects.assigned_to(user).current().filter(project=project, kind=kind))


def work_everywhere(user) -> list[OwnWork]:
    """As `own_work`, of all kinds and in all projects that the user annotates, by project."""
    annotates = Membership.objects.filter(user=user, role=Role.ANNOTATOR).values("project")
    batches = Batch.objects.assigned_to(user).current().filter(project__in=annotates)
    return _own_work(user, batches.select_related("project").order_by("project__name", "project", "-pk"))


def _own_work(user, rows: QuerySet[Batch]) -> list[OwnWork]:
    batches = list(rows)
    progress = counted(batches, user)
    settled = BatchAnnotator.objects.filter(batch__in=batches, annotator=user, paused=True)
    paused = set(settled.values_list("batch", flat=True))
    answers = Assignment.objects.filter(item__batch__in=batches, annotator=user).order_by()
    latest = dict(answers.values_list("item__batch").annotate(latest=Max("answered_at")))
    required = {batch.requires_id for batch in batches if batch.requires_id}
    trainings = required | {batch.pk for batch in batches if batch.measure}
    tries = TrainingTry.objects.filter(batch__in=trainings, annotator=user, passed=True).order_by()
    passed = set(tries.values_list("batch", flat=True)) if trainings else set()
    to_pass = Batch.objects.in_bulk(required - passed)
    return [
        OwnWork(
            batch=batch,
            progress=progress[batch.pk],
            paused=batch.pk in paused,
            latest=latest.get(batch.pk),
            training=to_pass.get(batch.requires_id),
            passed=batch.pk in passed,
        )
        for batch in batches
    ]


def next_own(work: Iterable[OwnWork]) -> OwnWork | None:
    """The oldest batch in which something is to do."""
    return min((own for own in work if own.waits), key=lambda own: own.batch.pk, default=None)


def stopped_at(work: Iterable[OwnWork]) -> OwnWork | None:
    """The batch to go on with: where one answered last, else the oldest in which something is to do."""
    waiting = [own for own in work if own.waits]
    begun = [own for own in waiting if own.latest]
    return max(begun, key=lambda own: own.latest, default=None) or next_own(waiting)


def annotator_progress(batches: Iterable[Batch]) -> dict[int, list[AnnotatorProgress]]:
    """By batch id, every annotator's progress, in the order of their names."""
    return both_progresses(batches)[0]


def both_progresses(
    batches: Iterable[Batch],
) -> tuple[dict[int, list[AnnotatorProgress]], dict[int, Progress]]:
    """Every annotator's progress, in the order of their names, and everybody's together, by batch id."""
    batches = list(batches)
    answers = _counts(batches)
    # Apart, since groups by name take longer.
    names = dict(User.objects.filter(pk__in={row[1] for row in answers}).values_list("pk", "username"))
    by_batch: dict[int, list[AnnotatorProgress]] = defaultdict(list)
    for batch, person, *figures in sorted(answers, key=lambda row: names.get(row[1] or 0, "")):
        if person is not None:
            by_batch[batch].append(AnnotatorProgress(person, names[person], *figures))
    return by_batch, _progress(batches, answers)


PACE_DAYS = 14


def pace(by_day: Mapping[date, int], left: int) -> tuple[float, int] | None:
    """Answers a day, the mean of the days with answers among the last PACE_DAYS, and how many days what is
    left takes, rounded up; None without answers."""
    first = timezone.now().date() - timedelta(days=PACE_DAYS - 1)
    recent = [given for day, given in by_day.items() if given and day >= first]
    return (sum(recent) / len(recent), ceil(left * len(recent) / sum(recent))) if recent else None


# Somebody who looks at an item for longer has left the page: the rest does not count as work.
LONGEST_LOOK_MILLISECONDS = 5 * 60 * 1000
# Of a person in a batch on a day; time in milliseconds.
FIGURES = {
    "places": Count("pk"),
    "skipped": Count("pk", filter=Q(state=AssignmentState.SKIPPED)),
    "flagged": Count("pk", filter=Q(flagged=True)),
    "given": Count("pk", filter=ANSWERED),
    "timed": Count("pk", filter=ANSWERED & Q(milliseconds__gt=0)),
    "spent": Sum(Least("milliseconds", LONGEST_LOOK_MILLISECONDS), filter=ANSWERED),
}
# Times are kept in UTC, the installation's time zone: the day is how a time's text begins. Truncating them
# calls Python for every row of SQLite.
DAY = Substr(Cast("answered_at", TextField()), 1, 10)


def project_work(batches: Sequence[Batch]) -> tuple[dict[str, Any], dict[int, Progress]]:
    """The work on batches of one kind, in all, by batch, by person, by day; and everybody's progress.

    What was imported was not done here: it is not counted as throughput, only as done. An answer counts on
    the day it was given last. Of each batch `answered`, `left` and so on are those of `Progress`, with how
    many answers were `skipped` or `flagged`; a person's `left` is what the person holds and still has to do.
    Each `work` is as `_work` says. `days_left` is that of `pace`.
    """
    rows: Any = (
        Assignment.objects.filter(item__batch__in=[batch.pk for batch in batches])
        .order_by()
        .annotate(day=DAY)
        .values("item__batch", "day", user=F("annotator"))
        .annotate(**FIGURES, latest=Max("answered_at"))
    )
    taken = itemgetter("item__batch", "user", "given", "places", "skipped", "flagged")
    progress = _progress(batches, list(map(taken, rows)))
    left_of = _left_of(batches, rows)
    users = User.objects.filter(pk__in={row["user"] for row in rows})
    people: dict[int, dict[str, Any]] = {
        pk: {"user": pk, "username": name, "left": left_of[pk], "skipped": 0, "flagged": 0, "latest": None}
        for pk, name in users.values_list("pk", "username")
    }
    of_batches: dict[int, Counter[str]] = defaultdict(Counter)
    imported = {batch.pk for batch in batches if batch.corpus_import_id is not None}
    worked: dict[int, list[dict[str, Any]]] = defaultdict(list)
    days: dict[date, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        if row["given"] and row["item__batch"] not in imported:
            worked[row["user"]].append(row)
            days[date.fromisoformat(row["day"])].append(row)
        if row["user"] is not None:
            person = people[row["user"]]
            for name in ("skipped", "flagged"):
                of_batches[row["item__batch"]][name] += row[name]
                person[name] += row[name]
            person["latest"] = max(filter(None, (person["latest"], row["latest"])), default=None)
    by_day = {day: sum(row["given"] for row in of_day) for day, of_day in days.items()}
    total_work = _work([row for of_person in worked.values() for row in of_person])
    left = sum(progress[batch.pk].waiting for batch in batches)
    work = {
        "left": left,
        "days_left": (pace(by_day, left) or (0, None))[1],
        "total": total_work,
        "batches": [
            {
                "batch": batch.pk,
                "name": batch.name,
                "expected": progress[batch.pk].expected,
                "answered": progress[batch.pk].answered,
                "given": progress[batch.pk].given,
                "left": progress[batch.pk].waiting,
                "missing": progress[batch.pk].missing,
                "skipped": of_batches[batch.pk]["skipped"],
                "flagged": of_batches[batch.pk]["flagged"],
            }
            for batch in batches
        ],
        "people": [
            person | {"work": _work(worked[person["user"]])}
            for person in sorted(people.values(), key=itemgetter("username"))
        ],
        "days": [
            {"day": day, "answers": by_day[day], "people": len({row["user"] for row in of_day})}
            for day, of_day in sorted(days.items())
        ],
    }
    return work, progress


def _left_of(batches: Sequence[Batch], rows: Iterable[Mapping[str, Any]]) -> Counter[int | None]:
    """By user id, how many places are `held`."""
    running = _second_passes(batches)
    waited_for = {batch.pk for batch in batches if batch.state == BatchState.OPEN}
    left: Counter[int | None] = Counter()
    for row in rows:
        if row["item__batch"] in waited_for - running.keys():
            left[row["user"]] += row["places"] - row["given"]
    passes = [second_pass for batch, second_pass in running.items() if batch in waited_for]
    looks = SecondLook.objects.filter(second_pass__in=passes, done=False).order_by()
    for user, number in looks.values_list("assignment__annotator").annotate(number=Count("pk")):
        left[user] += number
    return left


def _work(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Answers, on how many days; `hours` on the screen for the timed ones, at most 5 minutes for each.

    rows: the FIGURES of each `day`.
    """
    answers, days = sum(row["given"] for row in rows), len({row["day"] for row in rows})
    hours = sum(row["spent"] or 0 for row in rows) / 3_600_000
    return {
        "answers": answers,
        "days": days,
        "hours": hours,
        "per_day": answers / days if days else None,
        "per_hour": sum(row["timed"] for row in rows) / hours if hours else None,
    }


def held() -> Q:
    """The condition of places that their annotator still has to answer, or to look at again."""
    second = Q(item__batch__second_pass__isnull=False, item__batch__second_pass__ended_at=None)
    # Looked up where a second pass runs, rather than joined with every place.
    looks = second & Exists(SecondLook.objects.filter(assignment=OuterRef("pk"), done=False))
    return Q(item__batch__state=BatchState.OPEN) & (looks | Q(state=AssignmentState.OPEN) & ~second)


def progress_and_days(
    batches: Sequence[Batch], first: date, days: int
) -> tuple[dict[int, Progress], dict[date, dict[str, int]]]:
    """Everybody's progress by batch id, and the answers given on each of so many days by kind of batch,
    without imported ones."""
    rows = (
        Assignment.objects.filter(item__batch__in=[batch.pk for batch in batches])
        .order_by()
        .annotate(day=DAY)
        .values_list("item__batch", "day")
        .annotate(**{name: FIGURES[name] for name in ("given", "places", "skipped")})
    )
    kinds = {batch.pk: batch.kind for batch in batches if batch.corpus_import_id is None}
    counts: dict[date, dict[str, int]] = {first + timedelta(days=number): {} for number in range(days)}
    for batch, day, given, _, _ in rows:
        if batch in kinds and given and day >= first.isoformat():
            of_day = counts.setdefault(date.fromisoformat(day), {})
            of_day[kinds[batch]] = of_day.get(kinds[batch], 0) + given
    return _progress(batches, [(batch, None, *figures, 0) for batch, _, *figures in rows]), counts
