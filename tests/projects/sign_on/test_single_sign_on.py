import base64
import hashlib
import hmac
import json
import re
from urllib.parse import quote

import jwt
import pytest
from allauth.socialaccount.models import SocialAccount, SocialToken
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.auth.models import User
from django.test import Client

from projects.models import AuditEntry, Membership, Role
from projects.services.people import invite, token_of
from tests.factories.corpus import PASSWORD, MembershipFactory, ProjectFactory, UserFactory
from tests.oidc_provider import CLIENT, SECRET
from tests.signing_on import sign_on, switch_on

from .test_second_factor import add_app, code_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def dams(settings, provider):
    switch_on(settings, provider)
    project = ProjectFactory(slug="dams", name="Dams")
    MembershipFactory(project=project, role=Role.MANAGER)
    return project


def roles_of(username):
    return set(Membership.objects.filter(user__username=username).values_list("role", flat=True))


def test_a_member_of_a_group_gets_an_account_and_its_role(client, provider):
    assert "Log in by University" in client.get("/accounts/login/").content.decode()
    assert sign_on(client, provider, "lena").url == "/"
    user = User.objects.get(username="lena")
    assert roles_of("lena") == {"annotator"}
    assert not user.has_usable_password() and not user.is_superuser
    assert client.get("/projects/dams/judge/").status_code == 200
    assert client.session.get_expiry_age() <= 12 * 3600
    assert not SocialToken.objects.exists()
    events = AuditEntry.objects.filter(actor_id=user.pk).values_list("event", flat=True)
    assert {"account-created", "role-added"} <= set(events)


def test_groups_are_followed_at_each_sign_on(client, provider, dams):
    sign_on(client, provider, "lena")
    Membership.objects.create(project=dams, user=User.objects.get(username="lena"), role=Role.VIEWER)
    provider.people["lena"]["groups"] = ["team-managers", "paragold-admins"]
    sign_on(Client(), provider, "lena")
    assert roles_of("lena") == {"manager", "viewer"}, "a role that no group is named for stays"
    assert User.objects.get(username="lena").is_superuser
    UserFactory(is_superuser=True)
    provider.people["lena"]["groups"] = []
    sign_on(Client(), provider, "lena")
    assert roles_of("lena") == {"viewer"}
    assert not User.objects.get(username="lena").is_superuser


def test_the_last_administrator_and_manager_stay(client, provider, dams):
    provider.people["ada"]["groups"] = ["paragold-admins", "team-managers"]
    sign_on(client, provider, "ada")
    Membership.objects.filter(role=Role.MANAGER).exclude(user__username="ada").delete()
    provider.people["ada"]["groups"] = []
    sign_on(Client(), provider, "ada")
    assert User.objects.get(username="ada").is_superuser
    assert roles_of("ada") == {"manager"}


def test_others_get_no_account_but_by_an_invitation(client, provider, dams):
    answer = sign_on(client, provider, "otto")
    assert answer.status_code == 403 and "none of your groups may use Paragold" in answer.content.decode()
    assert not User.objects.filter(username="otto").exists()
    manager = dams.memberships.get(role=Role.MANAGER).user
    link = f"/join/{token_of(invite(project=dams, by=manager, role=Role.VIEWER))}/"
    assert f"/accounts/sign-on/?next={quote(link, safe='')}" in client.get(link).content.decode()
    joined = sign_on(client, provider, "otto", path=f"/accounts/sign-on/?next={link}")
    assert joined.url == link
    assert client.post(link).url == "/projects/dams/"
    assert roles_of("otto") == {"viewer"}
    refused = sign_on(Client(), provider, "otto", path=f"/accounts/sign-on/?next={link}")
    assert refused.status_code == 302, "the account is there now"


@pytest.mark.parametrize("next_page", ["/join/0000/", "https://elsewhere.example/join/1/", "/nothing/"])
def test_no_account_for_what_is_no_invitation(client, provider, next_page):
    assert sign_on(client, provider, "otto", path=f"/accounts/sign-on/?next={next_page}").status_code == 403


