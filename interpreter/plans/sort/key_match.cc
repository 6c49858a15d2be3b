#include "interpreter/plans/sort/key_match.h"

#include <algorithm>
#include <map>
#include <utility>

namespace hlo {
namespace {

bool same_attributes(const Instruction& a, const Instruction& b) {
  return std::ranges::all_of(a.op->attributes, [&](const AttributeSpec& spec) {
    const AttributeValue* left = a.find(spec.name);
    const AttributeValue* right = b.find(spec.name);
    if (left == nullptr || right == nullptr) return left == right;
    return *left == *right;
  });
}

/// Whether two values of a comparator are the same function, the one of the
/// parameter `a`, the other of its neighbour a ^ 1; copies it into a region.
class Matcher {
 public:
  Instruction* match(const Instruction& left, const Instruction& right) {
    if (left.parameter_number >= 0) return match_parameters(left, right);
    if (const auto known = copies_.find({&left, &right});
        known != copies_.end()) {
      return known->second;
    }
    if (!is_same_step(left, right)) return nullptr;
    auto copy = std::make_unique<Instruction>(left);
    for (size_t i = 0; i < left.operands.size(); ++i) {
      copy->operands[i] = match(*left.operands[i], *right.operands[i]);
      if (copy->operands[i] == nullptr) return nullptr;
    }
    return copies_[{&left, &right}] = append(std::move(copy));
  }

  /// The parameter of the left side, or -1 where it has none.
  int64_t parameter() const { return parameter_; }

  std::unique_ptr<Computation> take(Instruction* root) {
    region_->root = root;
    return std::move(region_);
  }

 private:
  static bool is_same_step(const Instruction& left, const Instruction& right) {
    if (left.op != right.op || left.shape != right.shape ||
        left.operands.size() != right.operands.size() ||
        !same_attributes(left, right)) {
      return false;
    }
    if (left.literal == nullptr || right.literal == nullptr) {
      return left.literal == right.literal;
    }
    return identical(*left.literal, *right.literal);
  }

  Instruction* match_parameters(const Instruction& left,
                                const Instruction& right) {
    const int64_t a = left.parameter_number;
    if (right.parameter_number != (a ^ 1)) return nullptr;
    if (parameter_ >= 0) {
      return a == parameter_ ? region_->parameters[0] : nullptr;
    }
    parameter_ = a;
    auto copy = std::make_unique<Instruction>(left);
    copy->parameter_number = 0;
    region_->parameters.push_back(append(std::move(copy)));
    return region_->parameters[0];
  }

  Instruction* append(std::unique_ptr<Instruction> instruction) {
    instruction->parent = region_.get();
    instruction->position = static_cast<int64_t>(region_->instructions.size());
    region_->instructions.push_back(std::move(instruction));
    return region_->instructions.back().get();
  }

  std::unique_ptr<Computation> region_ = std::make_unique<Computation>();
  std::map<std::pair<const Instruction*, const Instruction*>, Instruction*>
      copies_;
  int64_t parameter_ = -1;
};

}  // namespace

std::optional<MatchedKey> match_key(const Instruction& left,
                                    const Instruction& right) {
  Matcher matcher;
  Instruction* key = matcher.match(left, right);
  const int64_t parameter = matcher.parameter();
  if (key == nullptr || parameter < 0) return std::nullopt;
  MatchedKey matched{static_cast<size_t>(parameter / 2), parameter % 2 == 0,
                     nullptr};
  if (key->parameter_number < 0) matched.key = matcher.take(key);
  return matched;
}

}  // namespace hlo
