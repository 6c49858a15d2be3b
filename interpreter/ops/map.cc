// spec/ops/map.md
#include <algorithm>
#include <numeric>

#include "interpreter/callee.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/movement.h"
#include "interpreter/program.h"
#include "interpreter/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"dimensions", AttributeKind::kInts},
    {"to_apply", AttributeKind::kComputation, /*required=*/true}};

bool are_all_dimensions(const Ints& dimensions, int64_t rank) {
  Ints all(static_cast<size_t>(rank));
  std::iota(all.begin(), all.end(), 0);
  return dimensions == all;
}

Shape infer(const Instruction& map) {
  const auto* callee = map.get<Computation*>("to_apply");
  const Shape& first = map.operand_shape(0);
  std::vector<Shape> scalars;
  for (const Shape& operand : operand_shapes(map)) {
    require(operand.is_array() && operand.dims == first.dims, "map.C1",
            "the operands are arrays of the same dimensions");
    scalars.push_back(Shape::scalar(operand.element_type));
  }
  const Ints dimensions = map.get_or<Ints>("dimensions", {});
  require(dimensions.empty() || are_all_dimensions(dimensions, first.rank()),
          "map.C2", "dimensions are all dimensions, in order");
  require_takes(*callee, scalars, "map.C3");
  require(callee->root->shape.is_scalar(), "map.C4",
          "the computation returns a scalar");
  Shape result = first;
  result.element_type = callee->root->shape.element_type;
  return result;
}

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
  Evaluator runner({.max_steps = evaluator.options().max_steps});
  for (int64_t i = 0; i < result.element_count(); ++i) {
    std::vector<Literal> arguments;
    for (const Literal& operand : operands) {
      arguments.push_back(Literal::of(operand.at(i)));
    }
    result.set(i, runner.run(computation, std::move(arguments)).scalar());
  }
}

Literal eval(const Instruction& map, Operands operands, Evaluator& evaluator) {
  const auto* callee = map.get<Computation*>("to_apply");
  Shape shape = map.shape;
  shape.element_type = callee->root->shape.element_type;
  Literal result = Literal::uninitialized(shape);
  if (const auto program = Program::compile(*callee)) {
    run_program(*program, operands, result, evaluator);
  } else {
    run_each(*callee, operands, result, evaluator);
  }
  return with_float_type(result, map.shape.element_type);
}

}  // namespace

extern constinit const Op op_map{
    .name = "map",
    .min_operands = 1,
    .max_operands = -1,
    .attributes = kAttributes,
    .infer = infer,
    .eval = eval,
    .accuracy = {.kind = Accuracy::Kind::kInherit}};

}  // namespace hlo
