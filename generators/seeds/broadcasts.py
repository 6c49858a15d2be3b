"""The two documents on broadcasting, which are one text: in f32 and in s32."""

from __future__ import annotations

from assaygen import arrays
from assaygen.programs.regions import leaves, module, shape_of
from assaygen.cases import Case, bits
from broadcasting import rules
from seeds.common import F32, S32, DOCUMENTS, matrix, number, vector
from sequences.elements import code_of
from sequences.steps import Steps

# Name, statement, lhs, rhs, broadcast_dimensions, and the result's numbers.
EXAMPLES = [
    ("what.matrix_and_row", "a vector is added to each row", [[1, 2, 3], [4, 5, 6]], [7, 8, 9],
     (1,), [[8, 10, 12], [11, 13, 15]]),
    ("lower_rank.scalar", "7 is added to each element", [[1, 2, 3], [4, 5, 6]], 7, (),
     [[8, 9, 10], [11, 12, 13]]),
    ("lower_rank.rows", "a vector becomes two rows", [[0, 0, 0], [0, 0, 0]], [7, 8, 9], (1,),
     [[7, 8, 9], [7, 8, 9]]),
    ("lower_rank.columns_of_three", "with dimension 1 every row is the vector",
     [[0] * 3] * 3, [7, 8, 9], (1,), [[7, 8, 9]] * 3),
    ("lower_rank.rows_of_three", "with dimension 0 every column is the vector",
     [[0] * 3] * 3, [7, 8, 9], (0,), [[7] * 3, [8] * 3, [9] * 3]),
    ("composition.vector_and_row", "a vector of 4 and a 1 by 2 matrix give 4 by 2",
     [1, 2, 3, 4], [[5, 6]], (0,), [[6, 7], [7, 8], [8, 9], [9, 10]]),
    ("degenerate.outer", "2 by 1 and 1 by 3 give 2 by 3", [[10], [20]], [[1, 2, 3]], (),
     [[11, 12, 13], [21, 22, 23]]),
]
# The sizes that the text names; the numbers are chosen here.
SIZES = [
    ("lower_rank.cuboid", (2, 3, 4), (3, 4), (1, 2)),
    ("definition.vector_at_3", (2, 3, 4, 5), (5,), (3,)),
    ("definition.vector_at_2", (2, 3, 4, 5), (4,), (2,)),
    ("definition.vector_at_1", (2, 3, 4, 5), (3,), (1,)),
    ("definition.vector_at_0", (2, 3, 4, 5), (2,), (0,)),
    ("definition.matrix_at_2_3", (2, 3, 4, 5), (4, 5), (2, 3)),
    ("definition.matrix_at_1_2", (2, 3, 4, 5), (3, 4), (1, 2)),
    ("definition.matrix_at_0_3", (2, 3, 4, 5), (2, 5), (0, 3)),
    ("degenerate.example_1", (2, 1), (2, 3), ()),
    ("degenerate.example_2", (1, 2, 5), (7, 2, 5), ()),
    ("degenerate.example_3", (7, 2, 5), (7, 1, 5), ()),
    ("composition.larger", (1, 2), (4, 3, 1), (1, 2)),
]


def array(t, numbers):
    if not isinstance(numbers, list):
        return number(t, numbers)
    return matrix(t, *numbers) if isinstance(numbers[0], list) else vector(t, *numbers)


def sum_of(document: str, t, what, statement, x, y, dims, result, why) -> Case:
    main = Steps("main", shape_of(x), shape_of(y))
    main.two("add", rules.built(main, "p0", y.dims, dims), rules.built(main, "p1", x.dims, dims))
    found = leaves(main.run(x, y))
    assert found[0].text() == result.text(), what
    return Case(f"{document}/{what}", statement, module(main), [bits(result)], [why], [x, y])


def cases():
    texts = [name for name in DOCUMENTS if name.endswith("broadcasting")]
    for document, t in zip(texts, (F32, S32)):
        for what, statement, lhs, rhs, dims, numbers in EXAMPLES:
            yield sum_of(document, t, what, statement, array(t, lhs), array(t, rhs), dims,
                         array(t, numbers), "Example")
        for what, lhs, rhs, dims in SIZES:
            x, y = arrays.iota(t, lhs), arrays.iota(t, rhs, 100)
            z = rules.value(t, lambda a, b, t=t: code_of(t, exact(t, a) + exact(t, b)), x, y,
                            dims)
            yield sum_of(document, t, what, f"{list(lhs)} and {list(rhs)} at {list(dims)}",
                         x, y, dims, z, "Stated")


def exact(t, code):
    return t.integer(code) if t.kind == "int" else arrays.decoded(t, code).exact
