"""The plug-ins that are installed: what other distributions add to Paragold (docs/plugins.md)."""

from __future__ import annotations

from typing import Any

from paragold.registry import Plugin, Registry


def registries() -> tuple[Registry[Any], ...]:
    """Every registry that reads entry points. Their modules are imported by this."""
    from paragold.aligners.registry import ALIGNERS
    from paragold.classification.pair_scorers import PAIR_SCORERS
    from paragold.extraction.criteria import EXTRACTION_METHODS
    from paragold.formats.judgement_files import JUDGEMENT_FORMATS
    from paragold.formats.link_files import LINK_FORMATS
    from paragold.formats.pair_files import PAIR_FORMATS
    from paragold.languages import LANGUAGES
    from paragold.sources.article_sources import ARTICLE_SOURCES
    from paragold.text.segmenters import SEGMENTERS

    return (
        *(ALIGNERS, PAIR_SCORERS, EXTRACTION_METHODS, SEGMENTERS, LANGUAGES),
        *(ARTICLE_SOURCES, LINK_FORMATS, PAIR_FORMATS, JUDGEMENT_FORMATS),
    )


def installed_plugins() -> list[Plugin]:
    """Every entry point of another distribution, also those that cannot be used, by distribution."""
    plugins = [plugin for registry in registries() for plugin in registry.plugins()]
    return sorted(plugins, key=lambda one: (one.distribution, one.version, one.group, one.name))
