#include "interpreter/plans/region/comparator.h"

#include <algorithm>

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

Comparator::Comparator(const Region& region, Operands operands)
    : region_(region),
      operands_(operands),
      scratch_(region, Region::kMaxElements),
      answers_(size_t{Region::kMaxElements}) {
  const Computation& comparator = region.computation();
  for (const Instruction* parameter : comparator.parameters) {
    used_.push_back(is_used(comparator, parameter));
    arrays_.emplace_back(
        size_t{Region::kMaxElements} *
        static_cast<size_t>(storage_bytes(parameter->shape.element_type)));
  }
}

void Comparator::compare(const std::vector<int64_t>& a,
                         const std::vector<int64_t>& b) {
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
  region_.run(scratch_, static_cast<int64_t>(a.size()), inputs.data(), &output);
}

}  // namespace hlo
