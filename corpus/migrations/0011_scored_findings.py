"""Findings of methods that score pairs keep the score and the exact Jaccard."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("corpus", "0010_projects_ask_for_phenomena"),
    ]

    operations = [
        migrations.AddField(
            model_name="finding",
            name="jaccard",
            field=models.FloatField(help_text="Exact Jaccard of the words compared, 0 to 1", null=True),
        ),
        migrations.AddField(
            model_name="finding",
            name="score",
            field=models.FloatField(
                help_text="What the method went by, 0 to 1, such as an estimate", null=True
            ),
        ),
        migrations.AddConstraint(
            model_name="finding",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("score__gte", 0), ("score__lte", 1)), ("score", None), _connector="OR"
                ),
                name="finding_score",
            ),
        ),
        migrations.AddConstraint(
            model_name="finding",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("jaccard__gte", 0), ("jaccard__lte", 1)), ("jaccard", None), _connector="OR"
                ),
                name="finding_jaccard",
            ),
        ),
    ]
