#include "backends/tpu/operations/contraction/finished_sums.h"

#include <cstring>

#include "interpreter/model/storage.h"
#include "interpreter/plans/elementwise/converted.h"

namespace hlo::tpu {
namespace {

template <typename T>
void add_numbers(Register& sum, const Register& more, T sign) {
  T* const to = reinterpret_cast<T*>(sum.bytes());
  const T* const from = reinterpret_cast<const T*>(more.bytes());
  for (int64_t k = 0; k < kLanes; ++k) to[k] += sign * from[k];
}

void add(Machine& machine, Register& sum, const Register& more,
         bool is_negative) {
  machine.counters.vector_operations += 1;
  const int sign = is_negative ? -1 : 1;
  if (sum.type() == ElementType::kF32) {
    add_numbers<float>(sum, more, static_cast<float>(sign));
  } else {
    add_numbers<double>(sum, more, sign);
  }
}

/// Integers wrap; a truth value is true where any of its terms is.
void take_integers(const Register& sums, Register& into) {
  const auto* const from = reinterpret_cast<const uint64_t*>(sums.bytes());
  const bool is_truth = into.type() == ElementType::kPred;
  for (int64_t k = 0; k < kLanes; ++k) {
    const uint64_t bits = is_truth ? uint64_t{from[k] != 0} : from[k];
    hlo::store(into.type(), {bits, 0}, into.lane(k));
  }
}

void take_parts(Machine& machine, std::span<Register* const> products,
                Register& into) {
  const auto width = static_cast<size_t>(into.width() / 2);
  const ElementType part =
      into.type() == ElementType::kC64 ? ElementType::kF32 : ElementType::kF64;
  add(machine, *products[0], *products[1], true);
  add(machine, *products[2], *products[3], false);
  for (size_t c = 0; c < 2; ++c) {
    const Register& sums = *products[2 * c];
    Register rounded(machine.scratch, part);
    convert_elements(sums.type(), sums.bytes(), kLanes, part, rounded.bytes());
    for (int64_t k = 0; k < kLanes; ++k) {
      std::memcpy(into.lane(k) + c * width, rounded.lane(k), width);
    }
  }
}

}  // namespace

Register finished_sums(Machine& machine, const Scheme& scheme,
                       std::span<Register* const> sums) {
  const auto each = static_cast<size_t>(scheme.pairs_of_component());
  std::vector<Register*> products;
  for (size_t first = 0; first < sums.size(); first += each) {
    products.push_back(sums[first]);
    for (size_t k = 1; k < each; ++k) {
      add(machine, *sums[first], *sums[first + k], false);
    }
  }
  Register into(machine.scratch, scheme.element);
  if (scheme.sums == Sums::kIntegers) {
    take_integers(*products[0], into);
  } else if (products.size() > 1) {
    take_parts(machine, products, into);
  } else {
    convert_elements(products[0]->type(), products[0]->bytes(), kLanes,
                     into.type(), into.bytes());
  }
  into.valid().set();
  return into;
}

}  // namespace hlo::tpu
