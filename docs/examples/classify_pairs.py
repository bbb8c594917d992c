# %% [markdown]
# # Train a classifier and classify pairs
# Figures are cross-validated; probabilities are calibrated.

# %%
import paragold as pg

pairs = pg.read_pairs("docs/examples/labelled.tsv")
classifier = pg.ParaphraseClassifier()
pg.cross_validate(classifier, pairs)

# %%
new = [
    ("A fire destroyed a warehouse in the harbour .", "A warehouse in the harbour burned down ."),
    ("A fire destroyed a warehouse in the harbour .", "The harbour was closed on Monday ."),
]
classifier.fit(pairs).decide(new)

# %% [markdown]
# ## Why?

# %%
classifier.explain(new, maximum=3)
