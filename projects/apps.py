from django.apps import AppConfig


class ProjectsConfig(AppConfig):
    name = "projects"
    verbose_name = "Projects"

    def ready(self) -> None:
        from projects.services import audit, tokens

        tokens.watch_passwords()
        audit.record_logins()
