"""`python -m tests.factories.news_pages FOLDER` saves twelve pages, to try an import with."""

from __future__ import annotations

import sys
from pathlib import Path

from .pages import saved_pages

if len(sys.argv) != 2:
    sys.exit("usage: python -m tests.factories.news_pages FOLDER")
for name, html in saved_pages().items():
    path = Path(sys.argv[1]) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(html, encoding="utf-8")
