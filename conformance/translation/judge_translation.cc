#include "conformance/translation/judge_translation.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "backends/backend.h"
#include "conformance/certify/certify.h"
#include "conformance/expect/collective_call.h"
#include "interpreter/devices/devices.h"
#include "interpreter/evaluate.h"
#include "interpreter/message.h"
#include "interpreter/rules/sizes/sizes.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kUnjudgeable[] = {"custom-call.", "constant.elided",
                                             "evaluate.", "infeed."};

/// Whether the rule says that the reference, or bounds, cannot follow the
/// program: nothing is wrong with it.
bool is_unjudgeable(const Error& error) {
  for (const std::string_view family : kUnjudgeable) {
    if (error.rule().starts_with(family)) return true;
  }
  return false;
}

void require_same_signature(const Module& before, const Module& after) {
  require_evaluable(
      before.entry->parameters.size() == after.entry->parameters.size(),
      "input.signature",
      {"the programs have ",
       Count{std::ssize(before.entry->parameters), "parameter"}, " and ",
       Count{std::ssize(after.entry->parameters), "parameter"}},
      "both must have as many");
  for (size_t i = 0; i < before.entry->parameters.size(); ++i) {
    const Shape& x = before.entry->parameters[i]->shape;
    const Shape& y = after.entry->parameters[i]->shape;
    require_evaluable(compatible(x, y), "input.signature",
                      {"parameter ", static_cast<int64_t>(i), " is ", x,
                       " before and ", y, " after"},
                      "it must be of one shape");
  }
  const Shape& x = before.entry->root->shape;
  const Shape& y = after.entry->root->shape;
  require_evaluable(compatible(x, y), "input.signature",
                    {"the result is ", x, " before and ", y, " after"},
                    "it must be of one shape");
}

std::vector<Literal> results_of(const Module& module,
                                const std::vector<Literal>& inputs,
                                const TranslationOptions& options,
                                const Observer& observer = {}) {
  EvaluatorOptions evaluation;
  evaluation.max_work = options.max_work;
  evaluation.observer = observer;
  const Literal result = evaluate(module, inputs, evaluation);
  return array_leaves({&result, 1});
}

/// `reference` is what the program before returns: where nothing is certified,
/// only its bits are surely right.
Translation judged(const SetTree& sets, const std::vector<Literal>& values,
                   const std::vector<Literal>& reference) {
  Translation translation;
  const std::vector<const SetTree*> leaves = array_leaves_of(sets);
  for (size_t k = 0; k < leaves.size() && k < values.size(); ++k) {
    const Literal value = cut(values[k]);
    const int64_t count = value.element_count();
    translation.elements += count;
    if (!leaves[k]->is_unknown() || identical(value, cut(reference[k]))) {
      continue;
    }
    translation.uncertified += count;
    translation.reason = leaves[k]->reason();
  }
  using Verdict = Translation::Verdict;
  if (auto outside = first_outside(leaves, values)) {
    translation.verdict = Verdict::kDiffers;
    translation.outside = *std::move(outside);
  } else if (translation.uncertified == 0) {
    translation.verdict = Verdict::kAgrees;
  }
  return translation;
}

/// Ends a trial that takes far longer than the program did: a change may be one
/// after which a loop has no end.
class Steps {
 public:
  explicit Steps(int64_t most) : left_(most) {}

  void operator()(const Instruction& /*instruction*/, Operands /*operands*/,
                  const Literal& /*value*/) {
    require_evaluable(--left_ >= 0, "evaluate.work",
                      {"the trial takes more steps than were allowed"},
                      "it must end as soon as the program does");
  }

 private:
  int64_t left_;
};

constexpr int64_t kMoreSteps = 1000;

bool is_unknown_anywhere(const SetTree& sets) {
  return std::ranges::any_of(array_leaves_of(sets), &SetTree::is_unknown);
}

}  // namespace

Translation judge_translation(const Module& before, const Module& after,
                              const std::vector<Literal>& inputs,
                              const TranslationOptions& options) {
  require_same_signature(before, after);
  try {
    require_evaluable(
        device_count(before) == 1 && device_count(after) == 1,
        "evaluate.devices",
        {"the programs run on ", device_count(before), " and ",
         device_count(after), " devices"},
        "bounds and instructions can be matched on one device only");
    const std::vector<Literal> values = results_of(after, inputs, options);
    const SetTree sets = certify(before, inputs,
                                 {.profile = options.profile,
                                  .max_work = options.max_work,
                                  .observer = {}});
    return judged(sets, values,
                  is_unknown_anywhere(sets)
                      ? results_of(before, inputs, options)
                      : std::vector<Literal>());
  } catch (const Error& error) {
    if (!is_unjudgeable(error)) throw;
    return {.reason = error.rule() + ": " + error.message()};
  }
}

std::optional<FirstDifference> locate_difference(
    const Module& before, Module& after, const std::vector<Literal>& inputs,
    const TranslationOptions& options) {
  Agreement agreement;
  int64_t steps = 0;  // of the program after
  const std::vector<Literal> values = results_of(
      after, inputs, options,
      [&](const Instruction& instruction, Operands, const Literal& value) {
        ++steps;
        agreement.see_after(instruction, value);
      });
  for (const Literal& input : inputs) agreement.see_input(input);
  const SetTree sets = certify(
      before, inputs,
      {.profile = options.profile,
       .max_work = options.max_work,
       .observer = [&](const Instruction& instruction, const SetTree& value) {
         agreement.see_before(instruction, value);
       }});
  const std::vector<const SetTree*> leaves = array_leaves_of(sets);
  if (!first_outside(leaves, values)) return {};
  const auto is_right = [&] {
    Steps left(2 * steps + kMoreSteps);
    try {
      return !first_outside(leaves,
                            results_of(after, inputs, options, std::ref(left)));
    } catch (const Error&) {
      return false;
    }
  };
  return first_difference(before, after, agreement, is_right);
}

}  // namespace hlo::conformance
