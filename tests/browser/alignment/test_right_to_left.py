from pathlib import Path

from playwright.sync_api import expect

from config.static import pages_modules
from corpus.models import Finding
from projects.models import Role
from tests.browser.annotation.judging_page import JudgingPage, labels_of
from tests.factories.annotation import judging_batch
from tests.factories.corpus import CandidatePairFactory, ProjectFactory, dataset_of, member

from .linking_page import LinkingPage, paraphrases, stored, stored_links

STATIC = Path(__file__).resolve().parents[3] / "static"
TEXTS = [
    (
        "أعلنت الوزارة يوم 12 مارس 2024 أن 1,250 شخصا تضرروا ( 35 % ) .",
        "قالت الوزارة إن 1,250 شخصا تضرروا في 12/03/2024 ، أي 35 % .",
    ),
    ("ראש הממשלה אמר ב-2024 כי 15 % מהתקציב יוקצו .", "לדברי ראש הממשלה , 15 % יוקצו בשנת 2024 ."),
]
# Of a sentence: the side at which its first line begins, and its tokens by place in the prose.
PROSE = """(prose) => {
    const words = [...prose.querySelectorAll(".token")];
    const [first, box] = [words[0].getBoundingClientRect(), prose.getBoundingClientRect()];
    return [first.right > box.right - 2 ? "right" : "left",
        words.map((word) => [Number(word.dataset.index), word.textContent])];
}"""
BEGINS = """(sentence) => {
    const range = document.createRange();
    range.setStart(sentence.querySelector("bdi").firstChild, 0);
    range.setEnd(sentence.querySelector("bdi").firstChild, 1);
    return sentence.getBoundingClientRect().right - range.getBoundingClientRect().right;
}"""


def serve_joined(context):
    """Each page's module comes joined, as an installation serves it; no other module is asked for."""
    modules = {path.relative_to(STATIC).as_posix(): path.read_text() for path in STATIC.glob("js/**/*.js")}
    joined = pages_modules(modules)
    asked = []

    def fulfil(route, request):
        name = request.url.partition("/static/")[2]
        asked.append(name)
        route.fulfill(content_type="text/javascript", body=joined[name])

    context.route("**/static/js/**", fulfil)
    return asked


def test_pairs_in_arabic_and_hebrew(project, ada, new_context):
    batch = paraphrases(project, [ada], TEXTS, suggester="identity")
    page = LinkingPage.of(ada, new_context)
    asked = serve_joined(page.context)
    page.open(batch)
    for number in range(len(TEXTS)):
        pair = stored(batch, ada, number).item.pair
        sentences = {"a": pair.sentence_a, "b": pair.sentence_b}
        for side, sentence in sentences.items():
            prose = page.page.locator(f'.prose[data-side="{side}"]')
            expect(prose).to_have_text(sentence.text)
            begins, words = prose.evaluate(PROSE)
            assert begins == "right"
            assert words == [[place, token] for place, token in enumerate(sentence.token_list)]
            for place, token in enumerate(sentence.token_list):
                expect(page.word(side, place)).to_have_text(token)
        same = [
            (a, sentences["b"].token_list.index(token))
            for a, token in enumerate(sentences["a"].token_list)
            if sentences["b"].token_list.count(token) == sentences["a"].token_list.count(token) == 1
        ]
        percent = sentences["a"].token_list.index("%")
        assert any(a == percent for a, _ in same)
        page.press("i")
        for a, b in same:
            page.expect_link(a, b, "sure")
        page.link(0, 0)
        page.page.mouse.click(*page.cell(1, 0))
        page.expect_link(1, 0, "sure")
        page.submit()
        page.press("Control+Enter")
        page.expect_synced()
        links = {(a, b): origin for a, b, _, origin in stored_links(stored(batch, ada, number))}
        assert links == dict.fromkeys(same, "accepted") | {(0, 0): "drawn", (1, 0): "drawn"}
    page.expect_finished("All 2 pairs are answered")
    assert set(asked) == {"js/alignment/link.js"}

    other = ProjectFactory()
    ben = member(other, Role.ANNOTATOR, "ben")
    dataset = dataset_of(other, 0)
    for text_a, text_b in TEXTS:
        pair = CandidatePairFactory(project=other, text_a=text_a, text_b=text_b)
        Finding.objects.create(extraction=dataset.extractions.get(), pair=pair)
    judging = judging_batch(other, [ben], size=2, dataset=dataset)
    page = JudgingPage.of(ben, new_context)
    asked = serve_joined(page.context)
    page.open(judging)
    for side in "ab":
        assert abs(page.sentence(side).evaluate(BEGINS)) < 2
    assert {page.sentence(side).text_content() for side in "ab"} in [set(pair) for pair in TEXTS]
    page.answer("j", "f")
    page.expect_finished("All 2 pairs are judged")
    page.expect_synced()
    assert labels_of(judging, ben) == ["paraphrase", "not_paraphrase"]
    assert set(asked) == {"js/annotation/judge.js"}
