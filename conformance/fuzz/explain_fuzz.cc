#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "conformance/explain/explain.h"
#include "conformance/explain/recording/element.h"
#include "conformance/fuzz/fuzzed_program.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace hlo;
using namespace hlo::conformance;

/// Any element of any instruction, whether it exists or not.
std::string any_element(const Module& module, Draw& draw) {
  const Computation& computation = *draw.of(module.computations);
  const Instruction& instruction = *draw.of(computation.instructions);
  Ints tuple_index;
  const Shape* part = &instruction.shape;
  while (part->is_tuple() && !part->tuple_shapes.empty()) {
    tuple_index.push_back(draw.between(0, std::ssize(part->tuple_shapes) - 1));
    part = &part->tuple_shapes[static_cast<size_t>(tuple_index.back())];
  }
  Index index;
  for (const int64_t extent : part->dims) {
    index.push_back(draw.between(0, std::max<int64_t>(extent - 1, 0)));
  }
  return "%" + computation.name + "/" +
         element_name(instruction, tuple_index, index).substr(1);
}

}  // namespace

// What is told of an element agrees with what was computed.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr int64_t kMostWork = 300'000;
  auto program = fuzzed_program(text_of(data, size));
  if (!program) return 0;
  ExplainRequest request{.element = any_element(program->module, program->draw),
                         .run = program->draw.between(1, 2),
                         .depth = static_cast<int>(program->draw.between(0, 4)),
                         .terms = program->draw.between(0, 4)};
  request.evaluation.max_work = kMostWork;
  ends_well([&] {
    const Explanation explanation =
        explain(program->module, program->arguments, request);
    if (!explanation.steps_agree) report_finding(explanation.text);
    if (explanation.copied &&
        !(explanation.copied->from == explanation.copied->to)) {
      report_finding(explanation.text);
    }
    for (const Explanation::Computed& part : explanation.computed) {
      if (part.stated != part.result) report_finding(explanation.text);
    }
  });
  return 0;
}
