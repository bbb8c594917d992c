"""Commands for word links: align-words, score-links, compare-links, link-agreement and phrase-pairs."""

from argparse import ArgumentParser
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from itertools import tee
from pathlib import Path
from typing import Any

import numpy as np

from paragold.aligners.aligner import Aligner, transfer_in_words
from paragold.aligners.pair_files import align_file, read_gold
from paragold.aligners.phrases import COLUMNS, PhraseSpec, as_columns, phrase_table
from paragold.aligners.registry import (
    ALIGNERS,
    DEFAULT_ALIGNER,
    aligner_of,
    all_parameters,
    load_aligner,
    trained_ids,
    untrained_ids,
)
from paragold.cli.arguments import (
    add_arguments,
    add_file,
    add_flag,
    add_repeated,
    add_seed,
    add_set,
    given,
    parse_values,
    spec_from,
)
from paragold.cli.console import (
    Console,
    OptionProblem,
    Options,
    Report,
    add_output,
    figures,
    interval,
    percent as shown,
)
from paragold.formats.link_files import (
    LINK_FORMATS,
    each_link,
    each_token_pair,
    read_links,
    read_parallel_text,
)
from paragold.formats.publishing import sha256_of
from paragold.formats.tables import write_tsv
from paragold.formats.text_files import readable_again, write_text
from paragold.metrics.error_rate import (
    COUNTS,
    TEST,
    WORDS,
    CountArray,
    as_json as test_as_json,
    compare,
    counts_by_words,
    percent,
    table_of,
)
from paragold.metrics.link_agreement import MEASURE, VERSION, agreement_of_files
from paragold.metrics.link_comparison import (
    KINDS,
    OUTCOMES,
    as_csv,
    as_json,
    by_difference,
    compare_links,
    row_label,
)
from paragold.metrics.links import TokenPair
from paragold.parallel import portions
from paragold.problems import FileProblem
from paragold.statistics import RESAMPLES

LINES_SHOWN = 10
PAIRS_AT_ONCE = 1000
RATES = ("precision", "recall", "aer", "aer_interval")
INTERVALS = ("precision_interval", "recall_interval")
OTHER_GOLD_HELP = "other gold links, used if they help on those of --gold; may be repeated"


def parameters_of(options: Options) -> dict[str, Any]:
    """The parameters of the aligner that the options of align-words have."""
    own = (one for one in all_parameters() if one.name != "model")
    return given(own, options) | parse_values(options["set"])


def add_format(parser: ArgumentParser, option: str, ids: Collection[str] | None = None) -> None:
    """The format of a file of links, by default any."""
    parser.add_argument(option, choices=ids or LINK_FORMATS.ids(), help="default: recognised from content")


def add_text(parser: ArgumentParser, help: str) -> None:
    """`--source` and `--target`, for `text_of`."""
    add_file(parser, "--source", help)
    add_file(parser, "--target", "target sentences, likewise")


def sides_of(options: Options) -> tuple[Path, Path] | None:
    """The files of both sides; None where none are given. Raises OptionProblem where only one is."""
    source, target = options["source"], options["target"]
    if (source is None) != (target is None):
        raise OptionProblem("Give --source and --target together.")
    return None if source is None else (source, target)


def text_of(options: Options) -> list[TokenPair] | None:
    """The sentences of both sides; see `sides_of`."""
    sides = sides_of(options)
    return sides and read_parallel_text(*sides)


