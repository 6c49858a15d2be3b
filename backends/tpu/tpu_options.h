#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backends/tpu/generations/generation.h"
#include "backends/tpu/machine/matrix_mode.h"

namespace hlo::tpu {

/// What the backend's name says: tpu:?KEY=CHOICE&KEY=CHOICE...
struct Options {
  MatrixMode matrix = MatrixMode::kExact;
  const Generation* generation = &generations().front();
  uint64_t poison = 0;                  // the seed of what padding holds
  int64_t scratch = int64_t{16} << 20;  // bytes of the scratch memory
};

/// The options of a URI that begins with "tpu:". Error "usage.backend" where a
/// key or a choice is not known, or a key stands twice.
Options options_of(std::string_view uri);

/// A URI for each choice but the first of each key that has choices.
std::vector<std::string> known_uris();

}  // namespace hlo::tpu
