"""Paraphrase extraction, matching, classification, word alignment and their metrics, without a database."""

__version__ = "0.2.0"
