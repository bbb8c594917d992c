"""The checks of `manage.py doctor`: a function each, which returns the state or raises it with a remedy."""

from __future__ import annotations

import json
import os
import platform
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import requests
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from packaging.requirements import InvalidRequirement, Requirement

from config import environment, sign_on, variables
from ops import migrating
from ops.launcher.address import Address
from ops.launcher.installation import INSTALLED, PROGRAM, REPOSITORY, Installation, LauncherError, holder
from ops.launcher.probe import is_ready
from paragold.plugins import installed_plugins
from projects import storage

MIN_FREE_BYTES = 1 << 30  # bytes
CLOCK_DRIFT = 5.0  # seconds
REINSTALL = "Install the package paragold again." if INSTALLED else "Run `make setup`."


class Fault(Exception):
    """What is wrong, and what to do about it."""

    def __init__(self, found: str, remedy: str) -> None:
        super().__init__(found)
        self.found = found
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Finding:
    check: str
    ok: bool
    found: str
    remedy: str = ""


def never_started() -> Finding | None:
    """That there is no data folder yet, or an empty one: nothing else needs to be checked before a start."""
    folder = Installation.from_environment().var
    try:
        if any(folder.iterdir()):
            return None
    except FileNotFoundError:
        pass
    except OSError:
        return None  # `data_folder` says why
    return Finding(
        "data folder",
        ok=False,
        found=f"Paragold has never been started: it has no data in {folder}.",
        remedy=f"Run `{PROGRAM} run`, or correct PARAGOLD_VAR.",
    )


def python() -> str:
    return platform.python_version()


def packages() -> str:
    pins = list(_pins())
    wrong = []
    for pin in pins:
        try:
            installed = metadata.version(pin.name)
        except metadata.PackageNotFoundError:
            installed = "missing"
        if installed not in pin.specifier:
            wrong.append(f"{pin.name} {installed} instead of {pin.specifier}")
    if wrong:
        raise Fault(", ".join(wrong), REINSTALL)
    return f"{len(pins)} as required"


def _pins() -> Iterator[Requirement]:
    """What the package or, in a clone, requirements.txt names, as far as it applies to this machine.

    Options and hashes of requirements.txt are passed over.
    """
    pinned = REPOSITORY / "requirements.txt"
    named = metadata.requires("paragold") if INSTALLED else pinned.read_text(encoding="utf-8").split("\n")
    for line in named or []:
        try:
            pin = Requirement(line.split(" #")[0].rstrip("\\ "))
        except InvalidRequirement:
            continue
        if pin.marker is None or any(pin.marker.evaluate({"extra": extra}) for extra in ("", "web")):
            yield pin


def plug_ins() -> str:
    plugins = installed_plugins()
    failed = [plugin for plugin in plugins if plugin.error]
    if failed:
        first = failed[0]
        raise Fault(
            f"{len(failed)} of {len(plugins)} cannot be used: {first.kind} {first.name} of "
            f"{first.distribution} {first.version} ({first.error})",
            f"{first.remedy} `paragold plugins` lists all.",
        )
    return f"{len(plugins)} installed"


def data_folder() -> str:
    installation = Installation.from_environment()
    try:
        with tempfile.TemporaryFile(dir=installation.var):
            pass
    except OSError as error:
        raise Fault(
            f"{installation.var} cannot be written ({error.strerror})",
            "Make it writable for the user that runs Paragold, or set PARAGOLD_VAR.",
        ) from error
    private = [installation.var, installation.secret_key_file, installation.logins_file]
    exposed = [path for path in private if path.exists() and stat.S_IMODE(path.stat().st_mode) & 0o077]
    if exposed:
        raise Fault(
            "other users can read " + ", ".join(map(str, exposed)),
            "chmod go-rwx " + " ".join(f"'{path}'" for path in exposed),
        )
    return f"{installation.var}, yours alone"


def file_store() -> str:
    if not storage.shared():
        return "the data folder"
    try:
        storage.check()
    except (storage.StoreAway, FileNotFoundError) as error:
        raise Fault(
            str(error), "Start the store, or correct PARAGOLD_STORAGE, its key, and what the key may do."
        ) from error
    return f"{variables.value('PARAGOLD_STORAGE')}, written, read and deleted"


def secret_key() -> str:
    try:
        key = settings.SECRET_KEY
    except ImproperlyConfigured as error:
        raise Fault("there is none", f"`{PROGRAM} run` or `{PROGRAM} demo` creates one.") from error
    if len(key) < 50 or len(set(key)) < 5:
        raise Fault(
            "the secret key is too short or too simple",
            "Take a random one of 50 characters or more; everyone then logs in again.",
        )
    return "from PARAGOLD_SECRET_KEY" if os.environ.get("PARAGOLD_SECRET_KEY") else "the installation's own"


