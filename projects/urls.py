"""Addresses of accounts, projects and the installation's settings."""

from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import LogoutView
from django.urls import include, path

from projects.api.endpoint import ResourceList
from projects.reports import page_or_data

from .views import accounts, installation, people, projects, sign_on
from .views.lists import list_action

urlpatterns = [
    path("accounts/", include(sign_on)),
    # Also of a login that waits for its second factor.
    path("accounts/logout/", login_not_required(LogoutView.as_view()), name="logout"),
    path("glossary/", installation.glossary, name="glossary"),
    path("documentation/", installation.documentation, name="documentation"),
    path("documentation/<path:name>/", installation.documentation, name="documentation-page"),
    path("accounts/", accounts.Account.as_view(), name="account"),
    path("accounts/language/", accounts.own_language, name="language"),
    path("accounts/tokens/", accounts.tokens, name="tokens"),
    path("accounts/tokens/<int:pk>/revoke/", accounts.revoke_own_token, name="token-revoke"),
    path("join/<str:token>/", accounts.Join.as_view(), name="join"),
    path(
        "first-administrator/<str:code>/", accounts.FirstAdministrator.as_view(), name="first-administrator"
    ),
    path("people/", people.people, name="people"),
    path("people/<int:pk>/", people.person, name="person"),
    path(
        "installation/audit/",
        page_or_data(installation.audit_log, {"json": ResourceList.as_view(resource=installation.AUDIT)}),
        name="audit-log",
    ),
    path(
        "installation/plugins/",
        page_or_data(installation.plugins, {"json": installation.PluginsView.as_view()}),
        name="plugins",
    ),
    path("projects/<slug:slug>/settings/", projects.project_settings, name="project-settings"),
    path("projects/<slug:slug>/members/", people.members, name="members"),
    path("projects/<slug:slug>/members/invite/", people.new_invitation, name="invitation-new"),
    path(
        "projects/<slug:slug>/members/invitations/<int:pk>/revoke/",
        people.revoke_invitation,
        name="invitation-revoke",
    ),
    path("projects/<slug:slug>/lists/<slug:name>/", list_action, name="list-action"),
]
