"""Draws from a folder of parts: equal to those from all rows in memory, whatever the parts and row groups."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paragold.problems import FileProblem
from paragold.sampling import rows as module
from paragold.sampling.rows import draw_rows, key_of, row_order
from paragold.sampling.sampling import distance_bin, limited_per_group, sample_strata, score_bin
from paragold.sampling.strategy import DrawSpec
from paragold.shards.folder import open_folder
from paragold.spec import SpecError
from tests.factories.pairs_folder import pair_row, write_pairs_folder


def in_row_order(keys, *, seed):
    return sorted(keys, key=lambda row: int(row_order(np.array([row]), seed=seed)[0]))


def drawn_in_memory(rows, size, *, seed, spec, left_out, known):
    """The draw from a database: all rows are there with their strata, then one sample is drawn."""
    pool = {
        number: row
        for number, row in enumerate(rows)
        if number not in left_out
        and (
            spec.by != "score"
            or (row["score"] is not None and spec.min_score <= row["score"] <= spec.max_score)
        )
    }
    pool = {number: row for number, row in pool.items() if key_of(row) not in known}
    if spec.per_cluster is not None:
        clusters = {number: row["cluster_id"] for number, row in pool.items()}
        kept = limited_per_group(clusters, spec.per_cluster, seed=seed, order=in_row_order)
        pool = {number: pool[number] for number in kept}
    names = {
        "random": lambda row: "",
        "edit_distance": lambda row: distance_bin(row["edit_distance"]),
        "score": lambda row: score_bin(row["score"]),
    }
    strata = {number: names[spec.by](row) for number, row in pool.items()}
    return sample_strata(strata, size, seed=seed, allocation=spec.allocation, order=in_row_order)


SCORES = st.none() | st.floats(0, 1)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_draw_is_that_from_all_rows_in_memory(data):
    scores = data.draw(st.lists(SCORES, min_size=8, max_size=40))
    rows = [pair_row(number, score=score) for number, score in enumerate(scores)]
    by = data.draw(st.sampled_from(["random", "edit_distance", "score"]))
    spec = DrawSpec(
        by=by,
        allocation=data.draw(st.sampled_from(["proportional", "equal"])),
        per_cluster=data.draw(st.none() | st.integers(1, 3)) if by == "random" else None,
        min_score=data.draw(st.floats(0, 1)),
        max_score=data.draw(st.floats(0, 1)),
    )
    asked = {"seed": data.draw(st.integers(0, 9)), "spec": spec}
    asked["left_out"] = data.draw(st.sets(st.integers(0, len(rows) - 1), max_size=5))
    size = data.draw(st.integers(1, 8))
    with TemporaryDirectory() as folder:
        write_pairs_folder(
            Path(folder), rows, parts=data.draw(st.integers(1, 4)), rows_a_group=data.draw(st.integers(1, 9))
        )
        try:
            expected = drawn_in_memory(rows, size, known=(), **asked)
        except ValueError:
            with pytest.raises(ValueError, match="only"):
                draw_rows(open_folder(folder), size, **asked)
            return
        drawn, counts = draw_rows(open_folder(folder), size, **asked)
    assert [one.number for one in drawn] == expected
    assert [one.values for one in drawn] == [rows[number] for number in expected]
    assert sum(stratum["drawn"] for stratum in counts) == size


def test_pair_of_known_texts_makes_room_for_the_next_and_row_and_part_are_named(tmp_path):
    rows = [pair_row(number) for number in range(30)]
    folder = open_folder(str(write_pairs_folder(tmp_path / "pairs", rows, parts=4)))
    known = {key_of(rows[number]) for number in range(0, 30, 2)}
    drawn, _ = draw_rows(folder, 15, seed=5, known=known)
    assert sorted(one.number for one in drawn) == list(range(1, 30, 2))
    for one in drawn:
        part = next(part for part in folder.parts if part.name == one.part)
        assert part.first + one.row == one.number


def test_texts_that_occur_twice_in_a_folder_are_drawn_once(tmp_path):
    rows = [pair_row(number % 10) for number in range(30)]
    folder = open_folder(str(write_pairs_folder(tmp_path / "pairs", rows)))
    drawn, _ = draw_rows(folder, 10, seed=1)
    assert len({one.key for one in drawn}) == 10
    with pytest.raises(ValueError, match="only 10"):
        draw_rows(folder, 11, seed=1)


def test_more_rows_are_looked_at_where_the_first_ones_are_known(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_SPARE", 0)
    rows = [pair_row(number) for number in range(60)]
    folder = open_folder(str(write_pairs_folder(tmp_path / "pairs", rows)))
    first, _ = draw_rows(folder, 40, seed=2)
    drawn, _ = draw_rows(folder, 5, seed=2, known={one.key for one in first})
    expected = in_row_order(set(range(60)) - {one.number for one in first}, seed=2)
    assert [one.number for one in drawn] == expected[:5]


def test_groups_without_a_score_in_the_range_are_not_read(tmp_path):
    rows = [pair_row(number, score=number / 40) for number in range(40)]
    folder = open_folder(str(write_pairs_folder(tmp_path / "pairs", rows, parts=2, rows_a_group=5)))
    looked_at = []
    spec = DrawSpec(by="score", min_score=0.9)
    draw_rows(folder, 3, seed=1, spec=spec, report=looked_at.append)
    assert set(looked_at) == {40}


def test_orders_of_seeds_differ_and_every_row_comes_first_about_equally_often():
    firsts = [in_row_order(range(10), seed=seed)[0] for seed in range(2000)]
    # 200 expected for each, standard deviation 13.4.
    assert all(150 < firsts.count(row) < 250 for row in range(10))
    assert len(np.unique(row_order(np.arange(100_000), seed=1))) == 100_000


@pytest.mark.parametrize(
    "asked",
    [
        {"by": "cluster"},
        {"by": "score"},
        {"clusters": "only"},
        {"rejected": 10},
        {"by": "edit_distance", "per_cluster": 1},
    ],
)
def test_draws_that_need_the_whole_corpus_are_refused(tmp_path, asked):
    folder = open_folder(str(write_pairs_folder(tmp_path / "pairs", [pair_row(1)], parts=1)))
    with pytest.raises(SpecError):
        draw_rows(folder, 1, seed=1, spec=DrawSpec(**asked))


def test_draw_from_an_address_of_fsspec(tmp_path):
    import fsspec

    rows = [pair_row(number) for number in range(20)]
    local = write_pairs_folder(tmp_path / "pairs", rows)
    memory = fsspec.filesystem("memory")
    for path in local.iterdir():
        memory.pipe_file(f"/bucket/pairs/{path.name}", path.read_bytes())
    folder = open_folder("memory://bucket/pairs")
    assert draw_rows(folder, 7, seed=3) == draw_rows(open_folder(str(local)), 7, seed=3)
    for part in folder.parts:
        folder.checked(part)
    memory.pipe_file("/bucket/pairs/part-00000.parquet", b"other")
    assert folder.changed() == ["part-00000.parquet"]


def test_changed_part_and_links_out_of_the_folder_are_refused(tmp_path):
    local = write_pairs_folder(tmp_path / "pairs", [pair_row(number) for number in range(20)])
    folder = open_folder(str(local))
    first, second, third = folder.parts
    (local / first.name).write_bytes((local / second.name).read_bytes())
    with pytest.raises(FileProblem, match="sha256"):
        folder.checked(first)
    (local / third.name).rename(tmp_path / "elsewhere.parquet")
    (local / third.name).symlink_to(tmp_path / "elsewhere.parquet")
    with pytest.raises(FileProblem, match="leads out"):
        folder.checked(third)


@pytest.mark.parametrize("name", ["../part-00000.parquet", "/etc/passwd", "a/b.parquet", "..\\b.parquet"])
def test_manifest_that_names_files_elsewhere_is_refused(tmp_path, name):
    local = write_pairs_folder(tmp_path / "pairs", [pair_row(1)], parts=1)
    path = local / "manifest.json"
    text = path.read_text().replace('"part-00000.parquet"', '"' + name.replace("\\", "\\\\") + '"')
    path.write_text(text)
    with pytest.raises(FileProblem, match="manifest"):
        open_folder(str(local))
