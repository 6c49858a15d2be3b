#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "conformance/commands/before_after/compare_options.h"
#include "conformance/commands/shrinking/shrink_failures.h"
#include "conformance/files/stop.h"
#include "conformance/jobs/worker.h"
#include "conformance/judge/collective_calls.h"
#include "conformance/judge/judge.h"
#include "conformance/levels/profile.h"
#include "conformance/report/summary.h"
#include "conformance/waivers/waivers.h"
#include "interpreter/devices/devices.h"
#include "interpreter/evaluate.h"
#include "interpreter/run/budget.h"

namespace hlo::conformance {

/// What --profile says, or the default.
Profile profile_of(const CompareOptions& options);

/// What comes of a run, over all of its programs.
struct CompareRun {
  Summary& summary;
  const Waivers& waivers;
  std::vector<FailingProgram>& failing;  // no more than are to be shrunk
};

/// Runs on the backend what the reference has just run, and judges it. What
/// it is given outlives it.
class Comparison {
 public:
  Comparison(const CompareOptions& options, const Grid& grid, Budget& budget,
             const CompareRun& run);

  void see(const Device& device, const Instruction& instruction,
           Operands operands, const Literal& reference);
  void see(const Meeting& meeting);
  /// The collectives to which not all devices came.
  void see_rest();
  /// Whether as many instructions have failed as were asked for.
  bool is_enough() const;
  /// From now on a signal finds nothing to print.
  void leave();
  /// Prints what there is; the exit code.
  int finish(bool is_whole);

 private:
  bool is_selected(const Instruction& instruction) const;
  std::string stop_text() const;
  /// All devices run it as one program, when the first of them has.
  void see_device(const Instruction& instruction);
  void compare(const CollectiveCall& call);
  std::shared_ptr<const Module> one_instruction(const Instruction& instruction,
                                                Operands operands);
  /// What the backend makes of the module; nothing where that takes too long.
  std::optional<Observation> answer_in_time(
      const std::shared_ptr<const Module>& module,
      const std::vector<Literal>& leaves);
  void report_silence(const Instruction& instruction, const std::string& where);
  /// `where` is the device that ran it; empty where all did. Ends the run of
  /// the program where that is enough.
  void report(const Instruction& instruction, const std::string& where,
              Judgement judgement);
  /// Keeps the program that the backend was asked about last.
  void keep_to_shrink(const std::string& id, const Judgement& judgement);

  const CompareOptions& options_;
  Grid grid_;
  Budget& budget_;
  std::shared_ptr<Backend> backend_;
  Worker worker_;
  Profile profile_;
  CompareRun run_;
  std::shared_ptr<const Module> asked_;  // last, with these inputs
  std::vector<Literal> inputs_;
  int failed_ = 0;
  bool finished_ = false;
  std::map<const Instruction*, std::shared_ptr<const Module>> modules_;
  CollectiveCalls calls_;
  std::set<const Instruction*> named_;
  OnStop on_stop_;
};

}  // namespace hlo::conformance
