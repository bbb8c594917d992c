from config.formats import *  # noqa: F403 - Django looks for the formats of a language here
