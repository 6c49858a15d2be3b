#include "conformance/translation/mends.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
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

/// Whether its operation has a result of its shape.
bool fits_shape(const Instruction& x) {
  try {
    return compatible(x.op->infer(x), x.shape);
  } catch (const Error&) {
    return false;
  }
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
  return fits_shape(x);
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

/// Another order of the dimensions that it names.
Found other_order(Instruction& x, const IsRight& is_right) {
  constexpr size_t kMostDimensions = 5;
  for (auto& [name, value] : x.attributes) {
    auto* dims = std::get_if<Ints>(&value);
    if (name != "dimensions" || dims == nullptr) continue;
    if (dims->size() < 2 || dims->size() > kMostDimensions) continue;
    Ints order = *dims;
    while (std::next_permutation(order.begin(), order.end()), order != *dims) {
      const Replaced trial(*dims, Ints(order));
      if (fits_shape(x) && is_right()) {
        return fmt::format("dimensions={{{}}}", fmt::join(order, ","));
      }
    }
  }
  return {};
}

/// As many elements from elsewhere in a dimension of that size.
Found other_part(SliceDimension& part, int64_t size, const IsRight& is_right) {
  constexpr int64_t kFarthest = 16;
  for (int64_t by = -kFarthest; by <= kFarthest; ++by) {
    SliceDimension moved = part;
    moved.start += by;
    moved.limit += by;
    if (by == 0 || moved.start < 0 || moved.limit > size) continue;
    const Replaced trial(part, moved);
    if (is_right()) return fmt::format("[{}:{}]", moved.start, moved.limit);
  }
  return {};
}

Found other_slice(Instruction& x, const IsRight& is_right) {
  for (auto& [name, value] : x.attributes) {
    auto* slice = std::get_if<SliceConfig>(&value);
    if (slice == nullptr) continue;
    for (size_t d = 0; d < slice->dims.size(); ++d) {
      if (const Found found = other_part(
              slice->dims[d], x.operand_shape(0).dims[d], is_right)) {
        return fmt::format("{} in dimension {}", *found, d);
      }
    }
  }
  return {};
}

/// Whether it makes an array of the same shape of each such array.
bool keeps(const Op& op, Instruction& operand) {
  Instruction trial;
  trial.op = &op;
  trial.operands = {&operand};
  trial.shape = operand.shape;
  return fits_shape(trial);
}

/// An instruction that stands in front of another one, as long as this lives.
class Inserted {
 public:
  Inserted(Instruction& before, const Op& op, Instruction& operand)
      : list_(before.parent->instructions), at_(before.position) {
    auto added = std::make_unique<Instruction>();
    added->name = operand.name + ".tried";
    added->op = &op;
    added->shape = operand.shape;
    added->operands = {&operand};
    added->parent = before.parent;
    added_ = added.get();
    list_.insert(list_.begin() + at_, std::move(added));
    number();
  }

  Inserted(const Inserted&) = delete;
  Inserted& operator=(const Inserted&) = delete;

  ~Inserted() {
    list_.erase(list_.begin() + at_);
    number();
  }

  Instruction* get() const { return added_; }

 private:
  void number() {
    for (size_t i = 0; i < list_.size(); ++i) {
      list_[i]->position = static_cast<int64_t>(i);
    }
  }

  std::vector<std::unique_ptr<Instruction>>& list_;
  int64_t at_;
  Instruction* added_ = nullptr;
};

/// An operation on one of the operands that the program before has.
Found lost_operation(Instruction& x, const std::vector<const Op*>& operations,
                     const IsRight& is_right) {
  for (size_t k = 0; k < x.operands.size(); ++k) {
    Instruction& operand = *x.operands[k];
    if (!operand.shape.is_array()) continue;
    for (const Op* op : operations) {
      if (!keeps(*op, operand)) continue;
      const Inserted lost(x, *op, operand);
      std::vector<Instruction*> operands = x.operands;
      operands[k] = lost.get();
      const Replaced trial(x.operands, std::move(operands));
      if (is_right()) {
        return std::string(op->name) + " of its operand %" + operand.name;
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

Replacements replacements_of(const Module& before) {
  Replacements found;
  std::set<std::string_view> names;
  for (const auto& computation : before.computations) {
    for (const auto& instruction : computation->instructions) {
      const Op& op = *instruction->op;
      if (op.form == Form::kConstant) {
        found.constants.push_back(instruction.get());
      }
      const bool is_unary = op.element != nullptr && op.infer != nullptr &&
                            op.min_operands == 1 && op.max_operands == 1;
      if (is_unary && names.insert(op.name).second) {
        found.operations.push_back(&op);
      }
    }
  }
  return found;
}

std::optional<std::string> mend_choice(Instruction& instruction,
                                       const IsRight& is_right) {
  if (instruction.op->form != Form::kBranches) return {};
  const Replaced all(instruction.attributes,
                     Attributes(instruction.attributes));
  std::vector<Computation**> branches;
  for (auto& [name, value] : instruction.attributes) {
    if (auto* one = std::get_if<Computation*>(&value)) branches.push_back(one);
    auto* list = std::get_if<Computations>(&value);
    for (size_t k = 0; list != nullptr && k < list->size(); ++k) {
      branches.push_back(&(*list)[k]);
    }
  }
  for (size_t k = 1; k < branches.size(); ++k) {
    for (size_t j = 0; j < k; ++j) {
      std::swap(*branches[j], *branches[k]);
      if (is_right()) return "its computations exchanged";
      std::swap(*branches[j], *branches[k]);
    }
  }
  return {};
}

bool is_right_with(Instruction& instruction, const Literal& value,
                   const std::function<bool()>& is_right) {
  const auto constant =
      std::ranges::find(all_ops(), Form::kConstant, &Op::form);
  if (value.element_count() != instruction.shape.element_count() ||
      value.type() != instruction.shape.element_type) {
    return false;
  }
  const Replaced op(instruction.op, *constant);
  const Replaced operands(instruction.operands, std::vector<Instruction*>());
  const Replaced attributes(instruction.attributes, Attributes());
  const Replaced literal(
      instruction.literal,
      std::shared_ptr<const Literal>(
          std::make_shared<Literal>(value.with_shape(instruction.shape))));
  return is_right();
}

std::optional<std::string> mend(Instruction& instruction,
                                const Replacements& replacements,
                                const std::function<bool()>& is_right) {
  if (Found found = exchanged(instruction, is_right)) return found;
  if (Found found = other_operation(instruction, is_right)) return found;
  if (Found found = other_direction(instruction, is_right)) return found;
  if (Found found = other_slice(instruction, is_right)) return found;
  if (Found found = other_order(instruction, is_right)) return found;
  if (Found found =
          lost_operation(instruction, replacements.operations, is_right)) {
    return found;
  }
  return other_constant(instruction, replacements.constants, is_right);
}

}  // namespace hlo::conformance
