#pragma once

#include <optional>
#include <string>
#include <vector>

#include "conformance/fingerprint/sum_machine.h"
#include "conformance/fingerprint/summation_tree.h"
#include "conformance/fingerprint/unit_arithmetic.h"

namespace hlo::conformance {

/// What a kind of nodes keeps of small numbers beside 1.
struct NodeWidth {
  bool exists = false;     // there are such nodes
  bool seen = false;       // and a sum that shows how wide they are
  int bits = 0;            // the largest k for which 1 + 2^-k is kept
  bool at_least = false;   // no wider number can be asked about
  bool by_result = false;  // the sum's type may have cut it off
  std::vector<UnitRounding> roundings;  // those that fit what was seen
};

/// A special case, and what came of it.
struct SpecialCase {
  std::string name;
  std::string wanted;  // "NaN", "inf", "-0", "" where either is right
  std::string found;
};

/// What probes told about a machine, beside the order of its sums.
struct UnitObservations {
  NodeWidth step;        // nodes of two, one of them a term
  NodeWidth join;        // nodes of two sums
  NodeWidth block;       // results of nodes of several
  NodeWidth in_block;    // within such a node
  int operand_bits = 0;  // the largest k for which a factor 1 + 2^-k is kept
  std::string fused;     // what tells of exact products (accuracy: P3)
  bool flushes_operands = false;
  bool flushes_products = false;
  bool flushes_sums = false;
  bool zero_start = false;  // the sum of zeros that are negative is +0
  std::vector<SpecialCase> specials;
};

UnitObservations observe_unit(SumMachine& machine, const SummationTree& tree);

}  // namespace hlo::conformance
