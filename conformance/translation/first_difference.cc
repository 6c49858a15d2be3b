#include "conformance/translation/first_difference.h"

#include <algorithm>
#include <set>
#include <utility>

#include "conformance/translation/flow.h"
#include "conformance/translation/mends.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {
namespace {

using Instructions = std::vector<const Instruction*>;

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
      : flow_(after),
        agreement_(agreement),
        replacements_(replacements_of(before)),
        order_(agreement.order()) {
    reach(*after.entry->root);
    for (const Instruction* instruction : agreement.order()) {
      if (!reached_.contains(instruction)) continue;
      if (!carries(*instruction)) found_.push_back(instruction);
      if (instruction->op->form == Form::kBranches) {
        choices_.push_back(instruction);
      }
    }
    // In a loop, what is wrong in one round follows from the round before.
    std::ranges::stable_sort(found_, {}, [&](const Instruction* suspect) {
      return agreement.first_run(*suspect);
    });
  }

  const Instructions& in_order() const { return found_; }

  /// The first that hands on what agrees, and no longer agrees itself: where
  /// nothing that computes is suspect.
  const Instruction* carrier() const {
    for (const Instruction* next : order_) {
      const Instructions sources = flow_.sources(*next);
      const bool begins = std::ranges::none_of(
          sources, [&](const Instruction* s) { return reached_.contains(s); });
      if (!reached_.contains(next) || !begins) continue;
      while (next->op->form == Form::kCall && !called_by(*next).empty()) {
        next = called_by(*next).front()->root;
      }
      return next;
    }
    return nullptr;
  }

  /// What chooses among computations: a wrong choice makes all of them wrong.
  const Instructions& choices() const { return choices_; }

  const Replacements& replacements() const { return replacements_; }

  /// Whether all that it is made of agrees, or says too little to tell.
  bool begins(const Instruction& suspect) const {
    std::set<const Instruction*> seen;
    Instructions pending = flow_.sources(suspect);
    while (!pending.empty()) {
      const Instruction* source = pending.back();
      pending.pop_back();
      if (!seen.insert(source).second || !reached_.contains(source)) continue;
      if (!carries(*source) && !only_moves(*source)) {
        if (!agreement_.says_little(*source)) return false;
        continue;
      }
      for (const Instruction* next : flow_.sources(*source)) {
        pending.push_back(next);
      }
    }
    return true;
  }

  /// Whether it moves elements as nothing in the program before does, to suit
  /// what follows.
  bool only_moves(const Instruction& instruction) const {
    return instruction.op->form == Form::kMovement &&
           agreement_.counterpart(instruction) == nullptr;
  }

 private:
  bool is_beyond_doubt(const Instruction& instruction) const {
    if (instruction.op->form == Form::kConstant) {
      return is_old(instruction, replacements_.constants);
    }
    return instruction.op->form != Form::kParameter &&
           !instruction.shape.is_tuple() && agreement_.agrees(instruction);
  }

  /// The root is wrong, even where its value is that of an earlier round.
  void reach(const Instruction& root) {
    reached_.insert(&root);
    Instructions pending = flow_.sources(root);
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
  Replacements replacements_;
  std::set<const Instruction*> reached_;
  Instructions found_;
  Instructions choices_;
  const Instructions& order_;
};

/// An operation of the same kind and name in the source has another value, and
/// all before it agrees.
constexpr int kCertain = 6;

/// How much speaks for it that this one is the first, up to kCertain.
int weight(const Instruction& suspect, const Suspects& suspects,
           const Agreement& agreement) {
  if (agreement.says_little(suspect)) return 0;
  if (suspects.only_moves(suspect)) return 1;
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

/// Looks for the first suspect that explains all that is wrong.
class Search {
 public:
  Search(Module& after, const Suspects& suspects, const Agreement& agreement,
         const std::function<bool()>& is_right)
      : after_(after),
        suspects_(suspects),
        agreement_(agreement),
        is_right_(is_right) {}

  FirstDifference run() {
    for (const Instruction* choice : suspects_.choices()) {
      if (const auto text =
              mend_choice(mutable_of(after_, *choice), is_right_)) {
        return {.after = choice, .mend = *text};
      }
    }
    for (const Instruction* suspect : suspects_.in_order()) {
      Instruction& changed = mutable_of(after_, *suspect);
      if (const auto text =
              mend(changed, suspects_.replacements(), is_right_)) {
        return {.after = suspect, .mend = *text};
      }
      const int w = weight(*suspect, suspects_, agreement_);
      if (w > most_) likeliest_ = suspect;
      most_ = std::max(w, most_);
      if (w >= kCertain) return {.after = suspect};
      if (is_right_with_value(*suspect, changed)) return explained(*suspect);
    }
    return {.after = likeliest_ != nullptr ? likeliest_ : suspects_.carrier()};
  }

 private:
  /// With the value that the program before has for it.
  bool is_right_with_value(const Instruction& suspect,
                           Instruction& changed) const {
    const Counterpart* like = agreement_.counterpart(suspect);
    return like != nullptr && like->value != nullptr &&
           is_right_with(changed, *like->value, is_right_);
  }

  /// All that is wrong is here or in front of it.
  FirstDifference explained(const Instruction& suspect) const {
    if (!suspects_.begins(suspect)) return {.after = likeliest_};
    const Counterpart* like = agreement_.counterpart(suspect);
    return {.after = &suspect,
            .mend = "the value of %" + like->instruction->name};
  }

  Module& after_;
  const Suspects& suspects_;
  const Agreement& agreement_;
  const std::function<bool()>& is_right_;
  const Instruction* likeliest_ = nullptr;
  int most_ = -1;
};

}  // namespace

std::optional<FirstDifference> first_difference(
    const Module& before, Module& after, const Agreement& agreement,
    const std::function<bool()>& is_right) {
  const Suspects suspects(before, after, agreement);
  FirstDifference found = Search(after, suspects, agreement, is_right).run();
  if (found.after == nullptr) return {};
  if (const Counterpart* like = agreement.counterpart(*found.after)) {
    found.before = like->instruction;
    found.outside = like->outside;
  }
  return found;
}

}  // namespace hlo::conformance
