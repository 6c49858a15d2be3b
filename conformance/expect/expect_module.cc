#include "conformance/expect/expect_module.h"

#include <algorithm>
#include <map>

#include "backends/backend.h"
#include "conformance/expect/collective_call.h"
#include "conformance/expect/collective_sets.h"
#include "conformance/expect/expect.h"
#include "conformance/expect/open_nans.h"
#include "interpreter/devices/devices.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/shape_rules.h"

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

bool gives_floats(const Instruction& instruction) {
  const auto is_inexact = [](const Shape* leaf) {
    return is_float(leaf->element_type) || is_complex(leaf->element_type);
  };
  return !instruction.op->accuracy.moves_data &&
         std::ranges::any_of(leaves(instruction.shape), is_inexact);
}

/// Whether the instruction, or anything that it runs, computes floats.
bool computes_floats(const Instruction& instruction) {
  const auto in_any = [](const Computation* computation) {
    return std::ranges::any_of(
        computation->instructions,
        [](const auto& inner) { return gives_floats(*inner); });
  };
  return gives_floats(instruction) ||
         std::ranges::any_of(with_called(called_by(instruction)), in_any);
}

/// Follows one device's run of the reference and keeps the sets of what it
/// computed.
class Tracer {
 public:
  Tracer(const Module& module, int64_t device,
         const std::vector<Literal>* observed, const Profile& profile,
         CollectiveSets& shared)
      : root_(module.entry->root),
        entry_(module.entry),
        device_(device),
        observed_(observed),
        profile_(profile),
        shared_(shared) {}

  void see(const Instruction& instruction, Operands operands,
           const Literal& result) {
    Sets sets = sets_of(instruction, operands, result);
    if (!all_single(sets) && instruction.op->control == nullptr) {
      any_free_ = shared_.any_free = true;
    }
    sets_[&instruction] = std::move(sets);
  }

  /// Whether the operands have one value each. Elsewhere than in the entry
  /// computation another instruction, or an earlier run, may be meant.
  bool knows_operands(const Instruction& instruction) const {
    if (!any_free_ || instruction.parent != entry_) return !any_free_;
    return std::ranges::all_of(
        instruction.operands, [&](const Instruction* operand) {
          const auto found = sets_.find(operand);
          return found != sets_.end() && all_single(found->second);
        });
  }

  const Sets& root_sets() const { return sets_.at(root_); }

