"""Addresses of accounts, projects and the installation's settings."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from .views import accounts, installation, projects

urlpatterns = [
    path("accounts/login/", accounts.Login.as_view(), name="login"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("installation/", installation.installation, name="installation"),
    path("projects/new/", projects.new_project, name="project-new"),
    path("projects/<slug:slug>/settings/", projects.project_settings, name="project-settings"),
    path("projects/<slug:slug>/members/", projects.members, name="members"),
]
