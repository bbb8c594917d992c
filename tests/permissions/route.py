"""What a route of the matrix is made of, and the statuses that many routes share.

The statuses stand in the order of `people.ROLES`: anonymous stranger viewer annotator adjudicator manager
admin.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from .objects import Objects
from .people import by_role

WORDS = {
    "no page": "a file, an answer for programs or a part of a page: nobody opens it",
    "walked": "on the way from the corpus to the export: usable by Tab alone",
    "makes nothing": "its form makes nothing new, or cannot succeed with these objects",
    "changes": "tells the time, of this session, or what was drawn: no two answers are the same",
    "not of others": "nobody else's work stands in the answer to what an annotator writes",
}


class Route(NamedTuple):
    methods: dict[str, str]
    pk: str = ""
    what: str = ""
    """Words of `WORDS`, parted by commas."""
    form: Callable[[Objects], dict[str, Any]] | None = None
    """Of a form that makes something, what is filled in beside what the page suggests."""
    on: str = ""
    """The page that the form is on, where that is another."""
    json: bool = False
    """The page answers `?format=json`, with the same statuses but 401 instead of the way to the login."""

    def statuses(self, method):
        """By role; a method that the address does not have is refused."""
        return by_role(self.methods.get(method, "405 405 405 405 405 405 405"))

    def says(self, word):
        return word in self.what.split(", ")


# Pages send anonymous visitors to the login; the API answers 401.
MEMBERS_PAGE = "302 404 200 200 200 200 200"
CORPUS_PAGE = "302 404 200 403 200 200 200"
ANSWERS_PAGE = "302 404 403 403 200 200 200"
MANAGERS_PAGE = "302 404 403 403 403 200 200"
MANAGERS_FORM = "302 404 403 403 403 422 422"
MANAGERS_MOVE = "302 404 403 403 403 302 302"
OWN_PAGE = "302 404 404 200 404 404 404"

MEMBERS = "401 404 200 200 200 200 200"
CORPUS = "401 404 200 403 200 200 200"
ANSWERS = "401 404 403 403 200 200 200"
MANAGERS = "401 404 403 403 403 200 200"
CREATES = "401 404 403 403 403 201 201"
DELETES = "401 404 403 403 403 204 204"
OWN = "401 404 404 200 404 404 404"
EVERYBODY = "401 200 200 200 200 200 200"

# Only administrators learn whether there is such an object.
ADMINS_OBJECT_PAGE = "302 404 404 404 404 404 200"

FORM = {"GET": MANAGERS_PAGE, "POST": MANAGERS_FORM}
