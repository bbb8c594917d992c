"""Limits on requests in each minute: of one account, and of one address without a login.

All processes of the web server count together, in Redis. A process adds what it has counted in portions of
2 % of the limit, so most requests ask nobody. Where the shared count cannot be reached, each process counts
alone and no request fails for it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponseBase
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from redis.exceptions import RedisError
from rest_framework.exceptions import AuthenticationFailed

from projects.api.transport import TokenAuthentication
from projects.error_responses import Overload, answer_overload
from projects.middleware import EXEMPT
from projects.services.logins import client_network, digest, duration

logger = logging.getLogger(__name__)

PORTIONS = 50


@dataclass(slots=True)
class Count:
    """Requests of one caller in this minute: of all processes as last heard, and not yet added."""

    shared: int = 0
    pending: int = 0


class RequestLimits:
    """Middleware: answers 429 with Retry-After beyond the limits; 0 is no limit."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._lock = threading.Lock()
        self._minute = 0
        self._counts: dict[str, Count] = {}

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        limits = settings.ACCOUNT_REQUESTS, settings.ADDRESS_REQUESTS
        if request.path in EXEMPT or not any(limits):
            return self._get_response(request)
        account = account_of(request)
        limit = limits[account is None]
        caller = client_network(request) if account is None else str(account)
        minute, second = divmod(int(time.time()), 60)
        if limit and self._exceeds(digest("requests", str(account is None), caller), limit, minute):
            wait = 60 - second
            text = _("More than %(limit)s requests within a minute. Try again in %(duration)s.")
            sentence = text % {"limit": number_format(limit, force_grouping=True), "duration": duration(wait)}
            return answer_overload(request, Overload(sentence, wait), status=429)
        return self._get_response(request)

    def _exceeds(self, key: str, limit: int, minute: int) -> bool:
        with self._lock:
            if minute > self._minute:
                self._minute, self._counts = minute, {}
            count = self._counts.setdefault(key, Count())
            if count.shared > limit:
                return True
            count.pending += 1
            if count.pending < limit / PORTIONS:
                return False
            number, count.pending = count.pending, 0
        try:
            total = add(key, minute, number)
        except (RedisError, ValueError) as error:  # ValueError: Redis was emptied meanwhile
            logger.warning("Requests are counted by each process alone: %r", error)
            total = 0
        with self._lock:
            count.shared = max(count.shared + number, total)
        if count.shared > limit:
            logger.warning("Answers 429 for the rest of this minute: a caller sent over %d requests.", limit)
        return count.shared > limit


def account_of(request: HttpRequest) -> int | None:
    """Whose token or session it is; None for neither, and for one that is not valid."""
    try:
        login = TokenAuthentication().login(request)
    except AuthenticationFailed:
        return None
    account: int | None = login[0].pk if login else request.user.pk
    return account


def add(key: str, minute: int, number: int) -> int:
    """Add to the shared count of a caller; returns the requests of all processes in that minute."""
    name = f"{key}:{minute}"
    caches["requests"].add(name, 0, timeout=120)
    return caches["requests"].incr(name, number)