def _align_arguments(parser: ArgumentParser) -> None:
    ids = ", ".join(ALIGNERS.ids())
    add_file(parser, "--input", "pairs to link", required=True)
    add_output(parser, "--output", required=True, help="links, a line for each line of input")
    parser.add_argument(
        "--aligner",
        choices=ALIGNERS.ids(),
        default=DEFAULT_ALIGNER,
        metavar="NAME",
        help=f"{ids} (default {DEFAULT_ALIGNER})",
    )
    add_file(
        parser,
        "--model",
        "a trained aligner, downloaded from a project: nothing is trained, all choices are its own",
    )
    train = "pairs to train on besides the input, or what extract_pairs wrote; may be repeated"
    add_repeated(parser, "--train", "PAIRS", train, type=Path)
    add_flag(parser, "--raw", "pairs are plain text, to be tokenised")
    parser.add_argument("--language", help="of both sentences, for stems; `two` for two languages")
    # --model is the file of a trained aligner.
    also = {"linking": "--symmetrise"}
    add_arguments(parser, all_parameters(), leave_out=["model"], also=also)
    names = ", ".join(one.name for one in all_parameters())
    add_set(parser, f"a parameter of the aligner, such as hmm_iterations=8; available: {names}")
    add_file(parser, "--gold", "gold links to learn from")
    add_file(parser, "--gold-source", "their source sentences, tokens separated by spaces")
    add_file(parser, "--gold-target", "their target sentences, likewise")
    add_format(parser, "--gold-format")
    add_repeated(parser, "--other-gold", "FILE", OTHER_GOLD_HELP, type=Path)


def _align_words(options: Options, console: Console) -> Report:
    """Link the words of sentence pairs: `source TAB target` a line, tokens separated by spaces. Writes the
    links of each line as `0-0 1-2`. Aligners that need training are trained on --train and --input
    unless --model gives one."""
    path, output, model = options["input"], options["output"], options["model"]
    if options["other_gold"] and options["gold"] is None:
        raise OptionProblem("Own gold links decide whether other ones help: give --gold.")
    console.progress("training and aligning")
    aligner = _aligner(options)
    gold = [options[name] for name in ("gold", "gold_source", "gold_target", "gold_format")]
    pairs, links, empty = align_file(
        path,
        output,
        aligner=aligner,
        train=model is None,
        training=options["train"],
        gold=read_gold(*gold) if options["gold"] is not None else [],
        other_gold={path.name: read_gold(path, None, None) for path in options["other_gold"]},
        raw=options["raw"],
    )
    if empty:
        lines = ", ".join(map(str, empty[:LINES_SHOWN])) + ", ..." * (len(empty) > LINES_SHOWN)
        console.warn(f"{path}: {len(empty)} lines without words on one side have no links (lines {lines}).")
    learned = [transfer_in_words(transfer) for transfer in aligner.transfers]
    value = {"links": links, "pairs": pairs, "transfers": learned, "signature": aligner.signature}
    text = [f"{links} links in {pairs} pairs: {output}", *learned, aligner.signature]
    return value, "\n".join(text)


def _aligner(options: Options) -> Aligner:
    """The aligner with its parameters. Raises OptionProblem for options that are not for it."""
    parameters = parameters_of(options)
    data = [name for name in ("train", "gold") if options[name]]
    if options["model"] is not None:
        if refused := [*data, *parameters]:
            raise OptionProblem(f"{_option(refused[0])} is for training, and --model needs none.")
        return load_aligner(options["model"])
    method = ALIGNERS.get(options["aligner"])
    known = {one.name for one in method.parameters.parameters()}
    if data and not method.learns_from_pairs:
        names = ", ".join(trained_ids())
        raise OptionProblem(f"{_option(data[0])} is for aligners that are trained: {names}.")
    if unknown := [name for name in parameters_of({**options, "set": []}) if name not in known]:
        raise OptionProblem(f"{method.id} has no {_option(unknown[0])}; choose another aligner.")
    if (language := options["language"]) is not None:
        one_language = language != "two"
        of_language = {"one_language": one_language, "stemmer": language if one_language else "none"}
        parameters = {name: value for name, value in of_language.items() if name in known} | parameters
    return aligner_of({"aligner": method.id, **parameters})


def _option(parameter: str) -> str:
    return "--symmetrise" if parameter == "linking" else f"--{parameter.replace('_', '-')}"


