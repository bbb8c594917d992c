"""A linking batch may come from an import.

Batches of imported links stood on an empty gold set that was made for them. They get the import they came
from instead, and the empty gold sets go. Backwards the gold sets are made again.
"""

import django.db.models.deletion
from django.db import migrations, models

SIGNATURE = "imported-pairs|tokens:as given, parted by spaces|version:1"


def hang_on_imports(apps, schema_editor):
    Batch = apps.get_model("annotation", "Batch")
    CorpusImport = apps.get_model("corpus", "CorpusImport")
    GoldSet = apps.get_model("annotation", "GoldSet")
    made = GoldSet.objects.filter(signature=SIGNATURE)
    for project in made.order_by().values_list("project", flat=True).distinct():
        # Each import of this kind made one batch, in one transaction: they stand in the same order.
        imports = CorpusImport.objects.filter(project=project, signature=SIGNATURE).order_by("id")
        batches = Batch.objects.filter(project=project, gold_set__signature=SIGNATURE).order_by("id")
        for batch, source in zip(batches, imports, strict=True):
            batch.gold_set, batch.corpus_import = None, source
            batch.save(update_fields=["gold_set", "corpus_import"])
    made.delete()
    # PostgreSQL alters no table whose rows still wait for their deferred checks.
    schema_editor.connection.check_constraints()


def hang_on_gold_sets(apps, schema_editor):
    Batch = apps.get_model("annotation", "Batch")
    GoldSet = apps.get_model("annotation", "GoldSet")
    for batch in Batch.objects.filter(corpus_import__isnull=False).select_related("project"):
        name = f"imported pairs of {batch.name}"[:80]
        versions = GoldSet.objects.filter(project=batch.project, name=name).values_list("version", flat=True)
        batch.gold_set = GoldSet.objects.create(
            project=batch.project,
            name=name,
            version=max(versions, default=0) + 1,
            rule=batch.project.gold_rule,
            scheme=batch.scheme,
            agreement={},
            counts={"pairs": 0},
            signature=SIGNATURE,
            created_by_id=batch.created_by_id,
        )
        batch.corpus_import = None
        batch.save(update_fields=["gold_set", "corpus_import"])
    schema_editor.connection.check_constraints()


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0005_second_pass"),
        ("corpus", "0001_initial"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="batch", name="batch_source"),
        migrations.AddField(
            model_name="batch",
            name="corpus_import",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="link_batches",
                to="corpus.corpusimport",
            ),
        ),
        migrations.RunPython(hang_on_imports, hang_on_gold_sets),
        migrations.AddConstraint(
            model_name="batch",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("corpus_import", None),
                        ("dataset__isnull", False),
                        ("gold_set", None),
                        ("kind", "judge"),
                    ),
                    models.Q(
                        ("corpus_import", None),
                        ("dataset", None),
                        ("gold_set__isnull", False),
                        ("kind", "link"),
                    ),
                    models.Q(
                        ("corpus_import__isnull", False),
                        ("dataset", None),
                        ("gold_set", None),
                        ("kind", "link"),
                    ),
                    _connector="OR",
                ),
                name="batch_source",
            ),
        ),
    ]
