# %% [markdown]
# # Align words and score the links
# Aligners are trained on sentence pairs, draw links, and are compared by alignment error rate (AER).

# %%
from pathlib import Path

from paragold import frames
from paragold.aligners.registry import aligner_of
from paragold.formats.link_files import read_links
from paragold.metrics.error_rate import score_table
from paragold.metrics.links import LinkedPair, Links

gold = read_links(Path("docs/examples/links.jsonl"))
gold[1]

# %%
pairs = [(pair.tokens.source, pair.tokens.target) for pair in gold]
drawn = {
    name: aligner_of({"aligner": name}).fit(pairs).align_all(pairs) for name in ("identity", "hmm", "best")
}
references, texts = [pair.links for pair in gold], [pair.tokens for pair in gold]
frames.scores({name: score_table(links, references, texts, seed=1) for name, links in drawn.items()})

# %% [markdown]
# ## What the best aligner drew

# %%
LinkedPair(gold[1].key, gold[1].tokens, Links.of(drawn["best"][1]))

# %%
frames.links(gold).groupby(["strength"]).size().rename("links").to_frame()
