#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "interpreter/run/evaluator.h"
#include "interpreter/run/network.h"

namespace hlo::conformance {

/// An instruction that moves the state of random numbers on, and how often it
/// did.
struct StateMove {
  const Instruction* instruction = nullptr;
  int64_t runs = 0;
};

/// One run of an instruction.
struct Observed {
  const Instruction* instruction = nullptr;
  std::vector<Literal> operands;
  Literal result;
  std::vector<StateMove> draws = {};  // before it, if it draws itself
};

/// The instructions that run a computation.
using Callers = std::map<const Computation*, std::vector<const Instruction*>>;

/// What an argument of a computation may be: a part of an instruction's result.
struct ArgumentSource {
  const Instruction* caller = nullptr;
  const Instruction* from = nullptr;
  Ints tuple_index = {};    // of the part
  bool is_carried = false;  // from the computation that ran before in a loop
};

/// All that the parameter may be, what is carried first.
std::vector<ArgumentSource> argument_sources(const Instruction& parameter,
                                             const Callers& callers);

/// Which run of which instruction is wanted, and how much of what it depends
/// on.
struct Wanted {
  const Instruction* instruction = nullptr;
  int64_t run = 1;  // counted from 1
  /// On which device; the first that runs it where there is none.
  std::optional<Device> device = {};
  int depth = 1;  // instructions back
};

/// What was seen when the wanted run had ended.
struct Recording {
  Observed wanted;
  int64_t run = 1;   // which of the instruction's runs that is
  int64_t runs = 0;  // of the instruction on the device, all in all
  Device device;
  Callers callers;
  /// The last run before it, on the same device, of each instruction that it
  /// depends on.
  std::map<const Instruction*, Observed> latest;
  /// How often the root of each computation ran since the instruction before
  /// the wanted one had ended: the runs of an operation that runs computations.
  std::map<const Computation*, int64_t> runs_within;
  /// All sends, on all devices, where a receive is wanted.
  std::vector<std::pair<Device, Observed>> sends;
  /// What the collectives among these met with, with all operands and results,
  /// in order.
  std::vector<Meeting> meetings;
};

/// The meeting to which the device came in that run of a collective, or of its
/// done; null where it met nobody.
const Meeting* meeting_of(const Recording& recording, const Observed& run);

/// Whether the operation moves the state of random numbers on.
bool moves_random_state(const Op& op);
/// The first half of an operation of which the instruction is the second one:
/// others meet there. Else the instruction.
const Instruction& start_of(const Instruction& instruction);
/// Whether an operand is a token, as of what is sent, received or given to the
/// host.
bool has_token(const Instruction& instruction);

/// Runs the module and watches for it. Evaluate error "explain.run" where the
/// instruction runs fewer times, "explain.device" where there is no such
/// device.
Recording record(const Module& module,
                 std::vector<std::vector<Literal>> arguments,
                 const Wanted& wanted, EvaluatorOptions options);

}  // namespace hlo::conformance
