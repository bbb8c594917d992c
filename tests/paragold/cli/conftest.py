from dataclasses import dataclass

import pytest

from paragold.cli.main import main


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


@pytest.fixture
def paragold(capsys):
    """Runs a command with these arguments."""

    def run(*arguments):
        try:
            status = main([*map(str, arguments)])
        except SystemExit as ended:
            status = int(ended.code or 0)
        printed = capsys.readouterr()
        return Done(status, printed.out, printed.err)

    return run


@pytest.fixture
def printed(paragold):
    """What a command prints that does what these arguments ask."""

    def run(*arguments):
        done = paragold(*arguments)
        assert done.status == 0, done.err
        return done.out

    return run


@pytest.fixture
def refused(paragold):
    """The message of a command that does not do what these arguments ask."""

    def run(*arguments):
        done = paragold(*arguments)
        assert done.status
        return done.err

    return run
