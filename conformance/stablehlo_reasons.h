#pragma once

#include <algorithm>
#include <array>
#include <string_view>

// Why a file of StableHLO's own tests does not hold what it declares. For tests
// only.

namespace hlo::conformance {

struct NamedReason {
  std::string_view file;    // how its path ends
  std::string_view reason;  // with the proof
};

constexpr std::array<NamedReason, 0> kReasons{};

/// The reason of the file, or nothing.
inline std::string_view reason_for(std::string_view file) {
  const auto found = std::ranges::find_if(
      kReasons, [&](const NamedReason& r) { return file.ends_with(r.file); });
  return found == kReasons.end() ? std::string_view() : found->reason;
}

}  // namespace hlo::conformance
