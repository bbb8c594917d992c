"""A file with empty sentences, a draw from the dataset's own page, answers, and the browser's Back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from annotation.models import AssignmentState, Judgement, Label
from corpus.models import Dataset, Sentence
from tests.browser import whole_path as path
from tests.factories.annotation import assignments_of
from tests.factories.corpus import UserFactory
from tests.worker_process import Worker

LogIn = Callable[..., Page]
SLUG = "dams"
SIZE = 3
SENTENCES = (
    "The old dam above the town of {0} broke early on Monday after a week of heavy rain.",
    "Rescue workers brought more than two hundred people of {0} to a school on the hill.",
    "The mayor of {0} said that the road to the coast would stay closed until Friday.",
)
REWORDED = (
    "The old dam above the town of {0} broke late on Monday after a week of heavy rain.",
    "Rescue workers brought almost two hundred people of {0} to a school on the hill.",
    "The mayor of {0} said that the road to the coast would remain closed until Friday.",
)
TOWNS = ("Sarn", "Orlo")


@pytest.fixture
def corpus_file(tmp_path: Path) -> Path:
    """Two events of two articles, each with an empty and a blank sentence, and an article of nothing else."""
    lines = []
    for town in TOWNS:
        articles = [
            {"id": f"{town}-{name}", "sentences": ["", *(one.format(town) for one in texts), " \t"]}
            for name, texts in (("courier", SENTENCES), ("gazette", REWORDED))
        ]
        lines.append({"cluster_id": town, "articles": [*articles, {"id": f"{town}-x", "sentences": [""]}]})
    file = tmp_path / "dams.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def fact(page: Page, name: str) -> Locator:
    """The number beside a word in the facts of a page."""
    return page.locator("dl.facts div").filter(has=page.get_by_text(name, exact=True)).locator("dd")


def expect_all_well(page: Page, counter: str) -> None:
    expect(page.locator("[data-part=counter]")).to_have_text(counter)
    expect(page.locator("[data-part=unsynced]")).to_be_hidden()
    expect(page.get_by_role("alert")).to_have_count(0)


def answer(page: Page, key: str) -> None:
    expect(page.locator("[data-side=a] [data-part=sentence]")).to_be_visible()
    path.wait_until_read(page)
    page.keyboard.press(key)


def test_from_a_file_with_empty_sentences_to_back(log_in: LogIn, worker: Worker, corpus_file: Path) -> None:
    UserFactory(username="mary", is_superuser=True)
    ada = UserFactory(username="ada")
    mary = log_in("mary")
    path.create_project(mary, "Dams", SLUG)
    path.add_member(mary, SLUG, "ada", "annotator")
    path.import_file(mary, SLUG, corpus_file)
    # Two empty sentences in each of the articles kept, and the articles that hold nothing else.
    expect(fact(mary, "empty sentences")).to_have_text("8")
    expect(fact(mary, "empty articles")).to_have_text("2")
    assert Sentence.objects.count() == len(TOWNS) * 2 * len(SENTENCES)

    path.extract(mary, SLUG, "L12-2004-word")
    path.make_dataset(mary, SLUG, "mine", ["L12-2004-word"])
    chosen = Dataset.objects.get(name="mine")
    path.extract(mary, SLUG, "F2-2004")  # leaves another dataset, which is newer
    mary.goto(f"/projects/{SLUG}/candidates/datasets/{chosen.pk}/")
    path.follow(mary, "Draw a batch to judge")
    expect(mary.get_by_label("Dataset", exact=True)).to_have_value(str(chosen.pk))
    path.fill(mary, "Pairs", str(SIZE))
    path.push(mary, "Draw the batch")
    expect(mary.get_by_role("main").get_by_role("link", name="mine")).to_be_visible()
    batch = chosen.batches.get()

    page = log_in("ada")
    page.goto(f"/projects/{SLUG}/judge/")
    path.press(page.locator("a.button.main"))
    for number, key in enumerate("jf", start=1):
        answer(page, key)
        expect_all_well(page, f"{number} of {SIZE}")
    path.press(page.get_by_role("link", name="Dams"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Dams")
    page.go_back()
    expect_all_well(page, f"2 of {SIZE}")

    # Back to the pair of before, and the same answer once more.
    path.wait_until_read(page)
    page.keyboard.press("u")
    expect_all_well(page, f"1 of {SIZE}")
    answer(page, "f")
    expect_all_well(page, f"2 of {SIZE}")
    answer(page, "j")
    expect_all_well(page, f"3 of {SIZE}")
    labels = [Label.PARAPHRASE, Label.NOT_PARAPHRASE, Label.PARAPHRASE]
    done = [one for one in assignments_of(batch, ada) if one.state == AssignmentState.DONE]
    assert [Judgement.objects.get(assignment=one).label for one in done] == labels
