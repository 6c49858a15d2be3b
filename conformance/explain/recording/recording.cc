#include "conformance/explain/recording/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "interpreter/counted.h"
#include "interpreter/devices/devices.h"
#include "interpreter/devices/run_parallel.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/devices/parallel_programs.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo::conformance {
namespace {

using Relevant = std::set<const Instruction*>;

Callers callers_in(const Module& module) {
  Callers callers;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      for (const Computation* called : called_by(*instruction)) {
        callers[called].push_back(instruction.get());
      }
    }
  }
  return callers;
}

/// What the run before gave a parameter of a loop's body or condition, or of a
/// scan's; nothing for others.
std::optional<ArgumentSource> carried_source(const Instruction& parameter,
                                             const Instruction& caller) {
  const int64_t number = parameter.parameter_number;
  if (caller.op->form == Form::kLoop) {
    const Computation& body = *caller.get<Computation*>("body");
    return ArgumentSource{&caller, body.root, {}, /*is_carried=*/true};
  }
  if (caller.op->form != Form::kScan) return std::nullopt;
  const auto carries = caller.get_or<int64_t>("num_carries", 0);
  const int64_t inputs = std::ssize(caller.operands) - carries;
  if (number < inputs) return std::nullopt;
  const Instruction* root = caller.get<Computation*>("to_apply")->root;
  Ints place;
  if (root->shape.is_tuple()) {
    place = {std::ssize(root->shape.tuple_shapes) - carries + number - inputs};
  }
  return ArgumentSource{&caller, root, std::move(place), /*is_carried=*/true};
}

/// What an instruction depends on: its operands, the roots of the computations
/// that it runs, and what a parameter may be.
std::vector<const Instruction*> causes_of(const Instruction& instruction,
                                          const Callers& callers) {
  std::vector<const Instruction*> causes(instruction.operands.begin(),
                                         instruction.operands.end());
  for (const Computation* called : called_by(instruction)) {
    causes.push_back(called->root);
  }
  const Computation* const wrapped = instruction.op->form == Form::kAsync
                                         ? wrapped_computation(instruction)
                                         : nullptr;
  if (wrapped != nullptr) causes.push_back(wrapped->root);
  for (const auto& source : argument_sources(instruction, callers)) {
    causes.push_back(source.from);
  }
  return causes;
}

/// Adds what `instruction` depends on, over so many steps.
void add_relevant(const Instruction& instruction, int depth,
                  const Callers& callers, Relevant& relevant) {
  std::vector<const Instruction*> level = {&instruction};
  for (int d = 0; d < depth && !level.empty(); ++d) {
    std::vector<const Instruction*> next;
    for (const Instruction* one : level) {
      const std::vector<const Instruction*> causes = causes_of(*one, callers);
      next.insert(next.end(), causes.begin(), causes.end());
    }
    std::erase_if(next, [&](const Instruction* one) {
      return !relevant.insert(one).second;
    });
    level = std::move(next);
  }
}

/// What one device has run so far.
struct Watch {
  Observed wanted;
  int64_t runs = 0;
  std::map<const Instruction*, Observed> latest;
  std::map<const Instruction*, Observed> latest_then;  // when `wanted` ended
  std::map<const Computation*, int64_t> within;
  std::map<const Computation*, int64_t> within_then;
  std::vector<StateMove> draws;  // in the order of their first runs
};

void add_draw(const Instruction& instruction, std::vector<StateMove>& draws) {
  const auto found =
      std::ranges::find(draws, &instruction, &StateMove::instruction);
  if (found == draws.end()) {
    draws.push_back({&instruction, 1});
  } else {
    ++found->runs;
  }
}

/// All devices that run the program, or a program that it runs.
class Watches {
 public:
  Watches(const Wanted& wanted, Relevant relevant)
      : wanted_(wanted),
        relevant_(std::move(relevant)),
        receives_(has_token(start_of(*wanted.instruction))) {}

  const std::vector<std::pair<Device, Observed>>& sends() const {
    return sends_;
  }

  Observer of(const Device& device) {
    Watch& watch = watches_[{device.replica, device.partition}];
    return [this, &watch, device](const Instruction& instruction,
                                  Operands operands, const Literal& result) {
      Observed run{&instruction, {operands.begin(), operands.end()}, result};
      if (receives_ && instruction.op->communicate != nullptr &&
          instruction.operands.size() > 1 && has_token(instruction)) {
        sends_.emplace_back(device, run);
      }
      see(watch, std::move(run));
    };
  }

