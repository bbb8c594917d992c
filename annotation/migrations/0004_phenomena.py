import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

NAMES = ["elaboration", "phrasal", "spelling", "synonymy", "anaphora", "reordering"]


class Migration(migrations.Migration):
    dependencies = [("annotation", "0003_handing_out")]

    operations = [
        migrations.AddField(
            model_name="batch",
            name="asks_phenomena",
            field=models.BooleanField(default=False, help_text="Phenomena are counted in paraphrases"),
        ),
        migrations.CreateModel(
            name="PhenomenonCount",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "phenomenon",
                    models.CharField(choices=[(name, name.capitalize()) for name in NAMES], max_length=11),
                ),
                ("count", models.PositiveSmallIntegerField()),
                (
                    "assignment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="phenomena",
                        to="annotation.assignment",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("assignment", "phenomenon"), name="phenomenon_once"),
                    models.CheckConstraint(condition=Q(phenomenon__in=NAMES), name="phenomenon_name"),
                    models.CheckConstraint(condition=Q(count__lte=99), name="phenomenon_count"),
                ],
            },
        ),
    ]
