"""The kernel chosen by name: from file to file, in a project, and where the package is missing."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corpus.models import Extraction
from corpus.services import dry_run as service
from paragold.extraction import kernels
from tests.factories.news import DEMO, project_with, stored


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(kernels.ENVIRONMENT, raising=False)
    monkeypatch.setitem(sys.modules, "paragold.extraction.kernels.numba_lanes", None)
    monkeypatch.delattr(kernels, "numba_lanes", raising=False)
    monkeypatch.setattr(service, "find_spec", lambda name: None)


def from_file(output: Path, *options: str) -> bytes:
    arguments = ["--preset", "L12-2004", "--input", str(DEMO), "--output", str(output), *options]
    call_command("extract_pairs", *arguments, stdout=io.StringIO())
    return output.read_bytes()


def test_a_file_gives_the_same_bytes_with_every_kernel(tmp_path: Path) -> None:
    default = from_file(tmp_path / "pairs.tsv")
    assert default.count(b"\n") > 100
    for name in kernels.NAMES:
        assert from_file(tmp_path / "pairs.tsv", "--kernel", name, "--processes", "1") == default


def test_a_missing_package_is_told_and_nothing_is_written(tmp_path: Path, without_numba: None) -> None:
    output = tmp_path / "pairs.tsv"
    with pytest.raises(CommandError, match=r"needs the package numba .* or use rapidfuzz"):
        from_file(output, "--kernel", "numba")
    assert not list(tmp_path.iterdir())
    assert from_file(output).startswith(b"cluster_id\t")
    with pytest.raises(CommandError, match="invalid choice: 'cuda'"):
        from_file(output, "--kernel", "cuda")


@pytest.mark.django_db
def test_a_project_s_extraction_records_the_kernel() -> None:
    project = project_with(DEMO)
    for name in ("", *kernels.NAMES):
        options = ["--kernel", name] if name else []
        call_command(
            "extract_pairs", "--wait", *options, preset="L12", project=project.slug, name=f"with {name}",
            stdout=io.StringIO(),
        )  # fmt: skip
    fastest, *named = Extraction.objects.order_by("pk")
    assert fastest.job.parameters["kernel"] == ""
    for extraction, name in zip([fastest, *named], ("numba", *kernels.NAMES), strict=True):
        chunks = {known: extraction.job.counts[f"chunks_{known}"] for known in kernels.NAMES}
        assert chunks == {known: extraction.job.chunks.count() * (known == name) for known in kernels.NAMES}
        assert stored(extraction) == stored(fastest) != []


@pytest.mark.django_db
def test_a_project_without_the_package_says_so_before_the_run(without_numba: None) -> None:
    project = project_with(DEMO)
    with pytest.raises(CommandError, match=r"is not installed here\. Install it, or use rapidfuzz"):
        call_command("extract_pairs", "--kernel", "numba", preset="L12", project=project.slug)
    assert not Extraction.objects.exists()
    call_command("extract_pairs", "--wait", preset="L12", project=project.slug, stdout=io.StringIO())
    assert Extraction.objects.get().job.counts["chunks_rapidfuzz"] > 0
