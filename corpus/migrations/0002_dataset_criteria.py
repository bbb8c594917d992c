from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("corpus", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="dataset",
            name="criteria",
            field=models.JSONField(blank=True, default=dict, help_text="What a pair has to meet; empty: nothing"),
        ),
    ]
