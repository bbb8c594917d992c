"""Agreement of link files, each what one annotator drew, without a database."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

from paragold.formats.links.registry import read_links
from paragold.metrics.link_agreement import VERSION, Annotated, LinkAgreement, link_agreement_table
from paragold.metrics.links import LinkedPair
from paragold.metrics.reports import percent

WORDS: Mapping[str, str] = {
    "all": "all words",
    "identical": "identical words",
    "non_identical": "non-identical words",
}


@dataclass(frozen=True, slots=True)
class FilesAgreement:
    """The agreement of two files, by words: all, identical, non_identical."""

    first: str
    second: str
    table: dict[str, LinkAgreement]


def agreement_of_files(paths: Sequence[Path], format_name: str | None = None) -> list[FilesAgreement]:
    """The agreement of every two of the files, in order; formats that carry their own text only.

    Raises FileProblem for what a format does not allow and for files of other pairs than the first's,
    ValueError for fewer than two files.
    """
    if len(paths) < 2:
        raise ValueError("Agreement takes two files of links or more.")
    files: list[list[LinkedPair]] = []
    for path in paths:
        text = [pair.tokens for pair in files[0]] if files else None
        files.append(read_links(path, format_name, tokens=text))
    return [
        FilesAgreement(
            paths[m].name,
            paths[n].name,
            link_agreement_table(
                [
                    Annotated(first.tokens, first.links, second.links)
                    for first, second in zip(files[m], files[n], strict=True)
                ]
            ),
        )
        for m, n in combinations(range(len(files)), 2)
    ]


def as_json(found: Sequence[FilesAgreement]) -> str:
    """The agreement as JSON, rates in percent, null where undefined."""
    rates = ("first_against_second", "second_against_first", "f1_sure", "f1_all")

    def row(figures: LinkAgreement) -> dict[str, object]:
        fields: dict[str, object] = asdict(figures)
        fields |= {name: percent(getattr(figures, name)) for name in rates}
        return {"agreement": percent(figures.agreement), **fields}

    return json.dumps(
        {
            "files": [
                {"first": pair.first, "second": pair.second}
                | {words: row(figures) for words, figures in pair.table.items()}
                for pair in found
            ],
            "signature": f"link-agreement|measure:1-mean directional aer,f1|version:{VERSION}",
        },
        ensure_ascii=False,
        indent=2,
    )


def as_table(found: Sequence[FilesAgreement]) -> str:
    """The agreement as a table for people, in percent, `-` where undefined."""

    def cell(rate: float | None) -> str:
        return "-" if rate is None else f"{100 * rate:.2f}"

    lines = []
    for pair in found:
        lines.append(f"1 = {pair.first}, 2 = {pair.second}, {pair.table['all'].pairs} pairs")
        lines.append(
            f"{'%':<20}"
            + "".join(f"{name:>9}" for name in ("1 - AER", "AER 1|2", "AER 2|1", "F1 sure", "F1 all"))
            + f"{'links':>8}{'same':>8}"
        )
        for words, name in WORDS.items():
            figures = pair.table[words]
            lines.append(
                f"{name:<20}{cell(figures.agreement):>9}{cell(figures.first_against_second):>9}"
                f"{cell(figures.second_against_first):>9}{cell(figures.f1_sure):>9}{cell(figures.f1_all):>9}"
                f"{figures.drawn:>8}{figures.same:>8}"
            )
    return "\n".join(lines)
