#include "backends/tpu/operations/parts/split.h"

#include <map>
#include <numeric>
#include <string_view>

#include "interpreter/foreign/targets.h"
#include "interpreter/rules/op.h"

namespace hlo::tpu {
namespace {

/// The first `count` dimensions.
Ints leading(int64_t count) {
  Ints dimensions(static_cast<size_t>(count));
  std::iota(dimensions.begin(), dimensions.end(), 0);
  return dimensions;
}

/// All dimensions but d.
Ints but(int64_t rank, int64_t d) {
  Ints dimensions = leading(rank);
  std::erase(dimensions, d);
  return dimensions;
}

size_t results_of(const Instruction& instruction) {
  return leaves(instruction.shape).size();
}

Split of_all(const Instruction& instruction, const Ints& dimensions) {
  return {.operands = {instruction.operands.size(), dimensions},
          .results = {results_of(instruction), dimensions}};
}

Split transforms(const Instruction& fft) {
  const int64_t within = std::ssize(fft.get<Ints>("fft_length"));
  return of_all(fft, leading(fft.shape.rank() - within));
}

Split matrices(const Instruction& factor) {
  return of_all(factor, leading(factor.shape.rank() - 2));
}

/// Matrices, and their right-hand sides one by one.
Split systems(const Instruction& solve) {
  const int64_t rank = solve.shape.rank();
  const bool is_left = solve.get_or<bool>("left_side", false);
  Split split = of_all(solve, leading(rank - 2));
  split.operands[0].push_back(Split::kNone);
  split.operands[1].push_back(is_left ? rank - 1 : rank - 2);
  split.results[0] = split.operands[1];
  return split;
}

Split lines(const Instruction& sort) {
  const int64_t rank = sort.operand_shape(0).rank();
  return of_all(sort, but(rank, sort.get<Ints>("dimensions")[0]));
}

Split rows(const Instruction& topk) {
  return of_all(topk, leading(topk.operand_shape(0).rank() - 1));
}

/// Arrays with a feature dimension, and vectors of features.
Split features(const Instruction& norm) {
  const auto feature = norm.get<int64_t>("feature_index");
  const auto split_dimension = [&](const Shape& shape) {
    return Ints{shape.rank() == 1 ? 0 : feature};
  };
  Split split;
  for (const Instruction* operand : norm.operands) {
    split.operands.push_back(split_dimension(operand->shape));
  }
  for (const Shape* leaf : leaves(norm.shape)) {
    split.results.push_back(split_dimension(*leaf));
  }
  return split;
}

/// All elements are separate, beside the numbers of their features.
Split normalized(const Instruction& norm) {
  const int64_t rank = norm.shape.rank();
  const auto feature = norm.get<int64_t>("feature_index");
  Split split = features(norm);
  for (const int64_t d : but(rank, feature)) {
    for (Ints& dimensions : split.operands) dimensions.push_back(Split::kNone);
    split.operands[0].back() = d;
    split.results[0].push_back(d);
  }
  return split;
}

using SplitRule = Split (*)(const Instruction&);

SplitRule rule_of(std::string_view name) {
  static const std::map<std::string_view, SplitRule> rules = {
      {"batch-norm-grad", features},
      {"batch-norm-inference", normalized},
      {"batch-norm-training", features},
      {"cholesky", matrices},
      {"fft", transforms},
      {"sort", lines},
      {"topk", rows},
      {"triangular-solve", systems}};
  const auto found = rules.find(name);
  return found == rules.end() ? nullptr : found->second;
}

}  // namespace

std::optional<Split> split_of(const Instruction& instruction) {
  const SplitRule rule = rule_of(function_name(*instruction.op));
  if (rule == nullptr) return std::nullopt;
  return rule(instruction);
}

}  // namespace hlo::tpu
