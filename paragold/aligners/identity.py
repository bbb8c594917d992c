"""The identity baselines: links between equal words, and between words of one stem."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import Any

from paragold.aligners.aligner import Aligner, Pair
from paragold.metrics.links import Link
from paragold.spec import Spec, param
from paragold.text.stemming import LANGUAGES, Stemmer, StemmerName, stemmer_name
from paragold.text.tokenisation import same_form


class StemSpec(Spec):
    """Links between equal words and words of one stem."""

    stemmer: StemmerName = param(
        "english",
        "Stemmer",
        "Links words with the same stem.",
        choices={language: language for language in LANGUAGES},
    )


class Identity(Aligner):
    """Longest common subsequence of identical tokens, then leftover identical tokens in order.

    Tokens are identical whatever their case and the style of their quotes and dashes (`same_form`).

    Ties between equally long subsequences are settled from the start of both sentences: a target token
    is passed over whenever the subsequence stays as long without it, and where the target token is
    needed, a source token is passed over on the same condition. So each link sits as late as it can,
    first in the target and then in the source: of two articles, the one next to the shared noun is
    linked. Afterwards every source token still free, left to right, takes the first free target token
    that equals it. No word has more than one link.
    """

    id = "identity"
    label = "identity: equal words (baseline)"
    learns_from_pairs = False
    suggestion = "Equal words"

    def suggests_in(self, language: str, second_language: str = "") -> bool:
        return not second_language

    def own_signature(self) -> str:
        return "identity|version:2|lcs:same-form,latest|leftover:in-order"

    def draw(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        return [
            identity_links([same_form(token) for token in source], [same_form(token) for token in target])
            for source, target in pairs
        ]

    def reasons(self, pairs: Sequence[Pair], links: Sequence[Sequence[Link]]) -> list[list[str]]:
        """Whether the words of each link are equal or, where they differ, of one stem."""
        return [
            [
                "equal words" if same_form(source[i]) == same_form(target[j]) else "words with the same stem"
                for i, j in drawn
            ]
            for (source, target), drawn in zip(pairs, links, strict=True)
        ]


class IdentityStem(Identity):
    """The links of Identity, then free words with equal Snowball stems, in order.

    Every source word still free, left to right, takes the first free target word of the same stem.
    """

    id = "identity-stem"
    label = "identity-stem: equal words and words with the same stem (baseline)"
    parameters = StemSpec
    suggestion = "Equal words and words with the same stem"

    def settings_for(self, language: str, second_language: str = "") -> dict[str, Any]:
        stemmer = stemmer_name(language)
        return {"stemmer": stemmer} if stemmer else {}

    def suggests_in(self, language: str, second_language: str = "") -> bool:
        return stemmer_name(language) is not None and super().suggests_in(language, second_language)

    def own_signature(self) -> str:
        stemmer = Stemmer(self.spec.stemmer).signature
        return f"identity-stem|version:1|{super().own_signature()}|{stemmer}"

    def draw(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        stem = Stemmer(self.spec.stemmer).stem
        drawn = super().draw(pairs)
        for (source, target), links in zip(pairs, drawn, strict=True):
            linked_source, linked_target = {i for i, _ in links}, {j for _, j in links}
            free = {j: stem(token) for j, token in enumerate(target) if j not in linked_target}
            for i, token in enumerate(source):
                if i in linked_source:
                    continue
                own = stem(token)
                partner = next((j for j, other in free.items() if other == own), None)
                if partner is not None:
                    del free[partner]
                    links.append((i, partner))
            links.sort()
        return drawn


def identity_links(source_words: Sequence[str], target_words: Sequence[str]) -> list[Link]:
    """The links of Identity between words of which equal ones are identical."""
    links = common_subsequence(source_words, target_words)
    linked_source = {i for i, _ in links}
    linked_target = {j for _, j in links}
    free: defaultdict[str, deque[int]] = defaultdict(deque)
    for j, word in enumerate(target_words):
        if j not in linked_target:
            free[word].append(j)
    for i, word in enumerate(source_words):
        if i not in linked_source and free[word]:
            links.append((i, free[word].popleft()))
    return sorted(links)


def common_subsequence(source: Sequence[str], target: Sequence[str]) -> list[Link]:
    """A longest common subsequence as ascending index pairs; ties as Identity settles them.

    Rows of the dynamic programme are bits of integers (Hyyrö 2004, "Bit-parallel LCS-length computation
    revisited"), over both sentences read from the end. Bits count target tokens from the last one; in
    `rows[i]` the bit of j is 0 where LCS(source[i:], target[j:]) is longer than that without target token j.
    """
    last = len(target) - 1
    occurrences: defaultdict[str, int] = defaultdict(int)
    for j, word in enumerate(target):
        occurrences[word] |= 1 << (last - j)
    full = (1 << len(target)) - 1
    # One row past the last source token: nothing is left to match there.
    rows = [full] * (len(source) + 1)
    for i in range(len(source) - 1, -1, -1):
        row = rows[i + 1]
        matches = row & occurrences[source[i]]
        rows[i] = ((row + matches) | (row - matches)) & full

    links = []
    i = j = 0
    while i < len(source) and j < len(target):
        bit = 1 << (last - j)
        if rows[i] & bit:
            j += 1
        elif not rows[i + 1] & bit:
            i += 1
        else:
            links.append((i, j))
            i += 1
            j += 1
    return links
