"""Reading the installation's settings from the environment, with errors that say how to correct them."""

from __future__ import annotations

import os
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from config import variables
from ops.launcher.installation import PROGRAM


def flag(name: str) -> bool:
    value = variables.value(name).lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {value!r}.")


def count(name: str, *, maximum: int) -> int:
    """A whole number from 0 to `maximum`."""
    value = variables.value(name)
    if not (value.isascii() and value.isdecimal()) or int(value) > maximum:
        raise ImproperlyConfigured(f"{name} must be a number from 0 to {maximum}, not {value!r}.")
    return int(value)


def words(name: str) -> list[str]:
    return [word.strip() for word in variables.value(name).split(",") if word.strip()]


def positive(name: str) -> float:
    """A positive number."""
    text = variables.value(name)
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise ImproperlyConfigured(f"{name} must be a positive number, not {text!r}.")
    return number


def secret(name: str) -> str:
    """The variable, or the content of the file that NAME_FILE names; "" without either."""
    path = os.environ.get(f"{name}_FILE", "").strip() if variables.VARIABLES[name].secret else ""
    text = variables.value(name)
    if not path:
        return text
    if text:
        raise ImproperlyConfigured(f"Set {name} or {name}_FILE, not both.")
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"{name}_FILE: {path} cannot be read ({error}).") from error


def shared_storage() -> dict[str, Any] | None:
    """Django's settings for the store of PARAGOLD_STORAGE, s3://bucket/prefix; None without one."""
    address = variables.value("PARAGOLD_STORAGE")
    if not address:
        return None
    parts = urlsplit(address)
    if parts.scheme != "s3" or not parts.netloc or parts.query or parts.fragment:
        raise ImproperlyConfigured(f"PARAGOLD_STORAGE must be s3://bucket/prefix, not {address!r}.")
    if find_spec("storages") is None or find_spec("boto3") is None:
        raise ImproperlyConfigured("PARAGOLD_STORAGE needs packages: pip install 'django-storages[s3]'.")
    from botocore.config import Config

    endpoint = variables.value("AWS_ENDPOINT_URL")
    key, secret_key = secret("AWS_ACCESS_KEY_ID"), secret("AWS_SECRET_ACCESS_KEY")
    options = {
        "bucket_name": parts.netloc,
        "location": parts.path.strip("/"),
        # Without a key, as boto3 finds one: a profile, the role of the machine.
        **({"access_key": key, "secret_key": secret_key} if key else {}),
        "endpoint_url": endpoint or None,
        "client_config": Config(
            s3={"addressing_style": "path" if endpoint else "auto"}, connect_timeout=5, read_timeout=60,
            retries={"mode": "standard", "total_max_attempts": 4},
        ),
    }  # fmt: skip
    return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}


def secret_key(var: Path) -> str:
    """The installation's own secret: PARAGOLD_SECRET_KEY, or the file `secret_key` in the data folder.

    "" where there is none: commands from file to file need no installation. Django refuses to sign with an
    empty key, and what needs an installation asks `required_secret_key`.
    """
    key = secret("PARAGOLD_SECRET_KEY")
    if key:
        return key
    try:
        return (var / "secret_key").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def required_secret_key(var: Path) -> str:
    """The same; raises ImproperlyConfigured where there is none."""
    key = secret_key(var)
    if not key:
        raise ImproperlyConfigured(
            f"No secret key: neither PARAGOLD_SECRET_KEY nor {var / 'secret_key'} exists. "
            f"`{PROGRAM} run` or `{PROGRAM} demo` creates one."
        )
    return key


def cookie_name(purpose: str, key: str, *, https: bool) -> str:
    """The name of a cookie of the installation with this secret key.

    Browsers send cookies to every port of a host, so installations side by side need names of their own.
    Over TLS the name begins with `__Host-`: then no other host, and no page without TLS, can set the cookie.
    """
    installation = sha256(f"cookies {key}".encode()).hexdigest()[:12]
    return f"{'__Host-' if https else ''}paragold-{purpose}-{installation}"


# A host without power says no goodbye: PostgreSQL would keep the locks of its transactions for two hours.
SECONDS_OF_SILENCE = {"keepalives_idle": 10, "keepalives_interval": 3, "keepalives_count": 3}
LOST_HOST = " ".join(f"-c tcp_{name}={value}" for name, value in SECONDS_OF_SILENCE.items())
SQLITE_PRAGMAS = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;"


def database(url: str, var: Path) -> dict[str, Any]:
    """Django's database settings for DATABASE_URL; without one, SQLite in the data folder.

    SQLite takes its write lock when a transaction begins (IMMEDIATE): deferred transactions that read
    before they write fail under concurrent annotators. PARAGOLD_LOCK_SECONDS bounds the wait for a lock: a
    page gives up (503) while its browser still waits.
    """
    lock_seconds = positive("PARAGOLD_LOCK_SECONDS")
    if not url or url.startswith("sqlite:"):
        name = unquote(urlsplit(url).path) if url else str(var / "paragold.sqlite3")
        options = {"transaction_mode": "IMMEDIATE", "timeout": lock_seconds, "init_command": SQLITE_PRAGMAS}
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": name,
            "OPTIONS": options,
            "CONN_MAX_AGE": None,
        }
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(
            f"DATABASE_URL begins with {parts.scheme!r}; use postgresql://user:password@host/name."
        )
    query = dict(parse_qsl(parts.query))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": query.pop("host", parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            "options": f"-c statement_timeout=600000 -c lock_timeout={round(1000 * lock_seconds)} "
            f"{LOST_HOST} -c tcp_user_timeout=20000",
            "connect_timeout": 10,
            **SECONDS_OF_SILENCE,
            **query,
        },
    }
