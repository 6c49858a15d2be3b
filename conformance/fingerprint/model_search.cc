#include "conformance/fingerprint/model_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "interpreter/numeric/format/float_format.h"

namespace hlo::conformance {
namespace {

constexpr int kBinary32 = 24;
constexpr int kBinary64 = 53;

/// The least exponent of the formats with that precision.
int least_exponent(int precision, ElementType result) {
  if (precision > kBinary32) return -1022;
  const auto& row = numeric::format(result);
  return row.precision() == precision ? row.min_exponent() : -126;
}

/// Precisions that nodes may have which keep so many bits.
std::vector<int> precisions(const NodeWidth& width) {
  const int kept = width.bits + 1;
  if (width.at_least) return {kBinary32, kBinary64};
  std::vector<int> found = {kept};
  for (const int wider : {kBinary32, kBinary64}) {
    if (width.by_result && wider > kept) found.push_back(wider);
  }
  return found;
}

/// Formats that nodes may have which keep so many bits.
std::vector<UnitFormat> formats(const NodeWidth& width, bool flushes,
                                ElementType result) {
  std::vector<UnitFormat> found;
  for (const int precision : precisions(width)) {
    if (precision < 2 || precision > kBinary64) continue;
    for (const UnitRounding rounding : width.roundings) {
      found.push_back({.precision = precision,
                       .min_exponent = least_exponent(precision, result),
                       .rounding = rounding,
                       .flushes = flushes});
      if (!flushes || precision >= kBinary32) continue;
      found.push_back(found.back());
      found.back().flushed_precision = kBinary32;
    }
  }
  return found;
}

/// All that may vary, one list each; the plainest first.
struct Choices {
  std::vector<UnitFormat> step;
  std::vector<UnitFormat> join;
  std::vector<BlockRule> block;
  std::vector<OperandRule> operands;
  std::vector<Products> products;
  std::vector<UnitRounding> output;
  std::vector<ZeroStart> zero_start;
};

std::vector<BlockRule> block_rules(const UnitObservations& seen,
                                   const std::vector<UnitFormat>& results) {
  constexpr int kMostFraction = 45;  // more is not told from all
  std::vector<BlockRule> rules;
  const bool exact =
      seen.in_block.at_least || seen.in_block.bits > kMostFraction;
  for (const UnitFormat& result : results) {
    if (exact) {
      rules.push_back({.fraction = BlockRule::kExact,
                       .alignment = Alignment::kValue,
                       .floors = false,
                       .result = result});
      continue;
    }
    for (const Alignment alignment : {Alignment::kFactors, Alignment::kValue}) {
      for (const bool floors : {false, true}) {
        rules.push_back({.fraction = seen.in_block.bits,
                         .alignment = alignment,
                         .floors = floors,
                         .result = result});
      }
    }
  }
  return rules;
}

std::vector<OperandRule> operand_rules(const SummedOperation& operation,
                                       const UnitObservations& seen) {
  constexpr int kPieceBits = 8;  // of bf16
  const int precision = numeric::format(operation.operand).precision();
  const bool flushes = seen.flushes_operands;
  std::vector<OperandRule> rules = {{.precision = kBinary64,
                                     .rounding = UnitRounding::kEven,
                                     .pieces = 1,
                                     .flushes = flushes}};
  const int kept = seen.operand_bits + 1;
  if (kept < precision && kept >= 2) {
    for (const UnitRounding rounding :
         {UnitRounding::kEven, UnitRounding::kZero, UnitRounding::kAway}) {
      rules.push_back({kept, rounding, 1, flushes});
    }
  }
  if (operation.has_products() && precision == kBinary32) {
    for (const int pieces : {2, 3}) {
      rules.push_back({kPieceBits, UnitRounding::kEven, pieces, flushes});
      rules.push_back({kPieceBits, UnitRounding::kZero, pieces, flushes});
    }
  }
  return rules;
}

/// The formats of a kind of nodes, or of the other kind where there is none.
std::vector<UnitFormat> formats_of(const UnitObservations& seen,
                                   const NodeWidth& width,
                                   const NodeWidth& other,
                                   const SummedOperation& operation) {
  const bool flushes = seen.flushes_sums;
  if (width.seen) return formats(width, flushes, operation.result);
  if (other.seen) return formats(other, flushes, operation.result);
  const NodeWidth none{.exists = false,
                       .seen = false,
                       .bits = 0,
                       .at_least = true,
                       .by_result = false,
                       .roundings = {UnitRounding::kEven, UnitRounding::kZero}};
  return formats(none, flushes, operation.result);
}

Choices choices(const SummedOperation& operation,
                const UnitObservations& seen) {
  const NodeWidth& any = seen.block.seen ? seen.block : seen.step;
  const auto of = [&](const NodeWidth& width, const NodeWidth& other) {
    return formats_of(seen, width, other, operation);
  };
  Choices all;
  all.step = of(seen.step, seen.join.seen ? seen.join : any);
  all.join = of(seen.join, any);
  const std::vector<UnitFormat> results = of(seen.block, seen.step);
  all.block = seen.block.exists ? block_rules(seen, results)
                                : std::vector<BlockRule>{{}};
  all.operands = operand_rules(operation, seen);
  all.products = {Products::kExact};
  if (operation.has_products()) {
    // Where products of the type are always exact the first one is named.
    all.products = {Products::kExact, Products::kFusedLater, Products::kRounded,
                    Products::kFusedEarlier};
  }
  all.output = {UnitRounding::kEven};
  if (numeric::format(operation.result).precision() < kBinary32) {
    all.output.push_back(UnitRounding::kZero);
  }
  all.zero_start = {ZeroStart::kNone};
  if (seen.zero_start) {
    all.zero_start = {ZeroStart::kChains, ZeroStart::kFusedChains,
                      ZeroStart::kJoins, ZeroStart::kEnd, ZeroStart::kBoth};
  }
  return all;
}

/// Where nodes of one kind do not exist or are as the others, they do not vary
/// by themselves.
std::vector<std::pair<UnitFormat, UnitFormat>> pairs(
    const Choices& all, const UnitObservations& seen) {
  std::vector<std::pair<UnitFormat, UnitFormat>> found;
  for (const UnitFormat& step : all.step) {
    if (!seen.join.seen || all.step == all.join) {
      found.emplace_back(step, step);
      continue;
    }
    for (const UnitFormat& join : all.join) found.emplace_back(step, join);
  }
  return found;
}

/// How a product by itself may be rounded: as sums are, or to nearest; where
/// sums flush and products do not, or the other way round.
std::vector<UnitFormat> product_formats(const UnitFormat& sum,
                                        const UnitObservations& seen) {
  UnitFormat like = sum;
  like.flushes = seen.flushes_products;
  UnitFormat nearest = like;
  nearest.rounding = UnitRounding::kEven;
  return like == nearest ? std::vector{like} : std::vector{like, nearest};
}

/// Adds the model with each rounding of the result and start of its sums.
void add_ends(std::vector<UnitModel>& models, UnitModel model,
              const Choices& all) {
  for (const UnitRounding output : all.output) {
    model.output = output;
    for (const ZeroStart zero_start : all.zero_start) {
      model.zero_start = zero_start;
      models.push_back(model);
    }
  }
}

/// Adds the model with each arithmetic of nodes of two, products and the end.
void add_arithmetic(std::vector<UnitModel>& models, UnitModel model,
                    const Choices& all, const UnitObservations& seen) {
  const bool blocks_alone = !seen.step.exists && seen.block.exists;
  for (const auto& [step, join] : pairs(all, seen)) {
    model.step = step;
    model.join = join;
    const UnitFormat& sums = blocks_alone ? model.block.result : step;
    for (const auto& product : product_formats(sums, seen)) {
      model.product = product;
      add_ends(models, model, all);
      if (model.products != Products::kRounded) break;
    }
  }
}

/// Which products may be rounded where others are fused.
std::vector<RoundedRest> rests(const UnitModel& model) {
  const SummationTree& tree = model.tree;
  std::vector<RoundedRest> found = {RoundedRest::kNone};
  const bool fuses = model.has_products && model.products != Products::kRounded;
  if (!fuses || tree.terms() < 3) return found;
  const auto is_sum = [&](int child) { return !tree.is_leaf(child); };
  const auto& last = tree.nodes().back().children;
  if (last.size() == 2 && std::ranges::count_if(last, is_sum) == 1) {
    found.push_back(RoundedRest::kLast);
  }
  const bool has_join =
      std::ranges::any_of(tree.nodes(), [&](const auto& node) {
        return std::ranges::count_if(node.children, is_sum) > 1;
      });
  if (has_join) found.push_back(RoundedRest::kAfterJoins);
  return found;
}

/// Adds the model with each choice of products that are rounded, and blocks.
void add_rests(std::vector<UnitModel>& models, UnitModel model,
               const Choices& all, const UnitObservations& seen) {
  for (const RoundedRest rest : rests(model)) {
    model.rest = rest;
    for (const auto& block : all.block) {
      model.block = block;
      add_arithmetic(models, model, all, seen);
    }
  }
}

/// The model that gives the largest part of the sums, and what it does not.
void find_closest(const std::vector<UnitModel>& candidates,
                  const SummedOperation& operation,
                  const std::vector<DrawnSums>& drawn, Zeros zeros,
                  FoundModel& found) {
  constexpr int64_t kClosest = 1000;  // differences that are counted
  for (const UnitModel& model : candidates) {
    const ReplayResult result =
        replay(model, operation, drawn, kClosest, zeros);
    const bool better =
        !found.result.first ||
        result.equal * found.result.sums > found.result.equal * result.sums;
    if (!better) continue;
    found.result = result;
    found.closest = model;
  }
}

constexpr size_t kScreening = 12;  // calls that all models are asked about

/// What a machine gives for drawn terms, by the number of the call. It is asked
/// once for each; what it gave is kept, and the terms are drawn again.
class DrawnCalls {
 public:
  explicit DrawnCalls(SumMachine& machine) : machine_(machine) {}

