from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured
from django.db.models.signals import pre_migrate

from config import environment


class OpsConfig(AppConfig):
    name = "ops"
    verbose_name = "Installation"

    def ready(self) -> None:
        from config import celery  # noqa: F401 - tasks sent from pages and commands go to its broker
        from ops.dropping import before_migrating

        pre_migrate.connect(before_migrating, sender=self)


@register("installation")
def secret_key(app_configs: Any = None, **options: Any) -> list[CheckMessage]:
    """What every command needs but those from file to file, which run no system checks."""
    try:
        environment.required_secret_key(settings.VAR)
    except ImproperlyConfigured as error:
        return [Error(str(error), id="paragold.E001")]
    return []
