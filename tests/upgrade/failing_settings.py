"""The settings of a release whose migration changes data and then fails."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.upgrade.failing_release"]
