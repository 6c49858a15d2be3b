"""Classes of layouts (spec/layout.md): what covering cases choose from."""

from __future__ import annotations

from collections.abc import Callable

from assaygen.types import Type

Dims = tuple[int, ...]


def order(rank: int, permuted: bool = False) -> tuple[int, ...]:
    """minor_to_major: row-major; or another one, of which odd and even ranks have
    different kinds: column-major, and the last dimension but one counting fastest."""
    default = tuple(range(rank - 1, -1, -1))
    if not permuted:
        return default
    return default[::-1] if rank % 2 == 0 else (*default[1:], default[0])


def laid(rank: int, suffix: str, permuted: bool = False) -> str:
    """{1,0:T(8,128)}."""
    numbers = ",".join(map(str, order(rank, permuted)))
    return "{" + numbers + (":" + suffix if suffix else "") + "}"


def permuted(_: Type, dims: Dims) -> str | None:
    return laid(len(dims), "", True) if len(dims) > 1 else None


def tiled(tiles: str, least: int = 2, bits: int = 0, most: int = 64,
          is_permuted: bool = False) -> Callable:
    """Arrays of at least so many dimensions; of types of `bits` only, if given."""
    def layout(t: Type, dims: Dims) -> str | None:
        if not least <= len(dims) <= most or bits not in (0, t.bits):
            return None
        return laid(len(dims), tiles, is_permuted)
    return layout


def combining(_: Type, dims: Dims) -> str | None:
    """Two dimensions are one: the two most minor ones, or those in front of the last one."""
    rank = len(dims)
    if rank < 2:
        return None
    return laid(rank, "T(2,*,128)" if rank == 2 else "T(*,8,128)" if rank % 2 else "T(8,*,128)")


def nested(_: Type, dims: Dims) -> str | None:
    """Tiles of tiles of tiles; the innermost are cut, so that there is padding in each."""
    if not dims:
        return None
    return laid(len(dims), "T(32)(4,1)(3)" if len(dims) == 1 else "T(8,128)(4,1)(2,3)")


def is_packed(t: Type) -> bool:
    return t.bits < 8 and t.kind in ("int", "float")


def packed(t: Type, dims: Dims) -> str | None:
    """Without padding between elements: two of 4 bits in a byte."""
    return laid(len(dims), f"E({t.bits})") if is_packed(t) else None


def packed_tiled(t: Type, dims: Dims) -> str | None:
    """Elements of one column lie side by side, as many as 32 bits hold."""
    if not is_packed(t) or len(dims) < 2:
        return None
    return laid(len(dims), f"T(8,128)({32 // t.bits},1)E({t.bits})", len(dims) % 2 == 1)


# (type, dimensions) -> the layout's text behind a shape, "" for none; None where the
# class makes no sense.
LAYOUTS: dict[str, Callable[[Type, Dims], str | None]] = {
    "default": lambda t, dims: "",
    "permuted": permuted,
    "t8_128": tiled("T(8,128)"),
    "t8_128_2_1": tiled("T(8,128)(2,1)", bits=16),
    "t8_128_4_1": tiled("T(8,128)(4,1)", bits=8),
    "t4_128": tiled("T(4,128)"),
    "t2_128": tiled("T(2,128)"),
    "t128": tiled("T(128)", least=0, most=1),
    "combining": combining,
    "nested": nested,
    "packed": packed,
    "packed_tiled": packed_tiled,
    "permuted_tiled": tiled("T(8,128)", is_permuted=True),
    "tail": tiled("T(2,4)L(48)"),
}


def fitting(t: Type, shapes: list[Dims], *names: str) -> list[Dims]:
    """The shapes that all the named classes of layouts have a text for."""
    return [dims for dims in shapes
            if all(LAYOUTS[name](t, dims) is not None for name in names)]
