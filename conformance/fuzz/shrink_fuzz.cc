#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "backends/backend.h"
#include "conformance/fuzz/fuzzed_program.h"
#include "conformance/literals/literal_bits.h"
#include "conformance/shrink/candidates.h"
#include "interpreter/evaluate.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace hlo;
using namespace hlo::conformance;

constexpr int64_t kMostWork = 300'000;
constexpr size_t kMostCandidates = 8;  // of each kind

/// The candidate, which an Error may refuse.
std::optional<Program> made(const Candidate& candidate) {
  std::optional<Program> program;
  ends_well([&] { program = candidate(); });
  return program;
}

bool same(const std::optional<Program>& one,
          const std::optional<Program>& other) {
  if (!one || !other) return !one && !other;
  if (one->hlo != other->hlo || one->inputs.size() != other->inputs.size()) {
    return false;
  }
  for (size_t i = 0; i < one->inputs.size(); ++i) {
    if (print_bits(one->inputs[i]) != print_bits(other->inputs[i])) {
      return false;
    }
  }
  return true;
}

/// It is verified, canonical, and its inputs are those that it takes.
void check(const Program& program) {
  const bool is_valid = ends_well([&] {
    const Module module = verified_module(program.hlo);
    if (text::print(module) != program.hlo) {
      report_finding("not canonical: " + program.hlo);
    }
    device_arguments(module, program.inputs);
  });
  if (!is_valid) report_finding("not valid: " + program.hlo);
}

void check_reduction(const Reduction& reduction, const Failing& failing,
                     Draw& draw) {
  const Candidates candidates = reduction.candidates(failing);
  const Candidates again = reduction.candidates(failing);
  if (candidates.size() != again.size()) report_finding(reduction.name);
  for (size_t n = 0; n < std::min(kMostCandidates, candidates.size()); ++n) {
    const auto i =
        static_cast<size_t>(draw.between(0, std::ssize(candidates) - 1));
    const std::optional<Program> program = made(candidates[i]);
    if (!same(program, made(again[i]))) report_finding(reduction.name);
    if (program) check(*program);
  }
}

}  // namespace

// What is simpler than a program is valid, and the same each time.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto fuzzed = fuzzed_program(text_of(data, size));
  if (!fuzzed || fuzzed->arguments.size() != 1) return 0;
  EvaluatorOptions options;
  options.max_work = kMostWork;
  const bool ran = ends_well(
      [&] { evaluate(fuzzed->module, fuzzed->arguments[0], options); });
  if (!ran) return 0;
  const Failing failing{
      {text::print(fuzzed->module), array_leaves(fuzzed->arguments[0])}, {}};
  for (const Reduction& reduction : reductions()) {
    ends_well([&] { check_reduction(reduction, failing, fuzzed->draw); });
  }
  return 0;
}
