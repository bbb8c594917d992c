import json

import pytest

from paragold.cli import fetch as command
from tests.misbehaving_server import page, serving


@pytest.fixture
def server():
    with serving() as server:
        server.answers |= {"/dam": page(), "/vote": page("The vote is over.", content_type="text/plain")}
        yield server


@pytest.fixture
def output(tmp_path):
    return tmp_path / "articles.jsonl"


@pytest.fixture
def fetch(paragold, output, monkeypatch):
    """Runs the command where the loopback passes for public."""
    monkeypatch.setattr(command, "is_public", lambda ip: ip == "127.0.0.1")
    return lambda *arguments: paragold("fetch", "--output", output, "--pause", "0", *arguments)


def written(tmp_path, name, *lines):
    path = tmp_path / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def articles(output):
    lines = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    return [(line["cluster_id"], line["id"].rpartition("/")[2]) for line in lines]


def test_pages_become_articles(server, tmp_path, output, fetch):
    addresses = written(tmp_path, "floods.txt", "# of 2004", "", server.url("/dam"), server.url("/vote#top"))
    done = fetch(addresses, "--contact", "mailto:me@paragold.example")
    assert (done.status, done.out) == (0, "2 pages fetched, 0 were there, 0 failed.\n")
    dam, vote = (json.loads(line) for line in output.read_text(encoding="utf-8").splitlines())
    assert dam == {
        "cluster_id": "floods",
        "id": f"127.0.0.1:{server.port}/dam",
        "url": server.url("/dam"),
        "title": "Dam mended",
        "source": f"127.0.0.1:{server.port}",
        "paragraphs": [
            "The council mended the dam on Wednesday, after it had leaked for a whole year.",
            "Nobody in the town below was hurt, the mayor said, and the road is open again.",
        ],
    }
    assert vote["text"] == "The vote is over."
    assert "(+mailto:me@paragold.example)" in server.heads[0]


def test_a_contact_that_is_more_than_one_line_is_refused(server, tmp_path, output, fetch):
    done = fetch(written(tmp_path, "list", server.url("/dam")), "--contact", "a\r\nCookie: b")
    assert done.status == 1 and "Invalid header value" in done.err
    assert output.read_bytes() == b"" and server.asked == []


def test_what_fails_is_listed_and_tried_again_on_resuming(server, tmp_path, output, fetch):
    server.answers |= {
        "/robots.txt": page("User-agent: *\nDisallow: /closed"),
        "/later": [page("busy", status="503 Busy"), page()],
        "/empty": page("<body><a href=/>Home</a></body>"),
        "/pdf": page(b"%PDF", content_type="application/pdf"),
    }
    paths = ("/later", "/dam", "/closed", "/empty", "/pdf", "/gone")
    addresses = written(tmp_path, "list", *map(server.url, paths))
    done = fetch(addresses)
    assert done.status == 1
    for path, reason in {
        "/later": "It answered 503.",
        "/closed": "The site's robots.txt does not allow it, or asks for a pause of over 60 s.",
        "/empty": "No main text was found in it.",
        "/pdf": "It is application/pdf, not a page.",
        "/gone": "It answered 404.",
    }.items():
        assert f"{server.url(path)}: {reason}\n" in done.err
    assert articles(output) == [("list", "dam")]

    assert "articles.jsonl exists. Give --resume" in fetch(addresses).err
    first = output.read_bytes()
    output.write_bytes(first + b'{"cluster_id": "list", "id": "127.0')  # cut off
    done = fetch(addresses, "--resume")
    assert done.out == "1 pages fetched, 1 were there, 4 failed.\n"
    assert output.read_bytes().startswith(first) and articles(output) == [("list", "dam"), ("list", "later")]
    assert server.asked.count("/dam") == 1


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["https://a.example/", "ftp://b.example/"], "line 2: 'ftp://b.example/' is not an address."),
        (["a.example", "", "b"], "line 3: 'b' is not an address."),
        (["# nothing"], "It has no address."),
    ],
)
def test_with_a_bad_list_nothing_is_fetched(tmp_path, output, fetch, lines, message):
    done = fetch(written(tmp_path, "list.txt", *lines))
    assert done.status == 1 and message in done.err and not output.exists()
