#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "conformance/explain/recording/element.h"
#include "interpreter/error.h"
#include "interpreter/verify/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace hlo;

Module program() {
  return verified_module(R"(HloModule m
add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT x.1 = f32[] add(x, y)
}
ENTRY main {
  x = f32[2,3] parameter(0)
  zero = f32[] constant(0)
  sum = f32[2] reduce(x, zero), dimensions={1}, to_apply=add
  pair = (f32[2], f32[2,3]) tuple(sum, x)
  none = () tuple()
  ROOT x.1 = ((f32[2], f32[2,3]), (), f32[0,5]) tuple(pair, none, f32[0,5] constant({}))
})");
}

}  // namespace

// An element that is read exists, and its name is read as the same one.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hlo::conformance;
  static const Module module = program();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Element element = parse_element(text, module);
    const Shape& part =
        part_of(element.instruction->shape, element.tuple_index);
    if (element.index.size() != part.dims.size()) std::abort();
    const std::string name =
        "%" + element.instruction->parent->name + "/" +
        element_name(*element.instruction, element.tuple_index, element.index)
            .substr(1);
    const Element again = parse_element(name, module);
    if (again.instruction != element.instruction ||
        again.tuple_index != element.tuple_index ||
        again.index != element.index) {
      std::abort();
    }
  } catch (const Error& error) {
    constexpr size_t kMostMessage = 1000;
    if (error.rule().empty() || error.message().size() > kMostMessage) {
      std::abort();
    }
  }
  return 0;
}
