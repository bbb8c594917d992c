import json
import uuid

import pytest
from django.core.cache import cache

from tests.permissions.bodies import BODIES, MULTIPART, NDJSON, content_of
from tests.permissions.matrix import ROUTES, WRITES, who_may
from tests.permissions.objects import first_error, undone
from tests.permissions.people import by_role, drained
from tests.permissions.test_matrix import url_of

HALF = "\ud800"


def with_halves(value):
    if isinstance(value, dict):
        return {name: with_halves(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [with_halves(inner) for inner in value]
    return f"{value}{HALF}"


@pytest.mark.parametrize(("name", "method"), WRITES)
def test_json_with_lone_surrogates_is_refused(caller, name, method):
    own = caller.world.own
    content, kind = content_of(name, method, own)
    if name in MULTIPART:
        content, kind = b"{}", "application/json"
    url = url_of(name, own, own)
    statuses, allowed = by_role(ROUTES[name].methods[method]), who_may(name, method)
    for role in filter(None, ("anonymous", allowed)):
        for body in ({HALF: 1}, {**with_halves(json.loads(content)), "\udfff": HALF}):
            cache.clear()
            with undone():
                client = caller.world.client(role)
                client.raise_request_exception = False
                headers = {"Idempotency-Key": str(uuid.uuid4())}
                response = client.generic(method, url, json.dumps(body), content_type=kind, headers=headers)
            assert response.status_code < 500, f"{role} {method} {name}: {first_error(response)}"
            if response.content:
                response.json()
            if statuses[role] < 300 and (name, method) in BODIES and name not in MULTIPART | NDJSON:
                assert response.status_code == 400, f"{role} {method} {name}: {first_error(response)}"


# Every list of the API, every report, and the pages of each app that have filters.
FILTERED = {"articles", "corpus", "jobs", "judged-pairs", "pairs"}
FILTERED |= {name for name, route in ROUTES.items() if name.startswith("api-") or route.json}


@pytest.mark.parametrize("name", sorted(name for name in FILTERED if "GET" in ROUTES[name].methods))
def test_bytes_of_surrogates_in_filters(caller, name):
    own = caller.world.own
    with undone():
        client = caller.world.client("manager")
        client.raise_request_exception = False
        response = drained(client.get(url_of(name, own, own) + "?q=%ED%A0%80&%ED%A0%80=1"))
    assert response.status_code < 500, first_error(response)
