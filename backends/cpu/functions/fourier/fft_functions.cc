#include "backends/cpu/functions/fourier/fft_functions.h"

#include <algorithm>
#include <functional>

#include "backends/cpu/arrays/wide_numbers.h"
#include "backends/cpu/functions/fourier/transform.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

using Complexes = std::vector<std::complex<double>>;

int64_t count_of(const Ints& dims) {
  return Shape::array(ElementType::kPred, dims).element_count();
}

/// Independent transforms of numbers in the dimensions of `lengths`.
struct Transforms {
  Ints lengths;
  int64_t outer = 1;  // how many
  Complexes values;

  Transforms(Ints its_lengths, const Shape& operand)
      : lengths(std::move(its_lengths)) {
    for (int64_t d = 0; d < operand.rank() - std::ssize(lengths); ++d) {
      outer *= operand.dims[static_cast<size_t>(d)];
    }
    values.resize(static_cast<size_t>(outer * count_of(lengths)));
  }

  /// Calls visit(value, transform, index in it) for all.
  template <typename Visit>
  void for_each(Visit visit) {
    const int64_t count = count_of(lengths);
    for (size_t i = 0; i < values.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      visit(values[i], at / count, delinearize(at % count, lengths));
    }
  }

  /// Transforms along each of the dimensions.
  void run(bool inverse) {
    if (values.empty()) return;  // a length of 0, beside which any may be huge
    int64_t stride = 1;
    for (size_t d = lengths.size(); d-- > 0;) {
      transform_lines(lengths[d], stride, inverse);
      stride *= lengths[d];
    }
    if (!inverse) return;
    const auto all = static_cast<double>(count_of(lengths));
    for (auto& value : values) value /= all;
  }

  /// Lines of so many numbers that lie `stride` apart.
  void transform_lines(int64_t length, int64_t stride, bool inverse) {
    constexpr int64_t kOfTask = 4096;  // numbers
    const Transform transform(static_cast<size_t>(length));
    const int64_t lines = std::ssize(values) / length;
    const int64_t some = std::max<int64_t>(1, kOfTask / length);
    share_loop((lines + some - 1) / some, [&](int64_t task) {
      Complexes line(static_cast<size_t>(length));
      const int64_t last = std::min(lines, (task + 1) * some);
      for (int64_t i = task * some; i < last; ++i) {
        auto* const own =
            values.data() + i / stride * stride * length + i % stride;
        for (int64_t k = 0; k < length; ++k) {
          line[static_cast<size_t>(k)] = own[k * stride];
        }
        transform.apply(line, inverse);
        for (int64_t k = 0; k < length; ++k) {
          own[k * stride] = line[static_cast<size_t>(k)];
        }
      }
    });
  }
};

/// Copies what `outer` arrays of such dimensions have at the same indices.
void copy_common(int64_t outer, const Ints& from_dims, const Complexes& from,
                 const Ints& to_dims, Complexes& to) {
  Ints rows = from_dims;
  for (size_t d = 0; d < rows.size(); ++d) {
    rows[d] = std::min(rows[d], to_dims[d]);
  }
  const int64_t length = rows.back();
  rows.back() = 1;
  const int64_t count = count_of(rows);
  for (int64_t i = 0; i < outer * count; ++i) {
    const Index index = delinearize(i % count, rows);
    const int64_t which = i / count;
    std::copy_n(
        from.data() + which * count_of(from_dims) + linearize(index, from_dims),
        length,
        to.data() + which * count_of(to_dims) + linearize(index, to_dims));
  }
}

/// The last dimensions of an array, as many as there are lengths.
Ints last_dims(const Shape& shape, size_t count) {
  return {shape.dims.end() - static_cast<std::ptrdiff_t>(count),
          shape.dims.end()};
}

bool is_inside(const Index& index, const Ints& dims) {
  for (size_t d = 0; d < dims.size(); ++d) {
    if (index[d] >= dims[d]) return false;
  }
  return true;
}

std::complex<double> at(const Complexes& values, int64_t which,
                        const Index& index, const Ints& dims) {
  return values[static_cast<size_t>(which * count_of(dims) +
                                    linearize(index, dims))];
}

/// Numbers beyond the operand are 0.
void fill(Transforms& transforms, const Array& operand) {
  const Ints dims = last_dims(operand.shape, transforms.lengths.size());
  if (operand.count() == 0 || transforms.values.empty()) return;
  copy_common(transforms.outer, dims, wide_complexes(operand),
              transforms.lengths, transforms.values);
}

/// The other half of a spectrum is the conjugate of the opposite bins.
void fill_from_half(Transforms& transforms, const Array& operand) {
  const Complexes given = wide_complexes(operand);
  const Ints dims = last_dims(operand.shape, transforms.lengths.size());
  transforms.for_each([&](auto& value, int64_t which, Index index) {
    if (is_inside(index, dims)) {
      value = at(given, which, index, dims);
      return;
    }
    for (size_t d = 0; d < index.size(); ++d) {
      const int64_t length = transforms.lengths[d];
      index[d] = (length - index[d]) % length;
    }
    value = std::conj(at(given, which, index, dims));
  });
}

/// The bins that the result has; 0 beyond the lengths.
Complexes bins(const Transforms& transforms, const Shape& shape) {
  Complexes result(static_cast<size_t>(shape.element_count()));
  if (result.empty() || transforms.values.empty()) return result;
  copy_common(transforms.outer, transforms.lengths, transforms.values,
              last_dims(shape, transforms.lengths.size()), result);
  return result;
}

Array fft(const Instruction& instruction, Operands operands) {
  const std::string& type = instruction.get<Word>("fft_type").value;
  Transforms transforms(instruction.get<Ints>("fft_length"),
                        operands[0]->shape);
  const bool half = type == "IRFFT";
  half ? fill_from_half(transforms, *operands[0])
       : fill(transforms, *operands[0]);
  transforms.run(half || type == "IFFT");
  const Complexes results = bins(transforms, instruction.shape);
  if (!half) return rounded(instruction.shape, results);
  std::vector<double> real;
  for (const auto& z : results) real.push_back(z.real());
  return rounded(instruction.shape, real);
}

}  // namespace

Functions fft_functions() { return {{"fft", fft}}; }

}  // namespace hlo::cpu
