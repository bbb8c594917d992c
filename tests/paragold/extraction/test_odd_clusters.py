from unittest import mock

import pytest
from rapidfuzz.distance import Indel, Levenshtein

from paragold.extraction.presets import PRESETS
from paragold.extraction.records import ClusterSentences
from tests.paragold.extraction import reference
from tests.paragold.extraction.test_cluster import assert_equals_reference

OPTIONS = [
    {},
    {"distance": "indel"},
    {"placeholders": True},
    {"distance": "indel", "placeholders": True, "shared_word_length": 2, "same_article": True},
]
# Criteria of a preset that would leave everything odd out.
OPEN = {"min_edit_distance": 0, "min_length": 1, "max_length": None, "min_shared_words": 0}
every_preset = pytest.mark.parametrize("preset", [name for name in PRESETS if name != "meaning"])
every_option = pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "+".join(options) or "plain")


@every_preset
@every_option
def test_distances_above_254(preset, options):
    """Kernels that keep distances in a byte would tell 256 as 0 and 300 as 44."""
    base = [f"alpha{number}" for number in range(300)]
    other = [f"beta{number}" for number in range(256)]
    texts = [[*base], [*other, *base[256:]], [*base[:3], *other], ["beta", *base[1:]], other[:40], base[:9]]
    cluster = ClusterSentences.from_articles([[text] for text in texts])
    wide = PRESETS[preset].criteria.replace(**{**options, **OPEN})
    limits = [254, 255, 256, 257, 300, 70_000]
    asked = [wide, *(wide.replace(**{"max_edit_distance": limit}) for limit in limits)]
    # Of a hundred words and more the reference takes minutes.
    measured = {"word_edit_distance": Levenshtein.distance, "word_indel_distance": Indel.distance}
    with mock.patch.multiple(reference, **measured):
        result = [len(assert_equals_reference(cluster, criteria)) for criteria in asked]
    assert result[1] > 0
    # "either" takes all of these for first sentences, however far apart.
    assert result[-1] == result[1] if wide.method == "either" else result[-1] > result[1]
