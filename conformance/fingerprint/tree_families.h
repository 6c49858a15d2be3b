#pragma once

#include <string>

#include "conformance/fingerprint/summation_tree.h"

namespace hlo::conformance {

/// 0 + 1 + 2 + ..., or from the last term on.
SummationTree sequential_tree(int terms);
SummationTree reverse_tree(int terms);

/// 1 + 0 + 3 + 2 + ...
SummationTree swapped_tree(int terms);

/// How two halves of a sum are cut.
enum class Halving {
  kMiddle,      // the first has n/2 terms, rounded down
  kPower,       // the first has the largest power of two below n
  kNeighbours,  // 0+1, 2+3, ..., then the sums of these alike
  kFolded,      // i and i + ceil(n/2), then the sums of these alike
};

SummationTree pairwise_tree(int terms, Halving halving);

/// What a sum has of each part, and how the parts come together.
enum class Joining { kSequential, kNeighbours, kFolded };

/// Term i belongs to lane i mod `lanes`, each lane a sequential sum.
SummationTree lane_tree(int terms, int lanes, Joining joining);
/// The lanes of as many terms as all have alike; then the rest one by one.
SummationTree rounds_tree(int terms, int lanes, Joining joining);
/// Parts of `size` terms in a row, each a sequential sum.
SummationTree split_tree(int terms, int size, Joining joining);
/// A node of the sum so far and the next `block` terms, one after the other.
SummationTree block_tree(int terms, int block);
/// Parts of `size` terms, each a block_tree(), added one after the other.
SummationTree promoted_tree(int terms, int size, int block);
/// One node of all terms.
SummationTree single_node_tree(int terms);

/// What that order is called: "sequential", "8 lanes, added pairwise", ...;
/// empty where it has no name here.
std::string tree_name(const SummationTree& tree);

}  // namespace hlo::conformance
