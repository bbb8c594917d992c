from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("projects", "0002_submission_project")]

    operations = [migrations.DeleteModel(name="InstallationSettings")]
