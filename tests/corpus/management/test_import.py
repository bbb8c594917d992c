"""`manage.py import articles` with each kind of source."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corpus.models import Article


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
