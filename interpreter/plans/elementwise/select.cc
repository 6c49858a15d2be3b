#include "interpreter/model/storage.h"
#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/plan.h"

namespace hlo {
namespace {

template <typename T>
void block(const KernelArguments& a) {
  loops::each([](uint8_t pred, T on_true,
                 T on_false) { return pred != 0 ? on_true : on_false; },
              a.n, reinterpret_cast<T*>(a.result),
              reinterpret_cast<const uint8_t*>(a.operands[0]),
              reinterpret_cast<const T*>(a.operands[1]),
              reinterpret_cast<const T*>(a.operands[2]));
}

/// None where a chosen element is rounded to another type: the definition does
/// that.
Kernel kernel(const Instruction& select) {
  for (size_t k = 1; k < 3; ++k) {
    if (select.operand_shape(k).element_type != select.shape.element_type) {
      return nullptr;
    }
  }
  return with_storage(
      storage_bytes(select.operands[1]->shape.element_type),
      [](auto element) { return loops::native<block<decltype(element)>>; });
}

}  // namespace

extern constinit const Plan plan_select{.kernel = kernel};

}  // namespace hlo
