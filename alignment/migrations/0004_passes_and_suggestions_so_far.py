"""What earlier releases did not store: the suggestions that annotators were shown, and the second pass over
links, which began for each pair when the last of its annotators had submitted."""

from collections import defaultdict

from django.db import migrations
from django.db.models import OuterRef, Subquery

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


class Migration(migrations.Migration):
    dependencies = [
        ("alignment", "0003_offered_suggestions"),
        ("annotation", "0003_second_pass_of_links"),
    ]

    operations = [
        migrations.RunPython(record_offers, migrations.RunPython.noop),
        migrations.RunPython(record_passes, migrations.RunPython.noop),
    ]
