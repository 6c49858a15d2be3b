#include "backends/cpu/functions/fourier/fft_functions.h"

#include <algorithm>
#include <functional>

#include "backends/cpu/arrays/wide_numbers.h"
#include "backends/cpu/functions/fourier/transform.h"

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
      const auto length = static_cast<size_t>(lengths[d]);
      Complexes line(length);
      for (size_t i = 0; i < values.size(); ++i) {
        const auto step = static_cast<size_t>(stride);
        if (i / step % length != 0) continue;
        for (size_t k = 0; k < length; ++k) line[k] = values[i + k * step];
        transform(line, inverse);
        for (size_t k = 0; k < length; ++k) values[i + k * step] = line[k];
      }
      stride *= lengths[d];
    }
    if (!inverse) return;
    const auto all = static_cast<double>(count_of(lengths));
    for (auto& value : values) value /= all;
  }
};

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
  const Complexes given = wide_complexes(operand);
  const Ints dims = last_dims(operand.shape, transforms.lengths.size());
  transforms.for_each([&](auto& value, int64_t which, const Index& index) {
    if (is_inside(index, dims)) value = at(given, which, index, dims);
  });
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
  const Ints dims = last_dims(shape, transforms.lengths.size());
  const int64_t count = count_of(dims);
  Complexes result(static_cast<size_t>(shape.element_count()));
  for (size_t i = 0; i < result.size(); ++i) {
    const auto position = static_cast<int64_t>(i);
    const Index index = delinearize(position % count, dims);
    if (!is_inside(index, transforms.lengths)) continue;
    result[i] =
        at(transforms.values, position / count, index, transforms.lengths);
  }
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
