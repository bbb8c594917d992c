"""Sessions in the database, as Django stores them, read by one statement that is not compiled each time.

Every request reads its session; compiling the query takes several times as long as the query.
"""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db
from django.db import connection
from django.utils import timezone

OPEN = "SELECT session_data FROM django_session WHERE session_key = %s AND expire_date > %s"


class SessionStore(db.SessionStore):
    def load(self) -> dict[str, Any]:
        """What the session holds; empty, and of no key, if it has ended."""
        with connection.cursor() as cursor:
            cursor.execute(OPEN, [self.session_key, connection.ops.adapt_datetimefield_value(timezone.now())])
            row = cursor.fetchone()
        if row is None:
            self._session_key = None
            return {}
        content: dict[str, Any] = self.decode(row[0])
        return content
