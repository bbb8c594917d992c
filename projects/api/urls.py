from django.urls import path

from .auth import LoginView, LogoutAllView, LogoutView
from .installation import InstallationView
from .projects import MembersView, ProjectsView, ProjectView

urlpatterns = [
    path("auth/login/", LoginView.as_view(), name="api-login"),
    path("auth/logout/", LogoutView.as_view(), name="api-logout"),
    path("auth/logoutall/", LogoutAllView.as_view(), name="api-logoutall"),
    path("installation/", InstallationView.as_view(), name="api-installation"),
    path("projects/", ProjectsView.as_view(), name="api-projects"),
    path("projects/<slug:slug>/", ProjectView.as_view(), name="api-project"),
    path("projects/<slug:slug>/members/", MembersView.as_view(), name="api-members"),
]
