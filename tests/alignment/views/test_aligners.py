from django.urls import reverse

from alignment.models import Evaluation
from tests.factories.alignment import gold_alignment_set


def cells(answer):
    [(_, scores)] = answer.context["rows"]
    words = ("all", "identical", "non_identical")
    return {
        name: (rates["precision"], rates["recall"], rates["aer"])
        for name, rates in zip(words, scores, strict=True)
    }


def test_links_of_equal_words_are_scored_full_and_other_words_undefined(project, annotators, as_):
    gold = gold_alignment_set(project, annotators)
    address = reverse("score", args=[project.slug])
    answer = as_("manager").post(address, {"gold_set": gold.pk, "aligner": "identity"}, follow=True)
    assert cells(answer) == {
        "all": (1.0, 1.0, 0.0),
        "identical": (1.0, 1.0, 0.0),
        "non_identical": (None, None, None),
    }
    page = answer.content.decode()
    assert '<td class="num first">100.00</td>' in page and '<td class="num first">-</td>' in page
    assert Evaluation.objects.get().signature in answer.content.decode()
