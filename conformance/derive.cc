#include "conformance/derive.h"

#include <algorithm>
#include <map>

#include "backends/backend.h"
#include "conformance/element_set.h"
#include "conformance/expect.h"
#include "conformance/judge.h"
#include "interpreter/devices.h"

namespace hlo::conformance {
namespace {

using Sets = std::vector<Expectation>;

bool all_single(const Sets& sets) {
  return std::ranges::all_of(
      sets, [](const Expectation& set) { return is_single(set); });
}

int64_t leaf_count(const Shape& shape) {
  return std::ranges::count_if(
      leaves(shape), [](const Shape* leaf) { return leaf->is_array(); });
}

/// Follows a run of the reference and keeps the sets of what it computed.
class Tracer {
 public:
  Tracer(const Module& module, const std::vector<Literal>* observed,
         const Profile& profile)
      : root_(module.entry->root),
        entry_(module.entry),
        observed_(observed),
        profile_(profile) {}

  void see(const Instruction& instruction, Operands operands,
           const Literal& result) {
    Sets sets = sets_of(instruction, operands, result);
    if (!all_single(sets) && instruction.op->control == nullptr) {
      any_free_ = true;
    }
    sets_[&instruction] = std::move(sets);
  }

  const Sets& root_sets() const { return sets_.at(root_); }

 private:
  Sets sets_of(const Instruction& instruction, Operands operands,
               const Literal& result) {
    if (instruction.op->name == "tuple") return joined(instruction);
    if (instruction.op->name == "get-tuple-element")
      return element(instruction);
    if (instruction.op->control != nullptr && instruction.op->name != "scan") {
      return called(instruction, result);
    }
    const bool parameter = instruction.parameter_number >= 0;
    if (parameter && instruction.parent != entry_ && any_free_) {
      return unspecified(result);
    }
    for (const Instruction* operand : instruction.operands) {
      if (!all_single(sets_.at(operand))) return unspecified(result);
    }
    return expect(instruction, operands, result,
                  &instruction == root_ ? observed_ : nullptr, profile_);
  }

  Sets joined(const Instruction& tuple) const {
    Sets sets;
    for (const Instruction* operand : tuple.operands) {
      const Sets& part = sets_.at(operand);
      sets.insert(sets.end(), part.begin(), part.end());
    }
    return sets;
  }

  Sets element(const Instruction& get) const {
    const auto index = static_cast<size_t>(get.get<int64_t>("index"));
    const Shape& tuple = get.operand_shape(0);
    int64_t first = 0;
    for (size_t i = 0; i < index; ++i)
      first += leaf_count(tuple.tuple_shapes[i]);
    const auto begin = sets_.at(get.operands[0]).begin() + first;
    return {begin, begin + leaf_count(tuple.tuple_shapes[index])};
  }

  /// Of an operation that ran computations: what their root may be, where
  /// nothing that may differ flowed into another instruction.
  Sets called(const Instruction& instruction, const Literal& result) const {
    if (!any_free_) return exactly(result);
    for (const auto& [name, value] : instruction.attributes) {
      const auto* callee = std::get_if<Computation*>(&value);
      const bool once =
          instruction.op->name == "call" || instruction.op->name == "fusion";
      if (callee == nullptr || !once) continue;
      const auto found = sets_.find((*callee)->root);
      if (found != sets_.end()) return found->second;
    }
    return unspecified(result);
  }

  static Sets exactly(const Literal& result) {
    Sets sets;
    for (Literal& leaf : array_leaves(result)) {
      sets.emplace_back(BitsSet{.value = std::move(leaf), .any_nan = true});
    }
    return sets;
  }

  static Sets unspecified(const Literal& result) {
    return Sets(array_leaves(result).size(),
                UnspecifiedSet{
                    "it depends on values that may differ between backends"});
  }

  const Instruction* root_;
  const Computation* entry_;
  const std::vector<Literal>* observed_;
  const Profile& profile_;
  std::map<const Instruction*, Sets> sets_;
  bool any_free_ = false;
};

Sets stated_only(const Case& c) { return c.expect; }

/// Whether the reference returns what the case states.
bool states_reference(const Case& c, const std::vector<Literal>& reference) {
  return judge(c.expect, reference).verdict == Verdict::kConforms;
}

}  // namespace

std::vector<Expectation> expect_module(const Module& module,
                                       std::vector<Literal> arguments,
                                       const std::vector<Literal>* observed,
                                       const Profile& profile) {
  Tracer tracer(module, observed, profile);
  EvaluatorOptions options;
  options.observer = [&](const Instruction& instruction, Operands operands,
                         const Literal& result) {
    tracer.see(instruction, operands, result);
  };
  evaluate(module, std::move(arguments), options);
  return tracer.root_sets();
}

std::vector<Literal> run_reference(const Module& module,
                                   std::span<const Literal> leaves) {
  return array_leaves(
      evaluate_devices(module, device_arguments(module, leaves)).results);
}

std::vector<Expectation> derived_sets(const Case& c, const Module& module,
                                      const std::vector<Literal>& observed,
                                      const Profile& profile) {
  if (!c.asks_reference) {
    const std::vector<Literal> reference = run_reference(module, c.inputs);
    // What several devices compute together is not traced.
    if (device_count(module) > 1) return stated_only(c);
    if (!states_reference(c, reference)) return stated_only(c);
  }
  return expect_module(module, assemble_arguments(module, c.inputs), &observed,
                       profile);
}

}  // namespace hlo::conformance
