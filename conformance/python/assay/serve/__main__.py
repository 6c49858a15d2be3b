"""python3 -m assay.serve ENGINE:PLATFORM"""

import sys

from assay.serve import worker
from assay.serve.engines import engine_of


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: python3 -m assay.serve ENGINE:PLATFORM")
    try:
        engine = engine_of(sys.argv[1])
    except ValueError as error:
        sys.exit(f"assay.serve: {error}")
    worker.serve(engine)


main()
