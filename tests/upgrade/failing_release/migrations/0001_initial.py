"""Deletes labels, and fails when that is stored already."""

from django.db import migrations


def fail(apps, schema_editor):
    raise RuntimeError("this migration fails")


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("annotation", "0001_initial")]
    operations = [
        migrations.RunSQL("UPDATE annotation_judgement SET label = 'not_paraphrase'"),
        migrations.RunPython(fail),
    ]
