#include <cstddef>
#include <cstdint>
#include <vector>

#include "conformance/certify/certify.h"
#include "conformance/fuzz/fuzzed_program.h"
#include "interpreter/evaluate.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace hlo;
using namespace hlo::conformance;

constexpr int64_t kMostWork = 10'000'000;

void check_leaf(const SetTree& leaf, const Literal& value) {
  if (leaf.is_unknown()) return;
  for (int64_t i = 0; i < value.element_count(); ++i) {
    const Scalar element = value.at(i);
    const bool is_inside =
        is_complex(element.type)
            ? element == leaf.value.at(i)
            : leaf.at(i).contains(element.bits[0], element.type);
    if (!is_inside) report_finding("the reference is out of bounds");
  }
}

void check_leaves(const SetTree& tree, const Literal& value) {
  if (!value.shape().is_tuple()) return check_leaf(tree, value);
  for (size_t i = 0; i < value.elements().size(); ++i) {
    check_leaves(tree.elements.at(i), value.elements()[i]);
  }
}

}  // namespace

// The reference lies within what is certified.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto program = fuzzed_program(text_of(data, size));
  if (!program || program->arguments.size() != 1) return 0;
  ends_well([&] {
    const SetTree sets = certify(program->module, program->arguments[0],
                                 {.max_work = kMostWork});
    EvaluatorOptions options;
    options.max_work = kMostWork;
    check_leaves(sets,
                 evaluate(program->module, program->arguments[0], options));
  });
  return 0;
}
