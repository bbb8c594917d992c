"""Scores against sub-clusters as text and as JSON, in the shape of table 2 of Wubben et al. 2009."""

from typing import Any

from paragold.matching.sub_clusters import LinkCounts, SubClusterScores, TableRow

METHOD_NAMES = {"kmeans": "k-means", "pairwise": "pairwise"}


def part_name(row: TableRow) -> str:
    return "clusters only" if row.clusters_only else "all headlines"


def precision_text(counts: LinkCounts) -> str:
    """Precision with two decimals; a dash where nothing was retrieved."""
    return f"{counts.precision:.2f}" if counts.retrieved else "-"


def as_text(scores: SubClusterScores) -> str:
    """Lines for people to read; shares are from 0 to 1."""
    thresholds = scores.settings.thresholds
    lines = []
    if scores.development:
        lines.append(f"Tuned on {len(scores.development_keys):,} clusters, F with beta 0.25:")
        lines += [f"  {METHOD_NAMES[row.method]}: {row.counts.f:.3f}" for row in scores.development]
    lines.append(
        f"Thresholds: upper {thresholds.upper:g}, lower {thresholds.lower:g}; PK1 {scores.settings.pk1:g}."
    )
    lines.append(
        f"Scored on {scores.clusters:,} clusters with {scores.sub_clusters:,} sub-clusters of "
        f"{scores.clustered:,} headlines; {scores.unclustered:,} headlines are in none."
    )
    lines.append("")
    lines.append(
        f"{'method':<10}{'headlines':<16}{'precision':>9}{'recall':>8}{'F0.25':>8}{'right':>8}{'retrieved':>11}{'relevant':>10}"
    )
    for row in scores.table:
        counts = row.counts
        lines.append(
            f"{METHOD_NAMES[row.method]:<10}{part_name(row):<16}{precision_text(counts):>9}{counts.recall:>8.2f}"
            f"{counts.f:>8.2f}{counts.right:>8,}{counts.retrieved:>11,}{counts.relevant:>10,}"
        )
    return "\n".join(lines) + "\n"


def as_json(scores: SubClusterScores) -> dict[str, Any]:
    """The same as an object that JSON can hold."""
    settings = scores.settings
    return {
        "thresholds": {
            "upper": settings.upper,
            "lower": settings.lower,
            "pk1": settings.pk1,
        },
        "closure": settings.closure,
        "weights": settings.weights,
        "language": settings.language,
        "clusters": scores.clusters,
        "sub_clusters": scores.sub_clusters,
        "clustered": scores.clustered,
        "unclustered": scores.unclustered,
        "development_clusters": list(scores.development_keys),
        "development": [_row(row) for row in scores.development],
        "table": [_row(row) for row in scores.table],
    }


def _row(row: TableRow) -> dict[str, Any]:
    counts = row.counts
    return {
        "method": row.method,
        "headlines": part_name(row),
        "precision": counts.precision,
        "recall": counts.recall,
        "f": counts.f,
        "right": counts.right,
        "retrieved": counts.retrieved,
        "relevant": counts.relevant,
    }
