#include "interpreter/plans/region/comparator.h"

#include <algorithm>
#include <utility>

#include "interpreter/plans/region/gather_lanes.h"

namespace hlo {
namespace {

bool is_used(const Computation& region, const Instruction* parameter) {
  return region.root == parameter ||
         std::ranges::any_of(region.instructions, [&](const auto& user) {
           return std::ranges::count(user->operands, parameter) > 0;
         });
}

}  // namespace

Comparator::Comparator(const Computation& region,
                       const std::optional<Program>& program, Operands operands,
                       const Evaluator& evaluator)
    : region_(region),
      program_(program),
      operands_(operands),
      inner_(evaluator.valuation(), evaluator.options()) {
  if (!program) return;
  scratch_.emplace(*program, Program::kMaxElements,
                   evaluator.options().max_steps);
  answers_.resize(size_t{Program::kMaxElements});
  for (const Instruction* parameter : region.parameters) {
    used_.push_back(is_used(region, parameter));
    arrays_.emplace_back(
        size_t{Program::kMaxElements} *
        static_cast<size_t>(storage_bytes(parameter->shape.element_type)));
  }
}

void Comparator::compare(const std::vector<int64_t>& a,
                         const std::vector<int64_t>& b) {
  if (!program_) return compare_one_by_one(a, b);
  std::vector<const std::byte*> inputs;
  for (size_t p = 0; p < arrays_.size(); ++p) {
    const Literal& operand = operands_[p / 2];
    if (used_[p]) {
      gather_elements(storage_bytes(operand.type()), operand.bytes().data(),
                      p % 2 == 0 ? a : b, arrays_[p].data());
    }
    inputs.push_back(arrays_[p].data());
  }
  std::byte* const output = answers_.data();
  program_->run(*scratch_, static_cast<int64_t>(a.size()), inputs.data(),
                &output);
}

void Comparator::compare_one_by_one(const std::vector<int64_t>& a,
                                    const std::vector<int64_t>& b) {
  answers_.resize(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    std::vector<Literal> arguments;
    for (const Literal& operand : operands_) {
      arguments.push_back(Literal::of(operand.at(a[i])));
      arguments.push_back(Literal::of(operand.at(b[i])));
    }
    const Literal result = inner_.run(region_, std::move(arguments));
    answers_[i] = static_cast<std::byte>(result.integer(0));
  }
}

}  // namespace hlo
