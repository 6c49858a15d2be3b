#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "conformance/certify/image/compared.h"
#include "conformance/sets/element_rule.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {

/// The images of sets under one element-wise instruction: every value that a
/// conforming backend may return for any operands out of their sets, and
/// more where ranges are split no finer (spec/conformance.md, Certified
/// ranges).
class Image {
 public:
  Image(const Instruction& instruction, const Profile& profile);

  /// What the function makes of one element's operands.
  ValueSet of(std::span<const ValueSet> operands);

 private:
  static constexpr size_t kMaxOperands = 3;

  /// A range of values of one operand, or one NaN.
  struct Piece {
    Places range;
    uint64_t nan = 0;
    bool is_nan = false;

    bool is_point() const { return is_nan || range.low == range.high; }
  };

  using Pieces = std::vector<Piece>;
  using Points = std::array<Scalar, kMaxOperands>;

  ValueSet flushed(const ValueSet& set, size_t operand) const;
  Pieces nan_pieces(size_t operand) const;
  /// The ranges of an operand over each of which the operation is monotone.
  std::vector<Places> cuts(size_t operand) const;
  Pieces split(const ValueSet& set, size_t operand) const;
  ValueSet of_known(std::span<const ValueSet> operands);
  ValueSet of_combinations(std::span<const ValueSet> sets);
  ValueSet of_pieces(std::span<const Piece> pieces);
  ValueSet of_ranges(std::span<const Piece> pieces);
  ValueSet of_corners(std::span<const Piece> pieces);
  std::optional<ValueSet> of_values(std::span<const Piece> pieces);
  ValueSet of_power(std::span<const Piece> pieces);
  ValueSet of_wave(std::span<const Piece> pieces);
  ValueSet of_remainder(std::span<const Piece> pieces) const;
  bool has_rule_for(std::span<const Piece> pieces) const;
  bool convert_wraps(const Places& range) const;
  bool wraps(std::span<const Piece> pieces) const;
  ValueSet everything() const;
  Scalar scalar(const Piece& piece, bool high, size_t operand) const;

  static size_t corner_count(std::span<const Piece> pieces) {
    return size_t{1} << pieces.size();
  }

  Points corner(std::span<const Piece> pieces, size_t number) const;
  double real(Place place, size_t operand) const;

  const Instruction& instruction_;
  ElementRule rule_;
  Profile profile_;
  const Op& op_;
  Behaviour behaviour_;
  std::vector<ElementType> types_;  // of the operands
  ElementType result_;
  Limits limits_;
  ComparisonRule comparison_;
};

}  // namespace hlo::conformance
