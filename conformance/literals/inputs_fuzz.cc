#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "conformance/literals/inputs.h"
#include "interpreter/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Values are read or refused; an input is of the parameter's shape.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using hlo::ElementType;
  using hlo::Shape;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.find('@') != std::string_view::npos) return 0;
  for (const Shape& shape :
       {Shape::array(ElementType::kF32, {2, 2}),
        Shape::array(ElementType::kS8, {3}), Shape::scalar(ElementType::kPred),
        Shape::array(ElementType::kC64, {2}),
        Shape::tuple({Shape::array(ElementType::kBF16, {2}),
                      Shape::scalar(ElementType::kU64)})}) {
    try {
      const hlo::Literal value = hlo::conformance::parse_input(text, shape);
      if (!compatible(value.shape(), shape)) std::abort();
    } catch (const hlo::Error&) {
      continue;
    }
  }
  return 0;
}