def add_scoring(parser: ArgumentParser) -> None:
    """Gold links with the text of both sides, the format of the scored links, and the bootstrap."""
    add_file(parser, "--gold", "file of gold links", required=True)
    add_format(parser, "--gold-format")
    add_text(parser, "source sentences, one per line, tokens separated by spaces")
    add_format(parser, "--links-format")
    add_seed(parser)
    help = f"resamples of the bootstrap intervals (default {RESAMPLES}; 0 for none)"
    parser.add_argument("--resamples", type=int, default=RESAMPLES, help=help)


def _score_arguments(parser: ArgumentParser) -> None:
    add_scoring(parser)
    scored = parser.add_mutually_exclusive_group(required=True)
    scored.add_argument("--links", type=Path, help="file of links to score")
    scored.add_argument("--aligner", choices=untrained_ids(), help="aligner whose links to score")
    add_flag(parser, "--intervals", "bootstrap intervals of precision and recall as well")
    other = "another file of links on the same pairs: paired test of the AERs' difference"
    add_file(parser, "--against", other, metavar="OTHER")


def _score_links(options: Options, console: Console) -> Report:
    """Precision, recall and alignment error rate (AER) of word links against gold links, in percent."""
    bootstrap = {name: options[name] for name in ("seed", "resamples")}
    with ExitStack() as opened:
        # The signature hashes what was read, also of a pipe, which can be read only once.
        gold, links, against = (
            options[name] and opened.enter_context(readable_again(options[name]))
            for name in ("gold", "links", "against")
        )
        counts, of_others, origin = _counts(options, gold, links, against)
        table = table_of(counts, **bootstrap)
        tests: dict[str, Any] = {
            words: compare(counts[words], other, **bootstrap) for words, other in of_others.items()
        }
        signature = f"{table['all']['signature']}|gold:{_fingerprint(gold)}|{origin}"
    rates = RATES + INTERVALS * options["intervals"]
    rows: dict[str, Any] = {
        words: {name: row[name] for name in rates} | {"counts": {name: row[name] for name in COUNTS}}
        for words, row in table.items()
    }
    cells = [
        [WORDS[words], *(shown(row[name]) for name in RATES[:3]), interval(row["aer_interval"])]
        for words, row in table.items()
    ]
    lines = [figures(["%", "precision", "recall", "AER", "95% interval of AER"], cells)]
    if options["intervals"]:
        cells = [[WORDS[words], *(interval(row[name]) for name in INTERVALS)] for words, row in table.items()]
        lines.append("\n" + figures(["95% intervals", "precision", "recall"], cells) + "\n")
    if tests:
        rows["against"] = {words: test_as_json(test) for words, test in tests.items()} | {"test": TEST}
        cells = [[WORDS[words], *_test_cells(test)] for words, test in tests.items()]
        lines.append(
            "\n" + figures(["minus the other", "AER", "95% interval", "p"], cells) + f"\np: {TEST}\n"
        )
    value = percent(rows) | {"pairs": table["all"]["pairs"], "signature": signature}
    return value, "\n".join([*lines, signature])


