class LauncherError(Exception):
    """What stands in the way, in one clear line that says what to do."""
