"""Fetch the pages of a list of addresses as articles: each a line, added to the output when it is there."""

import hashlib
import json
import re
from argparse import SUPPRESS, ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from paragold import limits
from paragold.cli.console import CommandProblem, Console, Options, add_output
from paragold.fetching.visiting import Answer, NotFetched, Visitor, normal_address
from paragold.formats.json_lines import parse_object
from paragold.formats.tables import TableRows
from paragold.formats.text_files import TextLines
from paragold.formats.whole_files import is_stream, readable_again, whole_file
from paragold.problems import FileProblem, located
from paragold.sources.articles.page_files import page_fields
from paragold.sources.articles.table import usual_mapping
from paragold.sources.pages.decoding import decode_page
from paragold.sources.pages.main_text_model import MainTextModel, read_main_text_model

HELP = (
    "Fetch the pages of a list of addresses, and write the main text of each as an article "
    "(docs/fetching.md). robots.txt is obeyed; pages that cannot be fetched are listed with the reason."
)


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "addresses", type=Path, help="an address a line, or CSV, TSV or JSONL with url and cluster"
    )
    add_output(parser, "--output", required=True, metavar="JSONL", help="articles, to be imported")
    parser.add_argument("--resume", action="store_true", help="add the pages that the output does not have")
    parser.add_argument("--cluster", help="of addresses without one (default: the name of the list)")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two requests to a host")
    parser.add_argument("--contact", default="", help="web or mail address that goes out with each request")
    parser.add_argument("--main-text-model", type=Path, help="find the main text with this model")
    parser.add_argument("--loopback", action="store_true", help=SUPPRESS)  # for tests


def run(options: Options, console: Console) -> None:
    output, contact = options["output"], options["contact"]
    if not re.fullmatch(r"[!-'*-;=?-~]*", contact):
        raise CommandProblem("--contact is not an address such as mailto:corpus@example.org.")
    if not options["pause"] >= 0:
        raise CommandProblem("--pause must not be negative.")
    with readable_again(options["addresses"]) as path:
        listed = addresses_of(path, options["cluster"] or options["addresses"].stem)
    model = read_main_text_model(options["main_text_model"]) if options["main_text_model"] else None
    is_file = not is_stream(output) and output.exists()
    if is_file and output.stat().st_size and not options["resume"]:
        raise CommandProblem(f"{output} exists. Give --resume to add to it, or another name.")
    there = kept(output) if is_file else set()
    waiting = [one for one in listed if one[:2] not in there]
    visitor, failed = Visitor(contact, options["pause"], options["loopback"]), 0
    with whole_file(output) if is_stream(output) else output.open("ab") as file:
        for cluster, key, url in waiting:
            try:
                article = {"cluster_id": cluster, "id": key, **article_of(visitor.page(url), model)}
            except (NotFetched, FileProblem) as problem:
                failed += 1
                console.warn(f"{url}: {problem}")
                continue
            file.write(json.dumps(article, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            file.flush()
    console.write(f"{len(waiting) - failed:,} pages fetched, {len(there):,} were there, {failed:,} failed.")
    if failed:
        raise CommandProblem("Not all pages were fetched. --resume tries the others again.")


def addresses_of(path: Path, cluster: str) -> list[tuple[str, str, str]]:
    """(cluster, id, address) of each page, hosts in turn. Raises FileProblem."""
    problems: list[FileProblem] = []
    pages: dict[tuple[str, str, str], int] = {}
    of_host = Counter[str]()
    for line, row in _rows(path, problems):
        try:
            columns = usual_mapping(tuple(row))
            url = normal_address(str(row.get(columns.get("url", ""), "")).strip())
            name = str(row.get(columns.get("cluster_id", ""), cluster)).strip() or cluster
            if len(name) > limits.KEY_CHARACTERS:
                raise FileProblem("The name of the cluster is too long.", "Shorten it.")
        except FileProblem as problem:
            problems.append(problem.at(line))
            continue
        key = url.partition("://")[2]
        if len(key) > limits.KEY_CHARACTERS:
            key = f"{key[: limits.KEY_CHARACTERS - 17]}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
        host = urlsplit(url).netloc
        of_host[host] += (name, key, url) not in pages
        pages.setdefault((name, key, url), of_host[host])
    if problems or not pages:
        raise FileProblem.of(problems or [FileProblem("It has no address.", "")], file=str(path))
    return sorted(pages, key=lambda page: pages[page])


def _rows(path: Path, problems: list[FileProblem]) -> Iterator[tuple[int, dict[str, Any]]]:
    if path.suffix.lower() in (".csv", ".tsv"):
        table = TableRows(path, problems)
        yield from ((line, dict(zip(table.head.columns, row, strict=True))) for line, row in table)
        return
    for line, text in TextLines(path, "utf-8", problems):
        with located(line, file=str(path)):
            if not text.startswith("#"):
                yield line, parse_object(text) if text.startswith("{") else {"url": text}


def kept(path: Path) -> set[tuple[str, str]]:
    """Cluster and id of the articles of the output; a last line that was cut off is removed."""
    there, end = set(), 0
    with path.open("r+b") as file, located(file=str(path)):
        for line in file:
            if not line.endswith(b"\n"):
                file.truncate(end)
                break
            article = parse_object(line.decode())
            there.add((article.get("cluster_id", ""), article.get("id", "")))
            end += len(line)
    return there


def article_of(answer: Answer, model: MainTextModel | None) -> dict[str, Any]:
    """The fields of an article that a page has. Raises NotFetched and FileProblem."""
    kind = answer.headers.get("content-type", "")
    media = kind.partition(";")[0].strip().lower()
    charset = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", kind, re.IGNORECASE)
    if media not in ("text/html", "application/xhtml+xml", "text/plain"):
        raise NotFetched(f"It is {media[:60] or 'of no declared type'}, not a page.")
    text = decode_page(answer.data, declared=charset[1] if charset else "")
    if media == "text/plain":
        return {"url": answer.url, "text": text}
    fields = page_fields(text, url=answer.url, model=model)
    if not fields["paragraphs"]:
        raise NotFetched("No main text was found in it.")
    return {"url": answer.url, **fields}
