import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from paragold import executors, many
from paragold.cli.main import main
from paragold.extraction.presets import PRESETS
from paragold.many import extract_many, match_many
from paragold.matching.files import match_files
from paragold.matching.specs import MatchingSpec
from paragold.problems import FileProblem
from tests.paragold.many_files import Serial, article, lines_of, manifest, of_one_process, written
from tests.processes import REPOSITORY

L12 = PRESETS["L12-2004-word"].criteria
CRITERIA = {
    **{name: PRESETS[name].criteria for name in ("L12", "L12-2004", "F2-2004", "candidates-2005")},
    "placeholders": L12.replace(placeholders=True),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return written(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def expected(files, tmp_path_factory):
    """Counts and hash of L12-2004-word in one process."""
    return of_one_process(files[0], L12, tmp_path_factory.mktemp("one"))


@pytest.mark.parametrize(("name", "shards"), [(name, 5) for name in CRITERIA] + [("L12", 1)])
def test_pairs_order_and_counts_are_those_of_one_process(files, tmp_path, name, shards):
    one, parts = files
    counts, digest = of_one_process(one, CRITERIA[name], tmp_path)
    found = extract_many(parts, tmp_path / "many", CRITERIA[name], executor=Serial(), shards=shards)
    assert found == counts and counts["pairs_kept"] > 50
    assert manifest(tmp_path / "many")["pairs_sha256"] == digest
    header, *rows = (line.split("\t") for line in (tmp_path / "one.tsv").read_text().splitlines())
    assert lines_of(tmp_path / "many" / "pairs.parquet") == rows
    assert pq.read_schema(tmp_path / "many" / "pairs.parquet").names == header


def test_patterns_of_addresses_and_what_is_done_is_not_done_again(files, tmp_path, expected):
    pattern = f"file://{files[1][0].parent}/[1-4].*"
    assert extract_many([pattern], tmp_path / "many", L12, executor=Serial()) == expected[0]
    assert manifest(tmp_path / "many")["pairs_sha256"] == expected[1]
    extract_many(files[1], tmp_path, L12, executor=Serial(), shards=3)
    before = (tmp_path / "pairs.parquet").stat().st_mtime_ns
    assert extract_many(files[1], tmp_path, L12, executor=Serial()) == expected[0]
    assert (tmp_path / "pairs.parquet").stat().st_mtime_ns == before


KILLED = """
import os, signal, sys
from pathlib import Path
from paragold import many
from paragold.executors import processes
from paragold.extraction.presets import PRESETS
from tests.paragold.many_files import Serial

name, calls, folder, *files = sys.argv[1:]
criteria = PRESETS["L12-2004-word"].criteria
original, left = getattr(many, name), int(calls)

def dying(*values, **options):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return original(*values, **options)

setattr(many, name, dying)
many.extract_many(files, Path(folder), PRESETS["L12-2004-word"].criteria, executor=Serial(), shards=4)
"""


@pytest.mark.parametrize(
    ("phase", "calls"),
    [("_divide", 1), ("_extract", 2), ("write_text", 3), ("_write", 0), ("end", 0)],
)
def test_a_job_that_was_killed_goes_on(files, tmp_path, expected, phase, calls):
    command = [sys.executable, "-c", KILLED, phase, str(calls), str(tmp_path), *map(str, files[1])]
    done = subprocess.run(command, cwd=REPOSITORY, check=False)
    assert done.returncode == -signal.SIGKILL
    left = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "work").iterdir()}
    assert left and not (tmp_path / "manifest.json").exists()
    kept = []

    class Watching(Serial):
        def map(self, function, parts):
            kept.extend(left[name] == (tmp_path / "work" / name).stat().st_mtime_ns for name in left)
            return super().map(function, parts)

    assert extract_many(files[1], tmp_path, L12, executor=Watching()) == expected[0]
    assert all(kept)
    assert manifest(tmp_path)["pairs_sha256"] == expected[1]
    assert not (tmp_path / "work").exists()


