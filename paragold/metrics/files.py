"""Scoring files: gold links against links from a file or from an aligner, without a database."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from paragold.aligners.registry import Recipe, untrained_ids
from paragold.formats.links import parallel_text
from paragold.formats.links.registry import read_links
from paragold.formats.manifest import sha256_of
from paragold.metrics.error_rate import ScoreTable, score_table
from paragold.metrics.resampling import CountArray, counts_by_words
from paragold.statistics import RESAMPLES


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
    tokens, gold_links = [pair.tokens for pair in reference], [pair.links for pair in reference]
    if links is not None:
        scored = [pair.links.possible for pair in read_links(links, links_format, tokens=tokens)]
        origin = f"links:{_fingerprint(links)}"
    else:
        if aligner not in untrained_ids():
            raise ValueError(
                f"no aligner {aligner!r} without training; choose one of {', '.join(untrained_ids())}"
            )
        method = Recipe.of({"aligner": aligner}).train(())
        scored = [frozenset(method.align(pair.source, pair.target)) for pair in tokens]
        origin = f"aligner:{method.signature.replace('|', ',')}"
    table = score_table(scored, gold_links, tokens, seed=seed, resamples=resamples)
    other = None
    if against is not None:
        drawn = [pair.links.possible for pair in read_links(against, tokens=tokens)]
        other = counts_by_words(drawn, gold_links, tokens)
        origin += f"|against:{_fingerprint(against)}"
    return FileScore(
        table,
        f"{table.all.signature}|gold:{_fingerprint(gold)}|{origin}",
        counts_by_words(scored, gold_links, tokens),
        other,
        seed,
        resamples,
    )


def _fingerprint(path: Path) -> str:
    return f"{path.name}@sha256:{sha256_of(path)[:12]}"
