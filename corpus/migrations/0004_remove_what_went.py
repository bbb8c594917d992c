import django.db.models.deletion
from django.db import migrations, models

KINDS = [
    ("association", "Word association"),
    ("morphology", "Morphological variants"),
    ("wordnet", "WordNet synonyms and hypernyms"),
]


class Migration(migrations.Migration):
    dependencies = [("corpus", "0003_what_went")]

    operations = [
        migrations.RemoveField(model_name="extraction", name="external"),
        # What refers to others first.
        *(
            migrations.DeleteModel(name=name)
            for name in ("ExternalRow", "ExternalDataset", "FetchedAddress", "Fetch", "FetchHost", "FetchSite",
                         "MarkedPage", "MatchingStudy", "TrainedStoryModel")
        ),
        migrations.RemoveConstraint(model_name="lexicon", name="lexicon_kind"),
        migrations.RemoveConstraint(model_name="lexicon", name="lexicon_source"),
        migrations.RemoveField(model_name="lexicon", name="sha256"),
        migrations.AlterField(
            model_name="lexicon",
            name="dataset",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.RESTRICT, related_name="lexicons", to="corpus.dataset"
            ),
        ),
        migrations.AlterField(
            model_name="lexicon",
            name="figures",
            field=models.JSONField(
                default=dict, help_text="Share of the word pairs that is in WordNet, by rank."
            ),
        ),
        migrations.AlterField(
            model_name="lexicon", name="kind", field=models.CharField(choices=KINDS, max_length=11)
        ),
        migrations.AlterField(
            model_name="lexicon",
            name="size",
            field=models.PositiveIntegerField(default=0, help_text="How many word pairs it has."),
        ),
        migrations.AddConstraint(
            model_name="lexicon",
            constraint=models.CheckConstraint(
                condition=models.Q(kind__in=["association", "morphology", "wordnet"]), name="lexicon_kind"
            ),
        ),
    ]
