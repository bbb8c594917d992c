"""The migration that hangs imported batches on the import they came from, there and back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

BEFORE = ("annotation", "0005_second_pass")
AFTER = ("annotation", "0006_batch_from_import")
SIGNATURE = "imported-pairs|tokens:as given, parted by spaces|version:1"

pytestmark = pytest.mark.django_db(transaction=True)


def migrated_to(*targets: tuple[str, str]):
    """The models as they are then; what lies below, the corpus, stays as it is now."""
    MigrationExecutor(connection).migrate(list(targets))
    loader = MigrationExecutor(connection).loader
    return loader.project_state([*targets, *loader.graph.leaf_nodes("corpus")]).apps


@pytest.fixture
def before() -> Iterator[object]:
    latest = MigrationExecutor(connection).loader.graph.leaf_nodes()
    try:
        yield migrated_to(BEFORE)
    finally:
        migrated_to(*latest)


def test_imported_batches_get_their_import_and_the_empty_gold_sets_go(before) -> None:
    manager = before.get_model("auth", "User").objects.create(username="mia")
    project = before.get_model("corpus", "Project").objects.create(slug="rte", name="RTE", created_by=manager)
    for name in ("dev", "test"):
        before.get_model("corpus", "CorpusImport").objects.create(
            project=project, filename=f"{name}.json", sha256="0", signature=SIGNATURE
        )
        gold_set = before.get_model("annotation", "GoldSet").objects.create(
            project=project, name=f"imported pairs of {name}", version=1, agreement={}, counts={},
            signature=SIGNATURE,
        )  # fmt: skip
        before.get_model("annotation", "Batch").objects.create(
            project=project, name=name, kind="link", gold_set=gold_set, scheme="binary", overlap=1, seed=1
        )
    after = migrated_to(AFTER)
    batches = after.get_model("annotation", "Batch").objects.order_by("id")
    assert [(batch.gold_set, batch.corpus_import.filename) for batch in batches] == [
        (None, "dev.json"),
        (None, "test.json"),
    ]
    assert not after.get_model("annotation", "GoldSet").objects.exists()
    back = migrated_to(BEFORE)
    names = (
        back.get_model("annotation", "Batch").objects.order_by("id").values_list("gold_set__name", flat=True)
    )
    assert list(names) == ["imported pairs of dev", "imported pairs of test"]
    for model in ("Batch", "GoldSet"):
        back.get_model("annotation", model).objects.all().delete()
