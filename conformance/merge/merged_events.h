#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "conformance/report/events.h"
#include "conformance/report/recorded_cases.h"
#include "conformance/report/summary.h"
#include "conformance/waivers/waivers.h"

namespace hlo::conformance {

/// The events of the shards of one run.
class MergedEvents {
 public:
  /// Adds those of a file. Errors "usage.events"; "usage.foreign_shard" where
  /// it is of another run; "usage.doubled_shard" where the shard, or one of its
  /// cases, is there already.
  void add(std::string_view text);

  /// Error "usage.missing_shard" where a shard or a case is not there.
  void require_all() const;

  /// That of one of the shards; at least one file was added.
  const RunIdentity& run() const { return *run_; }

  /// All that was added, with its tests and what is wrong with waivers. It
  /// refers to this.
  Summary summary();
  /// The lines that the run of all cases writes.
  std::string text(const Summary& summary) const;

 private:
  void add_begin(const std::string& line);
  void add_case(const std::string& line);

  std::optional<RunIdentity> run_;  // as of one shard
  std::set<uint32_t> shards_;
  std::map<int64_t, RecordedCase> cases_;  // by position
  Waivers waivers_;
};

}  // namespace hlo::conformance
