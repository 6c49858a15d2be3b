"""Sizes at which a rule of the operation does not hold."""

from assaygen import refused
from dynamic_sizes.common import ADD

WHY = refused.WHY

LABEL = "evaluate.sizes"


def sized(shape: str, name: str, d: int, size: int) -> str:
    """`name` with a size, as the instruction s_name."""
    return (f"n_{name} = s32[] constant({size}) ; s_{name} = {shape} "
            f"set-dimension-size({name}, n_{name}), dimensions={{{d}}} ; ")


SQUARE = "f32[<=3,3]"
ROWS = [
    ("index vectors of gather lack an index", "s32[4,4] ; s32[2,2]",
     sized("s32[2,<=2]", "p1", 1, 1) +
     "s32[2] gather(p0, s_p1), offset_dims={}, collapsed_slice_dims={0,1}, "
     "start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,1}"),
    ("index vectors of scatter lack an index", "s32[4] ; s32[2,1] ; s32[2]",
     sized("s32[2,<=1]", "p1", 1, 0) +
     "s32[4] scatter(p0, s_p1, p2), update_window_dims={}, inserted_window_dims={0}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add"),
    ("a window larger than its kernel", "s32[1,5,1] ; s32[3,1,1]",
     sized("s32[<=3,1,1]", "p1", 0, 2) +
     "s32[1,3,1] convolution(p0, s_p1), window={size=3}, dim_labels=b0f_0io->b0f"),
    ("groups of features lack a feature", "s32[1,5,4] ; s32[3,2,2]",
     sized("s32[1,5,<=4]", "p0", 2, 3) +
     "s32[1,3,2] convolution(s_p0, p1), window={size=3}, dim_labels=b0f_0io->b0f, "
     "feature_group_count=2"),
    ("groups of the batch lack an image", "s32[2,5,1] ; s32[3,1,2]",
     sized("s32[<=2,5,1]", "p0", 0, 1) +
     "s32[1,3,2] convolution(s_p0, p1), window={size=3}, dim_labels=b0f_0io->b0f, "
     "batch_group_count=2"),
    ("a factor of what is not square", "f32[3,3]",
     sized(SQUARE, "p0", 0, 2) + f"{SQUARE} cholesky(s_p0), lower=true"),
    ("more equations than unknowns", "f32[3,3] ; f32[3,2]",
     sized("f32[3,<=3]", "p0", 1, 2) +
     "f32[3,2] triangular-solve(s_p0, p1), left_side=true, lower=true, unit_diagonal=false, "
     "transpose_a=NO_TRANSPOSE"),
    ("a transform of fewer elements", "f32[3,4]",
     sized("f32[3,<=4]", "p0", 1, 3) + "c64[3,3] fft(s_p0), fft_type=RFFT, fft_length={4}"),
    ("a reshape that leaves two dimensions open", "s32[6]",
     sized("s32[<=6]", "p0", 0, 4) + "s32[2,3] reshape(s_p0)"),
    ("a reshape to rows of which one lacks elements", "s32[6]",
     sized("s32[<=6]", "p0", 0, 4) + "s32[<=2,3] reshape(s_p0)"),
    ("a scalar of no elements", "s32[1]",
     sized("s32[<=1]", "p0", 0, 0) + "s32[] reshape(s_p0)"),
    ("words that lack a byte", "u8[2,4]",
     sized("u8[2,<=4]", "p0", 1, 3) + "k = u8[2,4] copy(s_p0) ; u32[2] bitcast-convert(k)"),
    ("a bitcast that turns a matrix that lacks rows", "s32[2,3]",
     sized("s32[<=2,3]", "p0", 0, 1) + "s32[3,2]{0,1} bitcast(s_p0)"),
    ("a bitcast of a tuple with an array that lacks elements", "s32[4] ; f32[2]",
     sized("s32[<=4]", "p0", 0, 2) + "t = (f32[2], (s32[<=4])) tuple(p1, (s32[<=4]) tuple(s_p0))"
     " ; (u32[2], (u32[<=4])) bitcast(t)"),
]


def cases():
    for statement, shapes, body in ROWS:
        row = (LABEL, statement, shapes, body)
        yield refused.case("dynamic_sizes", row, ADD)
