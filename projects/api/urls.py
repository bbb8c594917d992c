from .auth import LoginView, LogoutAllView, LogoutView, TokensView, TokenView
from .endpoint import route
from .installation import AuditView, PluginsView
from .invitations import InvitationsView, InvitationView
from .projects import MembersView, ProjectsView

urlpatterns = [
    route("auth/login/", LoginView, "api-login"),
    route("auth/logout/", LogoutView, "api-logout"),
    route("auth/logoutall/", LogoutAllView, "api-logoutall"),
    route("auth/tokens/", TokensView, "api-tokens"),
    route("auth/tokens/<int:pk>/", TokenView, "api-token"),
    route("installation/audit/", AuditView, "api-audit"),
    route("installation/plugins/", PluginsView, "api-plugins"),
    route("projects/", ProjectsView, "api-projects"),
    route("projects/<slug:slug>/members/", MembersView, "api-members"),
    route("projects/<slug:slug>/invitations/", InvitationsView, "api-invitations"),
    route("projects/<slug:slug>/invitations/<int:pk>/", InvitationView, "api-invitation"),
]
