"""How long a launch will take: by past jobs of its kind, else a cautious estimate.

A job keeps in its parameters, as WORK, the seconds that its kind's built-in rate expects ("expected") and the
method that it uses ("how"). Past jobs of the same kind and method then say how far that rate is off.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from jobs.models import Job, JobState
from projects.models import Project

# A longer launch is confirmed first.
CONFIRM_SECONDS = 600
START_SECONDS = 5
RECENT = 10
# Jobs that are expected to take less show how a worker begins, not how it goes on.
MIN_EXPECTED_SECONDS = 2
WORK = "work"


@dataclass(frozen=True, slots=True)
class Rate:
    """Seconds for each unit of work.

    measured: from past jobs, not built in. last: how long the newest job took, where all were too small to
    measure the rate; None where there is none.
    """

    seconds_a_unit: float
    measured: bool
    last: float | None = None

    def seconds(self, units: float) -> float:
        return START_SECONDS + units * self.seconds_a_unit

    @property
    def origin(self) -> str:
        """Where the time comes from, for after it, in brackets."""
        if self.measured:
            return gettext("by past jobs of this kind")
        if self.last is not None:
            return gettext("a cautious estimate; the last job of this kind took %(duration)s") % {
                "duration": duration_words(self.last)
            }
        return gettext("a cautious estimate: the first job of this kind")


@dataclass(frozen=True, slots=True)
class LaunchCost:
    """What a launch processes, in words such as "12 sentences", and how long it takes.

    expected: seconds at the built-in rate of its kind; how: the method, if times differ by method.
    """

    kind: str
    processes: str
    expected: float
    how: str = ""
    rate: Rate = Rate(1, measured=False)

    @property
    def seconds(self) -> float:
        return self.rate.seconds(self.expected)

    @property
    def duration(self) -> str:
        return duration_words(self.seconds)

    @property
    def work(self) -> dict[str, Any]:
        """The parameter of the job that `rate_of` reads when the job is done."""
        return {WORK: {"expected": round(self.expected, 3), "how": self.how}}


def launch_cost(
    kind: str, processes: str, expected: float, *, how: str = "", project: Project | None = None
) -> LaunchCost:
    """The cost of a job of this kind, at the rate of past jobs. Arguments are as in LaunchCost."""
    return LaunchCost(kind, processes, expected, how, rate_of(kind, how, project))


def rate_of(kind: str, how: str = "", project: Project | None = None) -> Rate:
    """Seconds for each second that the built-in rate expects, from the newest jobs of this kind and method:
    those of the project or, where it has none, of all projects."""
    done = Job.objects.filter(kind=kind, state=JobState.DONE, parameters__work__how=how).order_by("-pk")
    own = done.filter(project=project)
    past = own if project is not None and own.exists() else done
    large = past.filter(parameters__work__expected__gte=MIN_EXPECTED_SECONDS)
    rate = rate_from(((job.seconds, job.parameters[WORK]["expected"]) for job in large[:RECENT]), 1)
    newest = None if rate.measured else past.first()
    return replace(rate, last=newest.seconds) if newest else rate


def rate_from(past: Iterable[tuple[float | None, float]], built_in: float) -> Rate:
    """The mean rate of past jobs, each given as seconds and units of work; `built_in` without any."""
    taken = [(seconds, units) for seconds, units in past if seconds and units]
    if not taken:
        return Rate(built_in, measured=False)
    return Rate(sum(seconds for seconds, _ in taken) / sum(units for _, units in taken), measured=True)


def duration_words(seconds: float) -> str:
    """Such as "about 40 s", "about 12 min" or "about 3 h"."""
    if seconds < 90:
        return f"about {max(5, round(seconds / 5) * 5)} s"
    return f"about {round(seconds / 60)} min" if seconds < 5_400 else f"about {seconds / 3600:.1f} h"
