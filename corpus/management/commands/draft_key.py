"""`paragold draft-key` as a command of manage.py."""

from corpus.management.file_command import FileCommand


class Command(FileCommand):
    module = "paragold.cli.draft_key"
