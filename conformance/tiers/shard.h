#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conformance/case/case.h"

namespace hlo::conformance {

/// Part `index` of `count` of a run, counted from 0.
struct Shard {
  uint32_t index = 0;
  uint32_t count = 1;
  std::string source = "--shard";  // who says so
};

/// "3/16"; all of the run for "". Error "usage.shard".
Shard parse_shard(const std::string& text);

/// The value of a variable of the environment; nullptr where there is none.
using Environment = std::function<const char*(const char* name)>;

/// The shard that the launcher of this process wants (spec/conformance.md,
/// Shards); all of the run where there is none. Error "usage.shard".
Shard shard_of_environment(const Environment& environment);

/// The work that the case takes, about: at least 1.
int64_t cost(const Case& c);

/// The numbers, ascending, of those of the cases that are the shard's: the
/// longest case first, each is given to the shard with the least work, the one
/// with the smaller number where they are equal.
std::vector<size_t> cases_of_shard(const std::vector<Case>& cases,
                                   const Shard& shard);

}  // namespace hlo::conformance
