"""Runs the tests of the Python package. Arguments: the shared
library, the program.

A Python without NumPy or pytest skips them with one line and exit code 77.
"""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


def main() -> int:
    try:
        import numpy  # noqa: F401
        import pytest
    except ImportError as error:
        print(f"python: skipped, {error}")
        return 77
    os.environ["ASSAY_LIBRARY"] = str(pathlib.Path(sys.argv[1]).resolve())
    os.environ["ASSAY_PROGRAM"] = str(pathlib.Path(sys.argv[2]).resolve())
    os.environ["PYTHONPATH"] = str(HERE.parent)
    sys.path[:0] = [str(HERE.parent)]
    sys.dont_write_bytecode = True
    return int(pytest.main([str(HERE), "-q", "-rs", "-p", "no:cacheprovider"]))


if __name__ == "__main__":
    sys.exit(main())
