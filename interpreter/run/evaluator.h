#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/rules/devices/collective.h"
#include "interpreter/rules/op.h"
#include "interpreter/rules/plan_set.h"
#include "interpreter/run/budget.h"
#include "interpreter/run/future.h"

namespace hlo {

class CustomCalls;
class Network;

struct Meeting;

/// Called after an instruction: with it, its operands, its result.
using Observer =
    std::function<void(const Instruction&, Operands, const Literal&)>;

/// How an evaluator computes values.
struct Valuation {
  /// The value of an instruction without Op::control and Op::communicate, from
  /// operands that it may use up.
  Literal (*value)(const Instruction&, std::span<Literal>, Evaluator&);
  /// The value of an instruction with Op::control all at once; nothing where it
  /// has to be run step by step. Not asked where an observer wants the steps.
  std::optional<Literal> (*at_once)(const Instruction&, Operands, Evaluator&);
};

/// What limits and parallelises an evaluation.
struct EvaluatorOptions {
  int threads = 1;  // results do not depend on it
  /// How many units of work the program may do (interpreter/run/budget.h),
  /// which evaluate error "evaluate.work" ends, so that none runs for ever. 0:
  /// Budget::by_inputs().
  int64_t max_work = 0;
  /// What it draws its work from, where it shares it with others; else it gets
  /// one of max_work.
  std::shared_ptr<Budget> budget = {};
  /// Called after each instruction of every computation that is run (not of
  /// regions that are applied to elements).
  Observer observer = {};
  /// Where several devices run: the observer of each.
  std::function<Observer(const Device&)> observer_of = {};
  /// Called when all members have come to a collective, with their operands and
  /// results, before any of them goes on.
  std::function<void(const Meeting&)> meeting_observer = {};
  /// Which plans may be used.
  PlanSet plans = PlanSet::all();
  /// Which device runs the program.
  Device device = {};
  /// How many programs and asynchronous computations this one runs under.
  int depth = 0;
  /// The functions of custom-calls whose targets are not the specification's;
  /// they outlive the evaluation. Null: there are none.
  const CustomCalls* custom_calls = nullptr;
  /// What infeeds read in the place of the network's queue: the next value, of
  /// the shape that is asked for. Null: they read that queue.
  std::function<Literal(const Shape&)> infeed = {};
};

/// Runs one device's copy of a verified module. It can be stopped after every
/// instruction and resumed, so that many devices can share a thread.
class Evaluator {
 public:
  /// A device that is alone in its network.
  explicit Evaluator(const Valuation& valuation, EvaluatorOptions options = {});
  /// One of several devices; `network` outlives it.
  Evaluator(const Valuation& valuation, EvaluatorOptions options,
            Network& network);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// Begins `computation` with these arguments. Evaluate error
  /// "evaluate.arguments" where their number or shapes do not fit.
  void start(const Computation& computation, std::vector<Literal> arguments);
  /// Runs one instruction, or nothing while it waits for other devices; false
  /// once the computation has ended.
  bool step();
  /// Runs until it ends or waits, and what it left to run on its own likewise;
  /// whether anything ran.
  bool advance();

  bool has_ended() const { return frames_.empty(); }

  /// The result, once the computation has ended.
  const Literal& result() const;

  /// The instruction that waits and what it waits for; null where none does.
  const Instruction* waiting() const;
  const Future* awaited() const;

  /// start, advance to the end, result. Evaluate error "evaluate.deadlock"
  /// where it waits for what never comes.
  Literal run(const Computation& computation, std::vector<Literal> arguments);

  /// The value of an instruction without Op::control and Op::communicate.
  Literal value(const Instruction& instruction, std::span<Literal> operands);

  /// How it computes values: what evaluators that work for it are made with.
  const Valuation& valuation() const { return valuation_; }

  /// The result of a region that the running instruction applies, as run() of
  /// a new evaluator on this device gives it, but random numbers go on from
  /// call to call. No observer sees its instructions.
  Literal call(const Computation& region, std::vector<Literal> arguments);

  const EvaluatorOptions& options() const { return options_; }

  int threads() const { return options_.threads; }

  const Device& device() const { return options_.device; }

  Network& network();

  /// What the program, and all that runs on its behalf, draws its work from.
  Budget& budget() const { return *options_.budget; }

  /// Keeps what the instruction that runs has begun until its second half asks
  /// for it.
  void defer(Future future);
  /// What `start`, an instruction of the computation that runs, has begun,
  /// once.
  std::optional<Future> deferred(const Instruction& start);

  /// Begins the computation beside this one, on the same device: it runs
  /// whenever this one waits. Evaluate error "evaluate.depth".
  Future run_beside(const Computation& computation,
                    std::vector<Literal> arguments);

  /// The state of rng and rng-get-and-update-state, lowest word first: 0 at
  /// first (spec/ops/rng_get_and_update_state.md).
  std::array<uint64_t, 2>& random_state() { return *random_state_; }

  /// hlo::parallel_for on options().threads threads.
  void parallel_for(int64_t n, int64_t grain,
                    const std::function<void(int64_t, int64_t)>& body) const;

 private:
  struct Frame;

  void begin_instruction();
  void visit_control();
  void resume();
  void end_instruction(Literal value);
  void leave_ended_frames();
  bool advance_beside();

  Valuation valuation_;
  EvaluatorOptions options_;
  std::vector<std::unique_ptr<Frame>> frames_;
  Literal result_;
  Network* network_ = nullptr;
  std::unique_ptr<Network> own_network_;
  std::shared_ptr<std::array<uint64_t, 2>> random_state_;
  std::vector<std::shared_ptr<Evaluator>> beside_;  // what has not ended
  std::unique_ptr<Evaluator> regions_;              // runs what is called
};

/// Evaluate error "evaluate.depth" where programs that run others, and
/// asynchronous computations in each other, are nested too deep.
void require_depth(int depth);

/// Throws the evaluate error "evaluate.deadlock", which says who of these
/// devices waits for whom.
[[noreturn]] void throw_deadlock(std::span<const Evaluator* const> devices);

}  // namespace hlo
