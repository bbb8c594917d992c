from tests.factories.corpus import ArticleFactory, ClusterFactory, SentenceFactory


def test_clusters_are_filtered_sorted_and_linked(house):
    ClusterFactory(project=house.project, key="zebra", held_out=True)
    url = house.url("corpus/")
    page = house.viewer.get(url + "?q=ZEB").content.decode()
    assert "<bdi>zebra</bdi>" in page and "<bdi>event-" not in page and "1 cluster matches" in page
    page = house.viewer.get(url + "?held_out=rest").content.decode()
    assert "<bdi>zebra</bdi>" not in page and "6 clusters match" in page
    page = house.viewer.get(url + "?sort=-key").content.decode()
    assert page.index("<bdi>zebra</bdi>") < page.index("<bdi>event-")
    assert 'aria-sort="descending"' in page
    assert "Nothing matches" in house.viewer.get(url + "?q=nothing").content.decode()
    assert house.viewer.get(url + "?q=%00&sort=evil&after=x&held_out=x").status_code == 200


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