  /// Runs again, and watches, the programs that the program has run on devices
  /// of their own, and those that they run.
  void run_programs(const EvaluatorOptions& options) {
    while (!calls_.empty()) {
      const std::vector<Observed> calls = std::exchange(calls_, {});
      for (const Observed& call : calls) {
        Evaluator evaluator(kReference, options);
        // A program's random numbers begin anew.
        for (auto& [device, watch] : watches_) watch.draws.clear();
        run_parallel(*call.instruction, call.operands, evaluator,
                     /*is_watched=*/true);
      }
    }
  }

  /// The device that is asked for, and what it recorded.
  std::pair<Device, const Watch*> found() const {
    for (const auto& [key, watch] : watches_) {
      const Device device{key.first, key.second};
      const bool fits = wanted_.device
                            ? key.first == wanted_.device->replica &&
                                  key.second == wanted_.device->partition
                            : watch.runs > 0;
      if (fits) return {device, &watch};
    }
    return {wanted_.device.value_or(Device{}), nullptr};
  }

 private:
  void see(Watch& watch, Observed run) {
    const Instruction& instruction = *run.instruction;
    const Computation* parent = instruction.parent;
    if (moves_random_state(*instruction.op)) {
      run.draws = watch.draws;
      add_draw(instruction, watch.draws);
    }
    const bool is_wanted = &instruction == wanted_.instruction;
    if (is_wanted && ++watch.runs == wanted_.run) {
      watch.wanted = run;
      watch.latest_then = watch.latest;
      watch.within_then = watch.within;
    }
    if (is_run_parallel(instruction)) calls_.push_back(run);
    if (parent == wanted_.instruction->parent) watch.within.clear();
    if (parent->root == &instruction) ++watch.within[parent];
    if (relevant_.contains(&instruction)) {
      watch.latest.insert_or_assign(&instruction, std::move(run));
    }
  }

  Wanted wanted_;
  Relevant relevant_;
  bool receives_;
  std::vector<std::pair<Device, Observed>> sends_;
  std::map<std::pair<int64_t, int64_t>, Watch> watches_;
  std::vector<Observed> calls_;  // of interpreter.run_parallel
};

bool share_elements(const Literal& a, const Literal& b) {
  if (a.shape().is_tuple() && b.shape().is_tuple()) {
    return std::ranges::equal(a.elements(), b.elements(), share_elements);
  }
  return a.shape().is_array() && b.shape().is_array() &&
         a.bytes().data() == b.bytes().data();
}

/// Whether the device came to the meeting with these operands.
bool came_with(const Meeting& meeting, const Device& device,
               const std::vector<Literal>& operands) {
  const int64_t id = flattened_id(device, meeting.grid);
  const auto member = std::ranges::find(meeting.devices, id);
  if (member == meeting.devices.end()) return false;
  const auto& own =
      meeting.operands[static_cast<size_t>(member - meeting.devices.begin())];
  return std::ranges::equal(own, operands, share_elements);
}

/// Whether devices that run one meet those that run the other: an operation and
/// the start of it take the same attributes.
bool may_meet(const Op& a, const Op& b) {
  return &a == &b ||
         (!a.attributes.empty() && a.attributes.data() == b.attributes.data());
}

/// The collectives that the wanted instruction and what it depends on meet at.
std::set<const Op*> collectives_of(const Wanted& wanted,
                                   const Relevant& relevant) {
  std::set<const Op*> ops = {start_of(*wanted.instruction).op};
  for (const Instruction* instruction : relevant) {
    ops.insert(start_of(*instruction).op);
  }
  return ops;
}

/// Error "explain.device" where the grid has not the device that is asked for.
void check_device(const Wanted& wanted, const Grid& grid) {
  if (!wanted.device) return;
  const auto [replica, partition] = *wanted.device;
  if (replica < grid.replicas && partition < grid.partitions) return;
  throw Error(Phase::kEvaluate, "explain.device",
              fmt::format("replica {}, partition {} is asked for, but the "
                          "program runs on {} of {}",
                          replica, partition, counted(grid.replicas, "replica"),
                          counted(grid.partitions, "partition")));
}