  /// Calls are asked for one after the other, or again.
  DrawnSums at(size_t call) {
    SumRows rows = drawn_rows(machine_.operation(), call);
    if (call == cells_.size()) cells_.push_back(machine_.cells(rows));
    return {std::move(rows), cells_.at(call)};
  }

  size_t asked() const { return cells_.size(); }

 private:
  SumMachine& machine_;
  std::vector<std::vector<double>> cells_;
};

}  // namespace

std::vector<UnitModel> candidates(const SummedOperation& operation,
                                  const SummationTree& tree,
                                  const UnitObservations& seen) {
  const Choices all = choices(operation, seen);
  std::vector<UnitModel> models;
  UnitModel model;
  model.operand = operation.operand;
  model.result = operation.result;
  model.has_products = operation.has_products();
  model.tree = tree;
  for (const auto& operands : all.operands) {
    model.operands = operands;
    for (const Products products : all.products) {
      model.products = products;
      add_rests(models, model, all, seen);
    }
  }
  return models;
}

FoundModel find_model(SumMachine& machine,
                      const std::vector<UnitModel>& candidates, int64_t sums,
                      Zeros zeros) {
  const SummedOperation& operation = machine.operation();
  DrawnCalls calls(machine);
  std::vector<DrawnSums> drawn;
  for (size_t i = 0; i < kScreening; ++i) drawn.push_back(calls.at(i));
  FoundModel found;
  found.candidates = static_cast<int64_t>(candidates.size());
  const int64_t cells = operation.cells();
  const auto all = static_cast<size_t>((sums + cells - 1) / cells);
  std::vector<size_t> refuting;  // calls that refuted others
  for (const UnitModel& model : candidates) {
    const auto refutes = [&](size_t call, int64_t& other_zeros) {
      const ReplayResult result =
          replay(model, operation, {calls.at(call)}, 1, zeros);
      other_zeros += result.other_zeros;
      return result.first.has_value();
    };
    int64_t unused = 0;
    const ReplayResult screened = replay(model, operation, drawn, 1, zeros);
    if (screened.first || std::ranges::any_of(refuting, [&](size_t call) {
          return refutes(call, unused);
        })) {
      continue;
    }
    int64_t other_zeros = screened.other_zeros;
    size_t call = kScreening;
    while (call < all && !refutes(call, other_zeros)) ++call;
    if (call < all) {
      refuting.push_back(call);
      continue;
    }
    found.model = model;
    found.result.other_zeros = other_zeros;
    break;
  }
  found.result.sums = static_cast<int64_t>(calls.asked()) * cells;
  if (found.model) {
    found.result.equal = found.result.sums;
    return found;
  }
  // The last call refuted the model that came furthest.
  if (calls.asked() > kScreening) drawn.push_back(calls.at(calls.asked() - 1));
  find_closest(candidates, operation, drawn, zeros, found);
  return found;
}

}  // namespace hlo::conformance
