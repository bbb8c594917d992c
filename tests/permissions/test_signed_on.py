"""The matrix for people whose accounts and roles single sign-on gave them: what their groups say is what they
may, at an address of each kind."""

import pytest
from django.conf import settings
from django.test import override_settings

from tests.signing_on import switch_on

from .matrix import ROUTES
from .objects import first_error, make_world
from .people import ROLES, by_role
from .signed_on import ROLES_BY_GROUPS, make_signed_on
from .test_matrix import no_navigation, send, url_of

__all__ = ["no_navigation"]

pytestmark = pytest.mark.django_db
# They have no password that could be asked for again, and a connection to the provider.
OF_PASSWORDS = {"account_reauthenticate", "api-login", "socialaccount_connections"} | {
    f"mfa_{page}" for page in ("reauthenticate", "reauthenticate_webauthn", "activate_totp", "add_webauthn",
                               "edit_webauthn", "remove_webauthn", "generate_recovery_codes")
}  # fmt: skip


@pytest.fixture(scope="module")
def world(module_database, provider):
    """The requests are sent with what `switched_on` switches on; the people sign on before that."""
    with override_settings():
        switch_on(settings, provider, ROLES_BY_GROUPS)
        yield make_world(make_signed_on(provider))


# One of all addresses where every role gets the same, with and without an object.
KINDS = {
    str((route.methods, bool(route.pk))): name for name, route in ROUTES.items() if name not in OF_PASSWORDS
}


@pytest.mark.parametrize("name", sorted(KINDS.values()))
@pytest.mark.usefixtures("no_navigation")
def test_each_role_by_groups_gets_what_the_matrix_says(world, name):
    url = url_of(name, world.own, world.own)
    for method, statuses in ROUTES[name].methods.items():
        for role in ROLES[1:]:
            response = send(world, role, name, method, url, world.own)
            expected = by_role(statuses)[role]
            assert response.status_code == expected, f"{role} {method} {url}: {first_error(response)}"
