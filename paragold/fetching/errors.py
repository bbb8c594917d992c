"""Why a page was not fetched."""

from __future__ import annotations


class Denied(Exception):
    """It will not be had by asking again. `status` is the HTTP status, None without an answer."""

    def __init__(self, reason: str, status: int | None = None) -> None:
        super().__init__(reason)
        self.status = status


class Unavailable(Exception):
    """It may be had later.

    `retry_after` is in how many seconds the server asks to come again (None: it did not say); `silent` says
    that it is the host that cannot be had, and other pages of it no more.
    """

    def __init__(
        self,
        reason: str,
        status: int | None = None,
        *,
        retry_after: float | None = None,
        silent: bool = False,
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.retry_after = retry_after
        self.silent = silent
