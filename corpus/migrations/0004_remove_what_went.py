"""From release 0.2.0 to now, in one step. It has the name of the last of several that unreleased versions had,
so that nothing is left to do where those were applied."""

from django.db import migrations

# What refers to others first.
GONE = (
    *("ExternalRow", "ExternalDataset", "FetchedAddress", "Fetch", "FetchHost", "FetchSite", "MarkedPage"),
    *("MatchingStudy", "TrainedStoryModel"),
)


class Migration(migrations.Migration):
    dependencies = [("corpus", "0001_initial"), ("projects", "0003_delete_installationsettings")]

    operations = [
        migrations.RemoveField(model_name="extraction", name="external"),
        migrations.RemoveField(model_name="corpusimport", name="near"),
        *(migrations.DeleteModel(name=name) for name in GONE),
    ]
