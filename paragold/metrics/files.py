"""Scoring files: gold links against links from a file or from an aligner, without a database."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from paragold.aligners.registry import Recipe, untrained_ids
from paragold.formats.links import edinburgh, giza, jsonl, multimwa, naacl, parallel_text, pharaoh
from paragold.formats.manifest import sha256_of
from paragold.formats.text_files import read_text, split_lines
from paragold.metrics.error_rate import ScoreTable, score_table
from paragold.metrics.links import LinkedPair, Links, TokenPair
from paragold.metrics.resampling import CountArray, counts_by_words
from paragold.problems import FileProblem
from paragold.statistics import RESAMPLES
from paragold.text.quoting import shortened

FORMATS_BY_EXTENSION: Mapping[str, str] = MappingProxyType(
    {
        ".naacl": "naacl",
        ".pharaoh": "pharaoh",
        ".jsonl": "jsonl",
        ".json": "edinburgh",
        ".tsv": "multimwa",
        ".a3": "giza",
        ".final": "giza",
    }
)
FORMATS = tuple(dict.fromkeys(FORMATS_BY_EXTENSION.values()))
WITH_TEXT: Mapping[str, Callable[..., list[LinkedPair]]] = MappingProxyType(
    {
        "jsonl": jsonl.loads,
        "edinburgh": edinburgh.loads,
        "multimwa": multimwa.loads,
        "giza": giza.loads,
    }
)
"""The formats that carry the sentences with the links; the others need them from elsewhere."""

_LOOKS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "giza": re.compile(r"# Sentence pair \("),
        "jsonl": re.compile(r"\s*\{"),
        "edinburgh": re.compile(r"\s*\["),
        "multimwa": re.compile(r"[^\t]*(?:\t[^\t]*){7}"),
        "naacl": re.compile(r"\s*\d+\s+\d+\s+\d+(?:\s+[SP])?\s*$"),
        "pharaoh": re.compile(r"\s*\d+[-?]\d+(?:\s+\d+[-?]\d+)*\s*$"),
    }
)


@dataclass(frozen=True, slots=True)
class FileScore:
    """The scores of one link file or aligner against one gold file, and how they came about."""

    table: ScoreTable
    signature: str
    counts: Mapping[str, CountArray]
    """Of each pair, by words; see `resampling`."""
    against: Mapping[str, CountArray] | None
    """Those of the other system, where there is one."""
    seed: int
    resamples: int


@dataclass(frozen=True, slots=True)
class LinkFile:
    """The pairs of a link file, in order: tokens and links.

    Where the format holds whole pairs, `keys` are their ids and `lines` those on which they begin, from 1.
    """

    tokens: list[TokenPair]
    links: list[Links]
    keys: list[str] | None = None
    lines: list[int] | None = None


def format_of_text(text: str, name: str = "") -> str | None:
    """The format of a file of links: by its first line with text, else by its name's extension."""
    line = next((line for line in split_lines(text) if line.strip()), "")
    for format_name, looks in _LOOKS.items():
        if looks.match(line):
            return format_name
    return FORMATS_BY_EXTENSION.get(Path(name).suffix.lower())


def read_links(
    path: Path,
    format_name: str | None = None,
    *,
    tokens: Sequence[TokenPair] | None = None,
    name: str = "",
    encoding: str = "utf-8",
) -> LinkFile:
    """Read links of a format; where it is None, it is known by what the file holds.

    `tokens` is the text of the pairs: the formats naacl and pharaoh need it, and in the others, which
    carry their own, it must be the same. `name` is what errors call the file. Raises FileProblem when the
    text is missing or differs, or for anything in the file that its format does not allow.
    """
    name = name or str(path)
    text = read_text(path, name=name, encoding=encoding)
    format_name = format_name or format_of_text(text, name)
    if format_name not in FORMATS:
        raise FileProblem("the format is not known.", f"Name one of {', '.join(FORMATS)}.", file=name)
    if format_name in WITH_TEXT:
        pairs = WITH_TEXT[format_name](text, name=name)
        _check_same_text(name, pairs, tokens)
        return LinkFile(
            [pair.tokens for pair in pairs],
            [pair.links for pair in pairs],
            [pair.key for pair in pairs],
            [pair.line for pair in pairs],
        )
    if tokens is None:
        raise FileProblem(
            f"the format {format_name} holds no text.",
            "Give the sentences as well, source and target, one a line.",
            file=name,
        )
    if format_name == "naacl":
        return LinkFile(list(tokens), list(naacl.loads(text, tokens=tokens, name=name).values()))
    return LinkFile(list(tokens), pharaoh.loads(text, tokens=tokens, name=name))


def _check_same_text(name: str, pairs: Sequence[LinkedPair], tokens: Sequence[TokenPair] | None) -> None:
    if tokens is None:
        return
    remedy = "Check that links and text belong together."
    if len(pairs) != len(tokens):
        raise FileProblem(f"{len(pairs)} pairs, but the text has {len(tokens)}.", remedy, file=name)
    for number, (pair, text) in enumerate(zip(pairs, tokens, strict=True), start=1):
        if pair.tokens != text:
            raise FileProblem(
                f"the tokens of pair {number} (id {shortened(pair.key)}) differ from the text.",
                remedy,
                line=pair.line,
                file=name,
            )


def score_files(
    gold: Path,
    *,
    links: Path | None = None,
    aligner: str | None = None,
    source: Path | None = None,
    target: Path | None = None,
    gold_format: str | None = None,
    links_format: str | None = None,
    against: Path | None = None,
    seed: int,
    resamples: int = RESAMPLES,
) -> FileScore:
    """Score a link file, or the links that an aligner draws, against a gold file.

    `source` and `target` hold the sentences, one a line, tokens separated by spaces; formats that carry
    their own text go without. All links of the scored file count, whatever their strength. `against` is a
    second file of links, in a format that its extension tells, for the paired test.
    Raises ValueError unless exactly one of `links` and `aligner` is given and `source` and `target` are
    given together, and for an unknown aligner; FileProblem (a ValueError) for files that do not fit.
    """
    if (links is None) == (aligner is None):
        raise ValueError("Give either a file of links or the name of an aligner.")
    if (source is None) != (target is None):
        raise ValueError("Give source and target together.")
    text = parallel_text.read(source, target) if source is not None and target is not None else None
    reference = read_links(gold, gold_format, tokens=text)
    if links is not None:
        scored = [pair.possible for pair in read_links(links, links_format, tokens=reference.tokens).links]
        origin = f"links:{_fingerprint(links)}"
    else:
        if aligner not in untrained_ids():
            raise ValueError(
                f"no aligner {aligner!r} without training; choose one of {', '.join(untrained_ids())}"
            )
        method = Recipe.of({"aligner": aligner}).train(())
        scored = [frozenset(method.align(pair.source, pair.target)) for pair in reference.tokens]
        origin = f"aligner:{method.signature.replace('|', ',')}"
    table = score_table(scored, reference.links, reference.tokens, seed=seed, resamples=resamples)
    other = None
    if against is not None:
        drawn = [pair.possible for pair in read_links(against, tokens=reference.tokens).links]
        other = counts_by_words(drawn, reference.links, reference.tokens)
        origin += f"|against:{_fingerprint(against)}"
    return FileScore(
        table,
        f"{table.all.signature}|gold:{_fingerprint(gold)}|{origin}",
        counts_by_words(scored, reference.links, reference.tokens),
        other,
        seed,
        resamples,
    )


def _fingerprint(path: Path) -> str:
    return f"{path.name}@sha256:{sha256_of(path)[:12]}"
