#include "backends/gpu/operations/orders/key_order.h"

#include <algorithm>
#include <utility>

#include "backends/gpu/program/kernel_codes.h"

// The kernels of kernels/keys.inc.

namespace hlo::gpu {
namespace {

constexpr int64_t kDigitBits = 8;
/// Keys of a chunk, at least; chunks of all lines, where they have that many.
constexpr int64_t kLeastChunk = 512;
constexpr int64_t kChunks = 16384;

/// How lines are cut, and the counts of their chunks.
struct Chunks {
  int64_t lines;
  int64_t length;
  int64_t chunk;
  int64_t chunks;  // of a line
  Value counts;
  Value totals;

  Chunks(Memory& memory, const Shape& keys)
      : lines(keys.dims.at(0)),
        length(keys.dims.at(1)),
        chunk(std::max(kLeastChunk, lines * length / kChunks)),
        chunks((length + chunk - 1) / chunk),
        counts(new_array(memory, Shape::array(ElementType::kU64,
                                              {lines, KEY_DIGITS, chunks}))),
        totals(new_array(
            memory, Shape::array(ElementType::kU64, {lines, KEY_DIGITS}))) {}
};

}  // namespace

OrderedKeys ordered(Memory& memory, const Value& keys, int64_t bits) {
  const Shape& shape = keys.shape;
  const Shape numbers = Shape::array(ElementType::kS64, shape.dims);
  OrderedKeys before{keys, new_array(memory, numbers)};
  if (shape.element_count() == 0) return before;
  OrderedKeys after{new_array(memory, shape), new_array(memory, numbers)};
  const Chunks own(memory, shape);
  Device& device = memory.device();
  for (int64_t shift = 0; shift < std::max(bits, int64_t{1});
       shift += kDigitBits) {
    const Ints words = {own.lines,
                        own.length,
                        own.chunks,
                        own.chunk,
                        shift,
                        before.keys.offset(),
                        shift == 0 ? -1 : before.indices.offset(),
                        after.keys.offset(),
                        after.indices.offset(),
                        own.counts.offset(),
                        own.totals.offset()};
    device.run(Kernel::kCountKeys, words, own.lines * own.chunks);
    device.run(Kernel::kSumCounts, words, own.lines * KEY_DIGITS);
    device.run(Kernel::kSumDigits, words, own.lines);
    device.run(Kernel::kMoveKeys, words, own.lines * own.chunks);
    std::swap(before, after);
  }
  return before;
}

}  // namespace hlo::gpu
