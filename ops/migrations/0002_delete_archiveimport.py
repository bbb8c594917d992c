"""From release 0.2.0 to now: archives are imported by a command, and jobs of kinds that are gone go with them,
here in the uppermost app, since those of the other apps must have let go of them."""

from django.db import migrations

from projects.upgrade_steps import DeleteRows

GONE = (
    *("address-list", "archive-check", "archive-store", "attach", "fetch", "import_lexicon"),
    *("retrain-aligner", "study_matching"),
)


def keep_draws(apps, schema_editor):
    """Draws from external datasets stay as the extractions that they made."""
    for job in apps.get_model("jobs", "Job").objects.filter(kind="draw-external"):
        job.kind = "extract"
        job.parameters.pop("assignment", None)
        if job.state in ("queued", "running"):
            job.state = "cancelled"
        job.save(update_fields=["kind", "parameters", "state"])


def jobs(apps):
    return apps.get_model("jobs", "Job").objects.filter(kind__in=GONE)


class Migration(migrations.Migration):
    dependencies = [("ops", "0001_initial"), ("alignment", "0007_remove_what_went")]

    operations = [
        migrations.DeleteModel(name="ArchiveImport"),
        migrations.RunPython(keep_draws, migrations.RunPython.noop),
        DeleteRows(jobs),
    ]
