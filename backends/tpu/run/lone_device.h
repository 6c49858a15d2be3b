#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "backends/tpu/machine/tiled_machine.h"
#include "backends/tpu/program/tiled_value.h"

namespace hlo::tpu {

/// What a device that runs a program alone does in operations between devices
/// (Op::communicate): it meets itself, sends to itself, and runs the
/// computations that it has begun beside the program whenever that waits.
class LoneDevice {
 public:
  /// Runs a computation to its end.
  using Call = std::function<Value(const Computation&, const Values&)>;

  explicit LoneDevice(Machine& machine) : machine_(machine) {}

  Value run(const Instruction& instruction, const Values& operands,
            const Call& call);

 private:
  /// A value that is there once somebody has done their part.
  using Pending = std::function<const Value*()>;

  /// Data and token on their way through a channel.
  struct Transfer {
    std::optional<Value> sent;
    std::optional<Shape> wanted;
  };

  /// A computation that runs beside the program.
  struct Beside {
    const Computation* computation;
    std::vector<Value> arguments;
    std::optional<Value> result = {};
  };

  /// What waits for its other end, of one channel.
  struct Channel {
    std::deque<std::shared_ptr<Transfer>> sent;
    std::deque<std::shared_ptr<Transfer>> wanted;
  };

  Value communicate(const Instruction& instruction, const Values& operands,
                    const Call& call);
  Value begin(const Instruction& start, Value value);
  Value end(const Instruction& done);
  Value send(const Instruction& send, const Values& operands);
  Value receive(const Instruction& recv, const Value& token);
  Value transfer_state(Value data, Pending pending, const Value& token);
  Value end_transfer(const Value& state, const Call& call);
  Value bind(const Instruction& instruction, const Values& operands,
             const Call& call);
  Value end_async(const Instruction& done, const Value& state,
                  const Call& call);

  std::optional<Pending> begun(const Instruction& later, const Value& state);
  Pending run_beside(const Computation& computation,
                     std::vector<Value> arguments, const Call& call);
  static void finish(Beside& one, const Call& call);
  Value awaited(const Pending& pending, const Call& call);
  uint32_t keep(Pending pending);
  Pending redeem(uint32_t number);

  Machine& machine_;
  std::map<const Instruction*, Pending> begun_;
  std::map<uint32_t, Pending> kept_;
  uint32_t last_number_ = 0;
  // By channel, and whether pairs say who sends.
  std::map<std::pair<int64_t, bool>, Channel> channels_;
  std::deque<std::shared_ptr<Beside>> beside_;  // what has not begun to run
  int64_t running_beside_ = 0;
};

}  // namespace hlo::tpu
