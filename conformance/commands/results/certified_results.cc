#include "conformance/commands/results/certified_results.h"

#include <algorithm>
#include <iterator>
#include <memory>

#include "backends/backend.h"
#include "conformance/certify/array/existing.h"
#include "conformance/certify/certify.h"
#include "conformance/commands/options/workload.h"
#include "conformance/expect/sized_sets.h"
#include "conformance/files/standard_output.h"
#include "conformance/literals/describe_scalar.h"
#include "conformance/report/exit_code.h"
#include "conformance/sets/membership.h"
#include "interpreter/rules/sizes/sizes.h"
#include "interpreter/run/shared_limits.h"

namespace hlo::conformance {
namespace {

std::vector<std::vector<SetTree>> known(const DeviceInputs& inputs) {
  std::vector<std::vector<SetTree>> sets;
  for (const std::vector<Literal>& list : inputs) {
    std::ranges::transform(list, std::back_inserter(sets.emplace_back()),
                           SetTree::known);
  }
  return sets;
}

/// The first element that lies outside is printed; how many there are.
int64_t count_outside(const SetTree& leaf, const Literal& actual,
                      size_t number) {
  int64_t outside = 0;
  for (int64_t i = 0; i < actual.element_count(); ++i) {
    const Scalar element = actual.at(i);
    // The reference's value is admitted whatever a profile asks of NaN.
    const bool inside =
        element == leaf.value.at(i) || contains(leaf, i, element).inside;
    if (inside || outside++ > 0) continue;
    say("leaf {} {}: {} is outside\n", number, index_text(i, leaf.value),
        describe(element));
  }
  return outside;
}

}  // namespace

std::vector<SetTree> certified_results(const Module& module,
                                       const DeviceInputs& inputs,
                                       const CertifyingOptions& options) {
  const std::shared_ptr<Budget> budget = budget_for(options.max_work, inputs);
  [[maybe_unused]] const WorkProgress progress(budget);
  const SharedLimitsScope limits({.budget = budget});
  return certify_devices(module, known(inputs),
                         {.profile = options.profile, .threads = options.jobs});
}

std::vector<const SetTree*> array_leaves_of(std::span<const SetTree> results) {
  std::vector<const SetTree*> leaves;
  for (const SetTree& result : results) {
    std::ranges::copy(array_leaves_of(result), std::back_inserter(leaves));
  }
  return leaves;
}

bool is_all_open(std::span<const SetTree* const> leaves) {
  return !leaves.empty() && std::ranges::all_of(leaves, [](const auto* leaf) {
    return leaf->is_open();
  });
}

std::vector<Literal> argument_leaves(const DeviceInputs& inputs) {
  std::vector<Literal> arguments;
  for (const std::vector<Literal>& list : inputs) {
    std::ranges::move(array_leaves(list), std::back_inserter(arguments));
  }
  return arguments;
}

int judge_values(const std::string& backend,
                 std::span<const SetTree* const> leaves,
                 std::span<const Literal> values) {
  int64_t outside = 0;
  int64_t elements = 0;
  bool has_sizes = true;
  for (size_t k = 0; k < leaves.size() && k < values.size(); ++k) {
    if (leaves[k]->is_open()) continue;
    const SetTree leaf = existing(*leaves[k]);
    elements += leaf.value.element_count();
    if (const auto actual = cut_alike({&leaves[k]->value}, {values[k]})) {
      outside += count_outside(leaf, actual->at(0), k);
    } else {
      has_sizes = false;
      say("leaf {} has the sizes {} at run time instead of {}\n", k,
          sizes_text(sizes_of(values[k])),
          sizes_text(sizes_of(leaves[k]->value)));
    }
  }
  say("{} {} of {} certified elements are outside\n", backend, outside,
      elements);
  return outside == 0 && has_sizes ? kConforms : kDiffers;
}

}  // namespace hlo::conformance
