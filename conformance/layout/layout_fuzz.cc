#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "conformance/layout/layout_svg.h"
#include "conformance/layout/layout_text.h"
#include "conformance/layout/memory.h"
#include "interpreter/error.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/text/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace hlo;
using namespace hlo::conformance;

/// The slots of the elements are told apart, and hold these elements.
void check_slots(const Memory& memory) {
  constexpr int64_t kMostSlots = 2000;
  if (memory.slots() > kMostSlots) return;
  int64_t held = 0;
  for (int64_t slot = 0; slot < memory.slots(); ++slot) {
    const std::optional<Index> index = memory.element(slot);
    if (!index) continue;
    ++held;
    if (memory.slot(*index) != slot) std::abort();
    describe_element(memory, *index);
    describe_slot(memory, slot);
  }
  if (held != memory.shape().element_count()) std::abort();
}

}  // namespace

// A shape with a layout is printed and read again; its memory can be drawn.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Shape shape = text::parse_shape(text);
    validate_layout(shape);
    if (to_string(text::parse_shape(to_string(shape))) != to_string(shape)) {
      std::abort();
    }
    const Memory memory(shape);
    check_slots(memory);
    describe(memory);
    draw_text(memory);
    draw_svg(memory);
  } catch (const Error& error) {
    if (error.rule().empty()) std::abort();
  }
  return 0;
}