def test_a_local_account_of_the_same_name_is_another_one(client, provider):
    local = UserFactory(username="lena", email="lena@example.org")
    provider.people["lena"]["email"] = "lena@example.org"
    provider.people["lena"]["email_verified"] = True
    sign_on(client, provider, "lena")
    signed_on = SocialAccount.objects.get().user
    assert signed_on != local and signed_on.username != "lena" and signed_on.username.startswith("lena")
    assert not Membership.objects.filter(user=local).exists()


def test_a_deactivated_account_does_not_get_in(client, provider):
    sign_on(client, provider, "lena")
    User.objects.filter(username="lena").update(is_active=False)
    assert client.get("/").status_code == 302, "its session ends"
    again = Client()
    answer = sign_on(again, provider, "lena")
    assert answer.status_code == 403 and "deactivated" in answer.content.decode()
    assert again.get("/").status_code == 302


def hash_signed(claims, key):
    """Signed with the published key as if it were a shared secret, as jwt.encode refuses to do."""
    head, body = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in ({"alg": "HS256", "typ": "JWT", "kid": "1"}, claims)
    )
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    signature = hmac.new(public, head + b"." + body, hashlib.sha256).digest()
    return b".".join((head, body, base64.urlsafe_b64encode(signature).rstrip(b"="))).decode()


STRANGER = rsa.generate_private_key(65537, 2048)
SIGNED_WRONGLY = {
    "no signature": lambda claims, key: jwt.encode(claims, None, algorithm="none", headers={"kid": "1"}),
    "another's key": lambda claims, key: jwt.encode(
        claims, STRANGER, algorithm="RS256", headers={"kid": "1"}
    ),
    "unknown key": lambda claims, key: jwt.encode(claims, key, algorithm="RS256", headers={"kid": "2"}),
    "shared secret": hash_signed,
    "client's secret": lambda claims, key: jwt.encode(
        claims, SECRET * 3, algorithm="HS256", headers={"kid": "1"}
    ),
    "no token": lambda claims, key: "abc",
}


@pytest.mark.parametrize("how", SIGNED_WRONGLY)
def test_an_id_token_counts_by_the_providers_key_alone(client, provider, how):
    provider.sign = lambda claims: SIGNED_WRONGLY[how](claims, provider.key)
    answer = sign_on(client, provider, "lena")
    assert answer.status_code == 403 and "did not confirm who you are" in answer.content.decode()
    assert not SocialAccount.objects.exists() and client.get("/").status_code == 302


def test_an_id_token_of_another_sign_on_is_refused(client, provider):
    provider.wrong = {"nonce": "of another"}
    assert sign_on(client, provider, "lena").status_code == 403
    begun = client.get("/accounts/sign-on/?auth_params=nonce%3Dmine%26prompt%3Dnone&scope=admin").url
    assert "mine" not in begun and "prompt" not in begun and "admin" not in begun


@pytest.mark.parametrize(
    "claims",
    [
        {"groups": 5}, {"groups": [["team"]]}, {"sub": "x" * 500}, {"sub": 3}, {"sub": ""}, {"sub": "a\x00b"},
        {"preferred_username": 7}, {"preferred_username": "a\x00"}, {"email": {"a": 1}},
    ],
    ids=str,
)  # fmt: skip
def test_claims_of_another_type_get_a_sentence(client, provider, claims):
    provider.people["lena"] |= claims
    answer = sign_on(client, provider, "lena")
    assert answer.status_code == 403 and "did not confirm who you are" in answer.content.decode()
    assert not SocialAccount.objects.exists()


@pytest.mark.parametrize("userinfo", [[], "lena", 5, {}, {"sub": "4"}], ids=str)
def test_another_person_or_none_in_the_userinfo(client, provider, userinfo):
    provider.userinfo = userinfo
    assert sign_on(client, provider, "lena").status_code == 403
    assert not SocialAccount.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"iss": "https://elsewhere.example"}, {"aud": "another"}, {"exp": 1}, {"sub": "1"},
        *({name: None} for name in ("iss", "aud", "exp", "iat", "nonce")),
        {"exp": "soon"}, {"iat": 10**11}, {"nonce": ["a"]}, {"azp": "another"}, {"azp": 1},
        {"aud": [CLIENT, "another"]}, {"aud": [CLIENT, "another"], "azp": "another"}, {"aud": []},
    ],
    ids=str,
)  # fmt: skip
def test_a_wrong_id_token_is_refused(client, provider, wrong):
    provider.wrong = wrong
    answer = sign_on(client, provider, "lena")
    assert answer.status_code == 403 and "did not confirm who you are" in answer.content.decode()
    assert not SocialAccount.objects.exists() and client.get("/").status_code == 302


