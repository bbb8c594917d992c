"""The settings of an installation whose workers may ask the loopback, without a pause: for tests alone."""

from config.settings import *  # noqa: F403 - all of them

FETCHING = True
FETCH_CONTACT = "mailto:tests@paragold.example"
FETCH_DELAY_SECONDS = 0.0
FETCH_LOOPBACK_FOR_TESTS = True
