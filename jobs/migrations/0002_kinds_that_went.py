"""Jobs of kinds that are gone; draws from external datasets stay as the extractions that they made."""

from django.db import migrations

GONE = (
    *("address-list", "archive-check", "archive-store", "attach", "fetch", "import_lexicon"),
    *("retrain-aligner", "study_matching"),
)


def remove(apps, schema_editor):
    jobs = apps.get_model("jobs", "Job").objects
    for job in jobs.filter(kind="draw-external"):
        job.kind = "extract"
        job.parameters.pop("assignment", None)
        if job.state in ("queued", "running"):
            job.state = "cancelled"
        job.save(update_fields=["kind", "parameters", "state"])
    jobs.filter(kind__in=GONE).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0001_initial"),
        ("corpus", "0004_remove_what_went"),
        ("alignment", "0007_remove_what_went"),
        ("annotation", "0003_second_pass_of_links"),
        ("ops", "0002_delete_archiveimport"),
    ]

    operations = [migrations.RunPython(remove, migrations.RunPython.noop)]
