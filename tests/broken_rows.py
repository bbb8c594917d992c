"""Trying to store what the database must refuse."""

import pytest
from django.db import IntegrityError, transaction


def assert_refused(constraint, row):
    """Saving `row`, past all validation, breaks the constraint of that name.

    SQLite names the columns of a unique constraint instead of the constraint.
    """
    declared = {c.name: c for c in row._meta.constraints}[constraint]
    columns = [row._meta.get_field(name).column for name in getattr(declared, "fields", ())] or ["?"]
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        row.save()
    text = str(error.value)
    assert constraint in text or all(f"{row._meta.db_table}.{column}" in text for column in columns)
