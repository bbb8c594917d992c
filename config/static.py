"""Static files with the hash of their content in their names; the modules of a page joined into one file."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.contrib.staticfiles.apps import StaticFilesConfig
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

_COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/)[\s\S])*\*/[ \t]*|//.*)\n|/\*\* @.*?\*/ ?", re.MULTILINE)
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class)|const) (\w+)", re.MULTILINE)
_FOREIGN = re.compile(r"^.*(?:^(?:import|export|await)\b|\bimport[(.]).*$", re.MULTILINE)


def pages_modules(modules: Mapping[str, str]) -> dict[str, str]:
    """The modules that no other one imports, each joined with all that it imports; by name, without comments.

    A joined module does what the browser would do with the modules one by one: each runs once, in a
    function of its own, after those it imports. Raises ValueError for a module that is written in a way
    that this does not cover.
    """
    sources = {name: _COMMENT.sub("", text) for name, text in modules.items()}
    imported = {name: _imports(name, text) for name, text in sources.items()}
    pages = modules.keys() - {name for names in imported.values() for name in names}
    return {page: _joined(_order(page, imported), sources) for page in sorted(pages)}


def _imports(name: str, text: str) -> list[str]:
    return [_path(name, path) for _, path in _IMPORT.findall(text)]


def _path(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _order(page: str, imported: Mapping[str, list[str]]) -> list[str]:
    """The page's module and all that it needs, each after those it imports."""
    order: list[str] = []

    def visit(name: str, above: tuple[str, ...] = ()) -> None:
        if name in above:
            raise ValueError(f"{name} imports itself by way of {above[-1]}.")
        if name not in order:
            for imported_name in imported[name]:
                visit(imported_name, (*above, name))
            order.append(name)

    visit(page)
    return order


def _joined(names: list[str], sources: Mapping[str, str]) -> str:
    places = {name: f"m{number}" for number, name in enumerate(names)}
    parts = []
    for name in names:
        text = sources[name]
        exported = ", ".join(match[1] for match in _EXPORT.findall(text))
        text = _IMPORT.sub(_taken(name, places), _EXPORT.sub(r"\1 \2", text))
        foreign = _FOREIGN.search(text)
        if foreign or any(line.count("`") % 2 for line in text.splitlines()):
            what = f"`{foreign.group()}`" if foreign else "a template over several lines"
            raise ValueError(f"{name} cannot be joined with the modules it imports: {what}.")
        parts.append(f"const {places[name]} = (() => {{\n{text}return {{ {exported} }};\n}})();\n")
    return "".join(parts)


def _taken(name: str, places: Mapping[str, str]) -> Callable[[re.Match[str]], str]:
    """Writes an import as what is taken from the module that has run before."""

    def write(match: re.Match[str]) -> str:
        names = " ".join(match[1].split()).replace(" as ", ": ")
        return f"const {{ {names} }} = {places[_path(name, match[2])]};\n"

    return write


class ModuleManifestStorage(CompressedManifestStaticFilesStorage):
    """The modules under js/ that pages name are served joined; while debugging, one by one.

    Those that only other modules import get no name with a hash: nobody asks for them.
    """

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        modules = {}
        for name, (storage, path) in paths.items():
            if name.startswith("js/") and name.endswith(".js"):
                with storage.open(path) as file:
                    modules[name] = file.read().decode()
        joined, pages = InMemoryStorage(), pages_modules(modules)
        for name in modules:
            del paths[name]
        for name, text in pages.items():
            paths[name] = (joined, joined.save(name, ContentFile(text.encode())))
        yield from super().post_process(paths, *args, **options)


class StaticFiles(StaticFilesConfig):
    # Not used: htmx's extensions, of which one names a module in a comment that does not exist; its next
    # version; what the pages of Django REST framework show.
    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "ext", "htm*x-4*", "rest_framework"]
