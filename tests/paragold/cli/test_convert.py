from collections.abc import Callable
from pathlib import Path

import pytest

from paragold.formats.judgements.judged_pairs import Reading, read_judged_pairs
from paragold.formats.link_files import read_links

from .conftest import Done

TOOLS = Path(__file__).parents[1] / "formats" / "tools"


def test_an_export_of_doccano_becomes_tasks_of_label_studio(
    tmp_path: Path, paragold: Callable[..., Done]
) -> None:
    export, output = tmp_path / "export.jsonl", tmp_path / "tasks.json"
    first = (TOOLS / "doccano-links.jsonl").read_text(encoding="utf-8").splitlines()[0]
    other = first.replace('"type":"SURE"', '"type":"doubtful"', 1).replace('"pair"', '"note":"x","pair"')
    export.write_text(other, encoding="utf-8")
    done = paragold("convert", "links", export, output, "--to", "label_studio")
    assert (done.status, done.out) == (0, "1 pairs written to tasks.json, links.label-studio.xml.\n")
    assert done.err.startswith("Not kept: field note (1)") and "relation label doubtful (1)" in done.err
    [pair] = read_links(output)
    assert len(pair.links.possible) == 5
    assert "<Relations>" in (tmp_path / "links.label-studio.xml").read_text()


def test_judgements_of_label_studio_become_a_table(tmp_path: Path, printed: Callable[..., str]) -> None:
    output = tmp_path / "pairs.csv"
    printed("convert", "judgements", TOOLS / "label-studio-pairs.json", output, "--to", "table")
    assert "It rained.,Snow fell.,not_paraphrase" in output.read_text()
    labels = [pair.label for pair in read_judged_pairs(output, Reading()).pairs]
    assert labels == ["paraphrase", "not_paraphrase", "not_paraphrase"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["judgements", "doccano-links.jsonl", "--to", "table"], "The field a is missing"),
        (["judgements", "doccano-pairs.jsonl", "--to", "msr"], "msr is not written. Choose one of table"),
        (["judgements", "doccano-pairs.jsonl", "--to", "xml"], "There is no judgement format 'xml'"),
        (["links", "doccano-links.jsonl", "--to", "xml"], "There is no link format 'xml'"),
        (["links", "absent.jsonl", "--to", "jsonl"], "cannot be read"),
    ],
)
def test_what_cannot_be_converted_is_refused(
    arguments: list[str], message: str, tmp_path: Path, refused: Callable[..., str]
) -> None:
    kind, name, *rest = arguments
    assert message in refused("convert", kind, TOOLS / name, tmp_path / "out", *rest)
    assert not (tmp_path / "out").exists()
