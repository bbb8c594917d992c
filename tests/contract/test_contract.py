"""The API keeps what its OpenAPI document promises, whatever is sent to it.

All checks of schemathesis but one: `positive_data_acceptance` takes it for a defect that a well-formed
request is refused with 400, which is what the API promises for an object that the project does not have.
"""

from functools import cache

import pytest
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from tests.permissions.matrix import OF_THE_API, ROUTES
from tests.permissions.test_matrix import url_of
from tests.projects.api.test_openapi import address_of, document, operation

REQUESTS = [(name, method) for name in OF_THE_API if name != "api-schema" for method in ROUTES[name].methods]


@cache
def schema():
    import schemathesis  # seconds for each process that collects

    loaded = schemathesis.openapi.from_dict(document())
    loaded.app = get_wsgi_application()
    return loaded


def can_be_asked_wrongly(described):
    """Not an address without body, filters and numbers: every string may be a name."""
    parameters = described.get("parameters", [])
    return "requestBody" in described or any(
        one["in"] == "query" or one["schema"]["type"] != "string" for one in parameters
    )


@pytest.mark.parametrize(("name", "method"), REQUESTS)
def test_operation(caller, name, method):
    """Wrongly asked where that is possible: test_types.py asks each of them well."""
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    url = url_of(name, caller.world.own, caller.world.own)
    asked = schema()[address_of(url, method)][method]
    wrongly = can_be_asked_wrongly(operation(url, method))
    mode = GenerationMode.NEGATIVE if wrongly else GenerationMode.POSITIVE

    @settings(
        max_examples=1,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def answers_as_documented(data):
        case = data.draw(asked.as_strategy(generation_mode=mode))
        if "slug" in case.path_parameters and not wrongly:
            case.path_parameters["slug"] = caller.world.own.project.slug
        case.call_and_validate(headers=caller.headers, excluded_checks=[positive_data_acceptance])

    answers_as_documented()
