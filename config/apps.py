from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = "Installation"

    def ready(self) -> None:
        # Tasks sent from pages and commands go to this application's broker.
        from config import celery  # noqa: F401
        from config.archive import importing, keeping  # noqa: F401 - they register their runners