def debug() -> str:
    if settings.DEBUG:
        raise Fault("debugging is on: errors show settings and data to everyone", "Unset PARAGOLD_DEBUG.")
    return "off"


def database() -> str:
    try:
        connection.ensure_connection()
    except DatabaseError as error:
        raise Fault(
            f"{connection.vendor} cannot be reached: {str(error).strip()}",
            "Start the database server, or correct DATABASE_URL (without it, SQLite is used).",
        ) from error
    version = ".".join(map(str, connection.get_database_version()))
    if connection.vendor != "sqlite":
        return f"{connection.vendor} {version}"
    expected = {"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"}
    with connection.cursor() as cursor:
        pragmas = {name: str(cursor.execute(f"PRAGMA {name}").fetchone()[0]) for name in expected}
    if pragmas != expected:
        raise Fault(
            f"SQLite runs with {pragmas} instead of {expected}",
            "Keep the data folder on a local disk: WAL does not work on network file systems.",
        )
    return f"sqlite {version}, write-ahead log, every commit synchronised"


def migrations() -> str:
    pending = migrating.pending()
    if pending and migrating.is_under_way():
        raise Fault(f"{len(pending)} not applied. {migrating.WAITING}", "Wait until it has done so.")
    if pending:
        raise Fault(
            f"{len(pending)} not applied: {', '.join(pending[:3])} ...",
            f"Run `python manage.py migrate` (`{PROGRAM} run` does it at every start).",
        )
    return "all applied"


def broker() -> str:
    from config.celery import app

    try:
        with app.connection_for_write() as link:
            link.ensure_connection(max_retries=1, timeout=3)
    except Exception as error:  # kombu lets the errors of many libraries through
        own = settings.INSTALLATION.redis_url == settings.REDIS_URL
        remedy = f"`{PROGRAM} run` starts it; its log is var/log/queue.log."
        raise Fault(
            f"The queue cannot be reached: {error}",
            remedy if own else "Start Redis, or correct REDIS_URL.",
        ) from error
    return "Redis answers"


def worker() -> str:
    from jobs.services.liveness import liveness

    work = liveness()
    if work.works:
        return f"{work.moving} processes move, {work.busy} of them busy"
    heard = "" if work.silent_seconds is None else f" (last sign of life {work.silent_seconds:.0f} s ago)"
    remedy = (
        f"Start it: `{PROGRAM} run` starts it together with the web server; its log is var/log/worker.log."
        if work.state == "missing"
        else "See its log, var/log/worker.log, and that the broker answers; then restart the worker."
    )
    raise Fault(work.problem.rstrip(".") + heard, remedy)


def mail() -> str:
    address = environment.secret("PARAGOLD_MAIL")
    if not address:
        return "off"
    if not settings.SIGN_ON.mail:
        raise Fault("PARAGOLD_MAIL needs a sender", "Set PARAGOLD_MAIL_FROM, such as paragold@example.org.")
    try:
        with get_connection():
            pass
    except OSError as error:
        raise Fault(f"the mail server refuses: {error}", "Correct PARAGOLD_MAIL.") from error
    if address.startswith("smtp://") and settings.EMAIL_HOST not in sign_on.LOOPBACK:
        raise Fault("links to new passwords are sent unencrypted", "Use smtp+tls:// or smtps://.")
    return f"{settings.EMAIL_HOST or 'console'}, from {settings.DEFAULT_FROM_EMAIL}"


def single_sign_on() -> str:
    from projects.models import Project

    provider, missing = settings.SIGN_ON.provider, sign_on.missing_for_oidc()
    if settings.SIGN_ON.saml:
        provider += f" ({ask_saml_provider()})"
    elif variables.value("PARAGOLD_SAML_ROLES"):
        raise Fault("PARAGOLD_SAML_METADATA not set", "Set it, or PARAGOLD_OIDC_ROLES for OpenID Connect.")
    elif len(missing) == 3 and not settings.SIGN_ON.grants:
        return "off"
    elif missing:
        remedy = "The provider gives client and secret for the address that docs/sign-on.md names."
        raise Fault(f"{' and '.join(missing)} not set", remedy)
    else:
        ask_openid_provider()
    named = {grant.slug for grant in settings.SIGN_ON.grants if grant.slug}
    if unknown := named - set(Project.objects.values_list("slug", flat=True)):
        remedy = f"Create them, or correct {settings.SIGN_ON.roles_variable}."
        raise Fault(f"these projects do not exist: {', '.join(sorted(unknown))}", remedy)
    return f"{provider} answers, {len(settings.SIGN_ON.grants)} roles by groups"


