"""`python -m rmlir`: the program `rmlir`."""

import sys

from rmlir._programs import rmlir

if __name__ == "__main__":
    sys.exit(rmlir())
