"""A whole installation as one file, and back: the database as it was at one moment, and its files."""
