#include "conformance/expect/open_choices.h"

#include <variant>

#include "conformance/literals/literal_bits.h"
#include "interpreter/evaluate.h"

namespace hlo::conformance {
namespace {

bool is_inside(const Index& index, const std::vector<int64_t>& dims) {
  for (size_t d = 0; d < dims.size(); ++d) {
    if (index[d] < 0 || index[d] >= dims[d]) return false;
  }
  return true;
}

void admit_all(Expectation& set, int64_t i) {
  auto* array = std::get_if<ArraySet>(&set);
  if (array == nullptr) return;
  const ElementType type = array->value.type();
  ElementSet all = ElementSet::everything(type);
  for (int part = 0; part < components(type); ++part) {
    if (is_float(component_type(type))) {
      all.parts.at(static_cast<size_t>(part)).add_any_nan();
    }
  }
  array->put(i, all);
}

}  // namespace

bool draws_freely(const Instruction& instruction, const Profile& profile) {
  return profile.random_bits == Freedom::kAny &&
         instruction.op->is_determined != nullptr &&
         instruction.find("algorithm") != nullptr;
}

std::vector<int64_t> under_partial_windows(const Updates& updates) {
  std::vector<int64_t> positions;
  if (!updates.place) return positions;
  const std::vector<int64_t>& dims = updates.initial[0].shape().dims;
  const std::vector<int64_t>& from = updates.sources[0].shape().dims;
  for (int64_t k = 0; k < updates.sources[0].element_count(); ++k) {
    const Index source = delinearize(k, from);
    if (updates.target(source)) continue;
    const Index place = updates.place(source);
    if (is_inside(place, dims)) positions.push_back(linearize(place, dims));
  }
  return positions;
}

void open_partial_windows(const Instruction& instruction, Operands operands,
                          std::vector<Expectation>& sets) {
  Evaluator evaluator(kReference);
  const Updates updates =
      instruction.op->updates(instruction, operands, evaluator);
  for (const int64_t i : under_partial_windows(updates)) {
    for (Expectation& set : sets) admit_all(set, i);
  }
}

}  // namespace hlo::conformance
