#include "conformance/explain/rules/explain_movement.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace hlo::conformance {
namespace {

/// The element of `type` with these bits.
Scalar with_bits(ElementType type, uint64_t bits) { return {type, {bits, 0}}; }

/// Finds the elements of operands that a source depends on.
class Reading {
 public:
  Reading(const Instruction& instruction, Operands operands, const Index& index)
      : instruction_(instruction), operands_(operands), index_(index) {}

  Origin origin() const { return source(operands_); }

  /// The positions in operand k, in order.
  std::vector<int64_t> positions(size_t k) const {
    std::vector<int64_t> found;
    find(k, 0, operands_[k].element_count(), found);
    return found;
  }

 private:
  Origin source(Operands operands) const {
    return instruction_.op->source(instruction_, operands, index_);
  }

  void find(size_t k, int64_t begin, int64_t end,
            std::vector<int64_t>& found) const {
    if (begin == end || !depends_on(k, begin, end)) return;
    if (end - begin == 1) return found.push_back(begin);
    const int64_t middle = begin + (end - begin) / 2;
    find(k, begin, middle, found);
    find(k, middle, end, found);
  }

  /// Whether the source is another where these elements are 0, or as great as
  /// can be.
  bool depends_on(size_t k, int64_t begin, int64_t end) const {
    const ElementType type = operands_[k].type();
    const uint64_t most = ~uint64_t{0} >> (64 - bits(type));
    return differs(k, begin, end, with_bits(type, 0)) ||
           differs(k, begin, end,
                   with_bits(type, is_signed(type) ? most >> 1 : most));
  }

  bool differs(size_t k, int64_t begin, int64_t end,
               const Scalar& value) const {
    std::vector<Literal> others(operands_.begin(), operands_.end());
    for (int64_t i = begin; i < end; ++i) others[k].set(i, value);
    const Origin a = origin();
    const Origin b = source(others);
    return a.operand != b.operand || a.index != b.index;
  }

  const Instruction& instruction_;
  Operands operands_;
  const Index& index_;
};

}  // namespace

void explain_movement(Story& story) {
  const Point& point = story.point();
  const Operands operands = point.run.operands;
  const Op& op = *point.instruction().op;
  const Reading reading(point.instruction(), operands, point.index);
  bool depends = false;
  for (size_t k = 0; k < operands.size(); ++k) {
    if (!op.moving.says_where(k)) continue;
    for (const int64_t position : reading.positions(k)) {
      story.say("where it comes from depends on " + story.operand(k, position));
      depends = true;
    }
  }
  if (depends) {
    story.say(
        "a start index is the nearest one at which the slice lies inside");
  }
  const Origin origin = reading.origin();
  if (origin.operand == Origin::kZero) {
    story.copy_of(Scalar{point.array.type(), {}},
                  "a zero: no operand has an element for it");
    return;
  }
  const auto k = static_cast<size_t>(origin.operand);
  story.copy(k, linearize(origin.index, operands[k].shape().dims));
}

}  // namespace hlo::conformance
