from tests.factories.corpus import PASSWORD, UserFactory


def test_log_in_and_out(client, db):
    user = UserFactory()
    assert client.get("/").url == "/accounts/login/?next=/"
    page = client.get("/accounts/login/")
    assert page.status_code == 200 and "There is no sign-up" in page.content.decode()
    answer = client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    assert (answer.status_code, answer.url) == (302, "/")
    assert client.get("/").status_code == 200
    assert client.get("/accounts/logout/").status_code == 405
    assert client.post("/accounts/logout/").url == "/accounts/login/"
    assert client.get("/").status_code == 302


def test_it_leads_on_to_pages_of_this_site_only(client, db, settings):
    settings.ALLOWED_HOSTS = ["testserver", ".example"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://trusted.example"]
    user = UserFactory()
    right = {"login": user.username, "password": PASSWORD}
    assert client.post("/accounts/login/", right | {"next": "/projects/new/"}).url == "/projects/new/"
    client.logout()
    for elsewhere in ("https://elsewhere.example/", "//trusted.example/", "https://trusted.example/"):
        assert client.post("/accounts/login/", right | {"next": elsewhere}).url == "/"
        client.logout()
