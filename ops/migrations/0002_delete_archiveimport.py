from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("ops", "0001_initial")]

    operations = [migrations.DeleteModel(name="ArchiveImport")]
