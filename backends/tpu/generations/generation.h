#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/model/element_type.h"
#include "interpreter/model/layout.h"

namespace hlo::tpu {

using Tiles = std::vector<Tile>;

/// The tiles of arrays whose slots have so many bits.
struct TilesOfWidth {
  int64_t bits = 0;
  Tiles scalar;                 // of no dimension
  Tiles row;                    // of one
  std::vector<Tiles> matrices;  // of two and more, the largest first
};

/// What a generation of the machine is: a file of this folder (README.md).
struct Generation {
  std::string name;
  int64_t least_bytes = 0;          // that an array takes
  int64_t matrix_size = 0;          // rows and columns of the matrix unit
  int64_t bytes_of_cycle = 0;       // that memory moves
  std::vector<TilesOfWidth> tiles;  // the widest slots first

  /// The narrowest slots that hold the type, or the widest there are, of which
  /// longer types take two and more.
  const TilesOfWidth& tiles_of(ElementType type) const;
};

/// The data as a generation. std::logic_error where the text is none, or its
/// sizes contradict each other: they are part of the program.
Generation parse_generation(std::string_view name, std::string_view text);

/// All generations, that of `tpu:` without an option first.
const std::vector<Generation>& generations();

}  // namespace hlo::tpu
