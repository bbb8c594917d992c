"""What is published beside the data: data card, licence, citation, Croissant metadata and manifest.

The card says in Markdown what a data set is, where it comes from and what it is not; its front matter is what
`datasets.load_dataset` reads, and what a Hub shows. Croissant 1.0 (Akhtar et al. 2024, "Croissant: A Metadata
Format for ML-Ready Datasets") describes files, columns and types as JSON-LD. The manifest has the hash of
each file. Nothing here depends on the clock or the machine: equal content gives equal bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import file_digest, sha256
from pathlib import Path, PurePosixPath
from typing import Any
from unicodedata import bidirectional

NOTHING_STATED = "Not stated."
WHOLE = "train"
"""The name that `datasets` gives the only split of a data set without splits."""
LICENCES = (
    *("CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-4.0"),
    *("ODbL-1.0", "ODC-By-1.0"),
)
"""Suggested licences; every other SPDX expression is allowed."""
_OWN = "LicenseRef-"
_CREATIVE_COMMONS = ("CC-BY", "CC-BY-SA", "CC-BY-ND", "CC-BY-NC", "CC-BY-NC-SA", "CC-BY-NC-ND")
_HUB_LICENCES = {
    **{"ODC-By-1.0": "odc-by", "ODbL-1.0": "odbl", "PDDL-1.0": "pddl", "CC0-1.0": "cc0-1.0"},
    **{f"{name}-4.0": f"{name.lower()}-4.0" for name in _CREATIVE_COMMONS},
    **{name: name.lower() for name in ("CDLA-Permissive-2.0", "CDLA-Sharing-1.0", "MIT", "Apache-2.0")},
}
"""The Hub's names of licences by those of SPDX."""
_SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "n>10M")
"""The Hub's names of ranges of rows: up to 3 digits, 4 digits, ..."""
READING_TSV = """Quotation marks, NA, null and spaces at the ends of a sentence are text: there are no
quoted fields and no missing values. Most readers must be told so. Columns of numbers can be converted
afterwards.

```python
import csv
import pandas
pandas.read_csv(
    "FILE.tsv", sep="\\t", quoting=csv.QUOTE_NONE, dtype=str, keep_default_na=False, lineterminator="\\n"
)

import polars
polars.read_csv("FILE.tsv", separator="\\t", quote_char=None, infer_schema=False).fill_null("")
```"""
FAR_FROM_SHARE = 0.05
"""The card names a split that misses its share by more."""
Files = Mapping[str, Mapping[str, Any]]
"""`bytes` and `sha256` of files by their names, relative paths with `/`."""
Manifest = dict[str, object]


@dataclass(frozen=True, slots=True)
class Card:
    """The description of a data set.

    sections: texts of `section`. licence: an SPDX expression. authors: a line each, `Family name, given
    names` or an organisation. version: such as 2.0.0; date: ISO 8601, of the day it was frozen, or empty.
    parquet: paths of files by configuration and split; types: of their columns, by configuration. tasks,
    tags: as the Hub names them. second_language: that of the second sentences of pairs, "" for the same.
    """

    title: str
    language: str
    about: str
    sections: Sequence[str]
    files: Mapping[str, str]
    columns: Mapping[str, str]
    pairs: int
    licence: str = ""
    limits: str = ""
    authors: str = ""
    contact: str = ""
    version: str = "1.0.0"
    date: str = ""
    parquet: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    types: Mapping[str, Mapping[str, type]] = field(default_factory=dict)
    tasks: Sequence[str] = ()
    tags: Sequence[str] = ("paraphrase",)
    second_language: str = ""

    @property
    def languages(self) -> list[str]:
        """BCP 47, that of the first sentences first."""
        return [self.language, *([self.second_language] if self.second_language else [])]

    @property
    def people(self) -> list[tuple[str, str]]:
        """(family name, given names) of each author; an organisation has no given name."""
        parts = (line.partition(",") for line in self.authors.splitlines() if line.strip())
        return [(family.strip(), given.strip()) for family, _, given in parts]


def whole_split(pairs: int, held_out: int) -> str:
    """The only split of a data set without splits, of which some pairs are for testing only."""
    return WHOLE if not held_out else "test" if held_out == pairs else "all"


