"""Cases whose operands and results are few enough to be written down: the rows of a page's
special values, with bits that follow from the page.

A row is a name, a statement, the inputs and the instructions (with ` ; ` between them), of
which the last is the root, and the results, likewise: "f32[2] 3f800000 7fc00000".
"""

from __future__ import annotations

from assaygen import arrays, types
from assaygen.arrays import Array
from assaygen.cases import Case, rejected
from assaygen.program import scalar_region
from assaygen.refused import REDUCERS

WHY = {"Row": "a row of the page's special values"}
Row = tuple[str, str, str, str, str]


def regions(*joins: tuple[str, str, str]) -> str:
    """Regions that join two scalars: the name, the type and the operation of each."""
    return "".join(scalar_region(name, t, f"{t}[] {op}(a, b)") + "\n\n"
                   for name, t, op in joins)


SUM_AND_PRODUCT = regions(("sum", "f32", "add"), ("product", "f32", "multiply"))


def array(text: str) -> Array:
    """The array of a literal, with the shape as it stands."""
    shape, *words = text.split()
    name, _, dims = shape.rstrip("]").partition("[")
    codes = []
    for word in words:
        bits, _, count = word.partition("*")
        parts = tuple(int(part, 16) for part in bits.split(":"))
        codes += [parts if len(parts) > 1 else parts[0]] * int(count or 1)
    sizes = tuple(int(size.removeprefix("<=")) for size in dims.split(",") if size)
    return Array(types.BY_NAME[name], sizes, tuple(codes))


def shape(text: str) -> str:
    return text.split()[0]


def program(header: str, regions: str, inputs: list[str], lines: list[str]) -> str:
    """Parameters p0, p1, ..., and the instructions."""
    body = [f"p{k} = {shape(text)} parameter({k})" for k, text in enumerate(inputs)]
    body += [*lines[:-1], f"ROOT r = {lines[-1]}"]
    text = "\n".join("  " + line for line in body)
    return f"HloModule m{header}\n\n{regions}ENTRY main {{\n{text}\n}}\n"


def split(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def leaf(text: str, nan: str) -> dict:
    """The set of a result: its bits, or those between `from` and `to`, of which the first
    is the value; `or NaN` and `or +inf` at the end admit these too."""
    value, _, ends = text.partition(" from ")
    if not ends:
        return {"bits": array(value).text(), "nan": nan}
    low, _, high = ends.removesuffix(" or NaN").removesuffix(" or +inf").partition(" to ")
    head = shape(value)
    found = {"interval": array(value).text(), "low": array(f"{head} {low}").text(),
             "high": array(f"{head} {high}").text()}
    if ends.endswith("+inf"):
        infinite = array(value)
        top = infinite.type.max_finite + 1
        text = arrays.splat(infinite.type, infinite.dims, top).text()
        found["also"] = [{"low": text, "high": text}]
    parts = 2 if head.startswith("c") else 1
    return found | ({"nans": "10"[:parts] * array(value).size} if ends.endswith("NaN") else {})


def case(row: Row, *, header: str = "", regions: str = "", nan: str = "any",
         devices: int = 1) -> Case:
    """A row as a case; of several devices the inputs of each one follow one another."""
    name, statement, inputs, instructions, results = row
    given = split(inputs)
    text = program(header, regions, given[:len(given) // devices], split(instructions))
    expect = (rejected(results) if "[" not in results else
              [leaf(result, nan) for result in split(results)])
    kind = shape(given[0]).partition("[")[0] if given else "none"
    return Case(f"{kind}/{name}", statement, text, expect, ["Row"],
                [array(one) for one in given])


def reduction(row: Row) -> Case:
    """With the reducers of forbidden programs, of which `add` adds f32."""
    return case(row, regions=REDUCERS + "\n\n")
