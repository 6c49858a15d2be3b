#include "backends/tpu/run/grid_run.h"

#include <memory>
#include <utility>

#include "backends/tpu/counts/cycle_model.h"
#include "backends/tpu/counts/instruction_counts.h"
#include "backends/tpu/devices/brought.h"
#include "backends/tpu/run/execution.h"
#include "interpreter/devices/devices.h"
#include "interpreter/error.h"
#include "interpreter/rules/devices/parallel_programs.h"

namespace hlo::tpu {
namespace {

/// Machines like another one, with memories of their own, of programs that it
/// runs.
class MachinesLike {
 public:
  explicit MachinesLike(Machine& machine) : machine_(machine) {}

  ~MachinesLike() = default;
  MachinesLike(const MachinesLike&) = delete;
  MachinesLike& operator=(const MachinesLike&) = delete;

  Machine& add(const Device& device) {
    EvaluatorOptions options = machine_.evaluator.options();
    options.device = device;
    evaluators_.push_back(std::make_unique<Evaluator>(
        machine_.evaluator.valuation(), std::move(options)));
    machines_.push_back(
        std::make_unique<Machine>(Machine{.memory = machine_.memory.another(),
                                          .scratch = machine_.scratch,
                                          .matrix = machine_.matrix,
                                          .fault = machine_.fault,
                                          .evaluator = *evaluators_.back(),
                                          .generation = machine_.generation,
                                          .record = machine_.record}));
    return *machines_.back();
  }

  /// Adds what they have counted to the counters of the other machine.
  void tell() const {
    for (const auto& each : machines_) {
      hlo::tpu::add(machine_.counters, each->counters);
      hlo::tpu::add(machine_.of_relayouts, each->of_relayouts);
      hlo::tpu::add(machine_.by_instruction, each->by_instruction);
      hlo::tpu::add(machine_.given, each->counters);
    }
  }

 private:
  Machine& machine_;
  std::vector<std::unique_ptr<Evaluator>> evaluators_;
  std::vector<std::unique_ptr<Machine>> machines_;
};

void append_flat(std::vector<Value>& values, const Value& value) {
  if (!value.shape.is_tuple()) return values.push_back(value);
  values.insert(values.end(), value.elements.begin(), value.elements.end());
}

/// The values that the programs of the queue give, in the machine's memory.
void fill_infeed(HostEnds& host, const ParallelPrograms& programs,
                 const GridSurroundings& around, Machine& machine) {
  for (const Computation* queue : programs.infeed) {
    MachinesLike machines(machine);
    HostEnds none;
    std::vector<DeviceWork> work;
    work.push_back({&machines.add(Device{}), queue});
    const std::vector<Value> given =
        run_grid(around.plan, Grid{}, std::move(work), none, around.depth + 1,
                 around.watch);
    host.infeed.push_back(brought(machine, given.at(0)));
    machines.tell();
  }
}

/// Runs the programs on a grid of their own, which read from a queue of their
/// own; what they write goes where it does here.
Value run_programs(const Instruction& instruction, const Values& operands,
                   const GridSurroundings& around, Machine& machine) {
  const ParallelPrograms programs = parallel_programs(instruction);
  require_count(programs.grid);
  HostEnds host;
  host.outfeed = around.host.outfeed;
  fill_infeed(host, programs, around, machine);
  MachinesLike machines(machine);
  std::vector<DeviceWork> work;
  size_t next = 0;
  for (const Computation* program : programs.programs) {
    Machine& own = machines.add(device_of(std::ssize(work), programs.grid));
    work.push_back({&own, program});
    for (size_t k = 0; k < program->parameters.size(); ++k) {
      work.back().arguments.push_back(brought(own, *operands[next++]));
    }
    give_counts(own, &instruction);
  }
  const std::vector<Value> results =
      run_grid(around.plan, programs.grid, std::move(work), host,
               around.depth + 1, around.watch);
  std::vector<Value> values;
  for (const Value& result : results) {
    append_flat(values, brought(machine, result));
  }
  machines.tell();
  if (!instruction.shape.is_tuple()) return std::move(values.at(0));
  return tuple_of(std::move(values));
}

void run_in_turns(const std::vector<std::unique_ptr<Execution>>& devices) {
  for (bool moved = true; moved;) {
    moved = false;
    for (const auto& device : devices) {
      if (device->advance()) moved = true;
    }
  }
}

}  // namespace

std::vector<Value> run_grid(const LayoutPlan& plan, const Grid& grid,
                            std::vector<DeviceWork> work, HostEnds& host,
                            int depth, ElementWatch* watch) {
  require_depth(depth);
  require_count(grid);
  require_room(work);
  devices::GridNetwork<Value> network(grid);
  std::vector<Machine*> machines;
  for (const DeviceWork& one : work) machines.push_back(one.machine);
  const GridSurroundings around{.plan = plan,
                                .network = network,
                                .machines = machines,
                                .host = host,
                                .depth = depth,
                                .watch = watch,
                                .run_programs = run_programs};
  std::vector<std::unique_ptr<Execution>> executions;
  for (DeviceWork& one : work) {
    executions.push_back(std::make_unique<Execution>(
        around, device_of(std::ssize(executions), grid)));
    executions.back()->start(*one.computation, std::move(one.arguments));
  }
  run_in_turns(executions);
  std::vector<Value> results;
  for (size_t i = 0; i < executions.size(); ++i) {
    const Instruction* const waiting = executions[i]->waiting();
    require_evaluable(
        executions[i]->has_ended(), "evaluate.deadlock",
        {"device ", i, " waits at %", waiting == nullptr ? "" : waiting->name},
        "the devices must not all wait");
    results.push_back(executions[i]->result());
  }
  return results;
}

Value execute(Machine& machine, const LayoutPlan& plan,
              const Computation& computation, const Values& arguments) {
  HostEnds host;
  std::vector<DeviceWork> work;
  work.push_back({&machine, &computation});
  for (const Value* argument : arguments) {
    work.back().arguments.push_back(*argument);
  }
  return run_grid(plan, Grid{}, std::move(work), host).at(0);
}

}  // namespace hlo::tpu
