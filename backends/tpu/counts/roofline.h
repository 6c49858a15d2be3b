#pragma once

#include <cstdint>
#include <string>

#include "backends/tpu/generations/generation.h"

namespace hlo::tpu {

/// What a run did: operations, the bytes that it moved for them, and cycles.
struct Work {
  int64_t operations = 0;
  int64_t bytes = 0;
  int64_t cycles = 0;
};

/// A roofline as text, both axes by powers of two: for operations a byte on the
/// way right the operations a cycle that memory (/), the lanes (=) and the
/// matrix unit (-) let happen at most, and the run as an o. Empty where nothing
/// was done, or for no bytes.
std::string roofline(const Work& work, const Generation& generation);

}  // namespace hlo::tpu
