"""Loads clusters of made-up news into the database of DATABASE_URL, in bulk and past the import."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import accumulate, pairwise

import django

from benchmarks.news_like_clusters import ARTICLE_SENTENCES, SENTENCES_A_CLUSTER, NewsWriter

LOADERS = 2
CLUSTERS_AT_ONCE = 50

# Rows as the tables hold them; identifiers follow from the cluster's number, so that loaders do not meet.
SENTENCE_COLUMNS = ("id", "number", "paragraph", "text", "tokens", "starts", "article_id")
ARTICLE_COLUMNS = ("id", "key", "source", "url", "published", "title", "content_sha256", "cluster_id")
CLUSTER_COLUMNS = ("id", "key", "held_out", "project_id")
Row = tuple[str | int, ...]


def rows_of(number: int, writer: NewsWriter, project: int, size: int) -> tuple[Row, list[Row], list[Row]]:
    """A cluster of `size` sentences, its articles and its sentences."""
    cluster = number + 1
    articles: list[Row] = []
    sentences: list[Row] = []
    for outlet, texts in enumerate(writer.articles(number, size)):
        article = number * -(-size // ARTICLE_SENTENCES) + outlet + 1
        articles.append((article, f"a{outlet}", f"outlet {outlet}", "", "", "", f"{article:064x}", cluster))
        for index, tokens in enumerate(texts):
            starts = list(accumulate([len(token) + 1 for token in tokens[:-1]], initial=0))
            text = " ".join(tokens)
            sentence = number * size + len(sentences) + 1
            sentences.append((sentence, index, 0, text, text, json.dumps(starts), article))
    return (cluster, f"c{number}", False, project), articles, sentences


def load_part(project: int, seed: int, size: int, numbers: range) -> None:
    """Load the clusters of these numbers, each of `size` sentences."""
    from django.db import connection, transaction

    writer = NewsWriter(seed)
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # The rows refer to each other as they should: no use in looking each reference up.
            cursor.execute("SET session_replication_role = replica")
    for start in range(0, len(numbers), CLUSTERS_AT_ONCE):
        some = numbers[start : start + CLUSTERS_AT_ONCE]
        made = [rows_of(number, writer, project, size) for number in some]
        with transaction.atomic():
            write_rows("corpus_cluster", CLUSTER_COLUMNS, (cluster for cluster, _, _ in made))
            write_rows("corpus_article", ARTICLE_COLUMNS, (row for _, rows, _ in made for row in rows))
            write_rows("corpus_sentence", SENTENCE_COLUMNS, (row for _, _, rows in made for row in rows))


def write_rows(table: str, columns: tuple[str, ...], rows: Iterator[Row]) -> None:
    from django.db import connection

    names = ", ".join(columns)
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            places = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", list(rows))
            return
        with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
            # No value here holds a tab, a line end or a backslash.
            copy.write("".join(["\t".join(map(str, row)) + "\n" for row in rows]))


def load(clusters: int, seed: int, size: int = SENTENCES_A_CLUSTER) -> int:
    """Load that many clusters into an empty database. Returns the project's id."""
    from django.contrib.auth.models import User
    from django.core.management.color import no_style
    from django.db import connection

    from corpus.models import Article, Cluster, Sentence
    from projects.models import Project

    user = User.objects.create_user("bench")
    project = Project.objects.create(slug="bench", name="Bench", created_by=user)
    if connection.vendor == "postgresql":
        bounds = [clusters * part // LOADERS for part in range(LOADERS + 1)]
        asked = [str(project.pk), str(seed), str(size)]
        command = [sys.executable, "-m", "benchmarks.extraction_corpus", *asked]
        loaders = [subprocess.Popen([*command, str(first), str(last)]) for first, last in pairwise(bounds)]
        failures = [loader.wait() for loader in loaders]
        if any(failures):
            sys.exit("The corpus could not be loaded.")
    else:
        load_part(project.pk, seed, size, range(clusters))
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [Cluster, Article, Sentence]):
            cursor.execute(statement)
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")
    return int(project.pk)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("project", "seed", "size", "first", "last"):
        parser.add_argument(name, type=int)
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    load_part(asked.project, asked.seed, asked.size, range(asked.first, asked.last))


if __name__ == "__main__":
    main()
