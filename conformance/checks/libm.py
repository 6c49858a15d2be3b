"""Checks that the reference takes no unproved number from the C library.

    libm.py LIBRARY...

Lists the functions of the mathematical library that these static libraries
refer to. Each must stand in EXACT, whose results IEEE 754 or the C standard
fixes to the last bit: no implementation has a choice.
"""

import ctypes.util
import re
import subprocess
import sys

BASE = {
    "sqrt": "correctly rounded by IEEE 754",
    "fma": "correctly rounded by IEEE 754, in hardware or in software",
    "fmod": "exact: the remainder of truncated division is a number of the format",
    "remainder": "exact, as fmod",
    "ldexp": "exact, or rounded once where it is subnormal",
    "scalbn": "the same as ldexp",
    "frexp": "exact: it takes a number apart",
    "modf": "exact: it takes a number apart",
    "ilogb": "exact: the exponent",
    "logb": "exact: the exponent",
    "ceil": "exact: an integer",
    "floor": "exact: an integer",
    "trunc": "exact: an integer",
    "round": "exact: an integer, ties away from zero",
    "rint": "exact: an integer, ties to even, as nothing changes the rounding mode",
    "nearbyint": "the same as rint",
    "lrint": "the same as rint",
    "llrint": "the same as rint",
    "copysign": "exact: a sign",
    "fabs": "exact: a sign",
    "nan": "a constant",
    "nextafter": "exact: the next number",
    "fmax": "exact: one of its arguments",
    "fmin": "exact: one of its arguments",
}
EXACT = set(BASE) | {name + "f" for name in BASE}


def names(command: list[str], pattern: str) -> set[str]:
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return set(re.findall(pattern, said, re.M))


def library_path() -> str:
    """The shared library that the linker of this machine takes for libm."""
    said = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True,
                          env={"PATH": "/usr/sbin:/sbin:/usr/bin"}, check=True).stdout
    found = re.search(rf"{re.escape(ctypes.util.find_library('m'))} .*=> (\S+)", said)
    return found.group(1)


def main() -> int:
    defined = names(["nm", "-D", "--defined-only", library_path()],
                    r"^[0-9a-f]+ [A-Za-z] (\w+)")
    bad = 0
    used: set[str] = set()
    for library in sys.argv[1:]:
        missing = names(["nm", "-u", library], r"^ +U (\w+)$")
        used |= missing & defined
    for name in sorted(used - EXACT):
        print(f"{name}: its result may depend on the library")
        bad += 1
    for name in sorted(used & EXACT):
        print(f"{name}: {BASE.get(name) or BASE[name.removesuffix('f')]}")
    print(f"libm: {len(used)} functions, {bad} of them unproved")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
