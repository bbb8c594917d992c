"""From release 0.2.0 to now, in one step; the name is that of the first thing that went."""

import django.db.models.deletion
from django.db import migrations, models

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
        migrations.RemoveConstraint(model_name="candidatepair", name="pair_ordered"),
        migrations.RemoveConstraint(model_name="lexiconentry", name="lexicon_entry_two_words"),
        migrations.AddField(
            model_name="article",
            name="language",
            field=models.CharField(
                blank=True,
                default="",
                help_text="BCP 47 tag of its text, where that is not the language of the project.",
                max_length=35,
            ),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="lexicon",
            name="dataset",
            field=models.ForeignKey(
                help_text="Dataset of the pairs that it is learned from; null for all imported pairs.",
                null=True,
                on_delete=django.db.models.deletion.RESTRICT,
                related_name="lexicons",
                to="corpus.dataset",
            ),
        ),
        migrations.AddConstraint(
            model_name="candidatepair",
            constraint=models.CheckConstraint(
                condition=~models.Q(sentence_a=models.F("sentence_b")), name="pair_two_sentences"
            ),
        ),
    ]