def isolated(text: str) -> str:
    """The text between isolates (Unicode bidirectional algorithm) if some of it reads from right to left, so
    that it keeps its own order within a line that reads from left to right; any other text as it is."""
    reads_leftwards = any(bidirectional(character) in ("R", "AL") for character in text)
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}" if reads_leftwards else text


def section(title: str, text: str = "", head: Sequence[str] = (), rows: Iterable[Sequence[str]] = ()) -> str:
    """A heading with a paragraph, a table or both, in Markdown."""
    lines = list(rows)
    parts = [f"## {title}\n", *([f"{text}\n"] if text else [])]
    if lines:
        cells = ([isolated(" ".join(cell.split())).replace("|", "\\|") for cell in line] for line in lines)
        table = [list(head), ["---"] * len(head), *cells]
        parts.append("".join(f"| {' | '.join(line)} |\n" for line in table))
    return "\n".join(parts)


def splits_section(described: Mapping[str, Any]) -> str:
    """`described` is as `splits.described` has it."""
    sizes, largest = described["splits"], described["largest_group"]
    text = (
        "Pairs of one cluster and pairs that share a sentence are in one split. The largest group of "
        f"connected pairs has {largest['pairs']:,} pairs ({100 * largest['share']:.1f} %)."
    )
    if any(abs(one["reached"] - one["asked"]) > FAR_FROM_SHARE for one in sizes.values()):
        text += " Groups are not divided, so the requested shares are not reached."
    rows = [
        (
            *(name, f"{100 * size['asked']:.1f} %", f"{100 * size['reached']:.1f} %"),
            *(f"{size['clusters']:,}", f"{size['pairs']:,}"),
        )
        for name, size in sizes.items()
    ]
    return section("Splits", text, ("split", "asked", "reached", "clusters", "pairs"), rows)


def held_out_section(described: Mapping[str, Any], pairs: int) -> str:
    """Where the pairs of held-out clusters are: `described` has their number as `pairs`, their `clusters` and
    the `split` that holds them, None without splits; `pairs` is the number of all pairs."""
    number, clusters = described["pairs"], len(described["clusters"])
    text = "No pair is of a held-out cluster, which are kept for testing."
    if number:
        text = f"{number:,} of {pairs:,} pairs are of {clusters:,} held-out clusters, kept for testing. " + (
            "All of them are in the test split, and in no other."
            if described["split"]
            else "Use them for testing only, never for training; manifest.json lists these clusters."
        )
    return section("Held-out clusters", text)


def data_card(card: Card) -> str:
    """The card's text."""
    sections = [
        *card.sections,
        section("Files", head=("file", "what"), rows=card.files.items()),
        section("Columns", head=("column", "meaning"), rows=card.columns.items()),
    ]
    if card.parquet:
        code = "".join(f'load_dataset("FOLDER", "{name}")\n' for name in card.parquet)
        where = "FOLDER is the folder of this file, or the name of the data set on a Hub."
        text = f"{where}\n\n```python\nfrom datasets import load_dataset\n\n{code}```"
        sections.append(section("Loading", text))
    if any(name.endswith(".tsv") for name in card.files):
        sections.append(section("Reading the TSV files", READING_TSV))
    sections.append(section("Licence", card.licence or NOTHING_STATED))
    sections.append(section("Known limits", card.limits.strip() or NOTHING_STATED))
    authors = "; ".join(isolated(", ".join(filter(None, person))) for person in card.people)
    for title, text in (("Authors", authors), ("Contact", card.contact.strip())):
        sections += [section(title, text)] if text else []
    return "\n".join([_front(card), f"# {isolated(card.title)}\n", f"{card.about}\n", *sections])


def _front(card: Card) -> str:
    """YAML, whose values are JSON."""
    licence: dict[str, Any] = {"license": _HUB_LICENCES.get(card.licence, "")}
    if card.licence and card.licence not in _HUB_LICENCES:
        link = "LICENSE" if "LICENSE" in card.files else ""
        licence = {"license": "other", "license_name": card.licence, "license_link": link}
    about: dict[str, Any] = {
        "pretty_name": card.title,
        "language": [tag.split("-")[0].lower() for tag in card.languages],
        **licence,
        "size_categories": [_SIZES[min(max(0, len(str(card.pairs)) - 3), len(_SIZES) - 1)]],
        "task_categories": card.tasks,
        "tags": card.tags,
    }
    lines = ["---\n", _yaml(about), *(["configs:\n"] if card.parquet else [])]
    first = "  default: true\n"
    for name, files in card.parquet.items():
        lines.append(f"- config_name: {name}\n{first}  data_files:\n")
        first = ""
        lines += [f"  - split: {split}\n    path: {json.dumps(path)}\n" for split, path in files.items()]
    return "".join([*lines, "---\n"])


