"""Characteristics of candidate pairs that are held in memory; the database computes its own."""

from __future__ import annotations

import numpy as np

from paragold.extraction.records import PAIRS


class Tally:
    """Gathers pairs (`PAIRS`), cluster by cluster, for the characteristics of all of them."""

    def __init__(self):
        self._clusters = []

    def add_cluster(self, pairs):
        if len(pairs):
            self._clusters.append(pairs)

    def characteristics(self, asked, seconds=None):
        """A column of `characteristics_table`."""
        pairs = np.concatenate([np.empty(0, PAIRS), *self._clusters])
        column = {"asked": asked, "pairs": len(pairs), "clusters": len(self._clusters), "seconds": seconds}
        if not len(pairs):
            return column
        shorter, longer = (order(pairs["length_a"], pairs["length_b"]) for order in (np.minimum, np.maximum))
        distances, shared = pairs["edit_distance"], pairs["shared_words"]
        return column | {
            "distance_least": int(distances.min()),
            "distance_greatest": int(distances.max()),
            "distance_mean": float(distances.mean()),
            "position_greatest": int(np.maximum(pairs["position_a"], pairs["position_b"]).max()),
            "shortest": int(shorter.min()),
            "longest": int(longer.max()),
            "length_mean": float((shorter + longer).mean() / 2),
            "ratio_least": float((shorter / longer).min()),
            "shared_least": int(shared.min()),
            "shared_greatest": int(shared.max()),
            "shared_mean": float(shared.mean()),
        }
