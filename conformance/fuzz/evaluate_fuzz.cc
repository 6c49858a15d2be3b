#include <cstddef>
#include <cstdint>

#include "conformance/fuzz/fuzzed_program.h"
#include "conformance/random/testing/run_program.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A valid program is evaluated, to the same bits by plans and by definitions,
// or ends with an error.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hlo::conformance;
  constexpr int64_t kMostWork = 300'000;
  constexpr int64_t kMostWorkOfDefinitions = 10 * kMostWork;
  const auto program = fuzzed_program(text_of(data, size));
  if (!program) return 0;
  hlo::EvaluatorOptions options;
  options.max_work = kMostWork;
  const ProgramRun fast = run_program(program->module, /*seed=*/1, options);
  options.plans = hlo::PlanSet::none();
  options.max_work = kMostWorkOfDefinitions;
  const ProgramRun defined = run_program(program->module, /*seed=*/1, options);
  for (const ProgramRun* run : {&fast, &defined}) {
    if (run->rule == "evaluate.work") return 0;
    if (run->rule.empty() && !run->message.empty()) {
      report_finding(run->message);
    }
  }
  if (!same_bits(fast, defined)) report_finding("plans differ");
  return 0;
}
