"""Marks are kept per project, models are trained on them in versions, imports are read by them."""

from __future__ import annotations

import json

import pytest

from benchmarks.news_pages.pages import news_pages
from benchmarks.story_text import marks_of, model_without
from corpus.models import ImportState, Sentence
from corpus.services.import_storing import begin_storing
from corpus.services.importing import discard_import, options_of, pages_of
from corpus.services.main_text import (
    check_again,
    loaded,
    mark_page,
    method_of,
    page_of,
    train_main_text,
)
from corpus.services.uploads import upload_path
from jobs.services.running import run_here
from paragold.sources.pages.blocks import blocks_of
from paragold.sources.pages.main_text_model import MainTextModel
from paragold.sources.pages.marking import suggested_marks
from projects.errors import PublicError
from projects.models import Project
from tests.factories.corpus import ProjectFactory
from tests.factories.story import marked, waiting_import

PAGES = news_pages()


def mark(project: Project, number: int, story: list[int]) -> None:
    source = project.imports.get()
    mark_page(project=project, by=None, shown=page_of(source, number), story=story)


def test_a_page_shows_what_the_method_found_until_it_is_marked(project: Project) -> None:
    source = waiting_import(
        project, {"dam/a.html": PAGES[0].html, "dam/b.txt": "A dam.", "dam/c.htm": PAGES[1].html}
    )
    assert [page.name for page in pages_of(source)] == ["dam/a.html", "dam/c.htm"]
    shown = page_of(source, 2)
    assert (shown.name, shown.marked, len(shown.blocks)) == ("dam/c.htm", None, len(blocks_of(PAGES[1].html)))
    assert any(shown.marks)
    mark(project, 2, [0, 3])
    again = page_of(source, 2)
    assert again.marked is not None
    assert [number for number, story in enumerate(again.marks) if story] == [0, 3]
    mark(project, 2, [])
    assert project.marked_pages.get().marks == [False] * len(shown.blocks)


@pytest.mark.parametrize("number", [0, 4, -1])
def test_a_page_that_is_not_there(project: Project, number: int) -> None:
    with pytest.raises(PublicError, match="no such page"):
        page_of(waiting_import(project), number)


def test_blocks_that_are_not_there_are_refused(project: Project) -> None:
    waiting_import(project)
    with pytest.raises(PublicError, match="have the numbers 0 to"):
        mark(project, 1, [1_000])
    assert not project.marked_pages.exists()


def test_other_imports_have_no_pages(project: Project) -> None:
    texts = waiting_import(project, {"dam/a.txt": "A dam broke."})
    assert pages_of(texts) == []
    with pytest.raises(PublicError, match="while an import of HTML pages waits"):
        check_again(source=texts, by=None, trained=None)
    discard_import(source=texts)
    stored = waiting_import(project)
    run_here(job=begin_storing(source=stored, by=None))
    stored.refresh_from_db()
    assert stored.state == ImportState.IMPORTED and pages_of(stored) == []


def test_versions_are_numbers_that_never_change(project: Project) -> None:
    for page in PAGES[:4]:
        marked(project, page)
    first = train_main_text(project=project, by=None)
    assert (first.version, first.pages) == (1, 4)
    assert set(first.figures) == {"precision", "recall", "f"}
    assert isinstance(loaded(first), MainTextModel)
    assert json.loads(loaded(first).to_json()) == first.numbers
    assert train_main_text(project=project, by=None) == first
    marked(project, PAGES[5])
    second = train_main_text(project=project, by=None)
    assert second.version == 2 and second.sha256 != first.sha256
    first.refresh_from_db()
    assert first.pages == 4
    other = ProjectFactory()
    with pytest.raises(PublicError, match="0 marked pages are too few; 3 are needed"):
        train_main_text(project=other, by=None)


def test_a_model_of_the_marks_is_the_one_that_is_counted_from_them(project: Project) -> None:
    layout = PAGES[0].layout
    for page in PAGES:
        if page.layout != layout:
            marked(project, page)
    trained = loaded(train_main_text(project=project, by=None))
    expected = model_without(layout, PAGES)
    assert trained.start == pytest.approx(expected.start)
    assert trained.emissions == expected.emissions


