"""Lists of addresses by cluster: a table, or a text file for each cluster in a zip or a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from paragold import limits
from paragold.fetching.network import Address, parse_address
from paragold.formats.tables import TableRows
from paragold.formats.text_files import decoded
from paragold.problems import FileProblem, located, quoted
from paragold.sources.articles.members import ArchiveMembers, FolderMembers, Member
from paragold.sources.articles.registry import format_of
from paragold.sources.articles.table import usual_mapping
from paragold.sources.records import Place

ADDRESSES = 5_000
# With those that are repeated.
LINES = 100_000


@dataclass(frozen=True, slots=True)
class ListedAddress:
    """An address of a list. `key` is the article's: the address without its scheme, the same each time."""

    cluster: str
    key: str
    address: Address


@dataclass(slots=True)
class AddressList:
    """The content of a list; with problems nothing of it is fetched. `repeated` lines were left out."""

    addresses: list[ListedAddress] = field(default_factory=list)
    problems: list[FileProblem] = field(default_factory=list)
    repeated: int = 0


def read_address_list(path: Path, *, filename: str = "", encoding: str = "utf-8") -> AddressList:
    """Read a list of addresses.

    It is a CSV or TSV with the columns cluster and url (or other usual names), a text with an address a line
    (the cluster is the file's name), or a zip or folder of such texts.
    In texts blank lines and those that begin with "#" are passed over.
    """
    problems: list[FileProblem] = []
    return address_list(_lines(path, filename or path.name, encoding, problems), problems)


def address_list(
    lines: Iterable[tuple[Place, str, str]], problems: list[FileProblem] | None = None
) -> AddressList:
    """The list of these places, clusters and addresses; `problems` are those of reading them."""
    listing = AddressList(problems=[] if problems is None else problems)
    seen: set[tuple[str, str]] = set()
    try:
        for number, (place, cluster, text) in enumerate(lines):
            if number == LINES:
                raise FileProblem(f"The list has more than {LINES:,} lines.", "Fetch it in parts.")
            try:
                one = listed(cluster, text)
            except FileProblem as refusal:
                listing.problems.append(refusal.at(place.line, file=place.file))
                if len(listing.problems) >= limits.PROBLEMS:
                    return listing
                continue
            if (one.cluster, one.key) in seen:
                listing.repeated += 1
                continue
            seen.add((one.cluster, one.key))
            listing.addresses.append(one)
            if len(listing.addresses) > ADDRESSES:
                raise FileProblem(f"The list has more than {ADDRESSES:,} addresses.", "Fetch it in parts.")
        if not listing.addresses and not listing.problems:
            raise FileProblem("The list has no address.", "Give a cluster and an address in each row.")
    except FileProblem as refusal:
        listing.problems.append(refusal.at())
    return listing


def listed(cluster: str, text: str) -> ListedAddress:
    """One address of a list. Raises FileProblem."""
    cluster = cluster.strip()
    if not cluster or len(cluster) > limits.KEY_CHARACTERS or any(ord(sign) < 32 for sign in cluster):
        raise FileProblem(
            f"The cluster {quoted(cluster)} is empty, too long, or holds control characters.",
            f"Give it a name of at most {limits.KEY_CHARACTERS} characters.",
        )
    address = parse_address(text)
    key = address.url.partition("://")[2]
    if len(key) > limits.KEY_CHARACTERS:
        digest = hashlib.sha256(key.encode()).hexdigest()[:16]
        key = f"{key[: limits.KEY_CHARACTERS - 17]}-{digest}"
    return ListedAddress(cluster, key, address)


def _lines(
    path: Path, filename: str, encoding: str, problems: list[FileProblem]
) -> Iterator[tuple[Place, str, str]]:
    """Place, cluster and address of each line; rows of tables that are no CSV go to `problems`."""
    kind = format_of(path, filename)
    if kind == "folder":
        yield from _of_texts(FolderMembers(path), encoding)
    elif kind == "archive":
        yield from _of_texts(ArchiveMembers(path), encoding)
    elif filename.lower().endswith(".txt"):
        member = Member(PurePosixPath(filename).name, path.read_bytes())
        yield from _of_text(member, encoding, inside=False)
    else:
        yield from _of_table(TableRows(path, problems, encoding=encoding))


def _of_texts(members: FolderMembers | ArchiveMembers, encoding: str) -> Iterator[tuple[Place, str, str]]:
    for member in members:
        if not member.name.lower().endswith(".txt"):
            raise FileProblem(
                f"{member.name}: it is not a text file (.txt) with one address per line.",
                "Remove it from the list.",
            )
        yield from _of_text(member, encoding, inside=True)


def _of_text(member: Member, encoding: str, *, inside: bool) -> Iterator[tuple[Place, str, str]]:
    with located(file=member.name if inside else ""):
        text = decoded(member.data, encoding)
    cluster = member.name[: -len(".txt")]
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if line.strip(" \t") and not line.startswith("#"):
            yield Place(member.name if inside else "", number), cluster, line.strip(" \t")


def _of_table(rows: TableRows) -> Iterator[tuple[Place, str, str]]:
    columns = rows.head.columns
    mapping = usual_mapping(columns)
    if missing := [name for name in ("cluster_id", "url") if name not in mapping]:
        names = " and ".join("cluster" if name == "cluster_id" else name for name in missing)
        raise FileProblem(
            f"No column of the table is called {names}.",
            'Name the columns "cluster" and "url" in the first line.',
        )
    cluster, url = columns.index(mapping["cluster_id"]), columns.index(mapping["url"])
    for line, cells in rows:
        yield Place("", line), cells[cluster], cells[url]
