from pathlib import Path

import pytest

from scripts.gate import (
    NOT_FAST,
    ON_BOTH,
    ON_POSTGRESQL,
    SAFETY,
    SAFETY_OF_THE_LIBRARY,
    TESTS_ON_POSTGRESQL,
)

REPOSITORY = Path(__file__).resolve().parents[2]
IGNORED = [option.removeprefix("--ignore=") for option in NOT_FAST if option.startswith("--ignore=")]


@pytest.mark.parametrize(
    "path",
    [*ON_POSTGRESQL, *TESTS_ON_POSTGRESQL, *ON_BOTH, *SAFETY, *SAFETY_OF_THE_LIBRARY, *IGNORED],
)
def test_the_tests_that_the_gate_names_are_there(path):
    assert (REPOSITORY / path.partition("::")[0]).exists()
