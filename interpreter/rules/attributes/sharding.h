#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hlo {

/// How a value is laid over devices, as far as its shape matters.
struct Sharding {
  enum class Kind : uint8_t { kWhole, kTiled, kMesh, kTuple };

  Kind kind = Kind::kWhole;        // kWhole: replicated, maximal, manual, ...
  std::vector<int64_t> tiles;      // kTiled: tiles along each dimension
  std::vector<int64_t> devices;    // kTiled: those that are listed
  int64_t subgroup_dims = 0;       // kTiled: trailing tile dimensions, not data
  int64_t mesh_dims = -1;          // kMesh: dimensions, -1 where not given
  std::vector<Sharding> elements;  // kTuple
};

/// The sharding that the text of the attribute says; nothing where it says
/// none.
std::optional<Sharding> read_sharding(std::string_view text);

}  // namespace hlo
