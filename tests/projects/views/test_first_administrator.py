import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from projects.errors import PublicError
from projects.services.people import create_first_administrator, first_administrator_code
from tests.audit import entries
from tests.factories.corpus import UserFactory

pytestmark = pytest.mark.django_db
CHOSEN = {"username": "nora", "password1": "lighthouse-keeper-9", "password2": "lighthouse-keeper-9"}


@pytest.fixture
def address(capsys):
    call_command("first_administrator")
    return capsys.readouterr().out.strip()


def test_the_address_makes_one_administrator_and_is_used_up(address, capsys):
    visitor = Client()
    assert "Create the first administrator" in visitor.get(address).content.decode()
    assert visitor.post(address, CHOSEN).url == "/"
    assert visitor.get("/people/").status_code == 200, "logged in, with all rights"
    assert User.objects.get().username == "nora"
    assert entries().get().details == {"administrator": True}
    assert Client().get(address).status_code == 404
    assert Client().post(address, CHOSEN | {"username": "eve"}).status_code == 404
    assert User.objects.count() == 1
    call_command("first_administrator")
    assert capsys.readouterr().out == ""


def test_another_code_makes_nobody(address):
    wrong = address[:-2] + ("A" if address[-2] != "A" else "B") + "/"
    assert Client().get(wrong).status_code == 404
    assert Client().post(wrong, CHOSEN).status_code == 404
    assert not User.objects.exists()


def test_whoever_is_second_is_refused_though_the_page_was_open(address):
    create_first_administrator(code=first_administrator_code(), username="eve", password="lighthouse-9!")
    with pytest.raises(PublicError, match="an administrator already"):
        create_first_administrator(code=first_administrator_code(), username="nora", password="lighthouse-9!")
    assert list(User.objects.values_list("username", flat=True)) == ["eve"]


def test_the_login_says_where_the_first_administrator_is_created():
    assert "/first-administrator/" in Client().get("/accounts/login/").content.decode()
    UserFactory(username="root", is_superuser=True)
    assert "/first-administrator/" not in Client().get("/accounts/login/").content.decode()
