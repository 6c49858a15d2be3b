#include "conformance/translation/mends.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "interpreter/rules/op.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

constexpr std::array<std::string_view, 6> kDirections = {"EQ", "NE", "LT",
                                                         "LE", "GT", "GE"};

/// Puts a value in the place of another one, for as long as it lives.
template <typename T>
class Replaced {
 public:
  Replaced(T& place, T value)
      : place_(place), old_(std::exchange(place, std::move(value))) {}

  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;

  ~Replaced() { place_ = std::move(old_); }

 private:
  T& place_;
  T old_;
};

using Found = std::optional<std::string>;
using IsRight = std::function<bool()>;

Found exchanged(Instruction& x, const IsRight& is_right) {
  for (size_t k = 1; k < x.operands.size(); ++k) {
    if (!compatible(x.operand_shape(k - 1), x.operand_shape(k))) continue;
    std::vector<Instruction*> operands = x.operands;
    std::swap(operands[k - 1], operands[k]);
    const Replaced trial(x.operands, std::move(operands));
    if (is_right()) return "its operands exchanged";
  }
  return {};
}

/// Whether the instruction may be another element-wise operation.
bool fits(Instruction& x, const Op& op) {
  const bool needs_attributes = std::ranges::any_of(
      op.attributes, [](const AttributeSpec& spec) { return spec.required; });
  if (op.element == nullptr || needs_attributes || op.infer == nullptr ||
      op.min_operands != std::ssize(x.operands)) {
    return false;
  }
  const Replaced trial(x.op, &op);
  try {
    return compatible(op.infer(x), x.shape);
  } catch (const Error&) {
    return false;
  }
}

Found other_operation(Instruction& x, const IsRight& is_right) {
  if (x.op->element == nullptr) return {};
  for (const Op* op : all_ops()) {
    if (op == x.op || !op->target.empty() || !fits(x, *op)) continue;
    const Replaced trial(x.op, op);
    if (is_right()) return std::string(op->name) + " in its place";
  }
  return {};
}

Found other_direction(Instruction& x, const IsRight& is_right) {
  for (auto& [name, value] : x.attributes) {
    auto* word = name == "direction" ? std::get_if<Word>(&value) : nullptr;
    if (word == nullptr) continue;
    for (const std::string_view direction : kDirections) {
      if (word->value == direction) continue;
      const Replaced trial(word->value, std::string(direction));
      if (is_right()) return "direction=" + std::string(direction);
    }
  }
  return {};
}

/// A slice of as many elements from elsewhere.
Found other_slice(Instruction& x, const IsRight& is_right) {
  constexpr int64_t kFarthest = 16;
  for (auto& [name, value] : x.attributes) {
    auto* slice = std::get_if<SliceConfig>(&value);
    if (slice == nullptr) continue;
    for (size_t d = 0; d < slice->dims.size(); ++d) {
      for (int64_t by = -kFarthest; by <= kFarthest; ++by) {
        SliceDimension moved = slice->dims[d];
        moved.start += by;
        moved.limit += by;
        const int64_t size = x.operand_shape(0).dims[d];
        if (by == 0 || moved.start < 0 || moved.limit > size) continue;
        const Replaced trial(slice->dims[d], moved);
        if (is_right()) {
          return "[" + std::to_string(moved.start) + ":" +
                 std::to_string(moved.limit) + "] in dimension " +
                 std::to_string(d);
        }
      }
    }
  }
  return {};
}

Found other_constant(Instruction& x,
                     const std::vector<const Instruction*>& constants,
                     const IsRight& is_right) {
  if (x.op->form != Form::kConstant || x.literal == nullptr) return {};
  for (const Instruction* other : constants) {
    if (other->literal == nullptr || !compatible(x.shape, other->shape) ||
        identical(*x.literal, *other->literal)) {
      continue;
    }
    const Replaced trial(
        x.literal, std::shared_ptr<const Literal>(std::make_shared<Literal>(
                       other->literal->with_shape(x.shape))));
    if (is_right()) return "the value of %" + other->name;
  }
  return {};
}

}  // namespace

std::optional<std::string> mend(
    Instruction& instruction, const std::vector<const Instruction*>& constants,
    const std::function<bool()>& is_right) {
  if (Found found = exchanged(instruction, is_right)) return found;
  if (Found found = other_operation(instruction, is_right)) return found;
  if (Found found = other_direction(instruction, is_right)) return found;
  if (Found found = other_slice(instruction, is_right)) return found;
  return other_constant(instruction, constants, is_right);
}

}  // namespace hlo::conformance
