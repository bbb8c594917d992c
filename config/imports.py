"""All kinds of files that are imported; a new one is declared in its app's `imports.py`."""

from alignment.imports import LINKS
from annotation.imports import JUDGEMENTS
from corpus.imports import ARTICLES
from corpus.services.importing import ImportKind

IMPORTS: dict[str, ImportKind] = {kind.id: kind for kind in (ARTICLES, JUDGEMENTS, LINKS)}
