#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/case.h"

namespace hlo::conformance {

/// The programs numbered first, first + step, ... of a seed: a shard of them
/// where several runs share the work.
struct ProgramNumbers {
  uint32_t seed = 0;
  uint32_t first = 0;
  uint32_t step = 1;
};

/// Cases made out of random programs, the same on every machine: each
/// instruction that does work of its own becomes a program of one instruction,
/// with the operands that the reference gave it, in layouts drawn for it, and a
/// collective one of as many devices (spec/conformance.md, Tiers).
class RandomCases {
 public:
  explicit RandomCases(ProgramNumbers numbers) : numbers_(numbers) {}

  /// The next cases: those of whole programs, at least `least` of them.
  std::vector<Case> next(size_t least);

 private:
  ProgramNumbers numbers_;
};

/// The cases of one program.
std::vector<Case> cases_of_program(uint32_t seed, uint32_t number);

}  // namespace hlo::conformance
