#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "backends/cpu/devices/device_network.h"
#include "backends/cpu/devices/engine_calls.h"
#include "backends/cpu/functions/random/random_state.h"
#include "backends/devices/begun_work.h"

namespace hlo::cpu {

/// How deep programs and asynchronous computations may lie in each other.
inline constexpr int kMostDepth = 32;

/// What all strands of a grid use.
struct Surroundings {
  Network& network;
  EngineCalls calls;
  int depth = 0;  // of programs in each other
  /// The results of the programs of `interpreter.run_parallel`.
  Array (*run_programs)(const Instruction&, Operands, const Surroundings&);
};

/// A computation that runs on one device and stops where it has to wait.
/// Computations that instructions run have frames of their own, so that they
/// may be nested as deep as memory allows.
class Strand {
 public:
  /// `state` is that of the device's random numbers.
  Strand(const Surroundings& around, Device device,
         std::shared_ptr<Counter> state);
  ~Strand();
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;

  void start(const Computation& computation, std::vector<Array> arguments);
  /// Runs until it waits or has ended; whether anything happened.
  bool advance();

  bool has_ended() const { return frames_.empty(); }

  const Array& result() const { return result_; }

  /// What it waits at, or null.
  const Instruction* waiting() const;

 private:
  struct Frame;

  bool step();
  void visit(Frame& frame, const Instruction& instruction);
  void finish();
  void put(Frame& frame, Array value);
  void call(const Computation& computation, std::vector<Array> arguments);
  void repeat(Frame& frame, const Instruction& loop, Operands operands);
  Pending communicate(const Instruction& instruction, Operands operands);
  Pending meet(const Instruction& collective, Operands operands);
  Pending begin(const Instruction& start, Pending pending);
  Pending send(const Instruction& send, Operands operands);
  Pending receive(const Instruction& recv, Operands operands);
  Pending transfer_done(const Array& state);
  Pending run_beside(const Computation& computation,
                     std::vector<Array> arguments);
  std::optional<Pending> begun(const Instruction& later, const Array& state);
  Array bound(const Instruction& instruction, std::vector<Array> operands,
              const Array* before);
  Pending bind(const Instruction& instruction, Operands operands);
  Pending async_done(const Instruction& done, Operands operands);

  Surroundings around_;
  Device device_;
  std::shared_ptr<Counter> state_;
  std::vector<std::unique_ptr<Frame>> frames_;
  devices::BegunWork<Array> begun_;
  std::vector<std::shared_ptr<Strand>> beside_;
  Array result_;
};

}  // namespace hlo::cpu
