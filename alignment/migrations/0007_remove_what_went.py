"""From release 0.2.0 to now, in one step. It has the name of the last of several that unreleased versions had,
so that nothing is left to do where those were applied.

What 0.2.0 did not store is made up for: the suggestions that annotators were shown, and the second pass over
links, which began for each pair when the last of its annotators had submitted."""

from collections import defaultdict

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, OuterRef, Q, Subquery

from projects.upgrade_steps import DeleteRows

EVIDENCE = {"paraphrases", "association lexicon", "vectors", "distribution"}
AT_ONCE = 500


def record_offers(apps, schema_editor):
    """Suggestions of the batch's aligner that were there before the answer."""
    Alignment, SuggestedLinks = (apps.get_model("alignment", name) for name in ("Alignment", "SuggestedLinks"))
    before = SuggestedLinks.objects.filter(
        item=OuterRef("assignment__item"),
        setting=OuterRef("assignment__item__batch__suggester"),
        drawn_at__lte=OuterRef("assignment__answered_at"),
    )
    rows = Alignment.objects.exclude(assignment__item__batch__suggester="").annotate(
        shown=Subquery(before.order_by("-pk").values("pk")[:1])
    )
    changed = []
    for alignment in rows.exclude(shown=None):
        alignment.offered_id = alignment.shown
        changed.append(alignment)
    Alignment.objects.bulk_update(changed, ["offered"], batch_size=AT_ONCE)


def record_passes(apps, schema_editor):
    """A pass for each batch in which somebody submitted again after all had; open looks stay to be done."""
    Batch = apps.get_model("annotation", "Batch")
    for batch in Batch.objects.filter(kind="link", second_pass=None).order_by("pk"):
        _record_pass(apps, batch)


def _record_pass(apps, batch):
    Answer, Assignment, Decision, SecondLook, SecondPass = (
        apps.get_model("annotation", name)
        for name in ("Answer", "Assignment", "Decision", "SecondLook", "SecondPass")
    )
    places = defaultdict(set)
    for pk, item in Assignment.objects.filter(item__batch=batch).values_list("pk", "item"):
        places[item].add(pk)
    present, first, times = defaultdict(dict), {}, {}
    revised = set()
    answers = Answer.objects.filter(assignment__item__batch=batch).order_by("pk")
    for item, place, body, at in answers.values_list("assignment__item", "assignment", "body", "at"):
        if not body.get("submitted"):
            present[item].pop(place, None)
            continue
        present[item][place] = {name: body[name] for name in ("links", "null_a", "null_b")}
        if item in first:
            revised.add(place)
            times.setdefault("began", at)
            times["ended"] = at
        elif len(places[item]) > 1 and present[item].keys() == places[item]:
            first[item] = dict(present[item])
    if not revised:
        return
    decided = set(Decision.objects.filter(item__batch=batch).values_list("item", flat=True))
    looks, items = [], 0
    for item, contents in first.items():
        if not (disputed := _disputed(contents.values())):
            continue
        items += 1
        looks += [
            SecondLook(
                assignment_id=place,
                done=place in revised,
                links={"first": content, "draft": None, "disputed": disputed},
            )
            for place, content in contents.items()
            if place in revised or item not in decided
        ]
    looked = {look.assignment_id for look in looks}
    if not looked & revised:  # corrections of pairs on which nobody differed
        return
    ended = batch.state != "open" or all(look.done for look in looks)
    made = SecondPass.objects.create(
        batch=batch,
        ended_at=times["ended"] if ended else None,
        before={},
        after={} if ended else None,
        signature=f"second-pass|version:0|own-disputed-items|items:{len(places)}|disputed:{items}",
    )
    SecondPass.objects.filter(pk=made.pk).update(started_at=times["began"])
    for look in looks:
        look.second_pass = made
    SecondLook.objects.bulk_create(looks, batch_size=AT_ONCE)


def _disputed(contents):
    """The links that not all drew alike, in order."""
    drawn = [{(a, b): strength for a, b, strength, *_ in content["links"]} for content in contents]
    cells = sorted(set().union(*drawn))
    return [[*cell] for cell in cells if len({links.get(cell) for links in drawn}) > 1]


def earlier_experiments_used_all_test_sentences(apps, schema_editor):
    apps.get_model("alignment", "Experiment").objects.update(held_out_sentences=F("test_sentences"))


def experiments_of_studies(apps):
    """Those with thresholds or sample sizes of their own."""
    rows = apps.get_model("alignment", "ExperimentRow").objects
    of_studies = rows.filter(~Q(extraction={}) | Q(size__isnull=False))
    return apps.get_model("alignment", "Experiment").objects.filter(pk__in=of_studies.values("experiment"))


def forget_evidence(apps, schema_editor):
    for name in ("TrainedAligner", "ExperimentRow"):
        for row in apps.get_model("alignment", name).objects.exclude(parameters={}).iterator():
            kept = {key: value for key, value in row.parameters.items() if key != "distribution"}
            if isinstance(kept.get("without"), list):
                kept["without"] = [source for source in kept["without"] if source not in EVIDENCE]
            if kept != row.parameters:
                row.parameters = kept
                row.save(update_fields=["parameters"])


def check_now(apps, schema_editor):
    """PostgreSQL alters no table while a foreign key of its rows waits to be checked."""
    schema_editor.connection.check_constraints()


def fields(model, *names):
    return [migrations.RemoveField(model_name=model, name=name) for name in names]


def pairs_held_out(model):
    help_text = "Pairs of held-out clusters that were left out of its training text."
    field = models.PositiveIntegerField(default=0, help_text=help_text)
    return migrations.AddField(model_name=model, name="pairs_held_out", field=field)


class Migration(migrations.Migration):
    dependencies = [("alignment", "0001_initial"), ("annotation", "0003_second_pass_of_links")]

    operations = [
        migrations.AddField(
            model_name="alignment",
            name="offered",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="alignment.suggestedlinks",
            ),
        ),
        migrations.AddField(
            model_name="experiment",
            name="held_out_sentences",
            field=models.BooleanField(
                default=False,
                help_text="Whether these sentences include pairs of held-out clusters, which are left out of all "
                "other training text.",
            ),
        ),
        pairs_held_out("experimentrow"),
        pairs_held_out("trainedaligner"),
        migrations.RunPython(record_offers, migrations.RunPython.noop),
        migrations.RunPython(record_passes, migrations.RunPython.noop),
        migrations.RunPython(earlier_experiments_used_all_test_sentences, migrations.RunPython.noop),
        migrations.RunPython(forget_evidence, migrations.RunPython.noop),
        DeleteRows(experiments_of_studies),
        migrations.RunPython(check_now, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="experimentrow", name="experiment_row_size"),
        migrations.RemoveConstraint(model_name="trainedaligner", name="trained_aligner_retrained"),
        migrations.RemoveConstraint(model_name="trainedaligner", name="trained_aligner_association"),
        *fields("experimentrow", "extraction", "size"),
        *fields("trainedaligner", "association", "new_pairs", "retrain_after"),
    ]
