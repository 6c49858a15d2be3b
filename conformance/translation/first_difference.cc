#include "conformance/translation/first_difference.h"

#include <algorithm>
#include <set>
#include <utility>

#include "conformance/translation/flow.h"
#include "conformance/translation/mends.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {
namespace {

using Instructions = std::vector<const Instruction*>;

Instructions constants_of(const Module& module) {
  Instructions found;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->op->form == Form::kConstant) {
        found.push_back(instruction.get());
      }
    }
  }
  return found;
}

/// A constant that the program before has too.
bool is_old(const Instruction& constant, const Instructions& constants) {
  if (constant.literal == nullptr) return true;
  return std::ranges::any_of(constants, [&](const Instruction* other) {
    return other->literal != nullptr &&
           compatible(other->shape, constant.shape) &&
           identical(*other->literal, *constant.literal);
  });
}

/// Finds what may be wrong: all that the result is made of, as far back as
/// values agree.
class Suspects {
 public:
  Suspects(const Module& before, const Module& after,
           const Agreement& agreement)
      : flow_(after), agreement_(agreement), constants_(constants_of(before)) {
    reach(*after.entry->root);
    for (const Instruction* instruction : agreement.order()) {
      if (reached_.contains(instruction) && !carries(*instruction)) {
        found_.push_back(instruction);
      }
    }
    // In a loop, what is wrong in one round follows from the round before.
    std::ranges::stable_sort(found_, {}, [&](const Instruction* suspect) {
      return agreement.first_run(*suspect);
    });
  }

  const Instructions& in_order() const { return found_; }

  const Instructions& constants() const { return constants_; }

  /// Whether all that it is made of agrees, or says too little to tell.
  bool begins(const Instruction& suspect) const {
    std::set<const Instruction*> seen;
    Instructions pending = flow_.sources(suspect);
    while (!pending.empty()) {
      const Instruction* source = pending.back();
      pending.pop_back();
      if (!seen.insert(source).second || !reached_.contains(source)) continue;
      if (!carries(*source)) {
        if (!agreement_.says_little(*source)) return false;
        continue;
      }
      for (const Instruction* next : flow_.sources(*source)) {
        pending.push_back(next);
      }
    }
    return true;
  }

 private:
  bool is_beyond_doubt(const Instruction& instruction) const {
    if (instruction.op->form == Form::kConstant) {
      return is_old(instruction, constants_);
    }
    return instruction.op->form != Form::kParameter &&
           !instruction.shape.is_tuple() && agreement_.agrees(instruction);
  }

  void reach(const Instruction& root) {
    Instructions pending = {&root};
    while (!pending.empty()) {
      const Instruction* next = pending.back();
      pending.pop_back();
      if (is_beyond_doubt(*next) || !reached_.insert(next).second) continue;
      for (const Instruction* source : flow_.sources(*next)) {
        pending.push_back(source);
      }
    }
  }

  Flow flow_;
  const Agreement& agreement_;
  Instructions constants_;
  std::set<const Instruction*> reached_;
  Instructions found_;
};

/// An operation of the same kind and name in the source has another value, and
/// all before it agrees.
constexpr int kCertain = 6;

/// How much speaks for it that this one is the first, up to kCertain.
int weight(const Instruction& suspect, const Suspects& suspects,
           const Agreement& agreement) {
  if (agreement.says_little(suspect)) return 0;
  const Counterpart* like = agreement.counterpart(suspect);
  const int likeness = like == nullptr ? 0 : like->likeness;
  return 1 + likeness + (suspects.begins(suspect) ? 3 : 0);
}

/// The instruction of the module, to be changed for a trial.
Instruction& mutable_of(Module& module, const Instruction& instruction) {
  for (const auto& computation : module.computations) {
    if (computation.get() != instruction.parent) continue;
    return *computation
                ->instructions[static_cast<size_t>(instruction.position)];
  }
  throw std::logic_error("the instruction is of another module");
}

}  // namespace

std::optional<FirstDifference> first_difference(
    const Module& before, Module& after, const Agreement& agreement,
    const std::function<bool()>& is_right) {
  const Suspects suspects(before, after, agreement);
  FirstDifference found;
  for (const Instruction* suspect : suspects.in_order()) {
    const auto text =
        mend(mutable_of(after, *suspect), suspects.constants(), is_right);
    found.mend = text.value_or("");
    if (!text && weight(*suspect, suspects, agreement) < kCertain) continue;
    found.after = suspect;
    break;
  }
  if (found.after == nullptr) {
    int most = -1;
    for (const Instruction* suspect : suspects.in_order()) {
      const int w = weight(*suspect, suspects, agreement);
      if (w > most) found.after = suspect;
      most = std::max(w, most);
    }
  }
  if (found.after == nullptr) return {};
  if (const Counterpart* like = agreement.counterpart(*found.after)) {
    found.before = like->instruction;
    found.outside = like->outside;
  }
  return found;
}

}  // namespace hlo::conformance
