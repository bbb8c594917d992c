"""Rules that make one gold link set out of several annotators' links of the same pair."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from paragold.metrics.links import Links

MergeRule = Callable[[Sequence[Links]], Links]


def merge_papers(annotations: Sequence[Links]) -> Links:
    """SURE where every annotator says SURE; POSSIBLE where only some drew it, or its strength differs.

    Dolan, Quirk & Brockett (2004), section 3.2.
    """
    return Links(
        frozenset.intersection(*(links.sure for links in annotations)),
        frozenset.union(*(links.possible for links in annotations)),
    )


def merge_intersection(annotations: Sequence[Links]) -> Links:
    """Only the links that every annotator drew; SURE where every annotator says SURE."""
    return Links(
        frozenset.intersection(*(links.sure for links in annotations)),
        frozenset.intersection(*(links.possible for links in annotations)),
    )


def merge_union_sure(annotations: Sequence[Links]) -> Links:
    """Every link that anybody drew; SURE where at least one annotator says SURE."""
    return Links(
        frozenset.union(*(links.sure for links in annotations)),
        frozenset.union(*(links.possible for links in annotations)),
    )


MERGE_RULES: Mapping[str, MergeRule] = MappingProxyType(
    {"papers": merge_papers, "intersection": merge_intersection, "union_sure": merge_union_sure}
)


def merge(annotations: Sequence[Links], rule: str = "papers") -> Links:
    """Merge the links of one or more annotators by the rule of that name.

    One annotator's links come back as they are under every rule.
    Raises ValueError for no annotator, or for a name that is not in MERGE_RULES.
    """
    if rule not in MERGE_RULES:
        raise ValueError(f"no merge rule {rule!r}; choose one of {', '.join(MERGE_RULES)}")
    if not annotations:
        raise ValueError("there are no annotations to merge")
    return MERGE_RULES[rule](annotations)