def test_what_the_provider_refuses_or_cannot_answer(settings, client, provider):
    provider.refuses = True
    assert sign_on(client, provider, "lena").status_code == 403
    assert client.get("/accounts/sign-on/callback/?code=1&state=made-up").status_code == 403
    settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]["settings"]["server_url"] = (
        "http://127.0.0.1:9"
    )
    answer = client.get("/accounts/sign-on/")
    assert answer.status_code == 403 and "did not confirm who you are" in answer.content.decode()


def test_an_account_is_connected_after_its_password_and_disconnected(client, provider):
    user = UserFactory(username="local")
    client.post("/accounts/login/", {"login": "local", "password": PASSWORD})
    asked = sign_on(client, provider, "lena", path="/accounts/sign-on/?process=connect")
    assert asked.url == "/accounts/again/" and not SocialAccount.objects.exists()
    assert client.post("/accounts/again/", {"password": "wrong"}).status_code == 200
    assert not SocialAccount.objects.exists()
    client.post("/accounts/again/", {"password": PASSWORD})
    assert SocialAccount.objects.get().user == user
    other = Client()
    sign_on(other, provider, "lena")
    assert "Account of <bdi>local</bdi>" in other.get("/accounts/").content.decode()
    page = client.get("/accounts/sign-on/disconnect/").content.decode()
    assert "Disconnect from single sign-on" in page
    account = SocialAccount.objects.get().pk
    assert client.post("/accounts/sign-on/disconnect/", {"account": account}).url == "/accounts/"
    assert not SocialAccount.objects.exists()


def test_an_account_without_password_stays_connected(client, provider):
    sign_on(client, provider, "lena")
    account = SocialAccount.objects.get().pk
    page = client.post("/accounts/sign-on/disconnect/", {"account": account})
    assert page.status_code == 200 and "Your account has no password" in page.content.decode()
    assert SocialAccount.objects.exists()
    assert "Change password" not in client.get("/accounts/").content.decode()


def test_a_second_factor_is_asked_for_after_single_sign_on(client, provider):
    sign_on(client, provider, "lena")
    secret = add_app(User.objects.get(username="lena"))
    provider.people["lena"]["groups"] = ["team-managers"]
    other = Client()
    assert sign_on(other, provider, "lena").url == "/accounts/second-factor/authenticate/"
    assert other.get("/").status_code == 302 and roles_of("lena") == {"annotator"}
    assert other.post("/accounts/second-factor/authenticate/", {"code": code_of(secret)}).status_code == 302
    assert other.get("/").status_code == 200 and roles_of("lena") == {"manager"}


@pytest.mark.django_db(transaction=True)
def test_recovery_codes_are_shown_after_a_factor_was_set_up_by_somebody_without_password(client, provider):
    sign_on(client, provider, "lena")
    page = client.get("/accounts/second-factor/app/").content.decode()
    code = code_of(re.search(r'value="([A-Z2-7]{32})"', page)[1])
    shown = client.post("/accounts/second-factor/app/", {"code": code}, follow=True)
    assert len(re.findall(r"<code>(\d+)</code>", shown.content.decode())) == 10
    session = client.session
    session["factor_added"] -= 301
    session.save()
    assert client.get("/accounts/second-factor/codes/").url.startswith("/accounts/second-factor/reauth")


def test_nothing_but_the_used_claims_is_stored(client, provider):
    provider.people["lena"]["birthdate"] = "1990-01-01"
    sign_on(client, provider, "lena")
    assert "birthdate" not in str(SocialAccount.objects.get().extra_data)
