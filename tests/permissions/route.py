"""What a route of the matrix is made of, and the statuses that many routes share.

The statuses stand in the order of `people.ROLES`: anonymous stranger viewer annotator adjudicator manager
admin.
"""

from __future__ import annotations

from typing import NamedTuple


class Route(NamedTuple):
    """methods: method -> statuses; pk: which object `pk` names; json: the page answers `?format=json`, with
    the same statuses but 401 instead of the way to the login."""

    methods: dict[str, str]
    pk: str = ""
    json: bool = False


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
