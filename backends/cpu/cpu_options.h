#pragma once

#include <string_view>

#include "backends/cpu/graph/numerics.h"

namespace hlo::cpu {

/// What the backend's name says: cpu:threads=N, or cpu:?KEY=CHOICE&...
struct Options {
  int threads = 0;  // that share loops; 0: as many as there are cores
  Numerics numerics = Numerics::kTight;
};

/// The options of a URI that begins with "cpu:?". Error "usage.backend" where a
/// key or a choice is not known, or a key stands twice.
Options options_of(std::string_view uri);

}  // namespace hlo::cpu
