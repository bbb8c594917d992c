"""Ten real pairs of Edinburgh++, linked by keyboard alone and then equal to their gold."""

from __future__ import annotations

from itertools import accumulate, groupby
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from annotation.models import Assignment, AssignmentState, Batch, Label
from annotation.services.gold import freeze_gold_set
from corpus.models import Finding
from paragold.formats.link_files import read_links
from projects.models import Project
from tests.factories.alignment import linking_batch
from tests.factories.annotation import assignments_of, judge_all, judging_batch
from tests.factories.corpus import CandidatePairFactory, dataset_of

from .linking_page import LinkingPage, stored_links

PAIRS = 10
LONGEST = 12  # words: a key press in a browser takes its time
Gold = list[tuple[int, int, str]]
Pair = tuple[tuple[str, ...], tuple[str, ...], Gold]


def real_pairs(path: Path) -> list[Pair]:
    """The first ten pairs of at most twelve words a side: their tokens, and (i, j, strength) in order."""
    found = []
    for pair in read_links(path):
        text, links = pair.tokens, pair.links
        if max(len(text.source), len(text.target)) > LONGEST:
            continue
        strengths = dict.fromkeys(links.possible, "possible") | dict.fromkeys(links.sure, "sure")
        gold = sorted((i, j, strength) for (i, j), strength in strengths.items())
        found.append((tuple(text.source), tuple(text.target), gold))
        if len(found) == PAIRS:
            break
    return found


def batch_of(project: Project, user: User, pairs: list[Pair]) -> Batch:
    """A linking batch whose sentences have the tokens of the gold."""
    dataset = dataset_of(project, 0)
    for source, target, _ in pairs:
        pair = CandidatePairFactory(project=project, text_a=" ".join(source), text_b=" ".join(target))
        for sentence, tokens in ((pair.sentence_a, source), (pair.sentence_b, target)):
            sentence.tokens = " ".join(tokens)
            sentence.starts = [0, *accumulate(len(token) + 1 for token in tokens[:-1])]
            sentence.save()
        Finding.objects.create(extraction=dataset.extractions.get(), pair=pair)
    judged = judging_batch(project, [user], size=len(pairs), dataset=dataset)
    judge_all(judged, user, [Label.PARAPHRASE])
    gold = freeze_gold_set(project=project, by=None, name="Edinburgh++", batches=[judged])
    return linking_batch(project, [user], source=gold)


def walk(page: LinkingPage, side: str, index: int) -> None:
    """To a word of the column in focus, by the arrows."""
    here = int(page.page.evaluate("document.activeElement.dataset.index"))
    page.press(*["ArrowDown" if index > here else "ArrowUp"] * abs(index - here))
    page.expect_at(side, index)


def draw(page: LinkingPage, gold: Gold) -> None:
    for i, links in groupby(gold, key=lambda link: link[0]):
        page.press("ArrowLeft")
        walk(page, "a", i)
        page.press("ArrowRight")
        for _, j, strength in links:
            walk(page, "b", j)
            page.press("s" if strength == "sure" else "p")


@pytest.mark.real_data
def test_ten_real_pairs_equal_the_gold(new_context, project, ada, shared_data):
    pairs = real_pairs(shared_data / "alignment" / "edinburghpp.train.jsonl")
    assert len(pairs) == PAIRS
    assert {strength for _, _, gold in pairs for _, _, strength in gold} == {"sure", "possible"}
    wanted = {(source, target): gold for source, target, gold in pairs}
    batch = batch_of(project, ada, pairs)
    page = LinkingPage.of(ada, new_context).open(batch)
    for number, assignment in enumerate(assignments_of(batch, ada), start=1):
        page.expect_pair(assignment)
        gold = wanted[tokens_of(assignment)]
        draw(page, gold)
        expect(page.paths).to_have_count(len(gold))
        page.submit()
        if page.part("left-note").inner_text():
            page.press("Control+Enter")
        expect(page.part("counter")).to_have_text(f"{number} of {PAIRS}")
    page.expect_finished("All 10 pairs are answered")
    page.expect_synced()
    for assignment in assignments_of(batch, ada):
        assert assignment.state == AssignmentState.DONE
        links = [(i, j, strength) for i, j, strength, _ in stored_links(assignment)]
        assert links == wanted[tokens_of(assignment)]


def tokens_of(assignment: Assignment) -> tuple[tuple[str, ...], tuple[str, ...]]:
    pair = assignment.item.pair
    return tuple(pair.sentence_a.token_list), tuple(pair.sentence_b.token_list)
