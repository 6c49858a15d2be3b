#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "conformance/sweep/sweep_tally.h"

// The file of a sweep: one JSON object a line (spec/sweep.md).
namespace hlo::conformance {

/// What a file of a sweep belongs to.
struct SweepIdentity {
  std::string backend;
  std::string operation;
  std::string type;
  std::string range;  // as it was given
  std::string profile;
  std::string version;
  std::string build;
  int64_t chunks = 0;
};

std::string sweep_begin(const SweepIdentity& sweep);
std::string sweep_chunk(int64_t chunk, const SweepTally& tally);
std::string sweep_end(const SweepTally& total, int exit_code);

/// What sweep_begin() wrote. Error "sweep.file".
SweepIdentity read_sweep_begin(std::string_view line);

struct RecordedChunk {
  int64_t chunk = 0;
  SweepTally tally;
};

/// What sweep_chunk() wrote. Error "sweep.file".
RecordedChunk read_sweep_chunk(std::string_view line);

}  // namespace hlo::conformance
