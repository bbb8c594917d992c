"""Log lines for people or for programs, and the hook for Sentry."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config import variables

PLAIN = {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}
# A JSON object a line. The level comes first, which is where the launcher looks for errors.
JSON = {
    "()": "pythonjsonlogger.json.JsonFormatter",
    "fmt": "{levelname}{asctime}{name}{message}{request_id}",
    "style": "{",
    "rename_fields": {"levelname": "level", "asctime": "time", "name": "logger"},
}
FORMATS = {"plain": PLAIN, "json": JSON}


def log_settings() -> dict[str, Any]:
    """Django's LOGGING, by PARAGOLD_LOG_FORMAT and PARAGOLD_LOG_LEVEL.

    Programs get a line for each request too, and gunicorn's own lines as theirs.
    """
    name = variables.value("PARAGOLD_LOG_FORMAT")
    if name not in FORMATS:
        raise ImproperlyConfigured(f"PARAGOLD_LOG_FORMAT must be {' or '.join(FORMATS)}, not {name!r}.")
    own: dict[str, Any] = {"paragold.requests": {"level": "WARNING"}}
    if name == "json":
        own = {
            "paragold.requests": {"level": "INFO"},
            "gunicorn.error": {"handlers": ["console"], "propagate": False},
        }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": FORMATS[name]},
        "filters": {"request": {"()": "projects.request_ids.AddRequestId"}},
        "handlers": {
            "console": {"class": "logging.StreamHandler", "formatter": "lines", "filters": ["request"]}
        },
        "root": {"handlers": ["console"], "level": variables.value("PARAGOLD_LOG_LEVEL")},
        "loggers": own,
    }


def report_errors(version: str) -> None:
    """Send errors to the Sentry of PARAGOLD_SENTRY_DSN, where there is one.

    No text of a request, variable or page goes out: corpora and answers stay here.
    """
    address = variables.value("PARAGOLD_SENTRY_DSN")
    if not address:
        return
    if find_spec("sentry_sdk") is None:
        raise ImproperlyConfigured(
            "PARAGOLD_SENTRY_DSN needs the package sentry-sdk: pip install sentry-sdk."
        )
    import sentry_sdk
    from sentry_sdk.utils import BadDsn

    try:
        sentry_sdk.init(
            address,
            release=f"paragold@{version}",
            include_local_variables=False,
            max_request_body_size="never",
            before_send=_without_texts,
        )
    except BadDsn as error:
        raise ImproperlyConfigured(f"PARAGOLD_SENTRY_DSN is not an address of Sentry: {error}.") from error


def _without_texts(event: Any, hint: Any) -> Any:
    from projects.request_ids import current

    event.get("request", {}).pop("query_string", None)
    event.pop("breadcrumbs", None)
    event.setdefault("tags", {})["request_id"] = current() or "-"
    return event
