"""The declarations of the export operations."""

from __future__ import annotations

from typing import Literal, Self

from django.utils.translation import gettext as _
from pydantic import field_validator, model_validator

from paragold.formats.pair_files import PAIR_FORMATS
from paragold.formats.publishing import LICENCES, canonical_licence
from paragold.formats.splits import Shares, parse_shares
from paragold.spec import Spec, SpecError, param, seed_param

from .services.gold_files import formats
from .services.gold_links import STRENGTHS


class CardSpec(Spec):
    """Splits, whether the files are to be published, and licence and limits for the data card."""

    publish: bool = param(
        False,
        "Ready to publish",
        "Adds LICENSE, CITATION.cff and Croissant metadata. Needs Parquet, a licence, and authors in the "
        "project's settings.",
    )
    splits: str = param(
        "",
        "Splits",
        "Shares for train, dev and test, such as 80/10/10. Pairs of one cluster, and pairs that share a "
        "sentence, stay in one split. Held-out clusters are in test only. Empty: no splits.",
    )
    seed: int = seed_param("Determines which pairs are in which split.")
    licence: str = param(
        "",
        "Licence",
        f"SPDX identifier, such as {', '.join(LICENCES[:3])}. Empty: that of the project's settings.",
        max_length=200,
    )
    limits: str = param("", "Known limits", "Printed in the data card.", max_length=5_000)

    @field_validator("splits")
    @classmethod
    def check_splits(cls, splits: str) -> str:
        try:
            parse_shares(splits)
        except ValueError as error:
            raise ValueError(f"Splits {splits}: {error}") from error
        return splits

    @field_validator("licence")
    @classmethod
    def check_licence(cls, licence: str) -> str:
        return canonical_licence(licence)

    def check_parquet(self, written: bool, name: str) -> None:
        """Raises SpecError for a data set to publish of which no Parquet is written."""
        if self.publish and not written:
            raise SpecError([(name, _("A data set to publish needs Parquet. Choose it, or do not publish."))])

    @property
    def shares(self) -> Shares | None:
        """The shares of the splits that the pairs are dealt to, None for a single one."""
        return parse_shares(self.splits)


class DatasetExportSpec(CardSpec):
    """How the pairs of a dataset are written out."""

    formats: frozenset[str] = param(
        # Without the formats of plug-ins, which have to be chosen.
        frozenset(id for id in PAIR_FORMATS.ids() if PAIR_FORMATS.plugin(id) is None),
        "Formats",
        choices=dict(PAIR_FORMATS.choices()),
    )

    @model_validator(mode="after")
    def check_formats(self) -> Self:
        if not self.formats:
            raise SpecError(
                [
                    (
                        "formats",
                        _("Choose among the formats %(choices)s.")
                        % {"choices": ", ".join(PAIR_FORMATS.ids())},
                    )
                ]
            )
        self.check_parquet("parquet" in self.formats, "formats")
        return self

    @property
    def format_ids(self) -> list[str]:
        """The formats in the order of the registry."""
        return [name for name in PAIR_FORMATS.ids() if name in self.formats]


class GoldExportSpec(CardSpec):
    """How gold is written out; with splits there is a folder of files for train, dev and test."""

    format: str = param("all", "Format", choices=formats())
    approved_only: bool = param(
        False,
        "Approved pairs only",
        "Leaves out pairs on which annotators disagree and no adjudicator decided.",
    )
    strengths: Literal["as_drawn", "all_sure"] = param("as_drawn", "Links", choices=STRENGTHS)

    @model_validator(mode="after")
    def check_format(self) -> Self:
        self.check_parquet(self.format in ("all", "parquet"), "format")
        return self
