import zipfile

import pytest

from corpus.services import limited_source
from corpus.services.limited_source import LimitedSource
from paragold.events.settings import EventSpec
from paragold.problems import FileProblem
from paragold.sources.article_sources import SourceOptions, open_source
from paragold.sources.main_text_model import blocks_of, train_main_text_model
from projects.parsing.process import OverBounds
from tests.factories.news_pages.pages import saved_pages

LINES = '{"id": 1, "articles": [{"id": 1, "body": "It held."}, {"id": 2, "text": ["It broke."]}]}\n{\n'
TABLE = "event;body;day\ndam;It held.;2004-03-17\n"


def archive(path):
    with zipfile.ZipFile(path, "w") as written:
        for number, page in enumerate(saved_pages().values()):
            written.writestr(f"storm/{number:02}.html", page)
        written.writestr("storm/picture.png", b"\x89PNG")
        written.writestr("storm/bad.txt", b"caf\xe9")
    return path


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("a.jsonl", SourceOptions()),
        ("a.jsonl", SourceOptions(events=EventSpec(threshold=0.3))),
        ("a.csv", SourceOptions(mapping={"published": "day"})),
        ("a.zip", SourceOptions()),
        ("a.zip", SourceOptions(format="archive", encoding="latin-1", story_model="trained")),
        ("folder", SourceOptions()),
    ],
)
def test_a_source_is_read_as_in_this_process(tmp_path, name, options, monkeypatch):
    monkeypatch.chdir(tmp_path)  # paths may be relative
    path = tmp_path / name
    if name == "a.zip":
        archive(path)
    elif name == "folder":
        (path / "storm").mkdir(parents=True)
        (path / "storm" / "a.txt").write_text("It held.")
    else:
        path.write_text(LINES if name == "a.jsonl" else TABLE)
    if options.story_model:
        pages = [blocks_of(page) for page in saved_pages().values()]
        marked = [(blocks, [block.tag == "p" for block in blocks]) for blocks in pages]
        options = SourceOptions("archive", "latin-1", story_model=train_main_text_model(marked))
    here, there = open_source(path, options), LimitedSource(path.relative_to(tmp_path), options, name)
    articles = list(here)
    assert list(there) == articles != []
    assert (there.problems, there.notes) == (here.problems, here.notes)


def test_what_is_wrong_with_the_whole_is_raised_and_what_takes_too_much_names_the_article_before(
    tmp_path, monkeypatch
):
    (tmp_path / "a.csv").write_text(TABLE)
    with pytest.raises(FileProblem, match="There is no column 'date'"):
        list(LimitedSource(tmp_path / "a.csv", SourceOptions(mapping={"published": "date"}), "a.csv"))

    def hanging(*_):
        yield {"value": {"id": "a"}, "file": "storm/a.html", "line": 0, "share": 0.5}
        raise OverBounds("The file takes more than 120 s to read.", "Split it.")

    monkeypatch.setattr(limited_source, "limited_source", hanging)
    source = LimitedSource(tmp_path, SourceOptions(), "a.zip")
    assert [value for _, value in source] == [{"id": "a"}]
    [problem] = source.problems
    assert problem.message.endswith("more than 120 s to read. The last article that was read: storm/a.html.")