def test_an_import_is_read_by_the_trained_model(project: Project) -> None:
    """The marks say that the story is what nobody would take for it: so the method shows."""
    notice = "<p>Read the notices of the council in full on this page, all year round, day by day.</p>"
    item = "<li>The council mended the dam on Wednesday, and nobody was hurt, the mayor said.</li>"
    html = f"<body><article>{notice * 3}</article><ul>{item}</ul></body>"
    for number in range(3):
        pages = waiting_import(project, {"dam/a.html": html.replace("council", f"council of {number}")})
        shown = page_of(pages, 1)
        story = [at for at, block in enumerate(shown.blocks) if block.tag == "li"]
        mark_page(project=project, by=None, shown=shown, story=story)
        discard_import(source=pages)
    trained = train_main_text(project=project, by=None)
    source = waiting_import(project, {"dam/a.html": html})
    assert method_of(source) == "trafilatura"
    again = check_again(source=source, by=None, trained=trained)
    run_here(job=again.job)
    again.refresh_from_db()
    assert project.imports.get() == again
    assert method_of(again) == "HMM, version 1"
    assert options_of(again).story_model == loaded(trained)
    run_here(job=begin_storing(source=again, by=None))
    assert Sentence.objects.get().text.startswith("The council mended the dam on Wednesday")


def test_back_to_trafilatura(project: Project) -> None:
    for page in PAGES[:4]:
        marked(project, page)
    trained = train_main_text(project=project, by=None)
    source = check_again(source=waiting_import(project), by=None, trained=trained)
    run_here(job=source.job)
    back = check_again(source=source, by=None, trained=None)
    run_here(job=back.job)
    back.refresh_from_db()
    assert (back.state, method_of(back)) == (ImportState.CHECKED, "trafilatura")


def test_marks_of_a_careful_person_are_those_of_the_benchmark(project: Project) -> None:
    page = marked(project, PAGES[0])
    assert page.marks == marks_of(PAGES[0], blocks_of(PAGES[0].html))


def test_pages_without_a_story_are_marked_and_read_by_what_was_learnt(project: Project) -> None:
    """Trafilatura finds nothing in them: the import is refused, and its pages wait all the same."""
    html = "<body>" + "".join(f"<div>{word}</div>" for word in ("Menu", "Dam.", "Mended.", "Ads")) + "</body>"
    assert not any(suggested_marks(html, blocks_of(html)))
    files = {f"dam/{number}.html": html.replace("Dam", f"Dam {number}") for number in range(3)}
    source = waiting_import(project, files)
    assert source.state == ImportState.REFUSED
    assert len(pages_of(source)) == 3
    with pytest.raises(PublicError, match="cannot be stored now"):
        begin_storing(source=source, by=None)
    for number in (1, 2, 3):
        mark(project, number, [1, 2])
    again = check_again(source=source, by=None, trained=train_main_text(project=project, by=None))
    run_here(job=again.job)
    again.refresh_from_db()
    assert (again.state, again.counts["articles"]) == (ImportState.CHECKED, 3)
    assert list(project.imports.all()) == [again]
    run_here(job=begin_storing(source=again, by=None))
    assert set(Sentence.objects.values_list("text", flat=True)) >= {"Dam 0.", "Mended."}


def test_what_else_is_refused_is_not_kept(project: Project) -> None:
    texts = waiting_import(project, {"dam/a.txt": " ", "dam/b.txt": ""})
    assert (texts.state, pages_of(texts)) == (ImportState.REFUSED, [])
    assert not upload_path(texts.token).exists()
    broken = waiting_import(project, {"dam/a.html": "<p>x", "dam/b.txt": b"\xff"})
    assert (broken.state, pages_of(broken)) == (ImportState.REFUSED, [])
    storyless = waiting_import(project, {"dam/a.html": "<div>x</div>"})
    assert upload_path(storyless.token).exists()
    discard_import(source=storyless)
    assert not upload_path(storyless.token).exists()
