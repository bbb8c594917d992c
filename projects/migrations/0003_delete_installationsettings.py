"""From release 0.2.0 to now, in one step; the name is that of the first thing that went."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def forget(apps, schema_editor):
    """Of the submissions of the last two days it is not known which project they belong to."""
    apps.get_model("projects", "Submission").objects.exclude(result=None).delete()


class Migration(migrations.Migration):
    dependencies = [migrations.swappable_dependency(settings.AUTH_USER_MODEL), ("projects", "0001_initial")]

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
        migrations.DeleteModel(name="RequestCount"),
        migrations.AddField(
            model_name="project",
            name="second_language",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Language of the second sentence of each pair, such as fr, for translations; empty for "
                "sentences in one language.",
                max_length=35,
            ),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name="project",
            constraint=models.CheckConstraint(
                condition=~models.Q(second_language=models.F("language")), name="project_two_languages"
            ),
        ),
        migrations.CreateModel(
            name='OwnLanguage',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='+', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('language', models.CharField(max_length=10)),
            ],
        ),
        migrations.AddField(
            model_name='membership',
            name='guidelines_version',
            field=models.PositiveIntegerField(default=1, help_text='Of an annotator: the version of the guidelines that was confirmed last.'),
        ),
        migrations.AddField(
            model_name='project',
            name='guidelines_version',
            field=models.PositiveIntegerField(default=1, editable=False, help_text='Counts the changes of the guidelines, from 1.'),
        ),
        migrations.CreateModel(
            name='EarlierGuidelines',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('text', models.TextField(blank=True)),
                ('replaced_at', models.DateTimeField(auto_now_add=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='earlier_guidelines', to='projects.project')),
                ('replaced_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['project', '-version'],
                'constraints': [models.UniqueConstraint(fields=('project', 'version'), name='earlier_guidelines_version')],
            },
        ),
    ]
