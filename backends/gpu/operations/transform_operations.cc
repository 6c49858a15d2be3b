#include <algorithm>
#include <numeric>

#include "backends/gpu/operations/device_functions.h"
#include "backends/gpu/operations/number_room.h"
#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/kernel_codes.h"

// Fourier transforms: kernels/transform.inc.

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

/// A transform and the elements of it that are not decided yet.
class Transform {
 public:
  Transform(Memory& memory, const Instruction& fft, const Value& operand)
      : memory_(memory),
        fft_(fft),
        operand_(operand),
        lengths_(fft.get<Ints>("fft_length")),
        type_(fft.get<Word>("fft_type").value),
        result_(new_array(memory, fft.shape)),
        undecided_(new_array(
            memory,
            Shape::array(ElementType::kU8, {fft.shape.element_count()}))) {
    constexpr int64_t kMostPoints = 1 << 20;
    int64_t points = 1;
    n_ = 4;
    for (const int64_t length : lengths_) {
      if (length > kMostPoints / points) refuse(fft, "that many points");
      points *= length;
      n_ = std::lcm(n_, length);
    }
    check_work(fft.shape.element_count(), points);
  }

  /// Runs the elements of those numbers, or all; which of them are not decided.
  Ints run(const Cosines& cosines, bool reduced, const Ints* elements);

  int64_t n() const { return n_; }

  const Value& result() const { return result_; }

 private:
  Ints words(const Cosines& cosines, bool reduced, int64_t numbers) const;

  Memory& memory_;
  const Instruction& fft_;
  const Value& operand_;
  const Ints& lengths_;
  const std::string& type_;
  Value result_;
  Value undecided_;
  int64_t n_ = 0;
};

/// The parameters behind those of the items' room.
Ints Transform::words(const Cosines& cosines, bool reduced,
                      int64_t numbers) const {
  const Ints& from = operand_.shape.dims;
  const Ints& to = fft_.shape.dims;
  const size_t outer = to.size() - lengths_.size();
  Ints words = {type_code(fft_.shape.element_type),
                type_ == "IFFT" || type_ == "IRFFT",
                type_ == "IRFFT",
                n_,
                cosines.bits,
                reduced,
                cosines.offset(),
                cosines.bytes,
                0,
                0,
                0,
                operand_.offset(),
                type_code(operand_.shape.element_type),
                result_.offset(),
                undecided_.offset(),
                numbers,
                std::ssize(lengths_)};
  for (size_t d = 0; d < lengths_.size(); ++d) {
    append(words, {lengths_[d], from[outer + d], to[outer + d]});
  }
  return words;
}

Ints Transform::run(const Cosines& cosines, bool reduced,
                    const Ints* elements) {
  constexpr int64_t kSlots = 8;
  const ElementType type = fft_.shape.element_type;
  const int64_t range = range_in_bits(type) + 256;
  const int64_t slot = slot_bytes(
      std::max(range + cosines.bits + 256, bits_of_difference(range, type)));
  const int64_t bytes = (kSlots + (reduced ? n_ : 0)) * slot;
  const int64_t all = fft_.shape.element_count();
  const int64_t count = elements == nullptr ? all : std::ssize(*elements);
  Value numbers;
  if (elements != nullptr) {
    numbers = new_array(memory_, Shape::array(ElementType::kS64, {count}));
    memory_.device().write(numbers.place->offset(),
                           std::as_bytes(std::span(*elements)));
  }
  Ints own =
      words(cosines, reduced, elements == nullptr ? -1 : numbers.offset());
  run_with_room(memory_, count, bytes,
                [&](int64_t end, int64_t first, int64_t room) {
                  Ints words = {end, first};
                  append(words, own);
                  words[10] = room;
                  words[11] = bytes;
                  words[12] = slot;
                  memory_.device().run(Kernel::kTransform, words, end - first);
                });
  const Literal flags = download(memory_, undecided_);
  Ints left;
  for (int64_t k = 0; k < count; ++k) {
    const int64_t item =
        elements == nullptr ? k : elements->at(static_cast<size_t>(k));
    if (flags.integer(item) != 0) left.push_back(item);
  }
  return left;
}

Value fft(Memory& memory, const Instruction& instruction,
          const Values& operands) {
  if (instruction.shape.element_count() == 0) {
    return new_array(memory, instruction.shape);
  }
  Transform transform(memory, instruction, *operands[0]);
  constexpr int64_t kBits = 192;
  constexpr int64_t kMostBits = 8192;
  Ints left = transform.run({memory, transform.n(), kBits}, false, nullptr);
  for (int64_t bits = 2 * kBits; !left.empty(); bits *= 4) {
    if (bits > kMostBits) refuse(instruction, "sums next to middles of codes");
    left = transform.run({memory, transform.n(), bits}, true, &left);
  }
  return transform.result();
}

}  // namespace

Functions transform_functions() { return {{"fft", fft}}; }

}  // namespace hlo::gpu
