"""`manage.py import articles` with each kind of source."""

import gzip
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corpus.models import Article, Sentence
from tests.factories.news_pages.pages import news_pages
from tests.paragold.sources.pages.story_text import model_without


def run(*arguments):
    out = StringIO()
    call_command("import", "articles", *arguments, "--project", "dams", stdout=out, stderr=out)
    return out.getvalue()


def test_a_table_by_usual_and_by_named_columns(project, tmp_path):
    path = tmp_path / "dams.csv"
    path.write_text("cluster,id,text,lead\ndam,a,One text.,Short.\ndam,b,Two texts.,Long.\n")
    assert "Imported." in run(str(path))
    named = ("--map", "cluster_id=cluster", "--map", "id=lead", "--map", "text=text")
    assert "duplicate articles" in run(str(path), *named)
    assert set(Article.objects.values_list("key", flat=True)) == {"a", "b"}


def test_packed_json_lines_of_others(project, tmp_path):
    path = tmp_path / "wcep.jsonl.gz"
    articles = '[{"id": "a", "text": "It hit.", "time": "2019-01-01"}, {"id": "b", "text": "It struck."}]'
    path.write_bytes(gzip.compress(f'{{"id": 1, "title": "Storm", "articles": {articles}}}\n'.encode()))
    assert "Valid; nothing was written." in run(str(path), "--check")
    assert "Imported." in run(str(path), "--map", "cluster_id=title", "--map", "published=")
    assert set(Article.objects.values_list("cluster__key", "key", "published")) == {
        ("Storm", "a", ""),
        ("Storm", "b", ""),
    }


def test_a_folder_of_pages_by_a_model(project, tmp_path):
    pages = news_pages()
    (tmp_path / "model.json").write_text(model_without("soup", pages).to_json())
    for number, page in enumerate(pages[3:6]):
        assert page.layout == "soup"
        target = tmp_path / "pages" / "event" / f"{number}.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page.html)
    out = run(str(tmp_path / "pages"), "--story-model", str(tmp_path / "model.json"))
    assert "Imported." in out
    texts = " ".join(Sentence.objects.values_list("text", flat=True))
    assert all(" ".join(page.article.paragraphs[0].split()) in texts for page in pages[3:6])
    assert "cookies" not in texts


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("missing.jsonl",), "no such file or folder"),
        (("pages", "--story-model", "a.csv"), "a.csv: This is not a main text model"),
        (("pages",), "event/a.txt"),
    ],
)
def test_what_does_not_fit_is_told(project, tmp_path, monkeypatch, arguments, told):
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text("text,x\nOne.,1\n")
    Path("pages/event").mkdir(parents=True)
    Path("pages/event/a.txt").write_bytes(b"caf\xe9")
    out = StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("import", "articles", *arguments, "--project", "dams", stdout=out, stderr=out)
    assert told in out.getvalue() + str(caught.value)
    assert not Article.objects.exists()


def test_headlines_of_either_layout(project, tmp_path):
    (tmp_path / "uci.csv").write_text("ID,TITLE,STORY\n1,Dam mended,dam\n2,Leaking dam repaired,dam\n")
    assert "Imported." in run(str(tmp_path / "uci.csv"))
    line = '{"cluster_id": "fair", "headlines": [{"title": "Fair opens", "lead": "It opened. At last."}]}\n'
    (tmp_path / "fair.jsonl").write_text(line)
    assert "Imported." in run(str(tmp_path / "fair.jsonl"), "--format", "headlines")
    fair = Article.objects.get(cluster__key="fair")
    assert [fair.title, *fair.sentences.values_list("text", flat=True)] == [
        "Fair opens", "Fair opens", "It opened.", "At last.",
    ]  # fmt: skip
