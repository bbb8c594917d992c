"""Commands that work from file to file."""
