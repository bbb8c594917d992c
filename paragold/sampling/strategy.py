"""How a batch is drawn, as it is asked for and as it is kept."""

from dataclasses import asdict, dataclass

from paragold.sampling import active, sampling, sentence_pairs, strata

RANDOM, METHOD, EDIT_DISTANCE, CLUSTER, UNCERTAINTY = STRATIFIED_BY = (
    *("random", "method", "edit_distance", "cluster"),
    "uncertainty",
)
CLUSTERS = ("all", "only", "rest")
REJECTED = "rejected"
AUDIT = active.AUDIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """What a draw sees to. The default is the plain random draw.

    by: "random", or what each stratum has in common: "method" (which extractions found the pair),
        "edit_distance" (in bins), "cluster". Or "uncertainty": the pairs that a classifier is least sure of.
    allocation: "proportional" to the strata, or "equal" parts of each, as far as they reach.
    per_cluster: at most so many pairs of a cluster, from 1; None is no limit.
    clusters: "all" of the dataset, "only" the held-out ones, or the "rest".
    rejected: percent of the batch, 0 to 100, that are sentence pairs which no extraction of the dataset
        found, drawn at random.
    again: draw pairs too that an earlier batch holds.
    run: for "uncertainty", the id of the classifier's run over the dataset.
    audit: for "uncertainty", the percent of the batch, 1 to 100, that is drawn at random and kept apart.

    Raises ValueError naming the field that is out of its range.
    """

    by: str = RANDOM
    allocation: str = "proportional"
    per_cluster: int | None = None
    clusters: str = "all"
    rejected: int = 0
    again: bool = False
    run: int | None = None
    audit: int = 20

    def __post_init__(self) -> None:
        for name, allowed in (
            ("by", STRATIFIED_BY),
            ("allocation", strata.ALLOCATIONS),
            ("clusters", CLUSTERS),
        ):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name}: {getattr(self, name)!r}; there are: {', '.join(allowed)}")
        if self.per_cluster is not None and self.per_cluster < 1:
            raise ValueError(f"per_cluster: {self.per_cluster}; ask for 1 or more")
        if not 0 <= self.rejected <= 100:
            raise ValueError(f"rejected: {self.rejected} percent; ask for 0 to 100")
        if not 1 <= self.audit <= 100:
            raise ValueError(f"audit: {self.audit} percent; ask for 1 to 100")
        if (self.by == UNCERTAINTY) != (self.run is not None):
            raise ValueError("run: a draw by uncertainty, and no other, needs a classifier's run")

    def rejected_of(self, size: int) -> int:
        """How many of `size` pairs are drawn from the rejected ones, rounded half up."""
        return (size * self.rejected + 50) // 100

    def settings(self) -> dict[str, str | int | bool | None]:
        settings = asdict(self)
        if self.by != UNCERTAINTY:
            del settings["run"], settings["audit"]
        return settings

    def signature(self) -> str:
        """What the draw depends on beside seed and texts."""
        parts = [sampling.SIGNATURE]
        if self.by == UNCERTAINTY:
            parts.append(active.SIGNATURE)
        elif self.by != RANDOM:
            parts.append(strata.SIGNATURE)
        if self.rejected:
            parts.append(sentence_pairs.SIGNATURE)
        return " + ".join(parts)
