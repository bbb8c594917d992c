from pathlib import Path

import pytest

from benchmarks.segmentation import joined_articles, measure, naive_spans
from paragold.text.segmentation import split_sentences


@pytest.mark.real_data
def test_sentences_of_ecb_plus_are_found_again(shared_data: Path) -> None:
    articles = list(joined_articles(shared_data / "news" / "ecbplus_topics_1_35.jsonl"))
    ours = measure(split_sentences, articles)
    naive = measure(naive_spans, articles)
    assert ours["precision"] >= 98
    assert ours["f_after_a_stop"] >= 98.5
    assert ours["f"] >= 94
    assert ours["f"] > naive["f"] + 5