def _yaml(fields: Mapping[str, Any]) -> str:
    """The fields that have a value."""
    given = ((name, json.dumps(value, ensure_ascii=False)) for name, value in fields.items() if value)
    return "".join(f"{name}: {value}\n" for name, value in given)


# Licence and citation.


def canonical_licence(text: str) -> str:
    """An SPDX licence expression in its canonical form, "" for nothing.

    Raises ValueError for what is none. Terms of one's own are `LicenseRef-NAME`.
    """
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    try:
        return canonicalize_license_expression(text.strip()) if text.strip() else ""
    except InvalidLicenseExpression:
        raise ValueError(
            f"{text.strip()[:80]!r} is not an SPDX licence. Write an identifier such as "
            f"{', '.join(LICENCES[:3])} (spdx.org/licenses), or {_OWN}NAME for terms of your own."
        ) from None


def publication_files(card: Card, files: Files) -> dict[str, str]:
    """The text of LICENSE, CITATION.cff and croissant.json, by name; `files` are those of the data.

    The card names licence, authors and the types of the columns.
    """
    return {
        "LICENSE": _licence(card),
        "CITATION.cff": _citation(card),
        "croissant.json": json.dumps(_croissant(card, files), ensure_ascii=False, indent=2) + "\n",
    }


def _licence_addresses(licence: str) -> list[str]:
    """The address of each licence in an expression; none for terms of one's own."""
    names = (name.rstrip("+") for name in re.findall(r"[\w.+-]+", licence))
    known = (name for name in names if name not in ("AND", "OR", "WITH") and not name.startswith(_OWN))
    return [f"https://spdx.org/licenses/{name}.html" for name in known]


def _licence(card: Card) -> str:
    lines = [f"SPDX-License-Identifier: {card.licence}\n", f"{card.title} is published under {card.licence}."]
    lines += [f"Full text: {address}" for address in _licence_addresses(card.licence)]
    if _OWN in card.licence:
        lines.append("README.md describes the terms that SPDX does not list.")
    return "\n".join([*lines, ""])


def _citation(card: Card) -> str:
    """Citation File Format 1.2.0 (https://citation-file-format.github.io); JSON is YAML too."""
    people = [
        {"family-names": family, "given-names": given} if given else {"name": family}
        for family, given in card.people
    ]
    # The format takes no expressions and no terms of one's own.
    licence = card.licence if re.fullmatch(r"(?!LicenseRef)[\w.-]+", card.licence) else ""
    message = "If you use this data set, please cite it as below."
    return _yaml(
        {
            **{"cff-version": "1.2.0", "message": message, "type": "dataset", "title": card.title},
            **{"abstract": card.about, "authors": people, "version": card.version},
            **{"date-released": card.date, "license": licence},
        }
    )


def _bibtex(card: Card) -> str:
    authors = " and ".join(
        f"{family}, {given}" if given else f"{{{family}}}" for family, given in card.people
    )
    fields = {"author": authors, "title": card.title, "year": card.date[:4], "version": card.version}
    inside = ", ".join(f"{name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@misc{{{re.sub(r'[^a-z0-9]+', '-', card.title.lower()).strip('-') or 'data-set'}, {inside}}}"


# Croissant: https://docs.mlcommons.org/croissant/docs/croissant-spec.html. The names that stand for
# themselves in its vocabulary, as the specification lists them.
_TERMS = (
    "citeAs column equivalentProperty extract field fileObject fileProperty fileSet format includes "
    "isLiveDataset jsonPath key md5 parentField path recordSet references regex repeated replace "
    "samplingRate separator source subField transform"
)
_CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    **{term: f"cr:{term}" for term in _TERMS.split()},
}
_TYPES: Mapping[type, str] = {str: "sc:Text", int: "sc:Integer", bool: "sc:Boolean"}


