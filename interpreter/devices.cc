#include "interpreter/devices.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/run_parallel.h"

namespace hlo {
namespace {

constexpr size_t kMostNamed = 8;  // in a message

/// "1, 2 and 5 more".
std::string listed(std::span<const int64_t> ids) {
  std::string text;
  for (size_t i = 0; i < std::min(ids.size(), kMostNamed); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(ids[i]);
  }
  if (ids.size() <= kMostNamed) return text;
  return text + " and " + std::to_string(ids.size() - kMostNamed) + " more";
}

std::string named(std::span<const int64_t> ids) {
  return (ids.size() == 1 ? "device " : "devices ") + listed(ids);
}

std::string shortened(const std::string& name) {
  constexpr size_t kMost = 60;
  return name.size() <= kMost ? name : name.substr(0, kMost) + "...";
}

/// "device 0 waits at r (all-reduce) for devices 1, 2".
std::string describe(const Evaluator& evaluator, int64_t id) {
  const Instruction& instruction = *evaluator.waiting();
  const std::vector<int64_t> others = evaluator.awaited()->awaited();
  return "device " + std::to_string(id) + " waits at " +
         shortened(instruction.name) + " (" +
         std::string(instruction.op->name) + ") for " +
         (others.empty() ? std::string("the other end of its channel")
                         : named(others));
}

/// What is left to say behind those that were named.
std::string rest(size_t waiting, std::span<const int64_t> ended) {
  std::string text;
  if (waiting > kMostNamed) {
    text = "; and " + counted(static_cast<int64_t>(waiting - kMostNamed),
                              "more device waits", "more devices wait");
  }
  if (ended.empty()) return text;
  return text + "; " + named(ended) + (ended.size() == 1 ? " has" : " have") +
         " ended";
}

bool is_local(const Instruction& instruction) {
  return instruction.op->communicate == nullptr;
}

/// Whether every device computes the same from the same arguments.
bool is_local(const Module& module) {
  return std::ranges::all_of(
      module.computations, [](const std::unique_ptr<Computation>& computation) {
        return std::ranges::all_of(
            computation->instructions,
            [](const auto& instruction) { return is_local(*instruction); });
      });
}

/// Lets each in turn run until it waits, as long as any of them can.
void run_in_turns(const std::vector<std::unique_ptr<Evaluator>>& evaluators) {
  bool moved = true;
  while (moved) {
    moved = false;
    for (const auto& evaluator : evaluators) {
      if (evaluator->advance()) moved = true;
    }
  }
}

void require_count(const Grid& grid) {
  require_evaluable(grid.count() <= kMostDevices, "evaluate.devices",
                    "a program runs on at most 65536 devices");
}

/// The devices' values have to have room, before anything is computed.
void require_room(const std::vector<DeviceProgram>& programs) {
  constexpr int64_t kMostValues = int64_t{1} << 23;
  int64_t values = 0;
  for (const DeviceProgram& program : programs) {
    values += std::ssize(program.computation->instructions);
  }
  require_evaluable(values <= kMostValues, "evaluate.devices",
                    "the programs of all devices have at most 2^23 "
                    "instructions");
}

}  // namespace

void require_depth(int depth) {
  constexpr int kDeepest = 32;
  require_evaluable(depth <= kDeepest, "evaluate.depth",
                    "programs that run programs are nested at most 32 deep");
}

void throw_deadlock(std::span<const Evaluator* const> devices) {
  std::string text;
  std::vector<int64_t> ended;
  size_t waiting = 0;
  Location location;
  for (size_t i = 0; i < devices.size(); ++i) {
    if (devices[i]->has_ended()) {
      ended.push_back(static_cast<int64_t>(i));
      continue;
    }
    if (waiting == 0) location = devices[i]->waiting()->location;
    if (waiting++ >= kMostNamed) continue;
    text += (text.empty() ? "" : "; ") +
            describe(*devices[i], static_cast<int64_t>(i));
  }
  throw Error(Phase::kEvaluate, "evaluate.deadlock",
              text + rest(waiting, ended), location);
}

GridResult run_grid(const Grid& grid, std::vector<DeviceProgram> programs,
                    std::deque<Literal> infeed,
                    const EvaluatorOptions& options) {
  require_count(grid);
  require_room(programs);
  Network network(grid, std::move(infeed));
  std::vector<std::unique_ptr<Evaluator>> evaluators;
  std::vector<const Evaluator*> all;
  for (DeviceProgram& program : programs) {
    EvaluatorOptions own = options;
    own.device = device_of(std::ssize(evaluators), grid);
    if (options.observer_of) own.observer = options.observer_of(own.device);
    evaluators.push_back(std::make_unique<Evaluator>(std::move(own), network));
    evaluators.back()->start(*program.computation,
                             std::move(program.arguments));
    all.push_back(evaluators.back().get());
  }
  run_in_turns(evaluators);
  GridResult result;
  for (const auto& evaluator : evaluators) {
    if (!evaluator->has_ended()) throw_deadlock(all);
    result.results.push_back(evaluator->result());
    result.steps += evaluator->steps();
  }
  result.outfeed = network.outfeed();
  return result;
}

Grid grid_of(const Module& module) {
  const bool runs_programs = std::ranges::any_of(
      module.entry->instructions,
      [](const auto& instruction) { return is_run_parallel(*instruction); });
  return runs_programs ? Grid{}
                       : Grid{module.replica_count, module.num_partitions};
}

int64_t device_count(const Module& module) { return grid_of(module).count(); }

GridResult evaluate_devices(const Module& module,
                            std::vector<std::vector<Literal>> arguments,
                            const EvaluatorOptions& options) {
  const Grid grid = grid_of(module);
  require_count(grid);
  const auto count = static_cast<size_t>(grid.count());
  require_evaluable(arguments.size() == 1 || arguments.size() == count,
                    "evaluate.arguments",
                    "there is one list of arguments, or one for each device");
  const bool once = arguments.size() == 1 && is_local(module);
  std::vector<DeviceProgram> programs;
  for (size_t i = 0; i < (once ? 1 : count); ++i) {
    std::vector<Literal>& own = arguments[arguments.size() == 1 ? 0 : i];
    const bool again = arguments.size() == 1 && !once && i + 1 < count;
    programs.push_back({module.entry, again ? own : std::move(own)});
  }
  GridResult result =
      run_grid(once ? Grid{} : grid, std::move(programs), {}, options);
  result.results.resize(count, result.results.front());
  return result;
}

}  // namespace hlo
