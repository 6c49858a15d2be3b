#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hlo::conformance {

/// A part of the battery: what it computes, and the checksum of its bits.
struct BatteryPart {
  std::string name;  // "exp f32", "dot f32[256,256]"
  uint64_t checksum = 0;
};

/// Fixed computations of every kind of number that the reference gives: each
/// function on codes of each float type, sums and products of matrices.
/// `inputs` codes or pairs of codes, a hundredth of them for special functions;
/// for types of at most 16 bits all codes.
/// The bits must be the same whatever the compiler, its options, the machine
/// and the number of threads.
std::vector<BatteryPart> run_battery(int64_t inputs, int threads);

}  // namespace hlo::conformance