def _croissant(card: Card, files: Files) -> dict[str, Any]:
    meanings = {one: meaning for names, meaning in card.columns.items() for one in names.split(", ")}
    distribution, record_sets = [], []
    for config, by_split in card.parquet.items():
        for split, path in by_split.items():
            size, digest = f"{files[path]['bytes']} B", files[path]["sha256"]
            about = {"contentUrl": path, "contentSize": size, "encodingFormat": "application/x-parquet"}
            distribution.append(_node("FileObject", path, path) | about | {"sha256": digest})
            name = f"{config}/{split}" if len(by_split) > 1 else config
            fields = [
                _node("Field", f"{name}/{column}", column)
                | {"description": meanings.get(column, column), "dataType": _TYPES[kind]}
                | {"source": {"fileObject": {"@id": path}, "extract": {"column": column}}}
                for column, kind in card.types[config].items()
            ]
            record_sets.append(_node("RecordSet", name, name) | {"field": fields})
    creators = [
        {"@type": "sc:Person" if given else "sc:Organization", "name": f"{given} {family}".strip()}
        for family, given in card.people
    ]
    licences = [card.licence] if _OWN in card.licence else _licence_addresses(card.licence)
    described = {
        **{"@context": _CONTEXT, "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.0"},
        **{"name": card.title, "description": card.about, "creator": creators, "citeAs": _bibtex(card)},
        **{"license": licences, "datePublished": card.date, "version": card.version},
        **{"inLanguage": card.languages if card.second_language else card.language, "keywords": card.tags},
        **{"rai:dataLimitations": card.limits, "distribution": distribution, "recordSet": record_sets},
    }
    return {name: value for name, value in described.items() if value}


def _node(kind: str, id: str, name: str) -> dict[str, Any]:
    return {"@type": f"cr:{kind}", "@id": id, "name": name}


# The manifest.


def build_manifest(
    files: Files,
    *,
    counts: Mapping[str, int],
    signatures: Mapping[str, str],
    details: Mapping[str, object] | None = None,
) -> Manifest:
    """The manifest of files.

    `counts` are numbers such as pairs or judgements, `signatures` name method, version, parameters and
    seed of each step, `details` is any further JSON (criteria, agreement, pseudonyms).
    Raises ValueError for a name that is empty, absolute, or leaves the data set's folder.
    """
    check_names(files)
    return {
        **{"manifest_version": 1, "files": dict(files), "counts": dict(counts)},
        **{"signatures": dict(signatures), "details": dict(details or {})},
    }


def check_names(names: Iterable[str]) -> None:
    """Raises ValueError for a name that is empty, absolute, or leaves the data set's folder."""
    for name in names:
        path = PurePosixPath(name)
        if not name or path.is_absolute() or ".." in path.parts or "\\" in name:
            raise ValueError(f"{name!r} is not a path inside the data set")


def manifest_text(manifest: Manifest) -> str:
    """The manifest as JSON: keys sorted, two spaces of indent, a line feed at the end.

    Raises ValueError for a number that JSON does not know (NaN, infinity).
    """
    return json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False) + "\n"


def verify(manifest: Mapping[str, object], folder: Path) -> list[str]:
    """The differences between the files in `folder` and the manifest, one sentence each.

    Raises ValueError when the manifest has no table of files.
    """
    files = manifest.get("files")
    if not isinstance(files, dict):
        raise ValueError("the manifest has no table of files")
    problems = []
    for name, expected in sorted(files.items()):
        if not isinstance(expected, dict) or not isinstance(expected.get("sha256"), str):
            problems.append(f"{name} has no sha256 in the manifest.")
        elif not (folder / name).is_file():
            problems.append(f"{name} is missing.")
        elif sha256_of(folder / name) != expected["sha256"]:
            problems.append(f"{name} was changed: its sha256 is not that of the manifest.")
    return problems


def described_file(path: Path) -> dict[str, Any]:
    """Bytes and SHA-256 of a file, for a manifest."""
    return {"bytes": path.stat().st_size, "sha256": sha256_of(path)}


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file of any size, in hexadecimal digits."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def described_content(content: bytes) -> dict[str, Any]:
    """Bytes and SHA-256 of a file's content, for a manifest."""
    return {"bytes": len(content), "sha256": sha256(content).hexdigest()}
