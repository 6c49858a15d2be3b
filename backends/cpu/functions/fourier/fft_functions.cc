#include "backends/cpu/functions/fourier/fft_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>

#include "backends/cpu/arrays/map_elements.h"
#include "backends/cpu/arrays/wide_numbers.h"
#include "backends/cpu/kernels/transforms/transform.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

using Complex = std::complex<double>;
using Complexes = std::vector<Complex>;

constexpr int64_t kOfTask = 4096;  // numbers

int64_t count_of(const Ints& dims) {
  return Shape::array(ElementType::kPred, dims).element_count();
}

/// Some lines of numbers that lie `stride` apart, side by side.
class Lines {
 public:
  Lines(int64_t length, int64_t stride, int64_t most)
      : length_(length),
        stride_(stride),
        re_(static_cast<size_t>(length * most)),
        im_(re_.size()) {}

  /// Transforms lines first ... first + count - 1.
  void transform(Complex* values, int64_t first, int64_t count,
                 const Transform& transform, bool inverse) {
    for_each(values, first, count, [&](const auto& value, size_t i) {
      re_[i] = value.real();
      im_[i] = value.imag();
    });
    room_.resize(transform.room_numbers(static_cast<size_t>(count)));
    const ComplexParts found =
        transform.apply({re_.data(), im_.data()}, static_cast<size_t>(count),
                        inverse, room_.data());
    for_each(values, first, count, [&](auto& value, size_t i) {
      value = {found.re[i], found.im[i]};
    });
  }

 private:
  /// Calls visit(value, its place among the lines) for each.
  template <typename Visit>
  void for_each(Complex* values, int64_t first, int64_t count,
                Visit visit) const {
    const auto first_of = [&](int64_t line) {
      return values + line / stride_ * stride_ * length_ + line % stride_;
    };
    if (first % stride_ + count <= stride_) {  // they lie side by side already
      Complex* const own = first_of(first);
      for (int64_t k = 0; k < length_; ++k) {
        for (int64_t g = 0; g < count; ++g) {
          visit(own[k * stride_ + g], static_cast<size_t>(k * count + g));
        }
      }
      return;
    }
    for (int64_t g = 0; g < count; ++g) {
      Complex* const own = first_of(first + g);
      for (int64_t k = 0; k < length_; ++k) {
        visit(own[k * stride_], static_cast<size_t>(k * count + g));
      }
    }
  }

  int64_t length_;
  int64_t stride_;
  std::vector<double> re_;
  std::vector<double> im_;
  std::vector<double> room_;
};

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

  /// Transforms along each of the dimensions.
  void run(bool inverse) {
    if (values.empty()) return;  // a length of 0, beside which any may be huge
    int64_t stride = 1;
    for (size_t d = lengths.size(); d-- > 0;) {
      if (lengths[d] > 1) transform_lines(lengths[d], stride, inverse);
      stride *= lengths[d];
    }
  }

  /// Lines of so many numbers that lie `stride` apart.
  void transform_lines(int64_t length, int64_t stride, bool inverse) {
    constexpr int64_t kBeside = 8;  // lines that vectors transform together
    const Transform transform(static_cast<size_t>(length));
    const int64_t lines = std::ssize(values) / length;
    const int64_t beside =
        std::clamp<int64_t>(lines / most_threads(), 1, kBeside);
    const int64_t some =
        std::max<int64_t>(1, kOfTask / (length * beside)) * beside;
    share_loop((lines + some - 1) / some, [&](int64_t task) {
      Lines group(length, stride, beside);
      const int64_t last = std::min(lines, (task + 1) * some);
      for (int64_t i = task * some; i < last; i += beside) {
        group.transform(values.data(), i, std::min(beside, last - i), transform,
                        inverse);
      }
    });
  }
};

/// Calls copy(from, to, n) for runs of numbers that `outer` arrays of such
/// dimensions have at the same indices: from where on each has n of them.
void for_common(int64_t outer, const Ints& from_dims, const Ints& to_dims,
                const std::function<void(int64_t, int64_t, int64_t)>& copy) {
  if (from_dims == to_dims) {
    const int64_t all = outer * count_of(from_dims);
    return share_loop((all + kOfTask - 1) / kOfTask, [&](int64_t task) {
      const int64_t first = task * kOfTask;
      copy(first, first, std::min(kOfTask, all - first));
    });
  }
  Ints rows = from_dims;
  for (size_t d = 0; d < rows.size(); ++d) {
    rows[d] = std::min(rows[d], to_dims[d]);
  }
  const int64_t length = rows.back();
  rows.back() = 1;
  const int64_t count = count_of(rows);
  const int64_t some = std::max<int64_t>(1, kOfTask / length);
  share_loop(outer * count, some, [&](int64_t i) {
    const Index index = delinearize(i % count, rows);
    const int64_t which = i / count;
    copy(which * count_of(from_dims) + linearize(index, from_dims),
         which * count_of(to_dims) + linearize(index, to_dims), length);
  });
}

