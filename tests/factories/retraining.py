"""A batch that is being linked, and an aligner that learns from it."""

from __future__ import annotations

from alignment.services.gold_links import freeze_gold_alignments
from alignment.services.retraining import KIND
from annotation.models import Batch
from jobs.models import Job

from .alignment import link_all, linking_batch
from .annotation import dataset_of
from .annotation import gold_set as gold_labels
from .corpus import ProjectFactory, member
from .trained_aligners import QUICK, trained_aligner


class Linking:
    """A batch of 8 pairs that two people link, `linked` by both at first, and an aligner taught by these."""

    def __init__(self, linked: int = 4) -> None:
        self.project = ProjectFactory()
        self.people = [member(self.project, "annotator", name) for name in ("ann", "ben")]
        self.dataset = dataset_of(self.project, 4)
        source = gold_labels(self.project, self.people, size=16)
        self.batch: Batch = linking_batch(self.project, self.people, source=source)
        self.link(linked)
        self.gold = freeze_gold_alignments(project=self.project, by=None, name="links", batch=self.batch)
        self.aligner = trained_aligner(self.dataset, gold_set=self.gold, aligner="best", **QUICK)

    def link(self, number: int) -> None:
        for user in self.people:
            link_all(self.batch, user, number)

    @property
    def jobs(self) -> list[Job]:
        return list(self.project.jobs.filter(kind=KIND).order_by("pk"))

    @property
    def versions(self) -> list[int]:
        return list(self.project.trained_aligners.order_by("version").values_list("version", flat=True))
