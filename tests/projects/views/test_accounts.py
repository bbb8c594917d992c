from tests.factories.corpus import PASSWORD, UserFactory


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
