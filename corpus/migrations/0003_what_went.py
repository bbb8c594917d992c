"""Lexicons and word vectors of uploaded files: nothing reads them any more."""

from django.db import migrations


def remove(apps, schema_editor):
    apps.get_model("corpus", "Lexicon").objects.filter(kind__in=("paraphrases", "vectors")).delete()


class Migration(migrations.Migration):
    dependencies = [("corpus", "0002_lexicon_files"), ("alignment", "0007_remove_what_went")]

    operations = [migrations.RunPython(remove, migrations.RunPython.noop)]
