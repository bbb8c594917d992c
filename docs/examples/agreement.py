# %% [markdown]
# # Agreement of annotators
# Labels of two annotators on the pairs of the demo project; `pg.read_judgements` gives the same table of
# `pairs.jsonl` in an export.

# %%
import pandas as pd

import paragold as pg

judged = pd.read_csv("demo/judgements.tsv", sep="\t")
judged.groupby(["annotator", "label"]).size().unstack()

# %%
pg.agreement(judged)

# %% [markdown]
# ## Pairs on which they differ

# %%
by_annotator = judged.pivot(index="pair", columns="annotator", values="label")
by_annotator[by_annotator["a"] != by_annotator["b"]].head()
