"""Pairs of a file that have the same two sentences and different answers."""

from __future__ import annotations

from collections.abc import Hashable
from hashlib import sha256

from paragold.problems import shortened

SHOWN = 5


class Contradictions:
    """Finds them as the pairs of a file come; what differs, such as "labels", is `noun`."""

    def __init__(self, noun: str) -> None:
        self._noun = noun
        self._first: dict[bytes, tuple[Hashable, str, int]] = {}
        self._shown: list[str] = []
        self._count = 0

    def add(self, a: str, b: str, answer: Hashable, key: str, line: int, *, swapped: Hashable) -> None:
        """A pair with its answer, and what the answer is if its sentences change places.

        White space in sentences counts only as a separator.
        """
        a, b = " ".join(a.split()), " ".join(b.split())
        if a > b:
            a, b, answer = b, a, swapped
        digest = sha256(f"{a}\0{b}".encode("utf-8", "surrogatepass")).digest()[:16]
        earlier, earlier_key, earlier_line = self._first.setdefault(digest, (answer, key, line))
        if earlier == answer:
            return
        self._count += 1
        if self._count <= SHOWN:
            named = {earlier_key, key} <= {str(earlier_line), str(line)}
            ids = "" if named else f" (ids {shortened(earlier_key)}, {shortened(key)})"
            self._shown.append(f"lines {earlier_line} and {line}{ids}")

    def __str__(self) -> str:
        """All of them in a sentence; "" for none."""
        if not self._count:
            return ""
        more = f"; and {self._count - SHOWN:,} more" if self._count > SHOWN else ""
        return f"The same two sentences have different {self._noun}: {'; '.join(self._shown)}{more}."
