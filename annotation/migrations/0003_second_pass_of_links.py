"""From release 0.2.0 to now, in one step. It has the name of the last of several that unreleased versions had,
so that nothing is left to do where those were applied."""

from django.db import migrations, models

LABELS = [
    ("paraphrase", "Paraphrase"),
    ("not_paraphrase", "Not a paraphrase"),
    ("partial", "Partial paraphrase"),
    ("unrelated", "Unrelated"),
]
NAMES = [name for name, _ in LABELS]


def mark_trials(apps, schema_editor):
    """Batches that "Judge up to 20 pairs yourself" drew before they were marked: by their name, for one."""
    batches = apps.get_model("annotation", "Batch").objects
    drawn = batches.filter(kind="judge", overlap=1, created_by__isnull=False, name__regex=r"^Trial( [0-9]+)?$")
    for batch in drawn.prefetch_related("annotators"):
        if [one.annotator_id for one in batch.annotators.all()] == [batch.created_by_id]:
            batches.filter(pk=batch.pk).update(trial=True)


def mark_done(apps, schema_editor):
    apps.get_model("annotation", "SecondLook").objects.exclude(label="").update(done=True)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial"), ("corpus", "0004_remove_what_went")]

    operations = [
        migrations.RemoveConstraint(model_name="secondlook", name="second_look_first"),
        migrations.RemoveConstraint(model_name="secondlook", name="second_look_label"),
        migrations.AddField(
            model_name="batch",
            name="trial",
            field=models.BooleanField(
                default=False,
                help_text="A trial of one person: it is never frozen as gold, is no part of the project's "
                "progress, and its pairs are drawn again.",
            ),
        ),
        migrations.AddField(
            model_name="batch",
            name="suggestions_pending",
            field=models.BooleanField(
                default=False, help_text="Whether nobody gets items, since the suggestions are not stored yet."
            ),
        ),
        migrations.AddField(
            model_name="secondlook", name="done", field=models.BooleanField(default=False)
        ),
        migrations.AddField(
            model_name="secondlook",
            name="links",
            field=models.JSONField(help_text="Empty for a judgement", null=True),
        ),
        migrations.AlterField(
            model_name="secondlook",
            name="first_label",
            field=models.CharField(blank=True, choices=LABELS, max_length=14),
        ),
        migrations.RunPython(mark_trials, migrations.RunPython.noop),
        migrations.RunPython(mark_done, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="secondlook",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("first_label__in", NAMES), ("links__isnull", True)),
                    models.Q(("first_label", ""), ("links__isnull", False)),
                    _connector="OR",
                ),
                name="second_look_first",
            ),
        ),
        migrations.AddConstraint(
            model_name="secondlook",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("done", True), ("label__in", NAMES), ("links__isnull", True)),
                    models.Q(("done", False), ("label", ""), ("links__isnull", True)),
                    models.Q(("label", ""), ("links__isnull", False)),
                    _connector="OR",
                ),
                name="second_look_label",
            ),
        ),
    ]
