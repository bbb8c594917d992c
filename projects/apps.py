from django.apps import AppConfig


class ProjectsConfig(AppConfig):
    name = "projects"
    verbose_name = "Projects"

    def ready(self) -> None:
        from projects import sign_on
        from projects.services import tokens  # which imports what records logins

        tokens.watch_accounts()
        sign_on.watch_logins()
