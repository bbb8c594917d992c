from django.db import migrations


def fields(model, *names):
    return [migrations.RemoveField(model_name=model, name=name) for name in names]


class Migration(migrations.Migration):
    dependencies = [("alignment", "0006_what_went")]

    operations = [
        migrations.RemoveConstraint(model_name="experimentrow", name="experiment_row_size"),
        migrations.RemoveConstraint(model_name="experimentrow", name="experiment_row_evidence"),
        migrations.RemoveConstraint(model_name="trainedaligner", name="trained_aligner_retrained"),
        migrations.RemoveConstraint(model_name="trainedaligner", name="trained_aligner_evidence"),
        *fields("experimentrow", "association", "extraction", "paraphrases", "size", "vectors"),
        *fields("trainedaligner", "association", "new_pairs", "paraphrases", "retrain_after", "vectors"),
    ]
