"""An extraction in shards gives the pairs of one process: same lines, same order, same counts."""

from __future__ import annotations

from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from paragold.extraction.presets import PRESETS
from paragold.problems import FileProblem
from paragold.shards import inputs, plan
from paragold.shards.engines import LocalEngine
from paragold.shards.finished import damages, read_pairs
from paragold.shards.folder import open_folder
from tests.paragold.shards.corpora import InThisProcess, as_lines, by_one_process, in_shards, news, written

CRITERIA = {
    **{name: PRESETS[name].criteria for name in ("L12", "F2", "L12-2004", "candidates-2005")},
    "placeholders": PRESETS["L12-2004"].criteria.with_settings(
        {"placeholders": "yes", "same_article": "yes"}
    ),
}


@pytest.mark.parametrize("shards", [1, 2, 7])
@pytest.mark.parametrize("name", CRITERIA)
def test_as_one_process(name: str, shards: int, tmp_path: Path) -> None:
    criteria, lines = CRITERIA[name], as_lines(news(shards, clusters=20), seed=shards - 1)
    expected, counts = by_one_process(tmp_path, lines, criteria)
    half = len(lines) // 2
    files = [written(tmp_path / "a.jsonl", lines[:half]), written(tmp_path / "b.jsonl", lines[half:])]

    manifest = in_shards(files, criteria, tmp_path / "out", shards=shards)

    assert expected.count(b"\n") > 1
    assert manifest["details"]["pairs_sha256"] == sha256(expected).hexdigest()
    assert manifest["counts"] == {key: count for key, count in asdict(counts).items() if key != "seconds"}
    assert manifest["counts"]["rejected_seen_before"] or name in ("L12", "F2")
    assert read_pairs(tmp_path / "out", tmp_path / "read.tsv") == counts.pairs_kept
    assert (tmp_path / "read.tsv").read_bytes() == expected
    assert sorted(manifest["files"]) == [f"part-{number:05}.parquet" for number in range(shards)]
    assert sum(part["pairs"] for part in manifest["files"].values()) == counts.pairs_kept


