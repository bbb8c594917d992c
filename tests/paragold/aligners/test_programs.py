import pytest

from paragold.aligners import programs
from paragold.aligners.program_runs import ProgramError
from paragold.aligners.programs import Eflomal, Giza, ProgramSpec
from paragold.metrics.links import LinkedPair, Links, TokenPair
from tests.paragold.aligners import fake_giza

PAIRS = [
    (["The", "dog", "barked"], ["A", "dog"]),
    ([], ["empty"]),
    (["({", "1", "})", "x"], ["NULL", "({"]),
    (["long"] * 101, ["long"]),
    (["ein", "ß"], ["a", "ß", "c"]),
]
DIAGONAL = [[(0, 0), (1, 1)], [], [(0, 0), (1, 1)], [], [(0, 0), (1, 1)]]


@pytest.mark.parametrize("linking", ["intersection", "union", "grow-diag-final-and"])
def test_giza_with_its_traps(program_path, monkeypatch, linking):
    monkeypatch.delenv("USER", raising=False)
    monkeypatch.setenv("LC_ALL", "tr_TR.UTF-8")
    monkeypatch.setenv("TMPDIR", str(program_path.parent))
    fake_giza.install(program_path)
    links = Giza().run(PAIRS, ProgramSpec(linking=linking), training=[(["more"], ["text"]), ([], ["x"])])
    # No shift after the empty side and the pair that is too long, which have no links.
    assert links == DIAGONAL
    assert sorted(entry.name for entry in program_path.parent.iterdir()) == ["bin"]


def test_a_pair_that_giza_leaves_out_is_noticed(program_path):
    fake_giza.install(program_path, giza=fake_giza.GIZA.replace("start=1", "start=2"))
    with pytest.raises(ProgramError, match=r"aligned \d+ of \d+ pairs"):
        Giza().run(PAIRS, ProgramSpec())


def test_a_program_that_fails_is_named(program_path):
    fake_giza.install(program_path, giza="sys.exit('no memory')")
    with pytest.raises(ProgramError, match=r"GIZA\+\+ failed with 1: no memory"):
        Giza().run(PAIRS, ProgramSpec())


def test_parts_of_mgiza_come_in_any_order():
    part = "# Sentence pair (%d) source length 1\na\nNULL ({ }) a ({ 1 })\n"
    assert programs._a3_links(part % 2 + part % 1, 2) == [[(0, 0)], [(0, 0)]]


def test_eflomal(program_path):
    fake_giza.install_eflomal(program_path)
    links = Eflomal().run(PAIRS, ProgramSpec(), training=[(["more"], ["text"])])
    assert links == [*DIAGONAL[:3], [(0, 0)], DIAGONAL[4]]
    fake_giza.install_eflomal(program_path, lines_lost=1)
    with pytest.raises(ProgramError, match="its links are unusable"):
        Eflomal().run(PAIRS, ProgramSpec())


def test_what_is_missing_is_said_with_what_installs_it(program_path):
    assert "pip install -r requirements-eflomal.txt" in Eflomal().install_hint()
    assert "git clone" in Giza().install_hint()
    assert not Eflomal().is_available()
    fake_giza.install_eflomal(program_path)
    fake_giza.install(program_path)
    assert Eflomal().is_available() and Giza().is_available()


def test_the_training_text_is_kept(program_path):
    with pytest.raises(ProgramError, match="Install it"):
        Eflomal().train(PAIRS)
    fake_giza.install_eflomal(program_path)
    trained = Eflomal().train(PAIRS, ProgramSpec(linking="union"))
    assert trained.align_all(PAIRS[:2]) == DIAGONAL[:2]
    assert trained.align(*PAIRS[0]) == DIAGONAL[0]
    assert "links:union" in trained.signature
    gold = [LinkedPair("1", TokenPair(("a",), ("b",)), Links.of([(0, 0)]))]
    with pytest.raises(ValueError, match="does not learn from gold links"):
        Giza().train(PAIRS, gold=gold)
