"""Lists of addresses by cluster, and the problems of bad ones."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from paragold.sources import address_lists
from paragold.sources.address_lists import AddressList, read_address_list


def summary(result: AddressList) -> list[tuple[str, str]]:
    assert result.problems == []
    return [(one.cluster, one.address.url) for one in result.addresses]


def written(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_bytes(text.encode())
    return path


WANTED = [
    ("dam", "https://courier.example/a"),
    ("dam", "http://post.example/b?c=1"),
    ("vote", "https://x.example/"),
]


@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_a_table(tmp_path: Path, separator: str) -> None:
    rows = [["note", "cluster", "url"], *(["", cluster, url] for cluster, url in WANTED)]
    path = written(tmp_path, "list.csv", "".join(separator.join(row) + "\r\n" for row in rows))
    assert summary(read_address_list(path)) == WANTED


def test_texts_in_a_folder_and_in_a_zip(tmp_path: Path) -> None:
    texts = {
        "dam.txt": "\ufeff# the dam\r\nhttps://courier.example/a\r\n\r\n  http://post.example/b?c=1  \r\n",
        "vote.txt": "https://x.example",
    }
    for name, text in texts.items():
        written(tmp_path, f"lists/{name}", text)
    assert summary(read_address_list(tmp_path / "lists")) == WANTED
    with zipfile.ZipFile(tmp_path / "lists.zip", "w") as archive:
        for name, text in texts.items():
            archive.writestr(name, text)
    assert summary(read_address_list(tmp_path / "lists.zip", filename="mine.zip")) == WANTED


def test_one_text_is_one_cluster(tmp_path: Path) -> None:
    path = written(tmp_path, "stored", "https://courier.example/a\n")
    assert summary(read_address_list(path, filename="dam.txt")) == [("dam", "https://courier.example/a")]


def test_the_same_address_twice_is_left_out_and_counted(tmp_path: Path) -> None:
    text = "cluster,url\na,http://x.example/1\na,https://x.example/1#top\nb,http://x.example/1\n"
    result = read_address_list(written(tmp_path, "list.csv", text))
    assert summary(result) == [("a", "http://x.example/1"), ("b", "http://x.example/1")]
    assert result.repeated == 1
    assert [one.key for one in result.addresses] == ["x.example/1", "x.example/1"]


def test_a_long_address_has_a_short_key_of_its_own(tmp_path: Path) -> None:
    urls = [f"http://x.example/{'a' * 300}{n}" for n in (1, 2)]
    result = read_address_list(written(tmp_path, "dam.txt", "\n".join(urls)))
    keys = [one.key for one in result.addresses]
    assert len(set(keys)) == 2 and all(len(key) == 200 for key in keys)


@pytest.mark.parametrize(
    ("name", "text", "line", "message"),
    [
        (
            "list.csv",
            "cluster,url\ndam,http://a.example/\ndam,ftp://a.example/\n",
            3,
            "does not begin with http",
        ),
        ("list.csv", "cluster,url\n,http://a.example/\n", 2, "is empty"),
        ("list.csv", "cluster,url\ndam,http://a.example/,x\n", 2, "The row has 3 cells"),
        ("list.csv", "cluster,address of it\ndam,x\n", 0, "No column of the table is called url"),
        ("list.csv", "only words\n", 0, "no tab, comma or semicolon"),
        ("list.csv", "cluster,url\n", 0, "The list has no address"),
        ("list.csv", "", 0, "empty"),
        ("dam.txt", "http://a.example/\n\nhttp://me:word@a.example/\n", 3, "user name or password"),
        ("dam.txt", "http://a.example/x y\n", 1, "white space"),
    ],
)
def test_bad_lists_are_refused_with_the_line(
    tmp_path: Path, name: str, text: str, line: int, message: str
) -> None:
    result = read_address_list(written(tmp_path, name, text))
    assert [problem.line for problem in result.problems] == [line]
    assert message in result.problems[0].message and result.problems[0].remedy


def test_other_files_in_a_zip_and_too_long_lists_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, "lists/dam.html", "x")
    assert "not a text file (.txt)" in read_address_list(tmp_path / "lists").problems[0].message
    monkeypatch.setattr(address_lists, "ADDRESSES", 1)
    path = written(tmp_path, "dam.txt", "http://a.example/1\nhttp://a.example/2\n")
    assert "more than 1 addresses" in read_address_list(path).problems[0].message
