"""Paraphrase extraction, matching, classification, word alignment and their metrics, without a database."""
