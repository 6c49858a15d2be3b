#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/model/attribute.h"

/// Meshes and shardings of the sdy dialect, as the text of an attribute has
/// them: what is read here is what manual computations need.
namespace hlo::stablehlo {

/// <["x"=2, "y"=4], device_ids=[...]>: the devices as an array, row-major.
struct Mesh {
  std::vector<std::pair<std::string, int64_t>> axes;  // names and sizes
  Ints devices;  // their ids, by position in the array

  /// For each device, which shard it has of a dimension that is cut along
  /// these axes, the first being the slowest. Error "stablehlo.sharding" for
  /// an axis that the mesh lacks.
  Ints shards(const std::vector<std::string>& along) const;
  /// How many shards there are.
  int64_t count(const std::vector<std::string>& along) const;
  /// The devices that differ in these axes only, in the order of their shards.
  std::vector<Ints> groups(const std::vector<std::string>& along) const;

 private:
  /// The index of the device at `position` along an axis.
  int64_t coordinate(int64_t position, std::string_view axis) const;
};

/// <@mesh, [{"x"}, {}]>: the axes that each dimension is cut along.
struct Sharding {
  std::string mesh;  // without @
  std::vector<std::vector<std::string>> dims;
};

// Errors "stablehlo.sharding" and of the scanner, without the place in the
// program.
Mesh read_mesh(std::string_view text);
/// [<@mesh, [{"x"}]>, ...], with whatever stands before the bracket.
std::vector<Sharding> read_shardings(std::string_view text);
/// {"x", "y"}, with whatever stands before the brace.
std::vector<std::string> read_axes(std::string_view text);

}  // namespace hlo::stablehlo
