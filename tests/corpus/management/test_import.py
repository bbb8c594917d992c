from io import StringIO

from django.core.management import call_command

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