SECONDS = 240
WORKER_KILLED = """
import os, signal, sys
from pathlib import Path
from paragold import many
from paragold.executors import processes
from paragold.extraction.presets import PRESETS

folder, *files = sys.argv[1:]
criteria = PRESETS["L12-2004-word"].criteria
original = many._extract

def dying(shard, **options):
    if shard == 3 and not Path(folder, "died").exists():
        Path(folder, "died").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return original(shard, **options)

many._extract = dying
if __name__ == "__main__":
    for _ in range(2):
        try:
            with processes(2) as pool:
                many.extract_many(files, Path(folder, "out"), criteria, executor=pool, shards=6)
        except ValueError as problem:
            print(problem)
"""


def run_script(script, tmp_path, *arguments, **environment):
    """What a script prints, errors with it; after SECONDS the test fails with what it has printed."""
    (tmp_path / "script.py").write_text(script, encoding="utf-8")
    paths = os.pathsep.join(filter(None, [str(REPOSITORY), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, str(tmp_path / "script.py"), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": paths, **environment}
    with (tmp_path / "printed").open("w") as out:
        script = subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=out, start_new_session=True)
        try:
            status = script.wait(SECONDS)
        except subprocess.TimeoutExpired:
            status = f"not ended after {SECONDS} s"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(script.pid, signal.SIGKILL)
    printed = (tmp_path / "printed").read_text()
    assert status == 0, printed
    return printed


def test_a_killed_worker_is_reported_and_the_same_call_goes_on(files, tmp_path, expected):
    told = run_script(WORKER_KILLED, tmp_path, tmp_path, *files[1])
    assert told.count("A worker process was killed") == 1 and "what is done is kept" in told
    assert manifest(tmp_path / "out")["pairs_sha256"] == expected[1]


LOCAL = """
import sys
from pathlib import Path
from paragold import executors, many
from paragold.extraction.presets import PRESETS
from paragold.problems import FileProblem

if __name__ == "__main__":
    name, folder, *files = sys.argv[1:]
    criteria = PRESETS["L12-2004-word"].criteria
    with executors.EXECUTORS[name](2, None) as executor:
        many.extract_many(files, Path(folder, "out"), criteria, executor=executor, shards=2)
        try:
            broken = [*files, folder + "/broken.jsonl"]
            many.extract_many(broken, Path(folder, "other"), criteria, executor=executor)
        except FileProblem as problem:
            print(problem)
"""


@pytest.mark.parametrize(
    ("name", "package"), [("ray", "ray"), ("dask", "distributed"), ("slurm", "submitit")]
)
def test_other_executors_give_the_same(files, tmp_path, expected, name, package):
    if find_spec(package) is None:
        pytest.skip(f"needs the extra {name}")
    (tmp_path / "broken.jsonl").write_text('{"cluster_id": "x"\n', encoding="utf-8")
    told = run_script(LOCAL, tmp_path, name, tmp_path, *files[1])
    assert manifest(tmp_path / "out")["pairs_sha256"] == expected[1]
    assert f"{tmp_path}/broken.jsonl, line 1" in told and "The line is not valid JSON" in told


def test_an_executor_whose_package_is_missing_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "submitit", None)
    needed = "This executor needs submitit: pip install submitit."
    with pytest.raises(ValueError, match=needed), executors.slurm():
        pass


def test_a_folder_of_another_run_is_refused(files, tmp_path):
    extract_many(files[1], tmp_path / "done", L12, executor=Serial(), shards=2)
    (tmp_path / "begun" / "work").mkdir(parents=True)
    plan = {name: value for name, value in manifest(tmp_path / "done").items() if name != "counts"}
    (tmp_path / "begun" / "work" / "plan.json").write_text(json.dumps(plan))
    for folder in ("done", "begun"):
        for inputs, criteria in ((files[1], PRESETS["L12"].criteria), (files[1][1:], L12)):
            with pytest.raises(FileProblem, match="The folder holds another run"):
                extract_many(inputs, tmp_path / folder, criteria, executor=Serial())
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "pairs.parquet").touch()
    with pytest.raises(FileProblem, match="unknown origin"):
        extract_many(files[1], tmp_path / "mine", L12, executor=Serial())
    assert (tmp_path / "mine" / "pairs.parquet").read_bytes() == b""


