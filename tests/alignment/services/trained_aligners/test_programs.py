import io
import json
import zipfile
from contextlib import nullcontext

import pytest
from django.db import OperationalError

from alignment.models import Evaluation
from alignment.services.batches import current_row, items_and_pairs, set_suggester
from alignment.services.gold_links import freeze_gold_alignments
from alignment.services.trained_aligners import applying
from alignment.services.trained_aligners.applying import (
    apply_aligner,
    drawn_links,
    explain_pair,
    linked_pairs_of,
    run_archive,
)
from alignment.services.trained_aligners.launching import pairs_of, read_tokens
from alignment.services.trained_aligners.stored import load_aligner, reference
from jobs.models import JobState
from jobs.services import ledger
from jobs.services.running import run_here, run_next_chunk
from paragold.aligners import programs
from paragold.aligners.programs import Eflomal, ProgramAligner
from projects.errors import PublicError
from tests.factories.trained_aligners import trained_aligner
from tests.paragold.aligners import fake_giza
from tests.paragold.conftest import program_path

__all__ = ["program_path"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def eflomal(program_path):
    fake_giza.install_eflomal(program_path)
    return program_path


def applied(trained, **target):
    run = apply_aligner(project=trained.project, by=None, trained=trained, **target)
    run_here(job=run.job)
    run.job.refresh_from_db()
    return run


def test_the_text_is_kept_and_draws_what_the_core_draws(eflomal, dataset, var):
    first, second = (trained_aligner(dataset, aligner="eflomal") for _ in range(2))
    other = trained_aligner(dataset, aligner="eflomal", linking="union")
    assert (first.job.state, first.job.total, first.iterations) == (JobState.DONE, 1, [])
    assert first.sha256 == second.sha256 != other.sha256
    pairs = read_tokens(pairs_of(dataset.project, [dataset], []))
    expected = Eflomal().fit(pairs)
    opened = load_aligner(first)
    assert isinstance(opened, ProgramAligner)
    assert opened.training == expected.training and len(opened.training) == first.pairs == 8
    assert opened.signature == expected.signature == first.signature

    run = applied(first, dataset=dataset)
    assert run.job.counts["pairs_aligned"] == 8
    assert run.job.chunks.count() == 1
    links = [sorted(pair.links.sure) for pair in linked_pairs_of(run)]
    assert links == expected.align_all(pairs)
    with zipfile.ZipFile(io.BytesIO(run_archive(run, "pharaoh"))) as archive:
        told = json.loads(archive.read("manifest.json"))["signatures"]["aligner"]
    assert told == f"{first.signature}|{Eflomal().draw_signature(links)}"


def test_gold_links_are_scored_and_suggested_with_the_draw_in_the_signature(eflomal, dataset, gold):
    trained = trained_aligner(dataset, aligner="eflomal")
    run = applied(trained, gold_set=gold)
    evaluation = Evaluation.objects.get()
    by_pair = {found.pair_id: found.link_list for found in run.alignments.all()}
    links = [
        by_pair[pk] for pk in gold.alignments.order_by("item__number").values_list("item__pair", flat=True)
    ]
    assert f"sha256:{trained.sha256}|{Eflomal().draw_signature(links)}|" in evaluation.signature
    run_here(job=set_suggester(batch=gold.batch, by=None, setting=reference(trained)))
    _, pairs = items_and_pairs(gold.batch)
    rows = list(gold.batch.items.prefetch_related("suggested_links"))
    suggested = load_aligner(trained).align_all(pairs)
    assert [current_row(item).links for item in rows] == [
        [list(link) for link in found] for found in suggested
    ]
    assert (
        rows[0]
        .suggested_links.get()
        .signature.endswith(f"{trained.sha256}|{Eflomal().draw_signature(suggested)}")
    )
    with pytest.raises(PublicError, match="gives no reasons"):
        explain_pair(trained=trained, pair=str(run.alignments.first().pair_id))
    alignment = run.alignments.first()
    assert drawn_links(trained=trained, pair=str(alignment.pair_id))[1] == alignment.link_list
    fake_giza.install_eflomal(eflomal, first="import builtins; range = lambda n: builtins.range(1, n)")
    again = freeze_gold_alignments(project=dataset.project, by=None, name="again", batch=gold.batch)
    later = applied(trained, gold_set=again).alignments.get(pair=alignment.pair_id)
    assert drawn_links(trained=trained, pair=str(alignment.pair_id))[1] == later.link_list
    assert later.link_list != alignment.link_list
    with pytest.raises(PublicError, match="no pair '0'"):
        drawn_links(trained=trained, pair="0")


def test_cancelling_stops_the_program(program_path, dataset, var, monkeypatch):
    scratch = var / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(programs, "WATCHED_EVERY_SECONDS", 0.01)
    fake_giza.install_eflomal(program_path, first="import time; time.sleep(600)")
    trained = trained_aligner(dataset, aligner="eflomal")
    run = apply_aligner(project=dataset.project, by=None, trained=trained, dataset=dataset)
    report = ledger.report_progress
    asked = []

    def cancelled_while_it_runs(**given):
        if not asked:
            assert [entry.name.startswith("paragold-") for entry in scratch.iterdir()] == [True]
            ledger.cancel_job(job=run.job)
        asked.append(report(**given))
        return asked[-1]

    monkeypatch.setattr(applying.ledger, "report_progress", cancelled_while_it_runs)
    assert run_next_chunk(job=run.job, worker="w", hold=lambda chunk: nullcontext())
    run.job.refresh_from_db()
    assert (run.job.state, asked) == (JobState.CANCELLED, [False])
    assert not run.alignments.exists()
    assert list(scratch.iterdir()) == []


def test_a_database_that_does_not_answer_stops_nothing(program_path, dataset, monkeypatch):
    monkeypatch.setattr(programs, "WATCHED_EVERY_SECONDS", 0.01)
    answered = program_path / "answered"
    wait = f"import os, time\nwhile not os.path.exists({str(answered)!r}): time.sleep(0.01)"
    fake_giza.install_eflomal(program_path, first=wait)
    trained = trained_aligner(dataset, aligner="eflomal")
    report = ledger.report_progress
    asked = []

    def silent_at_first(**given):
        asked.append(None)
        if len(asked) == 1:
            raise OperationalError("database is locked")
        answered.touch()
        return report(**given)

    monkeypatch.setattr(applying.ledger, "report_progress", silent_at_first)
    run = applied(trained, dataset=dataset)
    assert run.job.state == JobState.DONE
    assert len(asked) >= 2
