import pytest
from django.urls import reverse

from corpus.models import Lexicon, LexiconRating
from tests.factories.classifiers import built_lexicon, finished, learnable_dataset
from tests.factories.corpus import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(house):
    return house.project


@pytest.fixture
def as_(house):
    return lambda role: getattr(house, role)


def test_a_lexicon_is_built_shown_and_rated(project, as_):
    dataset = learnable_dataset(project)
    manager = as_("manager")
    lexicons = reverse("lexicons", args=[project.slug])
    assert "There is no lexicon yet" in manager.get(lexicons).content.decode()
    fields = {
        "kind": "association", "name": "words", "dataset": dataset.pk, "ranks": 20, "min_together": 2,
        "min_score": 0, "ranking": "links", "discount": 0.5, "without_function_words": "on",
    }  # fmt: skip
    sent = manager.post(reverse("launch", args=[project.slug, "build-lexicon"]), fields)
    lexicon = Lexicon.objects.get()
    address = reverse("lexicon", args=[project.slug, lexicon.pk])
    assert sent.headers["Location"] == address
    assert "Waiting for a worker" in manager.get(address).content.decode()
    finished(lexicon)
    page = manager.get(address).content.decode()
    best = lexicon.entries.get(rank=1)
    assert f"<bdi>{best.first}</bdi> | <bdi>{best.second}</bdi>" in page
    assert lexicon.signature in page
    assert 'value="1 good"' in page

    lines = b"".join(manager.get(f"{address}file/").streaming_content).decode().splitlines()
    assert len(lines) == lexicon.size + 1
    assert lines[1].split("\t")[:3] == ["1", best.first, best.second]

    sent = manager.post(f"{address}?show=unrated", {"rating": "1 good"})
    assert sent.headers["Location"] == f"{address}?show=unrated#1"
    assert LexiconRating.objects.get().verdict == "good"
    assert 'value="1 none" aria-pressed="true"' in manager.get(address).content.decode()
    assert f"<bdi>{best.first}</bdi> | <bdi>{best.second}</bdi>" not in (
        manager.get(f"{address}?show=unrated").content.decode()
    )
    manager.post(address, {"rating": "1 none"})
    assert not LexiconRating.objects.exists()
    for broken in ("", "good", "x good", "1 splendid", "9999 good"):
        assert manager.post(address, {"rating": broken}).status_code == 302
    assert not LexiconRating.objects.exists()


def test_raters_are_blind_to_each_other_and_few_ratings_give_no_score(project, as_):
    lexicon = built_lexicon(learnable_dataset(project))
    address = reverse("lexicon", args=[project.slug, lexicon.pk])
    lexicon.entries.update(in_wordnet=False, trivial=False)
    rows = [f'<tr id="{rank}">' for rank in lexicon.entries.values_list("rank", flat=True)[:2]]

    def table(role, show=""):
        page = as_(role).get(f"{address}?show={show}").content.decode()
        return (
            page[page.index('aria-labelledby="entries"') :].partition("<tbody>")[2].partition("</tbody>")[0]
        )

    # The tables of both are the same whatever the other says.
    before = {role: table(role) for role in ("manager", "viewer")}
    stranger = UserFactory()
    for entry in lexicon.entries.all()[:2]:
        LexiconRating.objects.create(entry=entry, rater=stranger, verdict="good")
    assert {role: table(role) for role in before} == before
    assert rows[0] in table("manager", "unrated")
    page = as_("manager").get(address).content.decode()
    assert "not counted yet</dt><dd>2<" in page
    assert "100.0 %" not in page
    as_("manager").post(address, {"rating": "1 good"})
    assert "1 rated: too few to say" in as_("manager").get(address).content.decode()
    assert rows[0] not in table("manager", "unrated")
