# %% [markdown]
# # Extract candidate pairs
# From a file of articles in clusters to a table of sentence pairs. Run it in a clone, cell by cell.

# %%
import paragold as pg

pairs = pg.extract("demo/corpus.jsonl", preset="L12", min_shared_words=4)
print(f"{pairs.attrs['counts']['pairs_compared']:,} pairs compared, {len(pairs):,} kept")
pairs[["cluster", "edit_distance", "source", "target"]].head()

# %% [markdown]
# ## How far apart are they?

# %%
pairs.groupby("edit_distance").size().rename("pairs").to_frame()
