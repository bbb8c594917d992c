"""Limits of importers. Larger input is refused with an error that names the limit; nothing is cut."""

# On one line or gathered from several. Records take up to 30 times as much memory as their line.
CLUSTER_BYTES = 4 * 1024 * 1024
SENTENCE_TOKENS = 10_000
SENTENCE_CHARACTERS = 100_000
TOKEN_CHARACTERS = 2_000
# Of the spans and of the relations of one pair: what few bytes may ask for by marking whole sentences.
MARKED_WORDS = 100_000
LINKS_OF_PAIR = 100_000
KEY_CHARACTERS = 200
SOURCE_CHARACTERS = 200
URL_CHARACTERS = 2_000
PUBLISHED_CHARACTERS = 40
TITLE_CHARACTERS = 1_000
JSON_DEPTH = 64
INTEGER_DIGITS = 18

# Of what gzip or Zstandard packed. The process that parses uploads sets it lower.
UNPACKED_BYTES = 1 << 60

# How many problems and notes are reported for one file.
PROBLEMS = 100
NOTES_OF_A_KIND = 20
