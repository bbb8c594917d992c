"""Every decision of adjudicators is kept; a judging batch and a gold set may come from an import.

Of decisions that were made before only the one that stands is known: it begins the history.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def keep_those_that_stand(apps, schema_editor):
    Adjudication = apps.get_model("annotation", "Adjudication")
    Decision = apps.get_model("annotation", "Decision")
    Decision.objects.bulk_create(
        (
            Decision(
                item_id=standing.item_id,
                version=standing.version,
                adjudicator_id=standing.adjudicator_id,
                label=standing.label,
                comment=standing.comment,
                at=standing.decided_at,
            )
            for standing in Adjudication.objects.order_by("pk").iterator()
        ),
        batch_size=1000,
    )
    # PostgreSQL alters no table whose rows still wait for their deferred checks.
    schema_editor.connection.check_constraints()


class Migration(migrations.Migration):

    dependencies = [
        ('annotation', '0007_trained_classifiers'),
        ('corpus', '0006_lexicons_and_refined_datasets'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Decision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField(help_text='That of the adjudication which it made')),
                ('label', models.CharField(choices=[('paraphrase', 'Paraphrase'), ('not_paraphrase', 'Not a paraphrase'), ('partial', 'Partial paraphrase'), ('unrelated', 'Unrelated')], max_length=14)),
                ('comment', models.TextField(blank=True)),
                ('at', models.DateTimeField()),
            ],
            options={
                'ordering': ['version'],
            },
        ),
        migrations.RemoveConstraint(
            model_name='batch',
            name='batch_source',
        ),
        migrations.AlterField(
            model_name='batch',
            name='corpus_import',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='batches', to='corpus.corpusimport'),
        ),
        migrations.AlterField(
            model_name='goldset',
            name='rule',
            field=models.CharField(choices=[('disagreement_negative', 'Disagreement counts as not a paraphrase'), ('majority', 'Majority; a tie counts as not a paraphrase'), ('adjudicated', 'Adjudicated where people disagree'), ('imported', 'Imported with its labels')], max_length=24),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('corpus_import', None), ('dataset__isnull', False), ('gold_set', None), ('kind', 'judge')), models.Q(('corpus_import', None), ('dataset', None), ('gold_set__isnull', False), ('kind', 'link')), models.Q(('corpus_import__isnull', False), ('dataset', None), ('gold_set', None)), _connector='OR'), name='batch_source'),
        ),
        migrations.AddField(
            model_name='decision',
            name='adjudicator',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='decision',
            name='item',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='decisions', to='annotation.item'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.UniqueConstraint(fields=('item', 'version'), name='decision_version'),
        ),
        migrations.AddConstraint(
            model_name='decision',
            constraint=models.CheckConstraint(condition=models.Q(('label__in', ['paraphrase', 'not_paraphrase', 'partial', 'unrelated'])), name='decision_label'),
        ),
        migrations.RunPython(keep_those_that_stand, migrations.RunPython.noop),
    ]
