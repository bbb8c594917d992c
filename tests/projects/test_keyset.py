"""A page of a list while rows are deleted: the others are shown, and the list goes on."""

import pytest
from django.contrib.auth.models import User
from django.db.models import QuerySet

from projects.views.keyset import keyset_page

pytestmark = pytest.mark.django_db


class DeletingQuerySet(QuerySet):
    """Of the rows that are asked for by their ids, the last one is deleted just before."""

    def filter(self, *conditions, **named):
        if "pk__in" in named:
            User.objects.filter(pk=named["pk__in"][-1]).delete()
        return super().filter(*conditions, **named)


@pytest.mark.parametrize("few", [True, False])
def test_a_row_that_is_deleted_meanwhile_is_left_out(few):
    people = [User.objects.create(username=f"person-{number}") for number in range(5)]
    first = keyset_page(DeletingQuerySet(User), {}, {"id": "pk"}, size=2, few=few)
    assert (first.rows, first.previous, first.next) == ([people[0]], None, people[1].pk)
    rest = keyset_page(User.objects.all(), {"after": str(first.next)}, {"id": "pk"}, size=2, few=few)
    assert (rest.rows, rest.next) == (people[2:4], people[3].pk)
    back = keyset_page(User.objects.all(), {"before": str(people[4].pk)}, {"id": "pk"}, size=2, few=few)
    assert (back.rows, back.previous) == (people[2:4], people[2].pk)
    down = keyset_page(User.objects.all(), {"sort": "-id"}, {"id": "pk"}, size=2, few=few)
    assert (down.rows, down.next) == ([people[4], people[3]], people[3].pk)
