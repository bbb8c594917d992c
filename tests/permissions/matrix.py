"""Who gets what from every address: route -> (which object `pk` names, method -> status for each role).

A method that is not listed must be refused. A route that is not listed fails the tests. Behind a colon stands
which kind of object or list an address is for, where it has several: `removal:batch`.
"""

from __future__ import annotations

from .api import API
from .pages import PAGES
from .route import Route

ROUTES: dict[str, Route] = PAGES | API
