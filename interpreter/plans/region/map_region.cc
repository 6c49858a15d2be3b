#include "interpreter/plans/region/map_region.h"

#include <algorithm>
#include <utility>

#include "interpreter/plans/region/program.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

void run_program(const Program& program, Operands operands, Literal& result,
                 const Evaluator& evaluator) {
  constexpr int64_t kGrain = 16 * Program::kMaxElements;
  const int64_t n = result.element_count();
  std::byte* const out = result.mutable_bytes().data();
  evaluator.parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    Program::Scratch scratch(
        program, std::clamp<int64_t>(end - begin, 1, Program::kMaxElements),
        evaluator.options().max_steps);
    std::vector<const std::byte*> inputs(operands.size());
    for (int64_t i = begin; i < end; i += Program::kMaxElements) {
      for (size_t k = 0; k < operands.size(); ++k) {
        inputs[k] =
            operands[k].bytes().data() + i * storage_bytes(operands[k].type());
      }
      std::byte* target = out + i * storage_bytes(result.type());
      program.run(scratch, std::min(Program::kMaxElements, end - i),
                  inputs.data(), &target);
    }
  });
}

/// For computations that are more than straight-line code.
void run_each(const Computation& computation, Operands operands,
              Literal& result, const Evaluator& evaluator) {
  EvaluatorOptions options;
  options.max_steps = evaluator.options().max_steps;
  options.device = evaluator.device();
  options.custom_calls = evaluator.options().custom_calls;
  Evaluator runner(evaluator.valuation(), std::move(options));
  for (int64_t i = 0; i < result.element_count(); ++i) {
    std::vector<Literal> arguments;
    for (const Literal& operand : operands) {
      arguments.push_back(Literal::of(operand.at(i)));
    }
    result.set(i, runner.run(computation, std::move(arguments)).scalar());
  }
}

}  // namespace

Literal apply_to_elements(const Computation& computation, Operands operands,
                          Shape shape, const Evaluator& evaluator) {
  shape.element_type = computation.root->shape.element_type;
  Literal result = Literal::uninitialized(shape);
  if (const auto program = Program::compile(computation)) {
    run_program(*program, operands, result, evaluator);
  } else {
    run_each(computation, operands, result, evaluator);
  }
  return result;
}

}  // namespace hlo