def refused(tmp_path, *inputs, run=extract_many, chosen=L12):
    """File and line of each problem, and the words."""
    folder = Path(mkdtemp(dir=tmp_path))
    with pytest.raises(FileProblem) as caught:
        run(inputs, folder, chosen, executor=Serial(), shards=3)
    assert not (folder / "manifest.json").exists() and not (folder / "pairs.parquet").exists()
    places = [(one.file.removeprefix(f"{tmp_path}/"), one.line) for one in caught.value.problems]
    return places, str(caught.value)


def lines(path, *rows):
    texts = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_bytes("".join(f"{text}\n" for text in texts).encode("utf-8", "surrogatepass"))
    return path


GOOD = article("c", "a", ["A storm hit the coast ."])


def test_problems_name_file_and_line_of_the_input(tmp_path):
    whole = {"cluster_id": "w", "articles": [{"id": "a", "text": "It rained."}]}
    first = lines(
        tmp_path / "1.jsonl", GOOD, "", '{"cluster_id": "d", "id": 3}', article("t", "x\ty", ["Hm ."]), whole
    )
    second = lines(tmp_path / "2.jsonl", "{", whole, article("c", "b", ["A \x85 b"]))
    packed = tmp_path / "3.jsonl.gz"
    packed.write_bytes(gzip.compress(b'{"id": "no cluster"}\n'))
    table = tmp_path / "4.parquet"
    pq.write_table(
        pa.table({"cluster_id": ["p", "p"], "id": ["a", "b"], "text": ["It rained.", None]}), table
    )
    found, words = refused(tmp_path, first, second, packed, table)
    assert found == [
        ("1.jsonl", 3),
        ("1.jsonl", 4),
        ("2.jsonl", 1),
        ("2.jsonl", 2),
        ("3.jsonl.gz", 1),
        ("4.parquet", 2),
    ]
    assert 'The cluster "w" has appeared on' in words and "Put all its articles on one line" in words


def test_files_that_cannot_be_read_are_named(tmp_path):
    whole = gzip.compress(lines(tmp_path / "1.jsonl", *[GOOD] * 999).read_bytes())
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[:-20])
    (tmp_path / "cut.jsonl.zst").write_bytes(pa.compress(b"x" * 9999, "zstd", asbytes=True)[:-2])
    (tmp_path / "no.parquet").write_bytes(b"PAR1")
    (tmp_path / "latin.jsonl").write_bytes(b'{"cluster_id": "c"}\n"caf\xe9"\n')
    names = ("cut.jsonl.gz", "cut.jsonl.zst", "latin.jsonl", "no.parquet")
    found, words = refused(tmp_path, *(tmp_path / name for name in names))
    assert found == [(name, 2 if name == "latin.jsonl" else 0) for name in names]
    assert "It cannot be read" in words and "0xE9 at offset 24" in words
    assert refused(tmp_path, lines(tmp_path / "page.jsonl", "<html>"))[0] == [("page.jsonl", 1)]
    assert "There is no such file" in refused(tmp_path, tmp_path / "*.csv")[1]
    assert "No article" in refused(tmp_path, lines(tmp_path / "empty.jsonl", "", article("c", "a", [])))[1]


TEXTS = [
    f"{w} sailors saw the {c} whale near the coast of {p} on a calm day"
    for w in ("Two", "Many", "Old")
    for c in ("white", "grey", "huge", "lost")
    for p in ("Chile", "Peru", "Norway", "Iceland", "Japan")
] + ["the", "...", "A tab\x85in between whales"]


