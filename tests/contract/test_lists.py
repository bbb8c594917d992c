import pytest

from paragold.client import Client
from tests.permissions.matrix import OF_THE_API, ROUTES, who_may
from tests.permissions.objects import first_error, undone
from tests.permissions.people import drained
from tests.permissions.test_matrix import url_of
from tests.projects.api.test_openapi import operation

READ = [name for name in OF_THE_API if "GET" in ROUTES[name].methods]


class Direct(Client):
    """The client without a network."""

    def __init__(self, browser, query):
        super().__init__("http://localhost")
        self.browser, self.query = browser, query

    def get(self, path, **filters):
        response = self.browser.get(path, self.query | filters)
        assert response.status_code == 200, first_error(response)
        return response.json()


@pytest.mark.parametrize("name", READ)
def test_lists(caller, name):
    own = caller.world.own
    role = who_may(name, "GET")
    if not role:
        return
    browser = caller.world.client(role)
    url = url_of(name, own, own)
    with undone():
        response = drained(browser.get(url))
        if response.status_code != 200 or response.headers["Content-Type"] != "application/json":
            return
        body = response.json()
        assert isinstance(body, dict), name
        if not isinstance(body.get("items"), list):
            return
        assert "next" in body, name
        assert list(Direct(browser, {}).pages(url)) == body["items"] or body["next"]
        parameters = operation(url, "GET").get("parameters", [])
        filters = {given["name"] for given in parameters if given["in"] == "query"}
        if body["next"] is None and "cursor" in filters:
            assert len(list(Direct(browser, {"limit": 1}).pages(url))) == len(body["items"])
        refused = browser.get(url, {"nonsense": 1})
        assert refused.status_code == 400, first_error(refused)
        assert "nonsense" in refused.json() and "there are: ." not in refused.json()["detail"]
        for known in filters - {"limit", "cursor"}:
            assert known in refused.json()["detail"]
