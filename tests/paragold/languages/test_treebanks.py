import pytest

from replication.treebanks import treebanks

SENTENCES = {"nl": 99.8, "de": 98.6, "fr": 98.1, "es": 98.2}
TOKENS = {"nl": 99.8, "de": 99.8, "fr": 99.6, "es": 99.7}


@pytest.mark.real_data
def test_ends_and_tokens_are_those_of_the_treebank_and_no_other_splitter_finds_more(shared_data):
    rows = treebanks(folder=str(shared_data / "ud"))
    ends = {(row["language"], row["who"]): row["ends_f"] for row in rows}
    tokens = {row["language"]: row["tokens_f"] for row in rows if row["who"] == "paragold"}
    for tag in SENTENCES:
        ours = ends[tag, "paragold"]
        assert ours >= SENTENCES[tag] and tokens[tag] >= TOKENS[tag]
        others = ("pySBD", "sentencex", "sentence-splitter", "English rules")
        assert all(ours > ends[tag, other] for other in others), tag
