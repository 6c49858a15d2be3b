#include <algorithm>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/fourier/residues.h"
#include "backends/gpu/operations/fourier/spectrum.h"
#include "backends/gpu/operations/number_room.h"
#include "backends/gpu/operations/walk.h"

namespace hlo::gpu {
namespace {

/// Cosines of 2 pi k / n on the device.
struct Cosines {
  int64_t n;
  int64_t bits;
  int64_t bytes;  // of one
  Block place;

  Cosines(Memory& memory, int64_t n, int64_t bits);

  int64_t offset() const { return static_cast<int64_t>(place.offset()); }
};

Cosines::Cosines(Memory& memory, int64_t order, int64_t precision)
    : n(order),
      bits(precision),
      bytes(slot_bytes(precision + 128)),
      place(memory, static_cast<uint64_t>(n * bytes)) {
  constexpr int64_t kSlots = 7;
  const int64_t slot = slot_bytes(2 * bits + 320);
  run_with_room(memory, n, kSlots * slot,
                [&](int64_t end, int64_t first, int64_t room) {
                  memory.device().run(Kernel::kCosines,
                                      Ints{end, first, n, bits, offset(), bytes,
                                           room, kSlots * slot, slot},
                                      end - first);
                });
}

/// Runs those elements of the transform, each by itself in as many bits as the
/// cosines have (kernels/fourier/transform.inc).
void run_elements(const Transform& transform, const Ints& elements,
                  const Cosines& cosines, bool reduced) {
  constexpr int64_t kSlots = 8;
  Memory& memory = transform.memory;
  const ElementType type = transform.fft.shape.element_type;
  const int64_t range = range_in_bits(type) + 256;
  const int64_t slot = slot_bytes(
      std::max(range + cosines.bits + 256, bits_of_difference(range, type)));
  const int64_t bytes = (kSlots + (reduced ? transform.order : 0)) * slot;
  const int64_t count = std::ssize(elements);
  const Value numbers =
      new_array(memory, Shape::array(ElementType::kS64, {count}));
  memory.device().write(numbers.place->offset(),
                        std::as_bytes(std::span(elements)));
  Ints words = transform.words();
  set_word(words, TRANSFORM_BITS, cosines.bits);
  set_word(words, TRANSFORM_REDUCED, reduced);
  set_word(words, TRANSFORM_COSINES, cosines.offset());
  set_word(words, TRANSFORM_COSINE_BYTES, cosines.bytes);
  set_word(words, TRANSFORM_ROOM_BYTES, bytes);
  set_word(words, TRANSFORM_SLOT_BYTES, slot);
  set_word(words, TRANSFORM_NUMBERS, numbers.offset());
  run_with_room(memory, count, bytes,
                [&](int64_t end, int64_t first, int64_t room) {
                  set_word(words, TRANSFORM_END, end);
                  set_word(words, TRANSFORM_FIRST, first);
                  set_word(words, TRANSFORM_ROOM, room);
                  memory.device().run(Kernel::kTransform, words, end - first);
                });
}

Value fft(Memory& memory, const Instruction& instruction,
          const Values& operands) {
  if (instruction.shape.element_count() == 0) {
    return new_array(memory, instruction.shape);
  }
  constexpr int64_t kBits = 192;
  constexpr int64_t kMostBits = 8192;
  const Transform transform(memory, instruction, *operands[0]);
  Ints open;
  {
    const Spectrum spectrum(transform);
    open = transform.open_elements();
    if (!open.empty()) {
      decide_exact_parts(spectrum);
      open = transform.open_elements();
    }
  }
  for (int64_t bits = kBits; !open.empty(); bits *= bits == kBits ? 2 : 4) {
    if (bits > kMostBits) refuse(instruction, "sums next to middles of codes");
    check_work(std::ssize(open), transform.points);
    run_elements(transform, open, {memory, transform.order, bits},
                 bits > kBits);
    open = transform.open_elements();
  }
  return transform.result;
}

}  // namespace

Functions transform_functions() { return {{"fft", fft}}; }

}  // namespace hlo::gpu
