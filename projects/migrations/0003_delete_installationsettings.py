"""From release 0.2.0 to now, in one step. It has the name of the last of several that unreleased versions had,
so that nothing is left to do where those were applied."""

import django.db.models.deletion
from django.db import migrations, models


def forget(apps, schema_editor):
    """Of the submissions of the last two days it is not known which project they belong to."""
    apps.get_model("projects", "Submission").objects.exclude(result=None).delete()


class Migration(migrations.Migration):
    dependencies = [("projects", "0001_initial")]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop),
        migrations.AddField(
            model_name="submission",
            name="project",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="projects.project"
            ),
        ),
        migrations.DeleteModel(name="InstallationSettings"),
    ]
