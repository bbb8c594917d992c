from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("alignment", "0004_trained_aligners")]

    operations = [
        migrations.AlterField(
            model_name="suggestedlinks", name="signature", field=models.TextField()
        ),
    ]
