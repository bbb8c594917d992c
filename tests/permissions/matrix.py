"""Who gets what from every address: route -> (which object `pk` names, method -> status for each role).

A method that is not listed must be refused. A route that is not listed fails the tests. Behind a colon stands
which kind of object or list an address is for, where it has several: `removal:batch`.
"""

from __future__ import annotations

from .api import API
from .pages import PAGES
from .route import Route

ROUTES: dict[str, Route] = PAGES | API
OF_THE_API = sorted(name for name in ROUTES if name.startswith("api-"))
WRITES = [(name, method) for name in OF_THE_API for method in ROUTES[name].methods if method != "GET"]
"""What the API takes: address and method."""
WHO_MAY = ("admin", "adjudicator", "annotator")
"""What anybody may do, one of these may."""


def who_may(name, method):
    """One whose request is answered as it wishes, or "" where these objects allow it to nobody."""
    statuses = ROUTES[name].statuses(method)
    return next((role for role in WHO_MAY if statuses[role] < 300), "")
