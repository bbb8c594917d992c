"""The settings of a release whose migration changes data and then fails."""

from config.settings import *  # noqa: F403 - all of them, with another app
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.upgrade.failing_release"]
