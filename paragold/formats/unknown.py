"""Parts of a file that are not read: counted by name, and in words."""

from collections import Counter
from collections.abc import Collection, Mapping

from paragold.formats.annotators import ANNOTATOR_FIELDS
from paragold.problems import shortened

Unknown = Counter[str]
"""Parts of a file that are not read, by name such as "field score", with their counts."""


def count_fields(record: Mapping[str, object], known: Collection[str], unknown: Unknown) -> None:
    """Count the filled fields of a record that are not read; those that name an annotator are."""
    unknown.update(
        f"field {name}"
        for name, value in record.items()
        if name not in known and name.lower() not in ANNOTATOR_FIELDS and value
    )


def unknown_in_words(unknown: Mapping[str, int]) -> str:
    """The parts that were not read in words: `field score (12), relation label PART (3)`; "" for none."""
    shown = sorted(unknown.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{shortened(name)} ({count:,})" for name, count in shown)
