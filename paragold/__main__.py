"""`python -m paragold`."""

import sys

from paragold.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
