"""Studies of matching against an answer key."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corpus', '0012_fetched_pages_and_story_models'),
    ]

    operations = [
        migrations.CreateModel(
            name='MatchingStudy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('parameters', models.JSONField(help_text='Methods, seed, stop words; files and counts of texts and key')),
                ('texts', models.BinaryField(null=True)),
                ('figures', models.JSONField(default=dict, help_text='quality, scatter and times, each by method')),
                ('signature', models.CharField(max_length=500)),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='matching_study', to='corpus.job')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='matching_studies', to='corpus.project')),
            ],
            options={
                'verbose_name_plural': 'matching studies',
                'ordering': ['-id'],
                'constraints': [models.UniqueConstraint(fields=('project', 'name'), name='matching_study_name')],
            },
        ),
    ]
