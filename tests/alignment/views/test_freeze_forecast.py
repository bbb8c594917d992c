import pytest
from django.urls import reverse
from lxml import html

from alignment.models import GoldAlignmentSet
from alignment.services.link_review import adjudicate_links, link_review
from annotation.models import GoldSet, GoldSubclusterSet
from annotation.schemes import Label
from projects.models import Role
from tests.factories.alignment import link, linking_batch
from tests.factories.annotation import adjudicate, assignments_of, gold_set, judge, judge_all, judging_batch
from tests.factories.corpus import member
from tests.factories.subclusters import decide, headline_cluster, split, splitting_batch

YES, NO = Label.PARAPHRASE.value, Label.NOT_PARAPHRASE.value


@pytest.fixture
def judged(project, annotators):
    """Two batches: three pairs agreed on, two disputed and one answered by one; two of which nobody took."""
    first, second = annotators
    one = judging_batch(project, annotators, size=6)
    judge_all(one, first, (YES,))
    for assignment, label in zip(assignments_of(one, second), (YES, YES, YES, NO, NO), strict=False):
        judge(assignment, label)
    other = judging_batch(project, annotators, size=2)
    return [one, other]


@pytest.fixture
def linked(project, annotators):
    """Three pairs: agreed on, disputed, linked by one."""
    batch = linking_batch(project, annotators, source=gold_set(project, annotators, size=6))
    first, second = (assignments_of(batch, user) for user in annotators)
    link(first[0])
    link(second[0])
    link(first[1])
    link(second[1], [])
    link(first[2])
    return batch


@pytest.fixture
def clustered(project, annotators):
    """Three clusters: split alike, disputed, split by one."""
    for key in ("alike", "disputed", "waiting"):
        headline_cluster(project, key=key)
    batch = splitting_batch(project, annotators, fewest=6)
    items = {item.cluster.key: item for item in batch.items.all()}
    for annotator, groups in zip(annotators, ([[1, 2]], [[3, 4]]), strict=True):
        split(items["alike"], annotator, [[5, 6]])
        split(items["disputed"], annotator, groups)
    split(items["waiting"], annotators[0], [[1, 2]])
    return batch


def address(project, kind):
    return reverse("launch", args=[project.slug, kind])


def check(as_, project, view, fields):
    answer = as_("manager").post(address(project, view), fields | {"preview": "yes"})
    assert answer.status_code == 200
    return answer.context["forecast"]


def compare(said, counts, frozen):
    """The forecast names the numbers that the set has."""
    assert (said.items, said.frozen) == (counts["items"], counts[frozen])
    assert {part.code: part.items for part in said.left_out}.items() <= counts.items()
    assert sum(part.items for part in said.left_out) == said.missing == counts["items"] - counts[frozen]
    assert all(part.reason for part in said.left_out)


@pytest.mark.parametrize("rule", ["disagreement_negative", "adjudicated"])
def test_judgements(project, as_, judged, rule):
    expected = {"disagreement_negative": (8, 5), "adjudicated": (8, 3)}[rule]
    fields = {"name": "gold", "batches": [batch.pk for batch in judged], "rule": rule}
    said = check(as_, project, "freeze-gold-set", fields)
    assert (said.items, said.frozen) == expected and not GoldSet.objects.exists()
    assert as_("manager").post(address(project, "freeze-gold-set"), fields).status_code == 302
    compare(said, GoldSet.objects.get().counts, "pairs")


@pytest.fixture
def decided(project, annotators, judged, linked, clustered):
    """The batches of `judged`, `linked` and `clustered`, an adjudicator having decided one item of each."""
    judge_of_last_resort = member(project, Role.ADJUDICATOR, "judge")
    adjudicate(judged[0].items.get(number=4), judge_of_last_resort, YES)
    disputed = linked.items.get(number=2)
    basis = link_review(disputed).basis
    adjudicate_links(item=disputed, by=judge_of_last_resort, links=[], version=0, basis=basis)
    decide(clustered.items.get(cluster__key="disputed"), judge_of_last_resort, [[1, 2]])
    return {
        "gold-sets": ("freeze-gold-set", {"batches": [judged[0].pk]}, "majority", GoldSet),
        "gold-alignments": ("freeze-gold-links", {"batch": linked.pk}, "papers", GoldAlignmentSet),
        "gold-subclusters": ("freeze-subclusters", {"batch": clustered.pk}, "shared", GoldSubclusterSet),
    }


def preselected(answer):
    return html.fromstring(answer.content).xpath("//input[@name='rule'][@checked]/@value")


KINDS = ("gold-sets", "gold-alignments", "gold-subclusters")


def test_the_rule_that_uses_decisions_is_preselected_on_the_page(project, as_, decided):
    view, fields, other, _ = decided["gold-sets"]
    url = address(project, view)
    [batch] = fields.get("batches", [fields.get("batch")])
    answer = as_("manager").get(url, {"batch": batch})
    assert preselected(answer) == ["adjudicated"]
    text = html.fromstring(answer.content).text_content()
    assert "will not be used" not in text
    assert "Preselected: the rule that uses the 1 decision of adjudicators." in text
    ignored = as_("manager").post(url, fields | {"name": "gold", "rule": other, "preview": "yes"})
    assert "1 decision will not be used" in ignored.content.decode()
    assert ignored.context["forecast"].decisions_unused == 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_api_uses_decisions_by_default_and_counts_those_that_another_rule_ignores(
    project, as_, decided, kind
):
    operation, fields, other, model = decided[kind]

    def post(**more):
        url = reverse(f"api-launch-{operation}", args=[project.slug])
        answer = as_("manager").post(url, fields | more, content_type="application/json")
        assert answer.status_code == 201, answer.content
        return model.objects.get(pk=answer.json()["id"])

    made = post(name="by default")
    assert made.rule == "adjudicated" and "decisions_unused" not in made.counts
    gold = post(name="by another rule", rule=other)
    assert gold.counts["decisions_unused"] == 1 and "|decisions-unused:1|" in gold.signature
    rows = {GoldSet: "judgements", GoldAlignmentSet: "alignments", GoldSubclusterSet: "clusters"}[model]
    assert not getattr(gold, rows).exclude(adjudication=None).exists(), "no label is called adjudicated"
