"""The API keeps what its OpenAPI document promises, whatever is sent to it.

All checks of schemathesis but one: `positive_data_acceptance` takes it for a defect that a well-formed
request is refused with 400, which is what the API promises for an object that the project does not have.
"""

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from tests.projects.api.test_openapi import document

SCHEMA = schemathesis.openapi.from_dict(document())
SCHEMA.app = get_wsgi_application()
OPERATIONS = {found.ok().label: found.ok() for found in SCHEMA.get_all_operations()}


def can_be_asked_wrongly(label):
    """Not an address without body, filters and numbers: every string may be a name."""
    method, path = label.split()
    operation = document()["paths"][path][method.lower()]
    parameters = operation.get("parameters", [])
    return "requestBody" in operation or any(
        one["in"] == "query" or one["schema"]["type"] != "string" for one in parameters
    )


@pytest.mark.parametrize("label", sorted(OPERATIONS))
def test_operation(caller, label):
    """Wrongly asked where that is possible: test_types.py asks each of them well."""
    operation = OPERATIONS[label]
    mode = GenerationMode.NEGATIVE if can_be_asked_wrongly(label) else GenerationMode.POSITIVE

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
        case = data.draw(operation.as_strategy(generation_mode=mode))
        if "slug" in case.path_parameters and mode is GenerationMode.POSITIVE:
            case.path_parameters["slug"] = caller.world.own.project.slug
        case.call_and_validate(headers=caller.headers, excluded_checks=[positive_data_acceptance])

    answers_as_documented()
