"""Paraphrase extraction, matching, classification, word alignment and their metrics, without a database."""

__version__ = "0.1.0"
