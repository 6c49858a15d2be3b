#include "backends/gpu/operations/fourier/device_transform.h"

#include <numeric>

#include "backends/gpu/operations/walk.h"
#include "backends/gpu/program/kernel_codes.h"

namespace hlo::gpu {
namespace {

constexpr int64_t kMostPoints = 1 << 20;

const std::string& type_of(const Instruction& fft) {
  return fft.get<Word>("fft_type").value;
}

}  // namespace

Transform::Transform(Memory& room, const Instruction& instruction,
                     const Value& numbers)
    : memory(room),
      fft(instruction),
      operand(numbers),
      lengths(fft.get<Ints>("fft_length")),
      is_inverse(type_of(fft).starts_with('I')),
      outer(1),
      result(new_array(memory, fft.shape)),
      undecided(new_bytes(memory, fft.shape.element_count())) {
  for (const int64_t length : lengths) {
    if (length > kMostPoints / points) refuse(fft, "that many points");
    points *= length;
    order = std::lcm(order, length);
  }
  const Ints& dims = fft.shape.dims;
  for (size_t d = 0; d < dims.size() - lengths.size(); ++d) outer *= dims[d];
}

Ints Transform::words() const {
  const Ints& from = operand.shape.dims;
  const Ints& to = fft.shape.dims;
  const size_t first = to.size() - lengths.size();
  Ints words(TRANSFORM_SIZES, 0);
  set_word(words, TRANSFORM_END, fft.shape.element_count());
  set_word(words, TRANSFORM_TYPE, type_code(fft.shape.element_type));
  set_word(words, TRANSFORM_INVERSE, is_inverse);
  set_word(words, TRANSFORM_HALF, type_of(fft) == "IRFFT");
  set_word(words, TRANSFORM_ORDER, order);
  set_word(words, TRANSFORM_OPERAND, operand.offset());
  set_word(words, TRANSFORM_OPERAND_TYPE,
           type_code(operand.shape.element_type));
  set_word(words, TRANSFORM_RESULT, result.offset());
  set_word(words, TRANSFORM_OPEN, undecided.offset());
  set_word(words, TRANSFORM_NUMBERS, -1);
  set_word(words, TRANSFORM_RANK, std::ssize(lengths));
  for (size_t d = 0; d < lengths.size(); ++d) {
    append(words, {lengths[d], from[first + d], to[first + d]});
  }
  return words;
}

Ints Transform::open_elements() const {
  const Literal flags = download(memory, undecided);
  Ints elements;
  for (int64_t k = 0; k < flags.shape().element_count(); ++k) {
    if (flags.integer(k) != 0) elements.push_back(k);
  }
  return elements;
}

Value new_bytes(Memory& memory, int64_t count) {
  return new_array(memory, Shape::array(ElementType::kU8, {count}));
}

Ints radices(int64_t n) {
  Ints all;
  for (int64_t radix : {4, 2}) {
    for (; n % radix == 0; n /= radix) all.push_back(radix);
  }
  for (int64_t radix = 3; n > 1; radix += 2) {
    if (radix * radix > n) radix = n;
    for (; n % radix == 0; n /= radix) all.push_back(radix);
  }
  return all;
}

void run_steps(const Transform& transform, Kernel kernel, Value& from,
               Value& to, const Value& roots, const Ints& tail) {
  int64_t stride = 1;
  for (size_t d = transform.lengths.size(); d-- > 0;) {
    const int64_t length = transform.lengths[d];
    int64_t done = 1;
    for (const int64_t radix : radices(length)) {
      check_work(transform.sums(), radix);
      Ints words = {transform.sums(),
                    from.offset(),
                    to.offset(),
                    roots.offset(),
                    transform.order,
                    length,
                    stride,
                    done,
                    radix};
      append(words, tail);
      transform.memory.device().run(kernel, words, transform.sums());
      done *= radix;
      std::swap(from, to);
    }
    stride *= length;
  }
}

}  // namespace hlo::gpu
