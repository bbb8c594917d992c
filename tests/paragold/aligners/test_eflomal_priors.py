from pathlib import Path

import pytest

from paragold.aligners.eflomal_priors import check_priors, priors
from paragold.problems import FileProblem

PAIRS = [(["Dogs", "bark"], ["the", "dogs", "bark", "."]), (["dogs"], ["dog"])]
LINKS = [[(0, 0), (0, 1), (1, 2)], [(0, 0)]]


def test_links_words_and_jumps_are_counted_as_eflomal_makepriors_does():
    lines = priors(PAIRS, LINKS).splitlines()
    assert {"LEX\tdogs\tthe\t1", "LEX\tdogs\tdogs\t1", "LEX\tdogs\tdog\t1"} <= set(lines)
    # dogs has two links once and one link once.
    assert {"FERF\tdogs\t2\t1", "FERF\tdogs\t1\t1", "FERR\tthe\t1\t1"} <= set(lines)
    # Forward: to dogs, stay, to bark, behind it; and to dogs, behind it.
    assert [line for line in lines if line.startswith("HMMF")] == ["HMMF\t0\t1", "HMMF\t1\t5"]
    # Reverse: to the, from dogs to bark, from bark behind the stop; and to dog, behind it.
    assert [line for line in lines if line.startswith("HMMR")] == ["HMMR\t1\t4", "HMMR\t2\t1"]


@pytest.mark.parametrize(
    "line", ["LEX\ta\t1", "FERF\ta\tmany\t1", "HMMF\t1\toften", "WORD\ta\tb\t1", "LEX\ta\tb\t-1", ""]
)
def test_what_eflomal_cannot_read_is_refused_with_its_line(tmp_path: Path, line: str):
    path = tmp_path / "a.priors"
    path.write_text(f"LEX\ta\tb\t2\n{line}\nHMMF\t1\t3\n", "utf-8")
    with pytest.raises(FileProblem, match="no prior of eflomal") as caught:
        check_priors(path)
    assert caught.value.line == 2
