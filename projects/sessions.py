"""Sessions and accounts in the database, as Django stores them, read by statements that are not compiled each
time: every request reads both, and compiling a query takes several times as long as the query.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, SESSION_KEY
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

SESSION = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"
ACCOUNT = (
    "SELECT auth_user.*, projects_ownlanguage.language FROM auth_user "
    "LEFT JOIN projects_ownlanguage ON user_id = auth_user.id WHERE auth_user.id = %s"
)
LOGIN_OF = "login_of"
"""Key of sessions with the account whose login has begun; it may wait for the second factor."""


class SessionStore(db.SessionStore):
    def load(self) -> dict[str, Any]:
        """What the session holds; empty, and of no key, if it has ended."""
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        with connection.cursor() as cursor:
            cursor.execute(SESSION, [self.session_key, now])
            row = cursor.fetchone()
        if row is None:
            self._session_key = None
            return {}
        content: dict[str, Any] = self.decode(row[0])
        if BACKEND_SESSION_KEY in content:
            # Sessions that began with release 0.2.0 name Django's backend.
            content[BACKEND_SESSION_KEY] = "projects.sessions.AccountBackend"
        return content


class _MessagesCookie(CookieStorage):
    cookie_name = settings.MESSAGES_COOKIE_NAME


class Messages(FallbackStorage):
    """Messages for the next page, as Django keeps them, in a cookie of this installation's own."""

    storage_classes = (_MessagesCookie, SessionStorage)


class AccountBackend(ModelBackend):
    """Logs in by name and password, as Django's does."""

    def get_user(self, user_id: int) -> User | None:
        """The account, with `language`: that of its pages, None without a choice."""
        user = next(iter(User.objects.raw(ACCOUNT, [user_id])), None)
        return user if self.user_can_authenticate(user) else None


def end_sessions(user: User) -> None:
    """End all sessions of an account, and logins that still wait for its second factor."""
    for session in Session.objects.all():
        content = session.get_decoded()
        if str(user.pk) in (content.get(SESSION_KEY), content.get(LOGIN_OF)):
            session.delete()
