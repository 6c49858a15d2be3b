#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/sweep/points/sweep_points.h"
#include "conformance/sweep/sweep_report.h"

namespace hlo::conformance {

/// What a file has of a sweep: all of its chunks, or the first ones.
struct RecordedSweep {
  SweepResult result;
  std::optional<SweepRange> range = {};
  int64_t known = 0;   // chunks
  int64_t chunks = 0;  // of the whole sweep
};

/// Adds a chunk, which comes behind all others.
void add_chunk(SweepResult& result, const SweepTally& tally);
/// Leaves out what is known of no chunk alone. To be called once, at the end.
void finish_sweep(SweepResult& result);

/// The sweep of a file's text; a last line that is cut off is not read. Errors
/// "sweep.file", and those of the operation, the type and the range.
RecordedSweep read_sweep(std::string_view text);

}  // namespace hlo::conformance
