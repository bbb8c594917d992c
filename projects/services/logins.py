"""Logins: whoever guesses passwords is slowed down, and nobody else.

Failures are counted for an account at one address, for an account on unknown devices, and for an address.
A browser in which the account has logged in before has a signed cookie and a count of its own, so that
guessing elsewhere does not lock its owner out. After some free tries each failure doubles the wait.
"""

from __future__ import annotations

import ipaddress
import secrets
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _, ngettext

from projects.models import LoginCount

DEVICE_SECONDS = 365 * 24 * 3600
ACCOUNTS_OF_A_DEVICE = 10
SALT = "paragold.login"
OBSOLETE_AT_ONCE = 100
# Beside a user name or mail address, for counts of their own: codes of a second factor, links by mail.
CODE, RESET = "\x1fcode", "\x1freset"


@dataclass(frozen=True)
class Limit:
    """`free` failures cost nothing; then the wait grows from 5 seconds to `max_seconds`, doubling each time.

    After `forget_seconds` without a try the count starts from 0 again.
    """

    free: int
    max_seconds: int
    forget_seconds: int

    def wait(self, failures: int) -> timedelta:
        """How long after the last try the next one may come."""
        if failures < self.free:
            return timedelta(0)
        return timedelta(seconds=min(5 * 2 ** min(failures - self.free, 20), self.max_seconds))


DAY = 24 * 3600
LIMITS: Mapping[str, Limit] = {
    "device": Limit(free=10, max_seconds=900, forget_seconds=DAY),
    "account at address": Limit(free=10, max_seconds=900, forget_seconds=DAY),
    "account on unknown devices": Limit(free=20, max_seconds=900, forget_seconds=DAY),
    "address": Limit(free=20, max_seconds=300, forget_seconds=3600),
}
# A successful login resets these counts; from the others it takes only its own attempt.
FORGOTTEN_ON_SUCCESS = ("device", "account at address")


class TooManyFailures(Exception):
    """No login is checked for this account or address for another `seconds`."""

    def __init__(self, seconds: int) -> None:
        text = _("Too many failed logins. Try again in %(duration)s.")
        super().__init__(text % {"duration": duration(seconds)})
        self.seconds = seconds


def duration(seconds: int) -> str:
    if seconds < 60:
        return ngettext("%(count)s second", "%(count)s seconds", seconds) % {"count": seconds}
    minutes = -(-seconds // 60)
    return ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}


@dataclass(frozen=True)
class Attempt:
    """A login that is being checked, counted as a failure until it succeeds."""

    request: HttpRequest
    account: str
    devices: Mapping[str, str]
    keys: Mapping[str, str]

    def succeeded(self) -> None:
        """Take the count back; the answer to the request makes the device known (`set_device_cookie`)."""
        with transaction.atomic():
            # One by one in the order of keys, as `begin` locks them: no two logins wait for each other.
            for key, kind in sorted((key, kind) for kind, key in self.keys.items()):
                row = LoginCount.objects.filter(key=key)
                if kind in FORGOTTEN_ON_SUCCESS:
                    row.delete()
                else:
                    row.filter(failures__gt=0).update(failures=F("failures") - 1)
        device = self.devices.get(self.account) or secrets.token_hex(16)
        others = [entry for entry in self.devices.items() if entry[0] != self.account]
        known = dict([*others, (self.account, device)][-ACCOUNTS_OF_A_DEVICE:])
        self.request.known_devices = known  # type: ignore[attr-defined]  # for `set_device_cookie`


def set_device_cookie(request: HttpRequest, response: HttpResponseBase) -> None:
    """Let the browser be known from now on to the accounts that have logged in by this request."""
    if known := getattr(request, "known_devices", None):
        response.set_cookie(
            settings.DEVICE_COOKIE_NAME,
            signing.dumps(known, salt=SALT),
            max_age=DEVICE_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def begin(request: HttpRequest, username: str) -> Attempt:
    """Count a login before its password is checked, so that many at once cannot pass the limit.

    Whether the account exists makes no difference. Raises TooManyFailures, and then counts nothing.
    """
    account = digest("account", unicodedata.normalize("NFKC", username).casefold())
    devices = known_devices(request)
    keys = {kind: digest(kind, *what) for kind, what in counted(request, account, devices).items()}
    remove_obsolete()
    with transaction.atomic():
        LoginCount.objects.bulk_create(
            [LoginCount(key=key, last_at=timezone.now()) for key in sorted(keys.values())],
            ignore_conflicts=True,
        )
        rows = LoginCount.objects.select_for_update().filter(key__in=keys.values()).order_by("key")
        stored = {row.key: row for row in rows}
        now = timezone.now()
        seconds = 0
        for kind, key in keys.items():
            row, limit = stored[key], LIMITS[kind]
            if row.last_at < now - timedelta(seconds=limit.forget_seconds):
                row.failures = 0
            wait = limit.wait(row.failures)
            if wait:
                seconds = max(seconds, -((now - row.last_at - wait) // timedelta(seconds=1)))
        if seconds > 0:
            raise TooManyFailures(seconds)
        for row in stored.values():
            row.failures, row.last_at = row.failures + 1, now
        LoginCount.objects.bulk_update(stored.values(), ["failures", "last_at"])
    return Attempt(request, account, devices, keys)


def counted(request: HttpRequest, account: str, devices: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """What a failure is counted for: the kind of limit and what identifies it."""
    if account in devices:
        return {"device": (account, devices[account])}
    address = client_network(request)
    return {
        "account at address": (account, address),
        "account on unknown devices": (account,),
        "address": (address,),
    }


def known_devices(request: HttpRequest) -> dict[str, str]:
    """The accounts that have logged in from this browser, each with the device's number."""
    try:
        known = signing.loads(
            request.COOKIES.get(settings.DEVICE_COOKIE_NAME, ""), salt=SALT, max_age=DEVICE_SECONDS
        )
    except signing.BadSignature:
        return {}
    return dict(known)


def digest(*parts: str) -> str:
    text = "\x1f".join(parts).encode("utf-8", "surrogatepass")
    return salted_hmac(SALT, text, algorithm="sha256").hexdigest()


def client_network(request: HttpRequest) -> str:
    """Where a request comes from: its IPv4 address, or the /64 network of its IPv6 address."""
    address = client_address(request)
    return network(address) or address


def client_address(request: HttpRequest) -> str:
    """With PARAGOLD_TRUSTED_PROXIES = n it is the n-th address from the right of X-Forwarded-For; without it
    the header, which anybody can write, is ignored."""
    peer: str = request.META.get("REMOTE_ADDR", "")
    proxies = settings.TRUSTED_PROXIES
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    if proxies and len(forwarded) >= proxies and network(forwarded[-proxies]):
        return forwarded[-proxies]
    return peer


def network(address: str) -> str:
    """The address that is counted; empty where the text is none."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return ""
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((int(ip), 64), strict=False))
    return str(ip)


def remove_obsolete() -> None:
    """Remove some counts that no longer matter; what another login holds is left for later."""
    with transaction.atomic():
        old = LoginCount.objects.filter(last_at__lt=timezone.now() - timedelta(seconds=DAY))
        ids = old.select_for_update(skip_locked=True).values_list("pk", flat=True)[:OBSOLETE_AT_ONCE]
        LoginCount.objects.filter(pk__in=list(ids)).delete()
