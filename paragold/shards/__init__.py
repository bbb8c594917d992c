"""Extraction from files to files in shards, on one machine or on many (docs/shards.md)."""

import os

# Read when Arrow is imported. Its own allocator keeps what it has had: 65 MB more in a worker.
os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
