"""What a reader or a writer says when a file cannot be used as it is."""


class FormatError(ValueError):
    """A file, or a record on its way into one, that breaks its format.

    `file` is the name to show, `line` counts from 1 (0 means the whole file), `message` says what is
    wrong and `remedy` what to do about it.
    """

    def __init__(self, file: str, line: int, message: str, remedy: str) -> None:
        self.file = file
        self.line = line
        self.message = message
        self.remedy = remedy
        where = f"{file}, line {line}" if line else file
        super().__init__(f"{where}: {message} {remedy}")
