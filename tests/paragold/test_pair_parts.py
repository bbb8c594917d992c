from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragold.aligners.registry import aligner_of
from paragold.cli.main import main
from paragold.extraction.cluster import extract_cluster
from paragold.extraction.files import extract_file
from paragold.extraction.presets import PRESETS
from paragold.extraction.records import ClusterSentences
from paragold.formats.labelled_pairs import read_pairs
from paragold.many import extract_many
from paragold.pair_parts import aligned, characterised, classified, map_pairs, sample
from paragold.sampling.sampling import distance_bin
from tests.paragold.classification.examples import labelled_pairs
from tests.paragold.many_files import Serial, manifest, written

L12 = PRESETS["L12-2004-word"].criteria


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    """A folder of pairs."""
    folder = tmp_path_factory.mktemp("pairs")
    _, files = written(folder / "corpus")
    extract_many(files, folder / "pairs", L12, executor=Serial(), shards=2)
    return folder / "pairs"


@pytest.fixture
def parts(pairs, tmp_path):
    """The same pairs in two files of small row groups."""
    table = pq.read_table(pairs / "pairs.parquet")
    for name, rows in (("1.parquet", table.slice(0, 100)), ("2.parquet", table.slice(100))):
        pq.write_table(rows, tmp_path / name, row_group_size=30)
    return [tmp_path / "1.parquet", tmp_path / "2.parquet"]


def mapped(function, parts, folder, model=""):
    rows = map_pairs(parts, folder, function, model=model, executor=Serial())
    table = pq.read_table(folder / "pairs.parquet")
    assert rows == len(table) == manifest(folder)["counts"]["pairs"]
    assert map_pairs(parts, folder, function, model=model, executor=Serial()) == rows
    return table


def test_links_of_parts_are_those_of_all_pairs(parts, tmp_path):
    table = pa.concat_tables(map(pq.read_table, parts))
    texts = zip(table["text_a"].to_pylist(), table["text_b"].to_pylist(), strict=True)
    tokens = [(first.split(" "), second.split(" ")) for first, second in texts]
    aligner = aligner_of({"aligner": "ibm1"}).fit(tokens)
    aligner.save(tmp_path / "ibm1.npz")
    found = mapped(aligned, parts, tmp_path / "out", tmp_path / "ibm1.npz")
    expected = [" ".join(f"{i}-{j}" for i, j in links) for links in aligner.align_all(tokens)]
    assert found["links"].to_pylist() == expected and any(expected)
    assert found.drop_columns(["links"]) == table


def test_decisions_on_parts_are_those_of_the_command(pairs, parts, tmp_path):
    train = tmp_path / "train.tsv"
    train.write_text("".join(f"{int(bool(p.label))}\t{p.first}\t{p.second}\n" for p in labelled_pairs(30)))
    model, scored = str(tmp_path / "m.npz"), tmp_path / "scored.tsv"
    assert main(["train-classifier", "--pairs", str(train), "--output", model, "--c", "0.01"]) == 0
    extract_file(pairs.parent / "corpus" / "one.jsonl", L12, tmp_path / "pairs.tsv", processes=1)
    options = ["--pairs", str(tmp_path / "pairs.tsv"), "--output", str(scored)]
    assert main(["classify-pairs", "--model", model, *options]) == 0
    header, *rows = (line.split("\t") for line in scored.read_text().splitlines())
    found = mapped(classified, parts, tmp_path / "out", model)
    assert len(found) == len(rows)
    for name in ("decision", "probability"):
        expected = [row[header.index(name)] for row in rows]
        assert [f"{value:.6f}" for value in found[name].to_pylist()] == expected
    (tmp_path / "manifest.json").write_bytes((pairs / "manifest.json").read_bytes())
    drawn = sample(tmp_path / "out", 9, tmp_path / "drawn", by="score")
    assert sum(drawn.values()) == 9 and drawn.keys() >= {"0.0-0.1", "0.9-1.0"}


def test_lengths_and_shared_words_are_those_that_extraction_counts(pairs, parts, tmp_path):
    found = mapped(characterised, parts, tmp_path / "out")
    columns = ("text_a", "text_b", "length_a", "length_b", "shared_words")
    for first, second, *numbers in zip(*(found[name].to_pylist() for name in columns), strict=True):
        cluster = ClusterSentences.from_texts([[first], [second]])
        [pair] = extract_cluster(cluster, L12)
        assert numbers == [pair[name] for name in columns[2:]]


@pytest.mark.parametrize("by", ["random", "distance"])
def test_a_sample_depends_on_the_seed_alone(pairs, tmp_path, by):
    drawn = sample(pairs, 40, tmp_path / "one", by=by, allocation="equal", seed=3)
    _, files = written(tmp_path / "corpus")
    extract_many(files, tmp_path / "pairs", L12, executor=Serial(), shards=5)
    table = pq.read_table(tmp_path / "pairs" / "pairs.parquet")
    pq.write_table(table, tmp_path / "pairs" / "pairs.parquet", row_group_size=17)
    assert sample(tmp_path / "pairs", 40, tmp_path / "two", by=by, allocation="equal", seed=3) == drawn
    sample(pairs, 40, tmp_path / "other", by=by, allocation="equal", seed=4)
    one, two, other = ((tmp_path / name / "pairs.tsv").read_bytes() for name in ("one", "two", "other"))
    assert one == two != other
    rows = read_pairs(tmp_path / "one" / "pairs.tsv")
    assert len({(row.cluster, *row.keys) for row in rows}) == 40 == sum(drawn.values())
    if by == "distance":
        distances = [int(line.split(b"\t")[5]) for line in one.splitlines()[1:]]
        assert Counter(map(distance_bin, distances)) == Counter({name: n for name, n in drawn.items() if n})
        all_of = Counter(map(distance_bin, table["edit_distance"].to_pylist()))
        assert all(number <= all_of[name] for name, number in drawn.items())
