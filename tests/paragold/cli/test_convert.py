from pathlib import Path

import pytest

from paragold.cli.main import main
from paragold.formats.judgements.judged_pairs import Reading, read_judged_pairs
from paragold.formats.link_files import read_links

TOOLS = Path(__file__).parents[1] / "formats" / "tools"


def test_an_export_of_doccano_becomes_tasks_of_label_studio(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export, output = tmp_path / "export.jsonl", tmp_path / "tasks.json"
    first = (TOOLS / "doccano-links.jsonl").read_text(encoding="utf-8").splitlines()[0]
    other = first.replace('"type":"SURE"', '"type":"doubtful"', 1).replace('"pair"', '"note":"x","pair"')
    export.write_text(other, encoding="utf-8")
    assert main(["convert", "links", str(export), str(output), "--to", "label_studio"]) == 0
    said = capsys.readouterr()
    assert said.out == "1 pairs written to tasks.json, links.label-studio.xml.\n"
    assert said.err.startswith("Not kept: field note (1)")
    assert "relation label doubtful (1)" in said.err
    [pair] = read_links(output)
    assert len(pair.links.possible) == 5
    assert "<Relations>" in (tmp_path / "links.label-studio.xml").read_text()


def test_judgements_of_label_studio_become_a_table(tmp_path: Path) -> None:
    output = tmp_path / "pairs.csv"
    source = TOOLS / "label-studio-pairs.json"
    assert main(["convert", "judgements", str(source), str(output), "--to", "table"]) == 0
    assert "It rained.,Snow fell.,not_paraphrase" in output.read_text()
    labels = [pair.label for pair in read_judged_pairs(output, Reading()).pairs]
    assert labels == ["paraphrase", "not_paraphrase", "not_paraphrase"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["judgements", "doccano-links.jsonl", "--to", "table"], "text is not a field of this format"),
        (["judgements", "doccano-pairs.jsonl", "--to", "msr"], "msr is not written. Choose one of table"),
        (["judgements", "doccano-pairs.jsonl", "--to", "xml"], "There is no judgement format 'xml'"),
        (["links", "doccano-links.jsonl", "--to", "xml"], "There is no link format 'xml'"),
        (["links", "absent.jsonl", "--to", "jsonl"], "cannot be read"),
    ],
)
def test_what_cannot_be_converted_is_refused(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kind, name, *rest = arguments
    assert main(["convert", kind, str(TOOLS / name), str(tmp_path / "out"), *rest]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
