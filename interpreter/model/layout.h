#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/model/element_type.h"

namespace hlo {

/// One level of tiling, most major tile dimension first (spec/layout.md).
struct Tile {
  /// `*`: this dimension is combined with the next more minor one.
  static constexpr int64_t kCombine = INT64_MIN;

  std::vector<int64_t> dims;
  friend bool operator==(const Tile&, const Tile&) = default;
};

/// Where a dimension is split between memories: SC(dimension:indices).
struct SplitConfig {
  int64_t dimension = 0;
  std::vector<int64_t> indices;
  friend bool operator==(const SplitConfig&, const SplitConfig&) = default;
};

/// How the elements of an array lie in memory (spec/layout.md).
struct Layout {
  std::vector<int64_t> minor_to_major;  // a permutation; the first is fastest
  std::vector<Tile> tiles;
  int64_t element_size_in_bits = 0;  // 0: the natural width
  int64_t memory_space = 0;
  int64_t tail_padding_alignment_in_elements = 1;
  int64_t dynamic_shape_metadata_prefix_bytes = 0;
  std::vector<SplitConfig> split_configs;
  // Left over from sparse arrays: read, kept and printed, refused for arrays.
  std::string dim_level_types;                        // "D(C,S)" -> "C,S"
  std::optional<ElementType> index_primitive_type;    // #(u32)
  std::optional<ElementType> pointer_primitive_type;  // *(u32)
  std::string physical_shape;                         // "P(f32[4])" -> "f32[4]"

  // Defined in the .cc: in each file that uses them they would be compiled
  // anew.
  Layout();
  Layout(const Layout& other);
  Layout(Layout&& other) noexcept;
  Layout& operator=(const Layout& other);
  Layout& operator=(Layout&& other) noexcept;
  ~Layout();
  friend bool operator==(const Layout& a, const Layout& b);
};

/// Row-major order without tiles for arrays of `rank` dimensions.
Layout default_layout(int64_t rank);

}  // namespace hlo
