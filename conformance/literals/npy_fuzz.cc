#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "conformance/literals/npy.h"
#include "interpreter/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Whatever is read is written and read again to the same value.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using hlo::ElementType;
  const std::string_view file(reinterpret_cast<const char*>(data), size);
  hlo::Shape dynamic = hlo::Shape::array(ElementType::kF32, {4, 5});
  dynamic.set_dynamic(0, true);
  for (const hlo::Shape& shape :
       {hlo::Shape::array(ElementType::kF32, {2, 3}),
        hlo::Shape::array(ElementType::kS4, {5}),
        hlo::Shape::array(ElementType::kC128, {}),
        hlo::Shape::array(ElementType::kU16, {0, 7}), dynamic}) {
    try {
      const hlo::Literal value = hlo::conformance::read_npy(file, shape);
      const std::string written = hlo::conformance::write_npy(value);
      if (!identical(value, hlo::conformance::read_npy(written, shape))) {
        std::abort();
      }
    } catch (const hlo::Error&) {
      continue;
    }
  }
  return 0;
}
