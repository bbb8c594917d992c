from .auth import LoginView, LogoutView, TokensView, TokenView
from .endpoint import route
from .projects import GuidelinesView, MembersView, ProjectsView

urlpatterns = [
    route("auth/login/", LoginView, "api-login"),
    route("auth/logout/", LogoutView, "api-logout"),
    route("auth/tokens/", TokensView, "api-tokens"),
    route("auth/tokens/<int:pk>/", TokenView, "api-token"),
    route("projects/", ProjectsView, "api-projects"),
    route("projects/<slug:slug>/guidelines/", GuidelinesView, "api-guidelines"),
    route("projects/<slug:slug>/members/", MembersView, "api-members"),
]
