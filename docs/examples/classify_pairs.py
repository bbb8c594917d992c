# %% [markdown]
# # Train a classifier and classify pairs
# Figures are cross-validated; probabilities are calibrated.

# %%
from pathlib import Path

import pandas as pd

from paragold import frames
from paragold.classification.lexicons import open_lexicons
from paragold.classification.settings import ClassifierSpec
from paragold.classification.training import LabelledPairs, train_classifier
from paragold.formats.labelled_pairs import read_pairs

spec = ClassifierSpec()
lexicons, notes = open_lexicons(spec.classes, None, lookup=spec.lookup)
trained = train_classifier(LabelledPairs(read_pairs(Path("docs/examples/labelled.tsv")), lexicons, spec))
measures = trained.measures
shown = {name: [measures[name], *measures["intervals"][name]] for name in ("accuracy", "f")}
pd.DataFrame.from_dict(shown, orient="index", columns=["value", "low", "high"])

# %%
new = [
    ("A fire destroyed a warehouse in the harbour .", "A warehouse in the harbour burned down ."),
    ("A fire destroyed a warehouse in the harbour .", "The harbour was closed on Monday ."),
]
frames.decisions(trained.classifier, new)
