"""The identity baseline with stems."""

from collections.abc import Sequence

from paragold.aligners.identity import IdentityAligner
from paragold.text.stemming import Stemmer


class IdentityStemAligner:
    """The links of IdentityAligner, then free words with equal Snowball stems, in order.

    Every source word still free, left to right, takes the first free target word of the same stem.
    `language` is one of paragold.text.stemming.LANGUAGES; ValueError is raised for any other.
    """

    name = "identity-stem"

    def __init__(self, language: str = "english") -> None:
        self._identity = IdentityAligner()
        self._stemmer = Stemmer(language)
        self.signature = f"identity-stem|version:1|{self._identity.signature}|{self._stemmer.signature}"

    def align(self, source: Sequence[str], target: Sequence[str]) -> list[tuple[int, int]]:
        """The links of two token sequences as (source, target) indices from 0, in ascending order."""
        links = self._identity.align(source, target)
        linked_source, linked_target = {i for i, _ in links}, {j for _, j in links}
        free = {j: self._stemmer.stem(token) for j, token in enumerate(target) if j not in linked_target}
        for i, token in enumerate(source):
            if i in linked_source:
                continue
            stem = self._stemmer.stem(token)
            partner = next((j for j, other in free.items() if other == stem), None)
            if partner is not None:
                del free[partner]
                links.append((i, partner))
        return sorted(links)
