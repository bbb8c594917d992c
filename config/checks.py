"""What every command needs but those from file to file, which run no system checks."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured

from config import environment


@register("installation")
def secret_key(app_configs: Any = None, **options: Any) -> list[CheckMessage]:
    try:
        environment.required_secret_key(settings.VAR)
    except ImproperlyConfigured as error:
        return [Error(str(error), id="paragold.E001")]
    return []
