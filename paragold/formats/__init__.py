"""Readers and writers of files: pairs, judgements and word links."""
