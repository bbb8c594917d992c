"""Files that are a little wrong, as damaged disks, editors and other programs make them."""

import random

ODD = (
    *(b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r", b"\r\n", b"\n\n", b"\t"),
    *(b'"', b"'", b"\\"),
    *(b"{", b"}", b"[", b"]", b",", b":", b"|", b"-", b"null", b"NaN", b"Infinity", b"-1", b"1e999", b"0.5"),
    *(b"99999999999999999999", b"\xe2\x80\xa8", b"\xc2\xa0", b"=1+1", b"[" * 300, b"{}", b'{"a":' * 50),
    *("é".encode("latin-1"), "日本".encode(), b"\x1a", b"PK\x03\x04", b"x" * 5000),
)


def mutated(content, seed):
    """The content with one to three changes, decided by the seed."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 3)):
        content = chance.choice(CHANGES)(content, chance)
    return content


def _place(content, chance):
    return chance.randint(0, len(content))


def _insert(content, chance):
    place = _place(content, chance)
    return content[:place] + chance.choice(ODD) + content[place:]


def _delete(content, chance):
    place = _place(content, chance)
    return content[:place] + content[place + chance.choice((1, 2, 10, 200)) :]


def _flip(content, chance):
    place = _place(content, chance)
    return content[:place] + bytes([chance.randrange(256)]) + content[place + 1 :]


def _truncate(content, chance):
    return content[: _place(content, chance)]


def _swap_lines(content, chance):
    lines = content.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _repeat_line(content, chance):
    lines = content.split(b"\n")
    place = chance.randrange(len(lines))
    return b"\n".join([*lines[:place], lines[place], *lines[place:]])


def _replace_word(content, chance):
    words = content.split(b" ")
    words[chance.randrange(len(words))] = chance.choice(ODD)
    return b" ".join(words)


def _encoded_otherwise(content, chance):
    text = content.decode("utf-8", "replace")
    return text.encode(chance.choice(("utf-16", "latin-1", "utf-32", "cp1252")), "replace")


CHANGES = (
    *(_insert, _insert, _delete, _flip, _truncate, _swap_lines, _repeat_line, _replace_word),
    _encoded_otherwise,
)
