"""The same people, with accounts and roles that single sign-on gave them, and sessions that it began."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.conf import settings
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from projects.models import Membership, Role
from tests.factories.corpus import ProjectFactory
from tests.signing_on import session_key, sign_on

from .people import People

# Who is signed on, and the role of the group that each is in.
GRANTED = {
    "viewer": "dams:viewer", "annotator": "dams:annotator", "second": "dams:annotator",
    "adjudicator": "dams:adjudicator", "manager": "dams:manager", "stranger": "bridges:manager",
    "admin": "administrator",
}  # fmt: skip
ROLES_BY_GROUPS = "; ".join(f"group of {name}={granted}" for name, granted in GRANTED.items())


@dataclass
class SignedOn(People):
    keys: dict[str, str] = field(default_factory=dict)

    def client(self, role):
        client = APIClient()
        if role in self.keys:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.keys[role]
        return client


def make_signed_on(provider):
    people = SignedOn(
        project=ProjectFactory(slug="dams", name="Dams"),
        foreign=ProjectFactory(slug="bridges", name="Bridges"),
    )
    for name in GRANTED:
        provider.people[name] = {"sub": name, "preferred_username": name, "groups": [f"group of {name}"]}
        client = APIClient()
        assert sign_on(client, provider, name).status_code == 302
        people.keys[name] = session_key(client)
        people.users[name] = User.objects.get(username=name)
        assert not people.users[name].has_usable_password()
    assert Membership.objects.count() == len(GRANTED) - 1
    assert Membership.objects.get(user__username="manager").role == Role.MANAGER
    return people
