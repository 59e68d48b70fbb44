"""`python -m coarsest` is the command line."""

import sys

from coarsest.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
