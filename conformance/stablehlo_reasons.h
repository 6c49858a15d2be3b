#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

// Why a file of StableHLO's own tests does not hold what it declares. For tests
// only.

namespace hlo::conformance {

struct NamedReason {
  std::string_view file;    // how its path ends
  std::string_view reason;  // with the proof
};

/// Of checks whose expected value is one that the operation may return: the
/// proof is its set, which the run computes (spec/conformance.md).
constexpr std::string_view kOtherRounding =
    "expected values are sums or solves with roundings of their own, as the "
    "operation may have them";

constexpr NamedReason kReasons[] = {
    {"cumprod_complex64_8_9.mlir",
     "expected products are up to 0.016 from the exact ones, the tolerance is "
     "0.001 (checks/stablehlo_gold.py)"},
    {"pow_complex64_20_30_complex64_20_30.mlir",
     "394 of 600 expected powers are more than the tolerance of 0.001 from the "
     "exact ones (checks/stablehlo_gold.py)"},
};

/// The reason of the file, or nothing.
inline std::string_view reason_for(std::string_view file) {
  const auto* found = std::ranges::find_if(
      kReasons, [&](const NamedReason& r) { return file.ends_with(r.file); });
  return found == std::end(kReasons) ? std::string_view() : found->reason;
}

}  // namespace hlo::conformance
