"""A project says whether its new judging batches ask for phenomena."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corpus', '0009_kept_numbers'),
    ]

    operations = [
        migrations.AddField(
            model_name='project',
            name='asks_phenomena',
            field=models.BooleanField(default=False, help_text='New judging batches have phenomena counted in paraphrases'),
        ),
    ]
