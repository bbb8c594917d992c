from corpus.services.dry_run import dry_run
from paragold.extraction.presets import PRESETS
from tests.factories.corpus import ArticleFactory, SentenceFactory


def test_an_article_shows_its_text_as_text(house):
    article = ArticleFactory(cluster__project=house.project, title="<b>Dam</b>", url="javascript:alert(1)")
    SentenceFactory(article=article, text="<script>alert(1)</script> a\u202eb .")
    url = house.url(f"corpus/articles/{article.pk}/")
    page = house.viewer.get(url).content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page and "<script>" not in page
    assert "&lt;b&gt;Dam&lt;/b&gt;" in page and 'href="javascript' not in page
    assert 'data-name="U+202E"' in page
    assert 'class="tokens"' not in page
    assert 'class="tokens"' in house.viewer.get(url + "?tokens=1").content.decode()


def test_a_moment_is_read_by_people_and_by_programs(house):
    published = "2026-03-03T13:25:00+00:00"
    article = ArticleFactory(cluster__project=house.project, published=published)
    for address in (f"corpus/articles/{article.pk}/", "corpus/articles/"):
        page = house.viewer.get(house.url(address)).content.decode()
        assert f'<time datetime="{published}" title="2026-03-03 13:25:00 UTC">2026-03-03</time>' in page


def test_a_cluster_without_titles_is_named_by_its_first_sentence_in_the_list_and_on_its_page(house):
    article = ArticleFactory(cluster__project=house.project, title="")
    sentence = SentenceFactory(text="A dam broke.", number=0, article=article)
    cluster = sentence.article.cluster
    assert ">A dam broke.</bdi></a>" in house.viewer.get(house.url("corpus/")).content.decode()
    page = house.viewer.get(house.url(f"corpus/clusters/{cluster.pk}/")).content.decode()
    assert '<h1><bdi dir="auto">A dam broke.</bdi></h1>' in page


def test_presets_are_chosen_by_what_they_would_find(house):
    page = house.manager.get(house.url("candidates/new/")).content.decode()
    assert 'hx-trigger="load"' in page and "40 % unrelated" in page
    counted = house.manager.get(house.url("candidates/new/?yields=yes"))
    expected = {preset.name: pairs for preset, pairs in counted.context["presets"]}
    counted_now = dry_run(project=house.project, criteria=PRESETS["L12"].criteria)
    assert expected["L12"][0] == counted_now.found and expected["blind-2004"] is None
    assert 'hx-trigger="load"' not in counted.content.decode()
