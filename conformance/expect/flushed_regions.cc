#include "conformance/expect/flushed_regions.h"

#include <algorithm>

#include "conformance/literals/differences.h"
#include "conformance/sets/admitted.h"
#include "interpreter/model/literal.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/updates/updates.h"
#include "interpreter/rules/callee.h"
#include "interpreter/rules/known_reducer.h"

namespace hlo::conformance {
namespace {

bool has_floats(ElementType type) { return is_float(type) || is_complex(type); }

bool has_subnormal_part(const Scalar& x) {
  const numeric::FloatFormat& format = numeric::format(component_type(x.type));
  return is_subnormal(x.bits[0], format) ||
         (is_complex(x.type) && is_subnormal(x.bits[1], format));
}

bool array_has_subnormals(const Literal& array) {
  if (!has_floats(array.type())) return false;
  for (int64_t i = 0; i < array.element_count(); ++i) {
    if (has_subnormal_part(array.at(i))) return true;
  }
  return false;
}

bool has_subnormals(const Literal& value) {
  return std::ranges::any_of(leaves(value), [](const Literal* array) {
    return array_has_subnormals(*array);
  });
}

/// Whether it gives floats that are none of its operands' elements.
bool makes_floats(const Instruction& instruction) {
  const Op& op = *instruction.op;
  if (!instruction.shape.is_array()) return false;
  const bool chooses =
      op.reducer == Reducer::kMaximum || op.reducer == Reducer::kMinimum;
  return has_floats(instruction.shape.element_type) &&
         !op.accuracy.moves_data && !op.accuracy.sets_sign && !chooses;
}

bool makes_floats(const Computations& regions) {
  return std::ranges::any_of(regions, [](const Computation* region) {
    return std::ranges::any_of(
        region->instructions, [](const auto& instruction) {
          return called_by(*instruction).empty() && makes_floats(*instruction);
        });
  });
}

/// Whether the region is a reducer whose results have a rule of their own.
bool has_rule(const Instruction& instruction, const Computation& region) {
  const Reducer reducer = recognize(region);
  const bool sums = reducer == Reducer::kAdd || reducer == Reducer::kMultiply;
  const bool picks =
      reducer == Reducer::kMaximum || reducer == Reducer::kMinimum;
  const Op& op = *instruction.op;
  return (sums && (op.cells != nullptr || op.updates != nullptr)) ||
         (picks && op.cells != nullptr);
}

}  // namespace

bool may_flush_in_regions(const Instruction& instruction, Operands operands,
                          const Literal& result, const Profile& profile) {
  if (!flushes(profile)) return false;
  Computations regions = called_by(instruction);
  std::erase_if(regions, [&](const Computation* region) {
    return has_rule(instruction, *region);
  });
  if (regions.empty()) return false;
  return makes_floats(with_called(regions)) || has_subnormals(result) ||
         std::ranges::any_of(operands, has_subnormals);
}

bool picks_one(const Instruction& instruction) {
  const Op& op = *instruction.op;
  if (op.cells == nullptr || !is_float(instruction.shape.element_type)) {
    return false;
  }
  const Reducer reducer = recognize(*instruction.get<Computation*>("to_apply"));
  return reducer == Reducer::kMaximum || reducer == Reducer::kMinimum;
}

Expectation expect_flushed(const Literal& reference, const Literal* observed) {
  ArraySet set = ArraySet::computed(reference);
  const numeric::FloatFormat& format = numeric::format(reference.type());
  for_each_difference(reference, observed, [&](int64_t i) {
    set.put(i, 0, exactly(reference.at(i).bits[0], true, format));
  });
  return set;
}

}  // namespace hlo::conformance