def text_files(tmp_path, name, texts):
    rows = [(f"{name}{number}", text) for number, text in enumerate(texts)]
    table = tmp_path / f"{name}.tsv"
    table.write_text("".join(f"{key}\t{text}\n" for key, text in rows), encoding="utf-8")
    half = len(rows) // 2
    as_objects = lines(tmp_path / f"{name}.jsonl", *({"id": key, "text": text} for key, text in rows[:half]))
    keys, texts = zip(*rows[half:], strict=True)
    pq.write_table(pa.table({"id": keys, "text": texts}), tmp_path / f"{name}.parquet")
    return table, [as_objects, tmp_path / f"{name}.parquet"]


@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("settings", [{}, {"threshold": 0.6, "seed": 4}, {"threshold": 0.5, "greedy": True}])
def test_matching_by_bands_is_that_of_one_process(tmp_path, monkeypatch, two, settings):
    monkeypatch.setattr(many, "HELD_TEXTS", 7)
    spec = MatchingSpec(method="bands", **settings)
    table, parts = text_files(tmp_path, "a", TEXTS)
    other, against = text_files(tmp_path, "b", TEXTS[::-2])
    _, pairs, _ = match_files([table, *[other] * two], spec, tmp_path / "one.tsv")
    for shards, inputs in ((1, parts), (4, [table])):
        folder = tmp_path / f"many-{shards}"
        found = match_many(inputs, folder, spec, executor=Serial(), against=against * two, shards=shards)
        assert found == pairs > 5
        expected = (tmp_path / "one.tsv").read_bytes()
        assert manifest(folder)["pairs_sha256"] == hashlib.sha256(expected).hexdigest()


def test_the_command_extracts_from_many_files(files, tmp_path, expected, capsys):
    inputs = [str(path) for path in files[1]]
    options = ["--preset", "L12-2004-word", "--output", str(tmp_path / "pairs"), "--workers", "2"]
    assert main(["extract-pairs", *inputs, *options]) == 0
    assert f"{expected[0]['pairs_kept']:,}  pairs kept" in capsys.readouterr().out
    assert manifest(tmp_path / "pairs")["pairs_sha256"] == expected[1]
    assert main(["extract-pairs", *inputs, "--input", inputs[0], "--output", str(tmp_path / "x")]) == 2
    assert "Give --input FILE or the names of FILES" in capsys.readouterr().err


def test_the_command_matches_many_files(tmp_path, capsys):
    table, parts = text_files(tmp_path, "a", TEXTS)
    other, against = text_files(tmp_path, "b", TEXTS[::-2])

    def match(*arguments):
        return main(["match-texts", *map(str, arguments), "--threshold", "0.6", "--method", "bands"])

    assert match(table, other, "--output", tmp_path / "one.tsv") == 0
    shared = ["--against", *against, "--executor", "processes", "--workers", 2]
    assert match(*parts, *shared, "--output", tmp_path / "many") == 0
    expected = (tmp_path / "one.tsv").read_bytes()
    assert f"\n{len(expected.splitlines()) - 1:,} pairs.\n" in capsys.readouterr().out
    assert manifest(tmp_path / "many")["pairs_sha256"] == hashlib.sha256(expected).hexdigest()
    assert match(*parts, *against, "--output", tmp_path / "x") == 2
    assert "name an --executor, for many files" in capsys.readouterr().err


def test_texts_that_cannot_be_matched_are_named(tmp_path):
    first = lines(tmp_path / "1.jsonl", {"id": "a", "text": "One ."}, {"id": "b"}, "{")
    found, words = refused(tmp_path, first, run=match_many, chosen=MatchingSpec())
    assert found == [("1.jsonl", 2), ("1.jsonl", 3)]
    good = lines(tmp_path / "2.jsonl", {"id": "a", "text": "One ."})
    again = lines(tmp_path / "3.tsv", "id\ttext", "b\tTwo .", "a\tThree .")
    found, words = refused(tmp_path, good, again, run=match_many, chosen=MatchingSpec())
    assert found == [("3.tsv", 3)] and "The id 'a' occurs twice" in words
    assert (
        "is for one file" in refused(tmp_path, good, run=match_many, chosen=MatchingSpec(method="exact"))[1]
    )