def _counts(
    options: Options, gold: Path, links: Path | None, against: Path | None
) -> tuple[dict[str, CountArray], dict[str, CountArray], str]:
    """The counts of the scored links and of those that they are compared with, by words; what was scored.

    All files are read side by side, a portion at a time.
    """
    sides = sides_of(options)
    text_of_gold = sides and each_token_pair(*sides)
    reference = each_link(gold, options["gold_format"], tokens=text_of_gold, predictions=False)
    reference, for_links, *for_others = tee(reference, 2 if against is None else 3)
    if links is not None:
        origin = f"links:{_fingerprint(links)}"
        text = (pair.tokens for pair in for_links)
        scored = (one.links.possible for one in each_link(links, options["links_format"], tokens=text))
    else:
        aligner = aligner_of({"aligner": options["aligner"]})
        origin = f"aligner:{aligner.signature.replace('|', ',')}"
        tokens = (pair.tokens for pair in for_links)
        drawn = (aligner.align_all(part) for part in portions(tokens, PAIRS_AT_ONCE))
        scored = (frozenset(of_pair) for part in drawn for of_pair in part)
    columns: list[Iterable[Any]] = [reference, scored]
    if against is not None:
        origin += f"|against:{_fingerprint(against)}"
        text = (pair.tokens for pair in for_others[0])
        columns.append(one.links.possible for one in each_link(against, tokens=text))
    parts: list[list[dict[str, CountArray]]] = [[counts_by_words([], [])] for _ in columns[1:]]
    for rows in portions(zip(*columns, strict=True), PAIRS_AT_ONCE):
        pairs, *systems = zip(*rows, strict=True)
        for counted, system in zip(parts, systems, strict=True):
            counted.append(counts_by_words(system, pairs))
    first, *second = [
        {words: np.concatenate([part[words] for part in counted]) for words in WORDS} for counted in parts
    ]
    return first, second[0] if second else {}, origin


def _test_cells(test: Any) -> list[str]:
    if not test:
        return ["-", "-", "-"]
    return [shown(test["difference"]), interval(test["interval"]), f"{test['p']:.4f}"]


def _fingerprint(path: Path) -> str:
    return f"{path.name}@sha256:{sha256_of(path)[:12]}"


def _compare_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "a", "links of the first aligner", metavar="A")
    add_file(parser, "b", "links of the second aligner, of the same pairs", metavar="B")
    add_scoring(parser)
    parser.add_argument(
        "--language", default="en", help="of the sentences, for their function words (default en)"
    )
    parser.add_argument("--outcome", choices=list(OUTCOMES), default="", help="of links in --csv, --pairs")
    parser.add_argument("--kind", choices=list(KINDS), default="", help="kind of error, likewise")
    every = "write every link of those pairs, largest difference first"
    add_output(parser, "--output", "--csv", dest="csv", metavar="CSV", help=every)
    add_flag(parser, "--pairs", "in JSON, the pairs with a wrong link as well")


def _compare_links(options: Options, console: Console) -> Report:
    """Compare two files of word links (A and B) against gold links: AER with intervals and a paired test,
    who is right where, and the errors of both by kind."""
    gold = read_links(options["gold"], options["gold_format"], tokens=text_of(options), predictions=False)
    if not gold:
        raise FileProblem("It has no pairs.", "Give a file with gold links.", file=str(options["gold"]))
    tokens = [pair.tokens for pair in gold]
    drawn = [
        [pair.links.possible for pair in read_links(options[side], options["links_format"], tokens=tokens)]
        for side in ("a", "b")
    ]
    bootstrap = {name: options[name] for name in ("language", "seed", "resamples")}
    compared, summary = compare_links(gold, *drawn, **bootstrap)
    pairs = by_difference(compared, outcome=options["outcome"], kind=options["kind"])
    if options["csv"] is not None:
        write_text(options["csv"], as_csv(pairs))
    listed = {"listed": [as_json(pair) for pair in pairs]} if options["pairs"] and options["json"] else {}
    return percent(summary) | listed, _comparison_text(summary)


