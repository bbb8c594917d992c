"""Deleting a large dataset, the extraction below it and its import, while somebody judges; prints JSON.

    python -m benchmarks.removal [--pairs 229000] [--postgresql]

A project on a new SQLite database, or a throw-away PostgreSQL, has so many pairs, a refined dataset of all of
them, and a batch of a small extraction that stays. The services delete refined dataset, dataset, extraction
and import, and this process removes the rows as a worker does. Another thread saves judgements meanwhile.

Of each deletion `seconds` are those until the last row is gone, `request_s` those until the caller is
answered, `pieces` the transactions, `judgement_s` the longest time that one of the `judgements` meanwhile
took; under `idle` the same without a deletion.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
import time
import uuid
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from benchmarks.programs import installation_in
from scripts.services import postgresql

KEPT_PAIRS, IDLE_SECONDS, THINK_SECONDS = 2_000, 5.0, 0.02


class Judge(threading.Thread):
    """Saves one judgement after the other until it is stopped; `longest` and `judgements` so far."""

    def __init__(self, assignments: list[Any]) -> None:
        super().__init__(daemon=True)
        self.assignments = assignments
        self.longest, self.judgements = 0.0, 0
        self.stopped = threading.Event()

    def run(self) -> None:
        from django.db import connection

        from annotation.models import Label
        from annotation.services.answers import save_judgement

        labels = (Label.PARAPHRASE, Label.NOT_PARAPHRASE)
        while not self.stopped.is_set():
            assignment = self.assignments[self.judgements % len(self.assignments)]
            assignment.refresh_from_db()
            began = time.monotonic()
            save_judgement(
                assignment=assignment,
                by=assignment.annotator,
                key=uuid.uuid4(),
                version=assignment.version,
                label=labels[assignment.version % 2],
                milliseconds=1_000,
                describe=lambda stored: {},
            )
            self.longest = max(self.longest, time.monotonic() - began)
            self.judgements += 1
            time.sleep(THINK_SECONDS)
        connection.close()

    def told(self) -> dict[str, Any]:
        """The figures since they were last asked for."""
        found = {"judgements": self.judgements, "judgement_s": round(self.longest, 2)}
        self.longest, self.judgements = 0.0, 0
        return found


def project_of(pairs: int) -> tuple[dict[str, Any], list[Any]]:
    """What is deleted, in this order, and the assignments of an annotator in a batch that stays."""
    from django.contrib.auth.models import User

    from annotation.models import Assignment
    from annotation.services.drawing import draw_judging_batch
    from benchmarks.export_corpus import load_dataset
    from corpus import models
    from corpus.services.datasets import freeze_refined_dataset
    from jobs.models import Job, JobState
    from projects.models import Membership, Role

    dataset = models.Dataset.objects.get(pk=load_dataset(pairs))
    project, extraction = dataset.project, dataset.extractions.get()
    own = {"project": project, "name": "small"}
    ids = list(models.CandidatePair.objects.order_by("pk").values_list("pk", flat=True))
    refined = freeze_refined_dataset(source=dataset, name="refined", pairs=ids, refinement={})
    job = Job.objects.create(project=project, kind="extract", state=JobState.DONE)
    small = models.Extraction.objects.create(**own, job=job, criteria={}, signature="small")
    findings = (models.Finding(extraction=small, pair_id=pk) for pk in ids[:KEPT_PAIRS])
    models.Finding.objects.bulk_create(findings)
    kept = models.Dataset.objects.create(**own, size=KEPT_PAIRS, signature="small")
    kept.extractions.add(small)
    state = models.ImportState.IMPORTED
    source = models.CorpusImport.objects.create(project=project, state=state, filename="news.jsonl")
    judged = models.CandidatePair.objects.filter(pk__in=ids[:KEPT_PAIRS]).values("cluster")
    models.Article.objects.exclude(cluster__in=judged).update(corpus_import=source)
    annotator = User.objects.create_user("annotator")
    Membership.objects.create(project=project, user=annotator, role=Role.ANNOTATOR)
    drawn = {"dataset": kept, "size": 200, "annotators": ["annotator"], "seed": 1, "overlap": 1}
    batch = draw_judging_batch(by=None, **own, **drawn)
    mine = Assignment.objects.filter(item__batch=batch).with_sentences().select_related("annotator")
    objects = {"refined dataset": refined, "dataset": dataset, "extraction": extraction, "import": source}
    return objects, list(mine)


def measured(pairs: int) -> dict[str, Any]:
    from django.contrib.auth.models import User
    from django.db import connection

    from jobs.models import JobState
    from jobs.services import ledger, removal
    from jobs.services.running import run_here

    ledger.hand_over = lambda job: None  # There is no queue: this process works on the jobs.
    objects, assignments = project_of(pairs)
    by = User.objects.create_user("manager")
    judge = Judge(assignments)
    judge.start()
    time.sleep(IDLE_SECONDS)
    figures: dict[str, Any] = {"database": connection.vendor, "pairs": pairs, "idle": judge.told()}
    for name, obj in objects.items():
        began = time.monotonic()
        job = removal.delete(obj=obj, by=by)
        request = time.monotonic() - began
        run_here(job=job)
        if job.state != JobState.DONE or type(obj).everything.filter(pk=obj.pk).exists():
            raise SystemExit(f"The deletion of the {name} is {job.state}: {job.error}")
        seconds = {"seconds": round(time.monotonic() - began, 1), "request_s": round(request, 2)}
        figures[name] = seconds | {"pieces": job.chunks.count()} | judge.told()
    judge.stopped.set()
    judge.join()
    return figures | {"load": round(os.getloadavg()[0], 1), "cpus": os.cpu_count()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=int, default=229_000)
    parser.add_argument("--postgresql", action="store_true")
    arguments = parser.parse_args()
    server = postgresql() if arguments.postgresql else nullcontext("")
    with tempfile.TemporaryDirectory(prefix="paragold-bench-") as folder, server as address:
        installation_in(Path(folder), address)
        print(json.dumps(measured(arguments.pairs)))


if __name__ == "__main__":
    main()
