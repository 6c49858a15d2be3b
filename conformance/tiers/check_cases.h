#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "conformance/case/case.h"

namespace hlo::conformance {

/// Which cases of the tier `full` are made, and which part of a run it is.
struct Drawing {
  uint32_t seed = 1;
  int64_t count = 1'000'000;
  std::string shard;  // "I/N": part I of N, counted from 0; "" for all
};

/// The cases of a run, part by part: those of files all at once, drawn ones as
/// many as fit into memory.
class CheckCases {
 public:
  virtual ~CheckCases() = default;
  virtual int64_t count() const = 0;
  /// How many the whole run has, of which they are a shard.
  virtual int64_t whole() const = 0;
  /// The number in the whole run of the case with this number.
  virtual int64_t position(int64_t number) const = 0;
  /// Names the cases of the whole run: SHA-256, in hex.
  virtual std::string manifest() const = 0;
  /// The files that they come from.
  virtual std::vector<std::string> files() const = 0;
  /// Whether the filter selects a case that is to come; true where that is not
  /// known yet.
  virtual bool may_have(const std::string& filter) const = 0;
  /// The next part; empty at the end. It outlives the one before it.
  virtual std::vector<Case> next() = 0;
};

/// The cases of a tier, or of these files and folders, that the filter selects
/// (spec/conformance.md, Tiers). Errors "usage.tier" and "usage.shard", and
/// those of the files.
std::unique_ptr<CheckCases> cases_of_tier(const std::string& tier,
                                          const std::vector<std::string>& paths,
                                          const std::string& filter,
                                          const Drawing& drawing);

}  // namespace hlo::conformance
