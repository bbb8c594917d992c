"""Try values of extraction parameters by the alignment error rate of an aligner trained on what they find."""

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from paragold.aligners.registry import aligner_of, trained_ids
from paragold.cli.arguments import add_arguments as add_spec_arguments
from paragold.cli.arguments import parse_settings, parse_values, spec_from
from paragold.cli.console import CommandProblem, Console, Options, add_output
from paragold.cli.extract_pairs import add_preset_arguments
from paragold.cli.link_arguments import add_gold, gold_of
from paragold.extraction.climb import ClimbSpec, Yield, check_aligner, climb, grid, yield_of_file
from paragold.extraction.criteria import Criteria
from paragold.extraction.presets import RECOMMENDED, get_preset, names_with_purposes
from paragold.formats.text_files import write_text

HELP = (
    "Choose extraction thresholds by alignment error rate (AER): extract with each value of one or two "
    "parameters of a preset, train an aligner on the pairs, and score its links against gold links."
)
ALIGNER = "hmm"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--input", type=Path, required=True, help="clusters as JSONL")
    add_gold(parser, "gold links", required=True)
    parser.add_argument(
        "--parameter",
        action="append",
        required=True,
        metavar="NAME",
        help="parameter to vary, such as max_edit_distance; two parameters are tried in all combinations",
    )
    parser.add_argument(
        "--values",
        action="append",
        required=True,
        metavar="A,B,...",
        help="values to try, such as 4,8,12,16; once for each --parameter",
    )
    add_preset_arguments(
        parser, presets=f"sets all other parameters: {names_with_purposes()} (default: {RECOMMENDED})"
    )
    parser.add_argument(
        "--aligner",
        choices=trained_ids(),
        default=ALIGNER,
        metavar="NAME",
        help=f"{', '.join(trained_ids())} (default: {ALIGNER})",
    )
    parser.add_argument(
        "--aligner-set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a parameter of the aligner, such as lexicon=true or linking=intersection; may be repeated",
    )
    add_spec_arguments(parser, ClimbSpec)
    parser.add_argument("--processes", type=int, help="processes for the extraction; default: one per core")
    parser.add_argument(
        "--count-only",
        action="store_true",
        help="only count the training pairs for each value; write nothing",
    )
    add_output(parser, "--output", required=True, help="the report as JSON")


def run(options: Options, console: Console) -> None:
    base = get_preset(options["preset"]).criteria.replace(**parse_settings(options["set"]))
    values = _values(options["parameter"], options["values"])
    tried = grid(base, values)
    spec = spec_from(ClimbSpec, options)
    aligner = aligner_of({"aligner": options["aligner"], **parse_values(options["aligner_set"])})
    check_aligner(aligner)

    def extract(criteria: Criteria) -> Yield:
        return yield_of_file(options["input"], criteria, processes=options["processes"])

    if options["count_only"]:
        total = 0
        for criteria in tried:
            count = len(extract(criteria)[0])
            total += min(count, spec.most_pairs or count)
            settings = criteria.as_json()
            console.write(f"{count:>12,}  {_in_words({name: settings[name] for name in values})}")
        console.write(f"{total:>12,}  pairs to train on in {len(tried)} trainings")
        return
    report = climb(
        base,
        values,
        extract,
        gold_of(options),
        aligner,
        spec,
        lambda step: console.warn(
            f"{_in_words(step['settings'])}: {step['pairs']:,} pairs, {step['seconds']:.1f} s"
        ),
    )
    report |= {"preset": options["preset"], "recipe": aligner.settings()}
    write_text(options["output"], json.dumps(report, indent=1) + "\n")
    for line in as_table(report):
        console.write(line)
    console.write(f"Report: {options['output']}")


def _values(parameters: Sequence[str], values: Sequence[str]) -> dict[str, list[str]]:
    if len(parameters) != len(values) or len(set(parameters)) != len(parameters):
        raise CommandProblem("Give --values once for each --parameter, and each parameter once.")
    return {name: text.split(",") for name, text in zip(parameters, values, strict=True)}


def _in_words(settings: Mapping[str, object]) -> str:
    """Parameters with their names: "max_edit_distance 5, min_length 4"."""
    return ", ".join(f"{name} {_shown(name, value)}" for name, value in settings.items())


def _shown(name: str, value: object) -> str:
    return Criteria.parameter(name).in_signature(value)


def as_table(report: Mapping[str, Any]) -> list[str]:
    """The report as Markdown: a row for each step, `*` at the best."""
    lines = [
        f"| {' | '.join(report['parameters'])} | pairs | 95 % interval | AER | 95 % interval | non-identical "
        "| 95 % interval | p | p (Holm) |",
        "|" + " --- |" * (len(report["parameters"]) + 8),
    ]
    for step in report["steps"]:
        mark = " *" if step["settings"] == report["best"] else ""
        cells = [_shown(name, value) for name, value in step["settings"].items()]
        cells += [f"{step['pairs']:,}", _interval(step["pairs_interval"], ",.0f")]
        for words in ("all", "non_identical"):
            scores = step["scores"][words]
            aer = "-" if scores["aer"] is None else f"{scores['aer']:.2f}"
            cells += [
                aer + (mark if words == report["spec"]["aim"] else ""),
                _interval(scores["aer_interval"], ".2f"),
            ]
        cells += ["-" if step[p] is None else f"{step[p]:.4f}" for p in ("p", "p_holm")]
        lines.append(f"| {' | '.join(cells)} |")
    held_out = report["held_out_aer"]
    if held_out["all"] is not None:
        lines.append(
            f"Chosen on four fifths of the gold pairs and scored on the rest: AER {held_out['all']:.2f}"
            + (
                f", of non-identical words {held_out['non_identical']:.2f}"
                if held_out["non_identical"] is not None
                else ""
            )
            + "."
        )
    return lines


def _interval(ends: Sequence[float] | None, form: str) -> str:
    return "-" if ends is None else f"{ends[0]:{form}} to {ends[1]:{form}}"
