"""A whole project as one file, and back: every row and every file that belongs to it."""
