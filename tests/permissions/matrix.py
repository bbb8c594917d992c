"""Who gets what from every address: route -> (which object `pk` names, method -> status for each role).

A method that is not listed must be refused. A route that is not listed fails the tests.
"""

from __future__ import annotations

from .api import API
from .pages import PAGES
from .route import Route

ROUTES: dict[str, Route] = PAGES | API
