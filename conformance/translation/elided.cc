#include "conformance/translation/elided.h"

#include <algorithm>
#include <map>
#include <memory>

#include "conformance/literals/random_inputs.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {
namespace {

using ByShape = std::map<std::string, std::vector<Instruction*>>;

/// Parameters have smaller numbers.
constexpr int64_t kFirstNumber = int64_t{1} << 31;

std::vector<Instruction*> elided_of(const Module& module) {
  std::vector<Instruction*> found;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      const bool is_constant = instruction->op->form == Form::kConstant;
      if (is_constant && instruction->literal == nullptr) {
        found.push_back(instruction.get());
      }
    }
  }
  return found;
}

/// As a matrix whose columns are summed would have it.
int64_t fan_in(const Shape& shape) {
  if (shape.dims.size() < 2 || shape.dims.back() == 0) return 1;
  return std::max<int64_t>(1, shape.element_count() / shape.dims.back());
}

/// The constant of the program before that `after` is: the only one of its
/// shape, or the one of its name.
Instruction& origin(const Instruction& after, ByShape& before) {
  const std::string shape = to_string(after.shape, false);
  const std::vector<Instruction*>& candidates = before[shape];
  if (candidates.size() == 1) return *candidates[0];
  const auto named =
      std::ranges::find(candidates, after.name, &Instruction::name);
  require_evaluable(
      named != candidates.end(), "input.elided",
      {"%", after.name, " = ", shape,
       " after is left out, and the program before leaves out ",
       Count{std::ssize(candidates), "constant"}, " of that shape"},
      "which one it is must be certain: one of that shape, or "
      "one of that name; dumps with --xla_dump_large_constants "
      "leave none out");
  return **named;
}

}  // namespace

std::vector<DrawnConstant> draw_elided(Module& before, Module& after,
                                       uint64_t seed) {
  ByShape by_shape;
  std::map<const Instruction*, size_t> numbers;
  std::vector<DrawnConstant> drawn;
  for (Instruction* constant : elided_of(before)) {
    const std::string shape = to_string(constant->shape, false);
    by_shape[shape].push_back(constant);
    const auto number = static_cast<int64_t>(drawn.size());
    numbers[constant] = drawn.size();
    constant->literal = std::make_shared<Literal>(random_input(
        seed, kFirstNumber + number, constant->shape, fan_in(constant->shape)));
    drawn.push_back({constant->name, shape, 0});
  }
  for (Instruction* constant : elided_of(after)) {
    const Instruction& from = origin(*constant, by_shape);
    constant->literal =
        std::make_shared<Literal>(from.literal->with_shape(constant->shape));
    ++drawn[numbers.at(&from)].uses;
  }
  return drawn;
}

}  // namespace hlo::conformance
