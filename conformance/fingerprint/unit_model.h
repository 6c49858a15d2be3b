#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/fingerprint/summation_tree.h"
#include "conformance/fingerprint/unit_arithmetic.h"
#include "interpreter/model/element_type.h"

namespace hlo::conformance {

/// What becomes of a product before it is added.
enum class Products : uint8_t {
  kRounded,       // rounded as a result of its own
  kFusedLater,    // exact where it is added to a sum; of two terms that are
                  // added first, the one with the greater number
  kFusedEarlier,  // of these two, the other one
  kExact,         // exact wherever it is added
};

/// Which products are rounded though others are fused: those of the terms that
/// a loop over lanes, or over pairs, leaves.
enum class RoundedRest : uint8_t {
  kNone,
  kAfterJoins,  // that are added to a sum of sums
  kLast,        // that is added last
};

/// The exponent that a term is aligned by in a node of several.
enum class Alignment : uint8_t {
  kValue,    // of its own
  kFactors,  // the sum of those of its factors: a product may be one more
};

/// How a node of three children or more adds.
struct BlockRule {
  static constexpr int kExact = 1000;  // bits: nothing is cut off
  int fraction = kExact;  // bits below the largest exponent that are kept
  Alignment alignment = Alignment::kValue;
  bool floors = false;  // bits are cut off downward, not toward zero
  UnitFormat result;
  friend bool operator==(const BlockRule&, const BlockRule&) = default;
};

/// What an operand is rounded to before it is multiplied.
struct OperandRule {
  int precision = 53;
  UnitRounding rounding = UnitRounding::kEven;
  /// The operand is the sum of so many numbers of that precision, each what the
  /// ones before leave; products of parts i and j with i + j below that number
  /// are summed apart, and the sums added, the least first.
  int pieces = 1;
  bool flushes = false;  // subnormal operands become zeros
  friend bool operator==(const OperandRule&, const OperandRule&) = default;
};

/// Where +0 is added, which makes +0 of -0.
enum class ZeroStart : uint8_t {
  kNone,
  kChains,       // to the rounded term that comes first of some, and a block
                 // without a sum so far; where it is fused, to the exact one
  kFusedChains,  // to the exact term, where terms are rounded
  kJoins,        // as kChains, and to the first of two sums
  kEnd,          // to the whole sum
  kBoth,         // kChains and kEnd
};

/// All that decides the bits of a machine's sums, but for overflow and special
/// values.
struct UnitModel {
  ElementType operand = ElementType::kF32;
  ElementType result = ElementType::kF32;
  bool has_products = true;  // else terms are single numbers
  SummationTree tree;
  OperandRule operands;
  Products products = Products::kRounded;
  RoundedRest rest = RoundedRest::kNone;
  UnitFormat product;  // that is rounded
  BlockRule block;     // nodes of three children or more
  UnitFormat step;     // nodes of two, one of them a term
  UnitFormat join;     // nodes of two sums
  UnitRounding output = UnitRounding::kEven;
  ZeroStart zero_start = ZeroStart::kNone;
};

/// Computes sums as a model says.
class UnitSimulator {
 public:
  explicit UnitSimulator(const UnitModel& model);

  /// The sum of the products a[i] * b[i], which are numbers of the operands'
  /// type, as a number of the result's type.
  double sum(std::span<const double> a, std::span<const double> b);

 private:
  struct Term {
    double a = 0;
    double b = 0;

    bool is_zero() const { return a == 0 || b == 0; }
  };

  void find_rounded_rest();
  double piece(double operand, int index) const;
  double tree_sum(int piece_of_a, int piece_of_b);
  double node_sum(int node);
  double term(int node, const UnitFormat& format) const;
  double first_term(int node, const UnitFormat& format) const;
  double started(double sum) const;
  bool is_fused(int term, int other) const;
  double two(int first, int second, const UnitFormat& format) const;
  static double fused(double sum, const Term& term, const UnitFormat& format);
  double two_terms(const Term& a, const Term& b,
                   const UnitFormat& format) const;

  struct Addend {
    double value;
    int exponent;
  };

  Addend addend(int child) const;
  double block_sum(const std::vector<int>& children) const;
  double exact_sum(const std::vector<int>& children) const;
  const Term& term_of(int leaf) const;
  double output(double sum) const;

  const UnitModel& model_;
  std::span<const double> a_;
  std::span<const double> b_;
  std::vector<Term> terms_;     // after rounding of the operands
  std::vector<double> values_;  // of the nodes that are no leaves
  std::vector<bool> rounds_;    // of each node: products that are added to it
};

}  // namespace hlo::conformance
