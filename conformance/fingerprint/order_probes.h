#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "conformance/fingerprint/sum_machine.h"
#include "conformance/fingerprint/summation_tree.h"

namespace hlo::conformance {

/// What masks told of the order of a sum.
struct FoundOrder {
  std::optional<SummationTree> tree;
  std::string why_not;  // where there is no tree
  int64_t probes = 0;
};

/// Reveals in which order a machine adds (FPRev: Xie, Gao, Zhang, Xue, "FPRev:
/// Revealing floating-point summation order", USENIX ATC 2025). Of terms that
/// all are e, but for +M and -M, those are lost that are added to one of these
/// two before they meet: the sum tells how many terms lie below the node where
/// they do. At most `most` sums are asked for.
FoundOrder find_order(SumMachine& machine, int64_t most);

}  // namespace hlo::conformance