def _comparison_text(summary: Mapping[str, Any]) -> str:
    """Tables for people, rates in percent."""
    rates = []
    for words, name in WORDS.items():
        both = [table[words] for table in summary["scores"].values()]
        cells = [cell for one in both for cell in (shown(one["aer"]), interval(one["aer_interval"]))]
        test = summary["tests"][words] or {}
        p = f"{test['p']:.4f}" if test else "-"
        rates.append([name, *cells, shown(test.get("aer_difference")), p])
    counted = [*((row_label(row), row) for row in summary["links"]), ("all", summary["totals"])]
    links = [[label, *(f"{row[outcome]:,}" for outcome in OUTCOMES)] for label, row in counted]
    drawn = summary["possible"]
    return "\n".join(
        [
            figures(["AER, %", "A", "95% interval", "B", "95% interval", "A - B", "p"], rates),
            f"p: {TEST}\n",
            figures(["links", *OUTCOMES.values()], links),
            f"POSSIBLE links are right either way: {drawn['both']:,} drawn by both, "
            f"{drawn['only_a']:,} by A only, {drawn['only_b']:,} by B only, {drawn['none']:,} by neither.\n",
            *(f"{_kinds(summary['errors'][side], side.upper())}\n" for side in ("a", "b")),
            summary["signature"],
        ]
    )


def _kinds(rows: Sequence[Mapping[str, Any]], name: str) -> str:
    """Errors by kind, shares in percent."""
    cells = [
        [row["label"]]
        + [text for way in ("missing", "false") for text in (f"{row[way]:,}", shown(row[f"{way}_share"], 1))]
        for row in rows
    ]
    return figures([f"errors of {name}", "missing", "%", "false", "%"], cells)


AGREEMENT = {
    "agreement": "1 - AER",
    "first_against_second": "AER 1|2",
    "second_against_first": "AER 2|1",
    "f1_sure": "F1 sure",
    "f1_all": "F1 all",
}


def _agreement_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "paths", "one annotator's links", nargs="+", metavar="FILE")
    add_format(parser, "--format", [one.id for one in LINK_FORMATS if one.carries_text])


def _link_agreement(options: Options, console: Console) -> Report:
    """Agreement of every two link files of the same pairs: AER in both directions, 1 - its mean, and F1 of
    the links, for all, identical and non-identical words, in percent."""
    agreements = agreement_of_files(options["paths"], options["format"])
    lines = []
    for files in agreements:
        lines.append(f"1 = {files['first']}, 2 = {files['second']}, {files['all']['pairs']} pairs")
        cells = [
            [name, *(shown(files[words][column]) for column in AGREEMENT)]
            + [str(files[words][column]) for column in ("drawn", "same")]
            for words, name in WORDS.items()
        ]
        lines.append(figures(["%", *AGREEMENT.values(), "links", "same"], cells))
    value = {"files": percent(agreements), "signature": f"{MEASURE}|version:{VERSION}"}
    return value, "\n".join(lines)


def _phrase_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "--links", "file of links", required=True)
    add_format(parser, "--format")
    add_text(parser, "source sentences, one per line, if the format contains no text")
    add_arguments(parser, PhraseSpec)
    parser.add_argument(
        "--min-count", type=int, default=1, help="minimum sentence pairs of a phrase pair (default 1)"
    )
    add_output(parser, "--output", required=True, metavar="TSV")


def _phrase_pairs(options: Options, console: Console) -> Report:
    """Phrase pairs that are consistent with word links (Koehn, Och & Marcu 2003), with counts and relative
    frequencies, the most frequent first."""
    spec = spec_from(PhraseSpec, options)
    linked = read_links(options["links"], options["format"], tokens=text_of(options))
    pairs, sentence_pairs = phrase_table(linked, spec)
    rows = [as_columns(pair) for pair in pairs if pair[0] >= options["min_count"]]
    write_tsv(options["output"], COLUMNS, rows)
    value = {"phrase_pairs": len(rows), "sentence_pairs": sentence_pairs, "signature": spec.signature()}
    text = f"{len(rows):,} phrase pairs in {sentence_pairs:,} sentence pairs: {options['output']}"
    return value, f"{text}\n{spec.signature()}"


COMMANDS = {
    "align-words": (_align_arguments, _align_words),
    "score-links": (_score_arguments, _score_links),
    "compare-links": (_compare_arguments, _compare_links),
    "link-agreement": (_agreement_arguments, _link_agreement),
    "phrase-pairs": (_phrase_arguments, _phrase_pairs),
}
