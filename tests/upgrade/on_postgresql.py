"""An installation of a release on PostgreSQL, of which there is a backup on SQLite only.

    python -m tests.upgrade.on_postgresql RELEASE DATABASE.sqlite3

makes the tables of the release in the empty database of DATABASE_URL, and copies all rows.
"""

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path


def make_tables(release):
    """By the release's own migrations, as it had no squashed ones."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    executor = MigrationExecutor(connection)
    executor.loader.replace_migrations = False
    executor.loader.build_graph()
    released = [Path(name) for name in json.loads((release / "migrations.json").read_text())]
    ours = [(path.parts[0], path.stem) for path in released]
    others = [key for key in executor.loader.graph.leaf_nodes() if key[0] not in dict(ours)]
    executor.migrate([*others, *ours])


def copy_rows(source):
    from django.apps import apps
    from django.core.management.color import no_style
    from django.db import connection, transaction

    tables = [name for (name,) in source.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    with transaction.atomic(), connection.cursor() as cursor:
        # Neither the order of foreign keys nor the audit log's trigger applies to a replica.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for table in sorted({*tables} - {"django_migrations", "sqlite_sequence"}):
            description = connection.introspection.get_table_description(cursor, table)
            types = {column.name: column.type_code for column in description}
            rows = source.execute(f'SELECT * FROM "{table}"')
            names = [column[0] for column in rows.description]
            places = ", ".join(f"CAST(%s AS {types_name(cursor, types[name])})" for name in names)
            columns = ", ".join(f'"{name}"' for name in names)
            cursor.execute(f'DELETE FROM "{table}"')
            for row in rows:
                cursor.execute(f'INSERT INTO "{table}" ({columns}) VALUES ({places})', [*map(as_text, row)])
        there = connection.introspection.table_names(cursor)
        for model in (model for model in apps.get_models() if model._meta.db_table in there):
            for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
                cursor.execute(statement)


def types_name(cursor, number):
    cursor.execute("SELECT format_type(%s, NULL)", [number])
    return str(cursor.fetchone()[0])


def as_text(value):
    """What PostgreSQL reads as a value of any type but bytes: SQLite has 1 for true, and text for JSON."""
    return value if value is None or isinstance(value, bytes) else str(value)


def main():
    import django

    django.setup()
    make_tables(Path(sys.argv[1]))
    with closing(sqlite3.connect(sys.argv[2])) as source:
        copy_rows(source)


if __name__ == "__main__":
    main()
