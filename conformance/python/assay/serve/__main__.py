"""python3 -m assay.serve ENGINE:PLATFORM"""

import sys

from assay.serve import worker
from assay.serve.jax_engine import JaxEngine

ENGINES = {"jax": JaxEngine}


def main():
    scheme, colon, rest = (sys.argv[1:] or [""])[0].partition(":")
    if len(sys.argv) != 2 or not colon or scheme not in ENGINES:
        sys.exit(f"usage: python3 -m assay.serve ENGINE:PLATFORM, ENGINE one of {sorted(ENGINES)}")
    worker.serve(ENGINES[scheme](rest))


main()
