# %% [markdown]
# # Extract candidate pairs
# From a file of articles in clusters to a table of sentence pairs. Run it in a clone, cell by cell.

# %%
from paragold import frames
from paragold.extraction.presets import get_preset

criteria = get_preset("L12").criteria.replace(min_shared_words=4)
pairs = frames.extract("demo/corpus.jsonl", criteria)
print(f"{pairs.attrs['counts']['pairs_compared']:,} pairs compared, {len(pairs):,} kept")
pairs[["cluster_id", "edit_distance", "text_a", "text_b"]].head()

# %% [markdown]
# ## How far apart are they?

# %%
pairs.groupby("edit_distance").size().rename("pairs").to_frame()
