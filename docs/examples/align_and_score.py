# %% [markdown]
# # Align words and score the links
# Aligners are trained on sentence pairs, draw links, and are compared by alignment error rate (AER).

# %%
import paragold as pg

gold = pg.read_links("docs/examples/links.jsonl")
pg.linked_pairs(gold)[1]

# %%
aligners = {"identity": pg.Identity(), "hmm": pg.HMM(), "best": pg.BestAligner()}
drawn = {name: aligner.fit(gold).predict(gold) for name, aligner in aligners.items()}
pg.score(gold, drawn)

# %% [markdown]
# ## What the best aligner drew

# %%
pg.linked_pairs(drawn["best"])[1]

# %%
aligners["best"].explain(gold["source"][1], gold["target"][1]).head()
