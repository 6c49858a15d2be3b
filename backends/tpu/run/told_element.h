#pragma once

#include <string>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "interpreter/rules/devices/collective.h"

namespace hlo::tpu {

/// An array that an instruction reads, and how it is called.
struct NamedArray {
  const TiledArray* array;
  std::string name;
};

/// An element of an array, the record of what machines did, and the run in it
/// that gave the element.
struct PlacedElement {
  const TiledArray& array;
  int64_t position;  // row-major
  Device device;
  const TileRecord& record;
  int64_t run;
  int64_t depth = 1;  // how many instructions are told of, one behind the other
};

/// Lines that tell at which address the element lies, in which tile, register,
/// sublane, lane, slot and bytes, and which registers of which arrays the
/// machine read, and what it did, before it stored the register; and what made
/// these, as deep as is asked for (spec/tpu.md).
std::string told_element(const PlacedElement& element);

}  // namespace hlo::tpu
