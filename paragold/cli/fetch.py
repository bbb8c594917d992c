"""Fetch the pages of a list of addresses, by the rules of their sites, as articles."""

import ipaddress
import json
import re
import socket
import time
from argparse import ArgumentParser
from hashlib import sha256
from multiprocessing import TimeoutError
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from urllib3 import HTTPConnectionPool, HTTPResponse, HTTPSConnectionPool
from urllib3.exceptions import HTTPError
from urllib3.util import parse_url

from paragold import __version__, limits
from paragold.cli.arguments import add_file, add_flag
from paragold.cli.console import CommandProblem, Console, Options, Report, add_output
from paragold.formats.json_lines import parse_object
from paragold.formats.text_files import TextLines, is_stream, readable_again, whole_file
from paragold.packages import needed
from paragold.problems import FileProblem, located, quoted, shortened
from paragold.sources.main_text_model import MainTextModel, read_main_text_model
from paragold.sources.pages import decode_page, page_fields

with needed("pages"):
    from protego import Protego

NAME, PAGE_BYTES, ROBOTS_BYTES = "Paragold", 5 << 20, 512 << 10
SILENCE_SECONDS, REQUEST_SECONDS, LONGEST_PAUSE, REDIRECTS = 15.0, 45.0, 60.0, 5
# Python takes some of these for public. The first three are all that is not given out.
_OTHERS = ("::/3", "4000::/2", "8000::/1", "2002::/16", "3fff::/20", "192.88.99.0/24")
_AGENT = re.compile(r"^[ \t]*user[ -]?agent[ \t]*+:?[ \t]*+(paragold\b|\*)?.*$", re.IGNORECASE | re.MULTILINE)


def _fetch_arguments(parser: ArgumentParser) -> None:
    add_file(parser, "addresses", "an address a line; after a tab its cluster")
    add_output(parser, "--output", required=True, metavar="JSONL", help="articles, to be imported")
    add_flag(parser, "--resume", "add the pages that the output does not have")
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two requests to a host")
    parser.add_argument("--contact", default="", help="web or mail address that goes out with each request")
    add_file(parser, "--main-text-model", "find the main text with this model")


