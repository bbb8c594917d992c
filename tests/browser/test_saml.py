from playwright.sync_api import expect

from tests.factories.corpus import ProjectFactory
from tests.projects.sign_on.test_saml import saml

__all__ = ["saml"]


def test_somebody_logs_in_by_the_providers_form(new_context, saml, live_server):
    ProjectFactory(slug="dams", name="Dams")
    page = new_context().new_page()
    page.goto("/accounts/")
    page.get_by_role("link", name="Log in by University").click()
    assert page.url.startswith(saml.address) and "127.0.0.1" not in live_server.url
    page.get_by_role("link", name="lena").click()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Account of lena")
    page.goto("/")
    page.get_by_role("link", name="Dams").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Dams")
