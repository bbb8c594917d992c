"""Settings for the tests: a throw-away data folder and secret; DATABASE_URL and REDIS_URL are honoured.

Processes that test side by side (pytest -n 2) have a data folder, a database and a queue each.
"""

import os
import tempfile
from pathlib import Path

_process = os.environ.get("PYTEST_XDIST_WORKER", "")
_var = Path(os.environ.get("PARAGOLD_TEST_VAR") or tempfile.mkdtemp(prefix="paragold-test-")) / _process
os.environ["PARAGOLD_VAR"] = str(_var)
os.environ.setdefault("PARAGOLD_SECRET_KEY", "tests-only-" + "x" * 50)
if _process and os.environ.get("REDIS_URL"):
    os.environ["REDIS_URL"] = f"{os.environ['REDIS_URL'].rsplit('/', 1)[0]}/{_process.removeprefix('gw')}"
for folder in ("uploads", "exports", "static"):
    (_var / folder).mkdir(parents=True, exist_ok=True)

from config.settings import *  # noqa: E402, F403 - the environment must be set first
from config.settings import DATABASES, STORAGES  # noqa: E402 - as above

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Tests send more requests in a minute than people do; those about limits set them.
ACCOUNT_REQUESTS = ADDRESS_REQUESTS = 0
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, not memory: live-server and worker tests reach it from other threads and processes.
    DATABASES["default"]["TEST"] = {"NAME": str(_var / "test.sqlite3")}
