from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from alignment.models import Evaluation
from alignment.services.gold_links import linked_pairs
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


def test_links_of_another_program_are_scored(project, annotators, as_):
    gold = gold_alignment_set(project, annotators)
    address, manager = reverse("score-file", args=[project.slug]), as_("manager")
    assert "Score a file of links" in manager.get(address).content.decode()
    pairs = linked_pairs(gold)
    lines = [" ".join(f"{a}-{b}" for a, b in sorted(pair.links.sure)) for pair in pairs]
    asked = {"gold_set": gold.pk, "name": "their aligner", "format": "pharaoh"}

    def sent(text):
        return asked | {"file": SimpleUploadedFile("theirs.txt", text.encode())}

    short = manager.post(address, sent("0-0\n"))
    assert short.status_code == 422 and "theirs.txt" in short.content.decode()
    assert manager.post(address, sent("x") | {"name": " "}).status_code == 422
    perfect = manager.post(address, sent("\n".join(lines) + "\n"), follow=True)
    assert cells(perfect)["all"] == (1.0, 1.0, 0.0)
    evaluation = Evaluation.objects.get()
    assert evaluation.aligner == "their aligner" and evaluation.signature.startswith(
        "file:their aligner|sha256:"
    )
    manager.post(address, sent("\n" * len(pairs)) | {"name": "none"})
    assert Evaluation.objects.get(aligner="none").scores["all"]["recall"] == 0
    assert as_("viewer").get(address).status_code == 403
