#include "backends/tpu/operations/contraction/finished_sums.h"

#include <cmath>
#include <cstring>
#include <limits>

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

/// Which NaN comes out of a sum depends on the machine that runs this: all are
/// one.
template <typename T>
void take_one_nan(Register& sums) {
  T* const numbers = reinterpret_cast<T*>(sums.bytes());
  for (int64_t k = 0; k < kLanes; ++k) {
    if (std::isnan(numbers[k])) {
      numbers[k] = std::numeric_limits<T>::quiet_NaN();
    }
  }
}

/// The sums, rounded once to that type.
Register rounded(Machine& machine, Register& sums, ElementType type) {
  if (sums.type() == ElementType::kF32) {
    take_one_nan<float>(sums);
  } else {
    take_one_nan<double>(sums);
  }
  Register into(machine.scratch, type);
  convert_elements(sums.type(), sums.bytes(), kLanes, type, into.bytes());
  return into;
}

/// Integers wrap; a truth value is true where any of its terms is.
void take_integers(const Machine& machine, const Register& sums,
                   Register& into) {
  const auto* const from = reinterpret_cast<const uint64_t*>(sums.bytes());
  const uint64_t kept =
      machine.has(Fault::kIntegersOf32Bits) ? UINT32_MAX : UINT64_MAX;
  const bool is_truth = into.type() == ElementType::kPred;
  for (int64_t k = 0; k < kLanes; ++k) {
    const uint64_t bits = is_truth ? uint64_t{from[k] != 0} : from[k] & kept;
    hlo::store(into.type(), {bits, 0}, into.lane(k));
  }
}

void take_parts(Machine& machine, std::span<Register* const> products,
                Register& into) {
  const auto width = static_cast<size_t>(into.width() / 2);
  const ElementType part =
      into.type() == ElementType::kC64 ? ElementType::kF32 : ElementType::kF64;
  add(machine, *products[0], *products[1],
      !machine.has(Fault::kImaginaryProductsAdded));
  add(machine, *products[2], *products[3], false);
  for (size_t c = 0; c < 2; ++c) {
    const Register numbers = rounded(machine, *products[2 * c], part);
    for (int64_t k = 0; k < kLanes; ++k) {
      std::memcpy(into.lane(k) + c * width, numbers.lane(k), width);
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
  if (scheme.sums != Sums::kIntegers && products.size() == 1) {
    Register into = rounded(machine, *products[0], scheme.element);
    into.valid().set();
    return into;
  }
  Register into(machine.scratch, scheme.element);
  if (scheme.sums == Sums::kIntegers) {
    take_integers(machine, *products[0], into);
  } else {
    take_parts(machine, products, into);
  }
  into.valid().set();
  return into;
}

}  // namespace hlo::tpu
