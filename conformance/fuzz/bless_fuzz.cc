#include <cstddef>
#include <cstdint>
#include <string>

#include "backends/backend.h"
#include "conformance/case/case.h"
#include "conformance/fuzz/fuzzed_program.h"
#include "conformance/judge/golden.h"
#include "interpreter/evaluate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace hlo;
using namespace hlo::conformance;

/// Whether the program takes so little work that it can be run some more times.
bool is_cheap(const FuzzedProgram& program) {
  constexpr int64_t kMostWork = 300'000;
  EvaluatorOptions options;
  options.max_work = kMostWork;
  return ends_well(
      [&] { evaluate(program.module, program.arguments[0], options); });
}

/// A file of one case that asks for the program's results.
std::string asking_file(const FuzzedProgram& program, std::string_view source) {
  Case c;
  c.id = "fuzz/any/case";
  c.statement = "what a fuzzer makes";
  c.hlo = source;
  c.inputs = array_leaves(program.arguments[0]);
  c.asks_reference = true;
  c.from_reference = true;
  return R"({"generator":"fuzz","command":"fuzz","notes":{}})"
         "\n" +
         print_case(c) + "\n";
}

}  // namespace

// What is blessed is verified, and stays as it is when it is blessed again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view source = text_of(data, size);
  const auto program = fuzzed_program(source);
  if (!program || program->arguments.size() != 1) return 0;
  if (!is_cheap(*program)) return 0;
  ends_well([&] {
    const std::string text = bless(asking_file(*program, source), "fuzz.jsonl");
    if (bless(text, "fuzz.jsonl") != text) report_finding("not blessed once");
    const Case c = parse_vectors(text, "fuzz.jsonl").cases.at(0);
    const std::string wrong = verify_golden(c);
    if (!wrong.empty()) report_finding(wrong);
  });
  return 0;
}
