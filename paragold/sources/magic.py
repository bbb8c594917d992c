"""What a file is that is no text, by its first bytes."""

from __future__ import annotations

_ARCHIVE = "Unpack it and give the file inside."
_OTHER = "Give a text file."
_FORMATS = (
    (b"PK\x03\x04", "a zip archive (or an Office document)", _ARCHIVE),
    (b"PK\x05\x06", "an empty zip archive", _ARCHIVE),
    (b"\x1f\x8b", "a gzip file", _ARCHIVE),
    (b"BZh", "a bzip2 file", _ARCHIVE),
    (b"\xfd7zXZ\x00", "an xz file", _ARCHIVE),
    (b"\x28\xb5\x2f\xfd", "a Zstandard file", _ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _ARCHIVE),
    (b"Rar!\x1a\x07", "a RAR archive", _ARCHIVE),
    (b"\x89PNG\r\n\x1a\n", "a PNG image", _OTHER),
    (b"\xff\xd8\xff", "a JPEG image", _OTHER),
    (b"GIF8", "a GIF image", _OTHER),
    (b"II*\x00", "a TIFF image", _OTHER),
    (b"MM\x00*", "a TIFF image", _OTHER),
    (b"RIFF", "a WebP image, or sound or video", _OTHER),
    (b"ID3", "an MP3 file", _OTHER),
    (b"OggS", "an Ogg file", _OTHER),
    (b"%PDF-", "a PDF document", _OTHER),
    (b"%!PS", "a PostScript document", _OTHER),
    (b"\xd0\xcf\x11\xe0", "an old Office document", _OTHER),
    (b"{\\rtf", "an RTF document", _OTHER),
    (b"PAR1", "a Parquet file", _OTHER),
    (b"SQLite format 3\x00", "an SQLite database", _OTHER),
    (b"\x7fELF", "a program", _OTHER),
    (b"MZ\x90\x00", "a Windows program", _OTHER),
    (b"\xcf\xfa\xed\xfe", "a macOS program", _OTHER),
    (b"\xca\xfe\xba\xbe", "a program", _OTHER),
)


def other_format(head: bytes) -> tuple[str, str] | None:
    """What the file that begins so is, and what to give instead; None for what may be text."""
    for signature, name, remedy in _FORMATS:
        if head.startswith(signature):
            return name, remedy
    if head[257:262] == b"ustar":
        return "a tar archive", _ARCHIVE
    return None
