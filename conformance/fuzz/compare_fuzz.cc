#include <cstddef>
#include <cstdint>
#include <string>

#include "backends/cpu/threads/share_loop.h"
#include "backends/registry/make_backend.h"
#include "conformance/fuzz/fuzzed_program.h"
#include "conformance/judge/judge_instruction.h"
#include "conformance/judge/run_case.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/clone.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace hlo;
using namespace hlo::conformance;

/// How the answer of the backend to one instruction is judged.
Verdict verdict(Backend& backend, const Instruction& instruction,
                Operands operands, const Literal& reference) {
  const Observation answer =
      observe(backend, extract_sized(instruction, operands),
              arguments_of_one(instruction, operands));
  return judge_instruction(instruction, operands, reference, answer, {})
      .verdict;
}

}  // namespace

// Every instruction is judged on its own: the reference conforms, and the other
// backend answers.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr int64_t kMostWork = 300'000;
  static const auto reference = make_backend("interpreter:");
  static const auto rival = make_backend("cpu:");
  // Which thread runs what is chance, and what is new decides what comes next.
  const cpu::ThreadCount one(1);
  const auto program = fuzzed_program(text_of(data, size));
  if (!program || program->arguments.size() != 1) return 0;
  EvaluatorOptions options;
  options.max_work = kMostWork;
  options.observer = [&](const Instruction& instruction, Operands operands,
                         const Literal& result) {
    if (!is_compared(instruction)) return;
    const Verdict own = verdict(*reference, instruction, operands, result);
    if (own != Verdict::kConforms && own != Verdict::kUnjudged) {
      report_finding("the reference: " + std::string(name(own)));
    }
    const Verdict other = verdict(*rival, instruction, operands, result);
    if (is_broken(other)) report_finding("cpu: " + std::string(name(other)));
  };
  ends_well([&] { evaluate(program->module, program->arguments[0], options); });
  return 0;
}