def ask_openid_provider() -> None:
    address = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]["settings"]["server_url"]
    try:
        answer = requests.get(f"{address}/.well-known/openid-configuration", timeout=5)
        answer.raise_for_status()
        lacking = {"issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"} - set(answer.json())
    except requests.RequestException as error:
        raise Fault(f"the provider cannot be reached: {error}", "Correct PARAGOLD_OIDC_ADDRESS.") from error
    if lacking:
        raise Fault(f"{address} does not name its {', '.join(sorted(lacking))}", "Ask its administrator.")


def ask_saml_provider() -> str:
    """The provider's entity ID."""
    try:
        from projects.views.saml import read_metadata
    except Exception as error:  # xmlsec's own, where lxml has another libxml2
        remedy = "pip install --force-reinstall lxml xmlsec (in a clone: -r requirements-saml.txt)"
        raise Fault(f"the packages for SAML cannot be loaded: {error}", remedy) from error
    idp = settings.SOCIALACCOUNT_PROVIDERS["saml"]["APPS"][0]["settings"]["idp"]
    try:
        return str(read_metadata(idp)["entityId"])
    except ValueError as error:
        remedy = "Correct PARAGOLD_SAML_METADATA and PARAGOLD_SAML_PROVIDER."
        raise Fault(f"the provider: {error}", remedy) from error


def second_factor() -> str:
    if not settings.SIGN_ON.second_factor:
        return "off"
    local = {"localhost", "127.0.0.1", "[::1]", "*"}
    if not settings.HTTPS and set(settings.ALLOWED_HOSTS) - local:
        raise Fault(
            "passwords, codes and sessions are sent unencrypted, and browsers give no passkeys",
            "Put a proxy with TLS in front and set PARAGOLD_HTTPS=1.",
        )
    return "people may set one up"


def static_files() -> str:
    if settings.DEBUG:
        return "served from source files while debugging"
    root, remedy = Path(settings.STATIC_ROOT), "Run `python manage.py collectstatic --noinput`."
    try:
        paths = json.loads((root / "staticfiles.json").read_text(encoding="utf-8"))["paths"]
    except (OSError, ValueError, KeyError) as error:
        raise Fault(f"they have not been collected in {root}", remedy) from error
    missing = [name for name in paths.values() if not (root / name).is_file()]
    if missing:
        raise Fault(f"{len(missing)} of {len(paths)} are missing, {missing[0]} for one", remedy)
    return f"{len(paths)} collected"


def disk_space() -> str:
    usage = shutil.disk_usage(Installation.from_environment().var)
    if usage.free < MIN_FREE_BYTES:
        raise Fault(
            f"{usage.free >> 20} MB free", "Free at least 1 GB where var/ lies, or move it: PARAGOLD_VAR."
        )
    return f"{usage.free >> 30} GB free"


def clock() -> str:
    """Leases of jobs and sessions rest on it: neither before this very file nor apart from the database's."""
    now = time.time()
    remedy = "Set the clock; let a time service (chrony, systemd-timesyncd) keep it."
    if now < Path(__file__).stat().st_mtime - CLOCK_DRIFT:
        raise Fault(f"{time.strftime('%Y-%m-%d %H:%M', time.gmtime(now))} UTC lies in the past", remedy)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
            apart = abs(float(cursor.fetchone()[0]) - time.time())
        if apart > CLOCK_DRIFT:
            raise Fault(f"{apart:.0f} s apart from the database server's", remedy)
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(now))


def port() -> str:
    url = holder(Installation.from_environment().lock_file)
    try:
        if url is None:
            address = Address.from_environment()
            address.listen(again=f"{PROGRAM} run").close()
            return f"{address.port} is free; Paragold is not running from here"
    except LauncherError as error:
        raise Fault("not available", str(error)) from error
    if not is_ready(url, timeout=5):
        raise Fault(f"{url} does not answer", "Read var/log/web.log; stop Paragold and start it again.")
    return f"served at {url}"


CHECKS: dict[str, Callable[[], str]] = {
    check.__name__.replace("_", " "): check
    for check in (
        *(python, packages, plug_ins, data_folder, file_store, secret_key, debug),
        *(database, migrations, broker, worker, mail, second_factor, single_sign_on),
        *(static_files, disk_space, clock, port),
    )
}


def examine(name: str) -> Finding:
    """Run one check; a failure nobody foresaw is a finding too."""
    try:
        return Finding(name, True, CHECKS[name]())
    except Fault as wrong:
        return Finding(name, False, wrong.found, wrong.remedy)
    except (DatabaseError, OSError) as error:
        remedy = "Fix the problems listed above, then run this again."
        return Finding(name, False, f"cannot be checked: {str(error).strip()}", remedy)
