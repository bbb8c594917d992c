from django.db import migrations, models


def mark_trials(apps, schema_editor):
    """Batches that "Judge up to 20 pairs yourself" drew before they were marked: by their name, for one."""
    batches = apps.get_model("annotation", "Batch").objects
    drawn = batches.filter(kind="judge", overlap=1, created_by__isnull=False, name__regex=r"^Trial( [0-9]+)?$")
    for batch in drawn.prefetch_related("annotators"):
        if [one.annotator_id for one in batch.annotators.all()] == [batch.created_by_id]:
            batches.filter(pk=batch.pk).update(trial=True)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="batch",
            name="trial",
            field=models.BooleanField(
                default=False,
                help_text="A trial of one person: it is never frozen as gold, is no part of the project's "
                "progress, and its pairs are drawn again.",
            ),
        ),
        migrations.RunPython(mark_trials, migrations.RunPython.noop),
    ]
