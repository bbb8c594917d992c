"""Extraction from files to files in shards, on one machine or on many (docs/shards.md)."""
