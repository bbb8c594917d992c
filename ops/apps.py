from django.apps import AppConfig


class OpsConfig(AppConfig):
    name = "ops"
    verbose_name = "Installation"

    def ready(self) -> None:
        from config import (
            celery,  # noqa: F401 - tasks sent from pages and commands go to its broker
            checks,  # noqa: F401 - it registers its check
        )
