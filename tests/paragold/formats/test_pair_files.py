import csv
import json

import pyarrow.parquet as pq
from hypothesis import HealthCheck, given, settings, strategies as st

from paragold.aligners.pair_files import read_training_pairs
from paragold.formats.labelled_pairs import read_pairs
from paragold.formats.pair_files import PAIR_FORMATS, PairFiles, PairRow, join_parquet
from paragold.languages import language

ROW = PairRow(
    "storm/a#0|storm/b#2", "storm", "a", 0, "b", 2, 3, 5, 6, 2, 'The "storm" hit.', "=A1 It\nstruck.",
    'The " storm " hit .', "=A1 It struck .",
)  # fmt: skip
ODD = ROW._replace(id="x", text_a="a\u2028b\tc", tokens_a="a\u2028b c", text_b="-1, é 日本 😀", cluster="x")
TEXT = st.text(st.characters(blacklist_categories=["Cs"]), max_size=20)


def written(folder, rows, formats=None):
    formats = formats or PAIR_FORMATS.ids()
    folder.mkdir(exist_ok=True)
    with PairFiles(folder, "pairs", formats) as out:
        for row in rows:
            out.add([row])
    assert out.rows == len(rows)
    if "parquet" in formats:
        join_parquet([folder / "pairs.arrow"], folder / "pairs.parquet")
        (folder / "pairs.arrow").unlink()
    return folder


def test_every_format(tmp_path):
    folder = written(tmp_path / "out", [ROW, ODD])
    assert [path.name for path in sorted(folder.iterdir())] == [
        "pairs.csv", "pairs.jsonl", "pairs.parquet", "pairs.placeholders.tsv", "pairs.src", "pairs.tgt",
        "pairs.tsv",
    ]  # fmt: skip
    lines = (folder / "pairs.tsv").read_text().split("\n")
    assert lines[0].split("\t")[:2] == ["cluster_id", "article_a"]
    assert lines[1] == 'storm\ta\t0\tb\t2\t3\tThe " storm " hit .\t=A1 It struck .'
    assert lines[2].split("\t")[6] == "a b c"
    replaced = (folder / "pairs.placeholders.tsv").read_text().split("\n")
    assert replaced[1] == f'{lines[1]}\tthe " storm " hit .\t=a1 it struck .'
    with PairFiles(tmp_path, "nl", ["placeholders"], language=language("nl")) as out:
        out.add([ROW._replace(tokens_a="Maandag 12 miljoen euro", tokens_b="Dinsdag")])
    dutch = (tmp_path / "nl.placeholders.tsv").read_text().split("\n")[1]
    assert dutch.endswith("\t%%day%% %%money%%\t%%day%%")
    for read in (read_pairs, read_training_pairs):
        assert len(read(folder / "pairs.placeholders.tsv")) == 2
    assert (folder / "pairs.src").read_text() == 'The " storm " hit .\na b c\n'
    jsonl = (folder / "pairs.jsonl").read_text().rstrip("\n").split("\n")
    assert [json.loads(line) for line in jsonl] == [ROW._asdict(), ODD._asdict()]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(texts=st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4))
def test_whatever_the_text_lines_stay_lines_and_nothing_is_lost(tmp_path, texts):
    rows = [ROW._replace(text_a=a, text_b=b, tokens_a=a, tokens_b=b) for a, b in texts]
    folder = written(tmp_path / "out", rows)
    assert pq.read_table(folder / "pairs.parquet").to_pylist() == [row._asdict() for row in rows]
    for name, header in (("tsv", 1), ("src", 0), ("tgt", 0)):
        text = (folder / f"pairs.{name}").read_bytes().decode()
        assert len(text.splitlines()) - header <= len(rows) == text.count("\n") - header
    with (folder / "pairs.csv").open(encoding="utf-8-sig", newline="") as file:
        back = [(row["text_a"], row["text_b"]) for row in csv.DictReader(file)]
    assert [(a.removeprefix("'"), b.removeprefix("'")) for a, b in back] == [
        (a.removeprefix("'"), b.removeprefix("'")) for a, b in texts
    ]
