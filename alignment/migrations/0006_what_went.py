"""Rows that hold what is gone: experiments with thresholds or sample sizes of their own, names of evidence."""

from django.db import migrations
from django.db.models import Q

EVIDENCE = {"paraphrases", "association lexicon", "vectors", "distribution"}


def remove(apps, schema_editor):
    rows = apps.get_model("alignment", "ExperimentRow").objects
    of_studies = rows.filter(~Q(extraction={}) | Q(size__isnull=False)).values_list("experiment", flat=True)
    apps.get_model("alignment", "Experiment").objects.filter(pk__in=list(of_studies)).delete()
    for name in ("TrainedAligner", "ExperimentRow"):
        for row in apps.get_model("alignment", name).objects.exclude(parameters={}).iterator():
            kept = {key: value for key, value in row.parameters.items() if key != "distribution"}
            if isinstance(kept.get("without"), list):
                kept["without"] = [source for source in kept["without"] if source not in EVIDENCE]
            if kept != row.parameters:
                row.parameters = kept
                row.save(update_fields=["parameters"])


class Migration(migrations.Migration):
    dependencies = [("alignment", "0005_held_out_pairs")]

    operations = [migrations.RunPython(remove, migrations.RunPython.noop)]
