#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "backends/devices/begun_work.h"
#include "backends/devices/grid_network.h"
#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/layout_plan.h"
#include "backends/tpu/program/tiled_value.h"
#include "backends/tpu/run/element_watch.h"
#include "backends/tpu/run/host_ends.h"
#include "interpreter/run/evaluator.h"

namespace hlo::tpu {

/// What the devices of a grid share.
struct GridSurroundings {
  const LayoutPlan& plan;
  devices::GridNetwork<Value>& network;
  const std::vector<Machine*>& machines;  // by flattened id
  HostEnds& host;
  int depth = 0;   // of programs and asynchronous computations in each other
  int levels = 0;  // of computations that recursion runs
  ElementWatch* watch = nullptr;  // whoever waits for an element
  /// The results of the programs of `interpreter.run_parallel`.
  Value (*run_programs)(const Instruction&, const Values&,
                        const GridSurroundings&, Machine&) = nullptr;
};

/// A computation that runs on one device and stops where it has to wait.
/// Computations that instructions run have frames of their own, so that they
/// may be nested as deep as memory allows.
class Execution {
 public:
  Execution(const GridSurroundings& around, const Device& device);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  void start(const Computation& computation, std::vector<Value> arguments);
  /// Runs until it waits or has ended; whether anything happened. Throws
  /// Unsupported, Error and Trap.
  bool advance();

  bool has_ended() const { return frames_.empty(); }

  const Value& result() const { return result_; }

  /// What it waits at, or null.
  const Instruction* waiting() const;

 private:
  using Pending = devices::Pending<Value>;

  struct Frame;

  bool step();
  bool visit(Frame& frame, const Instruction& instruction);
  bool resume(Frame& frame);
  void run_one(Frame& frame, const Instruction& instruction,
               const Values& operands);
  void finish();
  void take(Frame& frame, Value value);
  int64_t watch_begin(const Instruction& instruction);
  void watch_resume(const Frame& frame);
  void watch_end(const Instruction& instruction, int64_t run,
                 const Value& value, const std::vector<NamedArray>& read);
  void put(Frame& frame, Value value);
  void call(const Computation& computation, std::vector<Value> arguments);
  void branch(Frame& frame, const Instruction& instruction,
              const Values& operands);
  void repeat(Frame& frame, const Instruction& loop, const Values& operands);
  Value ended(const LayoutPlan& plan, const Computation& computation,
              const Values& arguments);
  Value planned(const Instruction& instruction, Value value);
  const Value* read_from(Frame& frame, const Instruction& instruction,
                         const Values& operands, size_t k);
  Values copied(Frame& frame, const Instruction& instruction,
                const Values& operands);
  Value array_of(Frame& frame, const Instruction& instruction,
                 const Values& operands);
  void begin_scan(Frame& frame, const Instruction& scan,
                  const Values& operands);
  void scan_on(Frame& frame);
  void begin_operation(const Values& operands);

  Pending communicate(const Instruction& instruction, const Values& operands);
  Value id_of_device(const Instruction& instruction);
  Pending meet(const Instruction& collective, const Values& operands);
  Pending begin(const Instruction& start, Pending pending);
  Pending send(const Instruction& send, const Values& operands);
  Pending receive(const Instruction& recv, const Values& operands);
  Pending end_transfer(const Value& state);
  Pending infed(const Instruction& infeed, const Value& token);
  Pending run_beside(const Computation& computation,
                     std::vector<Value> arguments);
  std::optional<Pending> begun(const Instruction& later, const Value& state);
  Pending bind(const Instruction& instruction, const Values& operands);
  Value bound(const Instruction& instruction, std::vector<Value> operands,
              std::optional<Pending> pending);
  Pending end_async(const Instruction& done, const Value& state);

  GridSurroundings around_;
  Device device_;
  Machine& machine_;
  std::vector<std::unique_ptr<Frame>> frames_;
  devices::BegunWork<Value> begun_;
  std::vector<std::shared_ptr<Execution>> beside_;  // what has not ended
  Value result_;
};

}  // namespace hlo::tpu