[[noreturn]] void throw_too_few_runs(const Wanted& wanted, const Device& device,
                                     int64_t runs) {
  const std::string where = wanted.device
                                ? fmt::format(" on replica {}, partition {}",
                                              device.replica, device.partition)
                                : "";
  const std::string name = wanted.instruction->name;
  throw Error(
      Phase::kEvaluate, "explain.run",
      runs == 0
          ? fmt::format("%{} does not run{}: nothing calls its computation, or "
                        "a region is applied to elements; then explain the "
                        "instruction that applies it",
                        name, where)
          : fmt::format("%{} runs {}{}, and run {} is asked for", name,
                        counted(runs, "time"), where, wanted.run),
      wanted.instruction->location);
}

}  // namespace

bool moves_random_state(const Op& op) {
  return op.randomness == Randomness::kNumbers ||
         op.randomness == Randomness::kState;
}

const Instruction& start_of(const Instruction& instruction) {
  return instruction.op->start == nullptr ? instruction
                                          : *instruction.operands[0];
}

bool has_token(const Instruction& instruction) {
  return std::ranges::any_of(
      instruction.operands,
      [](const Instruction* operand) { return operand->shape.is_token(); });
}

std::vector<ArgumentSource> argument_sources(const Instruction& parameter,
                                             const Callers& callers) {
  if (parameter.parameter_number < 0) return {};
  const auto found = callers.find(parameter.parent);
  if (found == callers.end()) return {};
  const auto number = static_cast<size_t>(parameter.parameter_number);
  std::vector<ArgumentSource> sources;
  for (const Instruction* caller : found->second) {
    if (auto carried = carried_source(parameter, *caller)) {
      sources.push_back(*std::move(carried));
    }
    // Each branch of a conditional takes one of its operands.
    const bool is_branch = caller->op->form == Form::kBranches;
    const size_t count = caller->operands.size();
    const size_t end = is_branch ? count : std::min(number + 1, count);
    for (size_t k = is_branch ? 1 : number; k < end; ++k) {
      sources.push_back({caller, caller->operands[k]});
    }
  }
  return sources;
}

Recording record(const Module& module,
                 std::vector<std::vector<Literal>> arguments,
                 const Wanted& wanted, EvaluatorOptions options) {
  const Grid grid{module.replica_count, module.num_partitions};
  check_device(wanted, grid);
  // Devices that do the same are not run: that which is asked for is.
  if (wanted.device && arguments.size() == 1) {
    arguments.resize(static_cast<size_t>(grid.count()), arguments[0]);
  }
  Relevant relevant;
  Callers callers = callers_in(module);
  add_relevant(*wanted.instruction, wanted.depth, callers, relevant);
  const std::set<const Op*> collectives = collectives_of(wanted, relevant);
  Watches watches(wanted, std::move(relevant));
  std::vector<Meeting> meetings;
  options.observer_of = [&](const Device& device) {
    return watches.of(device);
  };
  options.meeting_observer = [&](const Meeting& meeting) {
    if (std::ranges::any_of(collectives, [&](const Op* op) {
          return may_meet(*meeting.collective->op, *op);
        })) {
      meetings.push_back(meeting);
    }
  };
  evaluate_devices(module, std::move(arguments), options);
  if (watches.found().second == nullptr) watches.run_programs(options);
  const auto [device, watch] = watches.found();
  const int64_t runs = watch == nullptr ? 0 : watch->runs;
  if (runs < wanted.run) throw_too_few_runs(wanted, device, runs);
  return {.wanted = watch->wanted,
          .run = wanted.run,
          .runs = runs,
          .device = device,
          .callers = std::move(callers),
          .latest = watch->latest_then,
          .runs_within = watch->within_then,
          .sends = watches.sends(),
          .meetings = std::move(meetings)};
}

const Meeting* meeting_of(const Recording& recording, const Observed& run) {
  const Instruction& place = start_of(*run.instruction);
  const auto start = recording.latest.find(&place);
  const bool is_done = &place != run.instruction;
  const Observed& came =
      is_done && start != recording.latest.end() ? start->second : run;
  // The last of those is meant that the wanted run depends on.
  int64_t left = &run == &recording.wanted ? recording.run : 0;
  const Meeting* found = nullptr;
  for (const Meeting& meeting : recording.meetings) {
    if (!may_meet(*meeting.collective->op, *place.op)) continue;
    if (!came_with(meeting, recording.device, came.operands)) continue;
    const bool same = meeting.collective->name == place.name;
    if (same || found == nullptr) found = &meeting;
    if (same && --left == 0) break;
  }
  return found;
}

}  // namespace hlo::conformance
