"""The files of a data set to publish beside its data: licence, citation, and metadata in Croissant 1.0.

Croissant (Akhtar et al. 2024, "Croissant: A Metadata Format for ML-Ready Datasets") describes files, columns
and their types as JSON-LD; https://docs.mlcommons.org/croissant/docs/croissant-spec.html.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from paragold.formats.pairs.card import Card

LICENCES = (
    *("CC0-1.0", "CC-BY-4.0", "CC-BY-SA-4.0", "CC-BY-NC-4.0", "CC-BY-NC-SA-4.0"),
    *("ODbL-1.0", "ODC-By-1.0"),
)
"""Suggested licences; every other SPDX expression is allowed."""
_PARQUET = "application/x-parquet"
_OWN = "LicenseRef-"
# Names that stand for themselves in the vocabulary of Croissant, as its specification lists them.
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


def publication_files(card: Card, files: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """The text of LICENSE, CITATION.cff and croissant.json, by name.

    `files` has bytes and SHA-256 of each data file, as a manifest has them. The card names licence, authors
    and the types of the columns. Nothing depends on the clock or the machine.
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
    fields = {
        **{"cff-version": "1.2.0", "message": message, "type": "dataset", "title": card.title},
        **{"abstract": card.about, "authors": people, "version": card.version},
        **{"date-released": card.date, "license": licence},
    }
    given = {name: value for name, value in fields.items() if value}
    return "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in given.items())


def _bibtex(card: Card) -> str:
    authors = " and ".join(
        f"{family}, {given}" if given else f"{{{family}}}" for family, given in card.people
    )
    fields = {"author": authors, "title": card.title, "year": card.date[:4], "version": card.version}
    inside = ", ".join(f"{name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@misc{{{re.sub(r'[^a-z0-9]+', '-', card.title.lower()).strip('-') or 'data-set'}, {inside}}}"


def _croissant(card: Card, files: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    meanings = {one: meaning for names, meaning in card.columns.items() for one in names.split(", ")}
    distribution, record_sets = [], []
    for config, by_split in card.parquet.items():
        for split, path in by_split.items():
            size, sha256 = f"{files[path]['bytes']} B", files[path]["sha256"]
            about = {"contentUrl": path, "contentSize": size, "encodingFormat": _PARQUET, "sha256": sha256}
            distribution.append(_node("FileObject", path, path) | about)
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
        **{"inLanguage": card.language, "keywords": card.tags},
        **{"rai:dataLimitations": card.limits, "distribution": distribution, "recordSet": record_sets},
    }
    return {name: value for name, value in described.items() if value}


def _node(kind: str, id: str, name: str) -> dict[str, Any]:
    return {"@type": f"cr:{kind}", "@id": id, "name": name}
