#include "backends/tpu/operations/padding_terms.h"

#include <cstring>

#include "backends/tpu/machine/transfer.h"

namespace hlo::tpu {
namespace {

/// The first lane of the register that holds no element; none: the first one.
int64_t padding_lane(const Register& from) {
  for (int64_t k = 0; k < kLanes; ++k) {
    if (!from.valid()[static_cast<size_t>(k)]) return k;
  }
  return 0;
}

}  // namespace

bool folds_padding(const Machine& machine, const TiledArray& array) {
  const bool is_broken =
      machine.has(Fault::kPaddingAsZero) || machine.has(Fault::kStalePadding);
  return is_broken && array.order->elements() < array.order->lanes();
}

Register padding_terms(Machine& machine, const TiledArray& array,
                       int64_t lanes) {
  const auto width =
      static_cast<size_t>(storage_bytes(array.shape.element_type));
  const Register held = load_register(machine, array, array.registers() - 1);
  Register terms(machine.scratch, array.shape.element_type);
  std::memset(terms.bytes(), 0, width * kLanes);
  for (int64_t k = 0; k < lanes; ++k) {
    terms.valid().set(static_cast<size_t>(k));
    if (machine.has(Fault::kPaddingAsZero)) continue;
    std::memcpy(terms.lane(k), held.lane(padding_lane(held)), width);
  }
  return terms;
}

}  // namespace hlo::tpu