 private:
  Sets sets_of(const Instruction& instruction, Operands operands,
               const Literal& result) {
    const Form form = instruction.op->form;
    if (form == Form::kTuple) return joined(instruction);
    if (form == Form::kElement) return element(instruction);
    if (instruction.op->control != nullptr && form != Form::kScan) {
      return called(instruction, result);
    }
    if (instruction.op->communicate != nullptr) {
      return communicated(instruction, result);
    }
    if (runs_programs(instruction)) {
      return computes_floats(instruction) ? unspecified(result)
                                          : exactly(result);
    }
    if (instruction.parameter_number >= 0 && instruction.parent != entry_) {
      return any_free_ ? unspecified(result) : exactly(result);
    }
    std::vector<const Sets*> operand_sets;
    for (const Instruction* operand : instruction.operands) {
      operand_sets.push_back(&sets_.at(operand));
      if (!all_single(*operand_sets.back())) return unspecified(result);
    }
    return expect_with_nans(instruction, operands, operand_sets, result,
                            &instruction == root_ ? observed_ : nullptr,
                            profile_);
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

  /// What an operation may return that ran computations: what their root may
  /// be, where nothing that may differ flowed into another instruction.
  Sets called(const Instruction& instruction, const Literal& result) const {
    if (!any_free_) return exactly(result);
    return instruction.op->form == Form::kCall
               ? of_root(callee_of(instruction), result)
               : unspecified(result);
  }

  /// What an operation may return that gives what the computation returned.
  Sets of_root(const Computation& computation, const Literal& result) const {
    const auto found = sets_.find(computation.root);
    return found == sets_.end() ? unspecified(result) : found->second;
  }

  /// What an operation between devices may return: what its group combined, or
  /// what ran beside the program.
  Sets communicated(const Instruction& instruction,
                    const Literal& result) const {
    if (names_device(instruction)) return exactly(result);
    if (const Sets* met = shared_.find(instruction, device_)) return *met;
    if (instruction.op->start != nullptr) {
      const Instruction& start = *instruction.operands[0];
      if (const Sets* begun = shared_.find(start, device_)) return *begun;
      if (shared_.is_known(start, device_)) return exactly(result);
    }
    if (!shared_.any_free || shared_.is_known(instruction, device_)) {
      return exactly(result);
    }
    return instruction.op->form == Form::kAsync
               ? ran_beside(instruction, result)
               : unspecified(result);
  }

  /// What ran beside the program, where the instruction gives that and not a
  /// state that holds it.
  Sets ran_beside(const Instruction& instruction, const Literal& result) const {
    const Computation* wrapped = wrapped_computation(instruction);
    const bool ends = wrapped != nullptr &&
                      compatible(wrapped->root->shape, instruction.shape,
                                 /*ignore_dynamic=*/true);
    return ends ? of_root(*wrapped, result) : unspecified(result);
  }

  static bool runs_programs(const Instruction& instruction) {
    return instruction.op->form == Form::kForeign &&
           instruction.find("called_computations") != nullptr;
  }

  static Sets exactly(const Literal& result) {
    Sets sets;
    for (Literal& leaf : array_leaves(result)) {
      sets.emplace_back(ArraySet::computed(std::move(leaf)));
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
  int64_t device_;
  const std::vector<Literal>* observed_;
  const Profile& profile_;
  CollectiveSets& shared_;
  bool any_free_ = false;  // of what this device computed or was given
  std::map<const Instruction*, Sets> sets_;
};

/// The leaves of each device; none where they are not as many for each.
std::vector<std::vector<Literal>> in_equal_parts(
    const std::vector<Literal>& leaves, size_t count) {
  std::vector<std::vector<Literal>> parts;
  if (leaves.size() % count != 0) return parts;
  const size_t each = leaves.size() / count;
  for (size_t i = 0; i < count; ++i) {
    const auto first = leaves.begin() + static_cast<std::ptrdiff_t>(i * each);
    parts.emplace_back(first, first + static_cast<std::ptrdiff_t>(each));
  }
  return parts;
}

}  // namespace

std::vector<Expectation> expect_module(const Module& module,
                                       std::vector<Literal> arguments,
                                       const std::vector<Literal>* observed,
                                       const Profile& profile) {
  std::vector<std::vector<Literal>> lists;
  lists.push_back(std::move(arguments));
  return expect_devices(module, std::move(lists), observed, profile);
}

std::vector<Expectation> expect_devices(
    const Module& module, std::vector<std::vector<Literal>> arguments,
    const std::vector<Literal>* observed, const Profile& profile) {
  const Grid grid = grid_of(module);
  const auto devices = static_cast<size_t>(grid.count());
  // Each device is followed, though all may do the same.
  if (arguments.size() == 1) arguments.resize(devices, arguments[0]);
  const std::vector<std::vector<Literal>> parts =
      observed == nullptr ? std::vector<std::vector<Literal>>{}
                          : in_equal_parts(*observed, devices);
  CollectiveSets shared(profile);
  std::vector<Tracer> tracers;
  for (size_t i = 0; i < devices; ++i) {
    tracers.emplace_back(module, static_cast<int64_t>(i),
                         parts.empty() ? nullptr : &parts[i], profile, shared);
  }
  EvaluatorOptions options;
  options.observer_of = [&](const Device& device) {
    Tracer* tracer = &tracers[static_cast<size_t>(flattened_id(device, grid))];
    return [tracer](const Instruction& instruction, Operands operands,
                    const Literal& result) {
      tracer->see(instruction, operands, result);
    };
  };
  options.meeting_observer = [&](const Meeting& meeting) {
    shared.see(meeting, std::ranges::all_of(meeting.devices, [&](int64_t i) {
                 return tracers[static_cast<size_t>(i)].knows_operands(
                     *meeting.collective);
               }));
  };
  evaluate_devices(module, std::move(arguments), options);
  Sets sets;
  for (const Tracer& tracer : tracers) {
    const Sets& own = tracer.root_sets();
    sets.insert(sets.end(), own.begin(), own.end());
  }
  return sets;
}

std::vector<Literal> run_reference(const Module& module,
                                   std::span<const Literal> leaves) {
  return array_leaves(
      evaluate_devices(module, device_arguments(module, leaves)).results);
}

}  // namespace hlo::conformance
