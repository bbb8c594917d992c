import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version

import pytest

from paragold.aligners import programs
from paragold.aligners.programs import THOT_MODELS, THOT_VERSION, ProgramError, Thot
from paragold.aligners.registry import load_aligner

WORDS = ["the", "a", "dog", "cat", "house", "tree", "barked", "slept", "fell", "stood", "big", "small"]
TEXT = [([WORDS[(5 * n + n * n * k) % 12] for k in range(3 + n % 4)],) * 2 for n in range(120)]
PAIRS = [
    (["The", "dog", "barked", "NULL"], ["the", "DOG", "barked"]),
    ([], ["empty"]),
    (["long"] * 201, ["long"]),
    (["ein", "ß\u00a0x", "UNKNOWN_WORD", "<UNUSED_WORD>", "|||"], ["ß\u00a0x", "\u2028", "0"]),
]


@pytest.fixture
def installed():
    try:
        return version("sil-thot")
    except PackageNotFoundError:
        pytest.skip("sil-thot is not installed (requirements-dev.txt)")


@pytest.mark.parametrize("model", THOT_MODELS)
def test_every_model_links_and_repeats_itself(installed, tmp_path, model):
    first, second = (Thot(model=model, linking="intersection").fit(TEXT) for _ in range(2))
    links = first.align_all(PAIRS)
    second.save(tmp_path / "thot.npz")
    again = load_aligner(tmp_path / "thot.npz")
    assert links == second.align_all(PAIRS) == again.align_all(PAIRS)
    assert (again.spec, again.signature) == (second.spec, second.signature)
    assert first.signature == second.signature
    assert f"sil-thot {installed}|model:{model}" in first.signature
    assert links[1] == links[2] == []
    assert {(0, 0), (1, 1), (2, 2)} <= set(links[0])
    for (source, target), drawn in zip(PAIRS, links, strict=True):
        assert all(0 <= i < len(source) and 0 <= j < len(target) for i, j in drawn)
        # Of an intersection no word has two links.
        assert len({i for i, _ in drawn}) == len({j for _, j in drawn}) == len(drawn)


def test_directions_and_seeds_are_not_mixed_up(installed):
    text = [([f"w{(7 * n + k * k) % 40}" for k in range(9)], [f"v{(3 * n + k) % 40}" for k in range(9)])
            for n in range(80)]  # fmt: skip
    # Each target word has one source word at most forward, each source word one target word backward.
    given = [*TEXT, (["the", "dog"], ["the", "dog", "dog", "dog"])]
    forward, backward = Thot(model="ibm1").directions(given[::-1], 1)
    assert sorted(j for _, j in forward[0]) == [0, 1, 2, 3]
    assert sorted(i for i, _ in backward[0]) == [0, 1]
    drawn = {
        (model, seed): Thot(model=model, seed=seed, linking="union").draw(text)
        for model in ("eflomal", "ibm1")
        for seed in (1, 2)
    }
    assert drawn["eflomal", 1] != drawn["eflomal", 2]
    assert drawn["ibm1", 1] == drawn["ibm1", 2]


def test_the_library_is_loaded_into_another_process_and_no_file_of_the_user_is(
    installed, tmp_path, monkeypatch
):
    code = (
        "import sys; from paragold.aligners.registry import aligner_of;"
        "links = aligner_of({'aligner': 'thot', 'model': 'ibm1'}).fit([]).align_all([(['a'], ['a'])]);"
        "print(len(links), [name for name in sys.modules if name.split('.')[0] == 'thot'])"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "1 []"
    (tmp_path / "thot.py").write_text("import pathlib; pathlib.Path(__file__).with_name('run').touch()")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert Thot(model="ibm1").fit(TEXT).align_all(TEXT[:1]) != [[]]
    assert not (tmp_path / "run").exists()


def test_a_crash_of_the_native_code_is_an_error_and_no_more(tmp_path, monkeypatch):
    crash = tmp_path / "crash.py"
    crash.write_text("import os, sys; print('about to fail', file=sys.stderr, flush=True); os.abort()")
    monkeypatch.setattr(programs, "THOT_PROGRAM", (sys.executable, str(crash)))
    monkeypatch.setattr(programs, "version", lambda name: THOT_VERSION)
    with pytest.raises(ProgramError, match=r"sil-thot \(hmm\) failed with -6: about to fail"):
        Thot(model="hmm").draw(PAIRS)
