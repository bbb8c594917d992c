"""What all tests share, with and without Django: the research data, patience on busy machines."""

import gc
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The collector looks seldom: a tenth of the processor time.
gc.set_threshold(20_000, 50, 100)

# jsonschema would load the grammars of international addresses, a format that no schema here has: two seconds
# of processor time for each process.
sys.modules.setdefault("rfc3987_syntax", None)

# How long an example takes says more about what else the machine does than about the code.
settings.register_profile(
    "patient", deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("patient")
# For the inner loop: pytest --hypothesis-profile=quick.
settings.register_profile("quick", settings.get_profile("patient"), max_examples=20)

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

# Folders whose files take long: launched installations, a browser, every address for every role.
LONG = tuple(
    Path(__file__).parent / name
    for name in ("browser", "contract", "mutated", "ops", "permissions", "plugins", "upgrade")
)


def pytest_collection_modifyitems(items):
    """The long files first, so that processes side by side end at about the same time."""
    items.sort(key=lambda item: not any(item.path.is_relative_to(folder) for folder in LONG))


def pytest_collection_finish():
    """The collector does not look at what was loaded for all tests."""
    gc.collect()
    gc.freeze()


def pytest_configure(config):
    """Fixtures of the web application, once: those of the session must not be made again in each folder."""
    if config.pluginmanager.hasplugin("django"):
        config.pluginmanager.import_plugin("tests.django_fixtures")


@pytest.fixture
def shared_data():
    """The folder of real data beside the repository; the test is skipped where there is none."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the research data (../shared/data) is not on this machine")
    return SHARED_DATA