/// Some elements of an array of real or complex floats.
void read(const Array& array, int64_t first, std::span<Complex> to) {
  with_host_type(array.shape.element_type, [&](auto tag) {
    using T = decltype(tag);
    std::array<T, kSomeElements> some;
    for (size_t i = 0; i < to.size(); i += some.size()) {
      const size_t n = std::min(some.size(), to.size() - i);
      load_some<T>(array, first + static_cast<int64_t>(i),
                   std::span(some).first(n));
      if constexpr (!kIsInteger<T>) {
        for (size_t k = 0; k < n; ++k) to[i + k] = Complex(some[k]);
      }
    }
  });
}

/// Writes the numbers, or their real parts, over some of an array.
void write(std::span<const Complex> from, double divisor, Array& array,
           int64_t first) {
  // The reciprocal of a power of two is exact.
  const double factor = 1 / divisor;
  const bool divides = std::scalbn(1.0, std::ilogb(divisor)) != divisor;
  with_host_type(array.shape.element_type, [&](auto tag) {
    using T = decltype(tag);
    std::array<T, kSomeElements> some;
    for (size_t i = 0; i < from.size(); i += some.size()) {
      const size_t n = std::min(some.size(), from.size() - i);
      for (size_t k = 0; k < n; ++k) {
        Complex value = from[i + k];
        if (divides) value /= divisor;
        if (!divides) value *= factor;
        if constexpr (kIsFloat<T>) {
          some[k] = static_cast<T>(value.real());
        } else if constexpr (!kIsInteger<T>) {
          some[k] = T(value);
        }
      }
      store_some<T>(std::span(some).first(n), array,
                    first + static_cast<int64_t>(i));
    }
  });
}

/// The last dimensions of an array, as many as there are lengths.
Ints last_dims(const Shape& shape, size_t count) {
  return {shape.dims.end() - static_cast<std::ptrdiff_t>(count),
          shape.dims.end()};
}

/// Numbers beyond the operand are 0.
void fill(Transforms& transforms, const Array& operand) {
  if (operand.count() == 0 || transforms.values.empty()) return;
  for_common(
      transforms.outer, last_dims(operand.shape, transforms.lengths.size()),
      transforms.lengths, [&](int64_t from, int64_t to, int64_t n) {
        read(operand, from,
             std::span(transforms.values)
                 .subspan(static_cast<size_t>(to), static_cast<size_t>(n)));
      });
}

/// The other half of a spectrum is the conjugate of the opposite bins.
void fill_from_half(Transforms& transforms, const Array& operand) {
  const Ints& lengths = transforms.lengths;
  if (operand.count() == 0 || transforms.values.empty()) return;
  const Complexes given = wide_complexes(operand);
  const Ints dims = last_dims(operand.shape, lengths.size());
  const int64_t length = lengths.back();
  const int64_t half = std::min(dims.back(), length);
  Ints rows = lengths;
  rows.back() = 1;
  const int64_t count = count_of(rows);
  const int64_t some = std::max<int64_t>(1, kOfTask / length);
  share_loop(transforms.outer * count, some, [&](int64_t i) {
    const int64_t which = i / count * count_of(dims);
    Index index = delinearize(i % count, rows);
    const Complex* const own = given.data() + which + linearize(index, dims);
    Complex* const to = transforms.values.data() + i * length;
    std::copy_n(own, half, to);
    for (size_t d = 0; d < index.size(); ++d) {
      index[d] = (lengths[d] - index[d]) % lengths[d];
    }
    const Complex* const opposite =
        given.data() + which + linearize(index, dims);
    for (int64_t k = half; k < length; ++k) {
      to[k] = std::conj(opposite[length - k]);
    }
  });
}

/// The bins that the result has; 0 beyond the lengths.
Array bins(const Transforms& transforms, const Shape& shape, double divisor) {
  Array result(shape);
  if (result.count() == 0 || transforms.values.empty()) return result;
  const std::span<const Complex> values(transforms.values);
  for_common(
      transforms.outer, transforms.lengths,
      last_dims(shape, transforms.lengths.size()),
      [&](int64_t from, int64_t to, int64_t n) {
        write(values.subspan(static_cast<size_t>(from), static_cast<size_t>(n)),
              divisor, result, to);
      });
  return result;
}

Array fft(const Instruction& instruction, Operands operands) {
  const std::string& type = instruction.get<Word>("fft_type").value;
  const Ints& lengths = instruction.get<Ints>("fft_length");
  Transforms transforms(lengths, operands[0]->shape);
  const bool half = type == "IRFFT";
  half ? fill_from_half(transforms, *operands[0])
       : fill(transforms, *operands[0]);
  const bool inverse = half || type == "IFFT";
  transforms.run(inverse);
  return bins(transforms, instruction.shape,
              inverse ? static_cast<double>(count_of(lengths)) : 1);
}

}  // namespace

Functions fft_functions() { return {{"fft", fft}}; }

}  // namespace hlo::cpu