@pytest.mark.parametrize("seed", range(6))
def test_however_the_work_is_cut(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs in many parts, chunks and slices, tasks in another order, articles of a cluster far apart."""
    monkeypatch.setattr(plan, "SPLIT_BYTES", 700 + 100 * seed)
    monkeypatch.setattr(plan, "SHARE_BYTES", 50)
    monkeypatch.setattr(plan, "SLICE_BYTES", 1500)
    monkeypatch.setattr("paragold.shards.steps.extract.ROWS_A_GROUP", 15)
    monkeypatch.setattr("paragold.shards.pair_lines._ROWS_AT_ONCE", 4)
    criteria, lines = CRITERIA["L12-2004"], as_lines(news(seed, clusters=15), seed=seed)
    expected, _ = by_one_process(tmp_path, lines, criteria)
    source = written(tmp_path / "a.jsonl", lines)

    manifest = in_shards([source], criteria, tmp_path / "out", shards=3, engine=InThisProcess(seed))

    assert manifest["details"]["pairs_sha256"] == sha256(expected).hexdigest()


@pytest.mark.parametrize("ending", [".jsonl.gz", ".jsonl.zst", ".parquet"])
@pytest.mark.parametrize("seed", [0, 1])
def test_other_kinds_of_files(ending: str, seed: int, tmp_path: Path) -> None:
    lines, criteria = as_lines(news(3), seed), CRITERIA["L12-2004"]
    expected, _ = by_one_process(tmp_path, lines, criteria)
    files = [written(tmp_path / f"{n}{ending}", lines[n * 5 : n * 5 + 5]) for n in range(8) if lines[n * 5 :]]

    manifest = in_shards(files, criteria, tmp_path / "out", shards=3)

    assert manifest["details"]["pairs_sha256"] == sha256(expected).hexdigest()


def test_a_pattern_blank_lines_a_byte_order_mark_and_line_ends_of_windows(tmp_path: Path) -> None:
    lines, criteria = as_lines(news(4)), CRITERIA["L12-2004"]
    expected, _ = by_one_process(tmp_path, lines, criteria)
    (tmp_path / "news-1.jsonl").write_bytes(b"\xef\xbb\xbf" + "\r\n \r\n".join(lines[:6]).encode())
    written(tmp_path / "news-2.jsonl", lines[6:])

    manifest = in_shards([tmp_path / "news-*.jsonl"], criteria, tmp_path / "out", shards=2)

    assert manifest["details"]["pairs_sha256"] == sha256(expected).hexdigest()
    assert [source["name"] for source in manifest["details"]["inputs"]] == ["news-1.jsonl", "news-2.jsonl"]


@pytest.mark.parametrize("workers", [1, 3])
def test_processes_of_this_machine(workers: int, tmp_path: Path) -> None:
    lines, criteria = as_lines(news(5), seed=2), CRITERIA["candidates-2005"]
    expected, _ = by_one_process(tmp_path, lines, criteria)
    source = written(tmp_path / "a.jsonl", lines)

    manifest = in_shards([source], criteria, tmp_path / "out", shards=4, engine=LocalEngine(workers))

    assert manifest["details"]["pairs_sha256"] == sha256(expected).hexdigest()


def test_parts_have_typed_columns_and_equal_runs_equal_bytes(tmp_path: Path) -> None:
    source, criteria = written(tmp_path / "a.jsonl", as_lines(news(6))), CRITERIA["L12-2004"]
    first = in_shards([source], criteria, tmp_path / "one", shards=3)
    second = in_shards([source], criteria, tmp_path / "two", shards=3, engine=InThisProcess(9))

    assert first == second
    schema = pq.read_schema(tmp_path / "one" / "part-00000.parquet")
    assert [str(schema.field(name).type) for name in ("cluster_id", "edit_distance")] == ["string", "int32"]
    assert not damages(tmp_path / "one")
    assert not (tmp_path / "one" / "work").exists()


def test_an_address_is_read_by_fsspec(tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    lines, criteria = as_lines(news(7)), CRITERIA["L12-2004"]
    expected, _ = by_one_process(tmp_path, lines, criteria)
    with fsspec.open("memory://news/a.jsonl", "wb") as file:
        file.write("".join(f"{line}\n" for line in lines).encode())

    manifest = in_shards(["memory://news/*.jsonl"], criteria, tmp_path / "out", shards=2)

    assert manifest["details"]["pairs_sha256"] == sha256(expected).hexdigest()


def test_parts_of_a_file_end_with_its_lines(tmp_path: Path) -> None:
    source = written(tmp_path / "a.jsonl", ["{}" * length for length in (1, 40, 3, 200, 1, 1, 90)])
    [described] = inputs.list_inputs([str(source)])
    parts = inputs.cuts(described, 50)

    assert len(parts) > 2
    assert [begin for begin, _ in parts[1:]] == [end for _, end in parts[:-1]]
    lines = [line.data for begin, end in parts for line in inputs.read_lines(described, begin, end)]
    assert lines == source.read_bytes().splitlines()


def test_a_bucket_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("s3fs", reason="s3fs is not installed")
    import boto3
    from moto.server import ThreadedMotoServer

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    try:
        monkeypatch.setenv("AWS_ENDPOINT_URL", "http://{}:{}".format(*server.get_host_and_port()))
        criteria, lines = CRITERIA["L12"], as_lines(news(3, clusters=6))
        expected, _ = by_one_process(tmp_path, lines, criteria)
        bucket = boto3.client("s3")
        bucket.create_bucket(Bucket="news")
        for name, some in (("a.jsonl", lines[:3]), ("b.jsonl.gz", lines[3:])):
            bucket.upload_file(str(written(tmp_path / name, some)), "news", name)

        manifest = in_shards(["s3://news/*.jsonl*"], criteria, tmp_path / "out", shards=2)

        assert manifest["details"]["pairs_sha256"] == sha256(expected).hexdigest()
        for path in (tmp_path / "out").glob("*.*"):
            bucket.upload_file(str(path), "news", f"pairs/{path.name}")
        folder = open_folder("s3://news/pairs")
        assert folder.pairs == manifest["counts"]["pairs_kept"]
        for part in folder.parts:
            folder.checked(part)
        assert not folder.changed()
    finally:
        server.stop()


def test_an_address_is_no_folder_for_parts(tmp_path: Path) -> None:
    source = written(tmp_path / "a.jsonl", as_lines(news(1)))
    with pytest.raises(FileProblem, match="It is an address"):
        in_shards([source], CRITERIA["L12"], Path("s3://news/out"))