def _fetch(options: Options, console: Console) -> Report:
    """Fetch the pages of a list of addresses, with the main text of each as an article (docs/fetching.md)."""
    output, failed = options["output"], 0
    with readable_again(options["addresses"]) as path:
        listed = addresses_of(path)
    model = read_main_text_model(options["main_text_model"]) if options["main_text_model"] else None
    is_there = not is_stream(output) and output.exists() and output.stat().st_size > 0
    if is_there and not options["resume"]:
        raise CommandProblem(f"{output} exists. Give --resume to add to it, or another name.")
    there = kept(output) if is_there else set()
    waiting = [page for page in listed if page[:2] not in there]
    visitor = Visitor(options["contact"], options["pause"])
    with whole_file(output) if is_stream(output) else output.open("ab") as file:
        for number, (cluster, key, url) in enumerate(waiting, start=1):
            console.progress(f"page {number:,} of {len(waiting):,}")
            try:
                article = {"cluster_id": cluster, "id": key, **article_of(visitor.page(url), model)}
            except ValueError as problem:
                failed += 1
                console.warn(f"{url}: {problem}")
                continue
            file.write(json.dumps(article, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            file.flush()
    counts = {"fetched": len(waiting) - failed, "there": len(there), "failed": failed}
    text = f"{counts['fetched']:,} pages fetched, {len(there):,} were there, {failed:,} failed."
    if failed:
        console.problem = "Not all pages were fetched. --resume tries the others again."
    return counts, text


def addresses_of(path: Path) -> list[tuple[str, str, str]]:
    """(cluster, id, address) of each page. Raises FileProblem."""
    problems, pages = list[FileProblem](), dict[tuple[str, str, str], None]()
    for line, text in TextLines(path, "utf-8", problems):
        address, _, cluster = text.partition("\t")
        try:
            if not text.startswith("#"):
                url = normal_address(address.strip())
                key = url.partition("://")[2]
                key = key if len(key) <= limits.KEY_CHARACTERS else sha256(key.encode()).hexdigest()
                pages[cluster.strip() or path.stem, key, url] = None
        except ValueError as error:
            problems.append(FileProblem(str(error), "Write it as https://news.example/dam.html.", line=line))
    if problems or not pages:
        raise FileProblem.of(problems or [FileProblem("It has no address.", "")], file=str(path))
    return list(pages)


def normal_address(text: str) -> str:
    """An address of the web in ASCII, without a fragment. Raises ValueError for any other text."""
    url = parse_url(text)
    plain = url._replace(path=url.path or "/", fragment=None).url
    is_odd = url.auth or "%" in (url.host or "%") or re.search(r"[\s\\]", text)
    if is_odd or url.scheme not in ("http", "https") or len(plain) > limits.URL_CHARACTERS:
        raise ValueError(f"{quoted(text)} is not an address.")
    return plain


def kept(path: Path) -> set[tuple[str, str]]:
    """Cluster and id of the articles of the output; a last line that was cut off is removed."""
    there, end = set(), 0
    with path.open("r+b") as file, located(file=str(path)):
        for line in file:
            if line.endswith(b"\n"):
                article = parse_object(line.decode())
                there.add((article.get("cluster_id", ""), article.get("id", "")))
                end += len(line)
        file.truncate(end)
    return there


def article_of(answer: HTTPResponse, model: MainTextModel | None) -> dict[str, Any]:
    """The fields of an article that a page has. Raises ValueError with what is wrong with it."""
    kind = answer.headers.get("content-type", "of no declared type").lower()
    if answer.status != 200:
        raise ValueError(f"It answered {answer.status}.")
    if not re.match(r"text/html|application/xhtml\+xml|text/plain", kind):
        raise ValueError(f"It is {shortened(kind)}, not a page.")
    charset = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", kind)
    text = decode_page(answer.data, declared=charset[1] if charset else "")
    fields = {"text": text} if "plain" in kind else page_fields(text, url=str(answer.url), model=model)
    if not (fields.get("text") or fields.get("paragraphs")):
        raise ValueError("No main text was found in it.")
    return {"url": answer.url, **fields}


class Visitor:
    """Fetches a page at a time; `pause` is the least number of seconds between two requests to a host."""

    def __init__(self, contact: str = "", pause: float = 1.0) -> None:
        self._pause, self._agent = pause, f"{NAME}/{__version__}" + (f" (+{contact})" if contact else "")
        self._free_at: dict[str, float] = {}
        self._rules: dict[str, Protego | str] = {}

    def page(self, url: str, *, is_robots: bool = False) -> HTTPResponse:
        """What an address answers, after redirects by the same rules. Raises ValueError with a reason."""
        for _ in range(REDIRECTS + 1):
            pause = self._pause if is_robots else self._allowed(url)
            host = str(parse_url(url).netloc)
            time.sleep(max(0.0, self._free_at.get(host, 0.0) - time.monotonic()))
            self._free_at[host] = time.monotonic() + pause
            try:
                with ThreadPool(1) as pool:  # the time limits of sockets begin again with each byte
                    answer = pool.apply_async(self._request, (url,)).get(REQUEST_SECONDS)
                if answer.status not in (301, 302, 303, 307, 308):
                    return answer
                url = normal_address(urljoin(url, answer.headers.get("location", "").strip()))
            except TimeoutError as error:
                raise ValueError("It took too long.") from error
            except (OSError, HTTPError, ValueError) as error:
                raise ValueError(f"It gave no page: {shortened(str(error), 200)}") from error
        raise ValueError(f"More than {REDIRECTS} redirects.")

    def _allowed(self, url: str) -> float:
        """The seconds until the next request to the host. Raises ValueError where robots.txt refuses us."""
        site = urljoin(url, "/")
        if site not in self._rules:
            try:
                answer = self.page(f"{site}robots.txt", is_robots=True)
                if answer.status >= 500 or answer.status == 429:
                    raise ValueError(f"It answered {answer.status}.")
                robots = answer.data[:ROBOTS_BYTES] if answer.status == 200 else b""
                lines = "\n".join(robots.decode("utf-8-sig", "replace").splitlines())
                # All other robots get one name: the parser stores the rules once for each.
                text = _AGENT.sub(lambda line: f"User-agent: {line[1] or 'another'}", lines)
                self._rules[site] = Protego.parse(text)
            except ValueError as error:
                self._rules[site] = f"The site's robots.txt cannot be read: {error}"
        if isinstance(rules := self._rules[site], str):
            raise ValueError(rules)
        needed = rules.crawl_delay(NAME) or 0.0
        if not rules.can_fetch(url, NAME) or needed > LONGEST_PAUSE:
            raise ValueError("The site's robots.txt does not allow it, or asks for a pause of over 60 s.")
        return max(self._pause, needed)

    def _request(self, url: str) -> HTTPResponse:
        """One request to the IP address that was checked; TLS and the request name the host."""
        parts = parse_url(url)
        host, is_secure = str(parts.host).strip("[]"), parts.scheme == "https"
        kind, port = (HTTPSConnectionPool, 443) if is_secure else (HTTPConnectionPool, 80)
        port = parts.port or port
        ips = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        if private := [ip for ip in ips if not is_public(ip)]:
            raise ValueError(f"{host} leads to {private[0]}, which is not a public address.")
        names: dict[str, Any] = {"server_hostname": host, "assert_hostname": host} if is_secure else {}
        headers = {"Host": str(parts.netloc), "User-Agent": self._agent, "Accept-Encoding": "gzip"}
        pool = kind(ips[0], port, headers=headers, timeout=SILENCE_SECONDS, retries=False, **names)
        with pool, pool.urlopen("GET", parts.request_uri, redirect=False, preload_content=False) as answer:
            data = answer.read(PAGE_BYTES + 1, decode_content=True)
        if len(data) > PAGE_BYTES:
            raise ValueError(f"It is larger than {PAGE_BYTES >> 20} MB.")
        return HTTPResponse(data, answer.headers, answer.status, request_url=url)


def is_public(text: str) -> bool:
    ip, others = ipaddress.ip_address(text), map(ipaddress.ip_network, _OTHERS)
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in others)


COMMANDS = {
    "fetch": (_fetch_arguments, _fetch),
}
