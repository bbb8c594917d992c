"""Paraphrase extraction, matching, classification, word alignment and their metrics, without a database.

`import paragold as pg` loads nothing heavy: each name of `__init__.pyi` is imported when it is first used.
"""

import lazy_loader

__version__ = "0.9.0"
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
