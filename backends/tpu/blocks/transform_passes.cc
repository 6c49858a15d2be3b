#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>

#include "backends/tpu/blocks/block_rules.h"
#include "backends/tpu/blocks/wide_matrices.h"
#include "interpreter/builder/xla_builder.h"

namespace hlo::tpu {
namespace {

using builder::XlaOp;

/// exp(-2 pi i r / n), or its conjugate, of integers r from 0 to 2^32 - 1: the
/// angle r * 2 pi / n is a sum of three products, the first two of them exact,
/// and what its rounding loses turns the sine and the cosine back.
XlaOp turned(XlaOp r, int64_t n, bool is_inverse) {
  constexpr double kTwoPi = 2 * std::numbers::pi;
  constexpr double kLostOfTwoPi = 2.4492935982947064e-16;
  constexpr uint64_t kTopBits = ~uint64_t{0} << 33;  // 20 of the 53
  const auto top = [](double x) {
    return std::bit_cast<double>(std::bit_cast<uint64_t>(x) & kTopBits);
  };
  const auto parts = static_cast<double>(n);
  const double first = top(kTwoPi / parts);
  const double rest = std::fma(-first, parts, kTwoPi);
  const double second = top((rest + kLostOfTwoPi) / parts);
  const double third = (std::fma(-second, parts, rest) + kLostOfTwoPi) / parts;
  builder::XlaBuilder& builder = r.builder();
  const XlaOp turns = builder::ConvertElementType(r, ElementType::kF64);
  const auto times = [&](double x) {
    return builder::Mul(turns, builder::ConstantR0<double>(&builder, x));
  };
  const XlaOp large = times(first);
  const XlaOp small = builder::Add(times(second), times(third));
  const XlaOp angle = builder::Add(large, small);
  const XlaOp lost = builder::Sub(small, builder::Sub(angle, large));
  const XlaOp cosine = builder::Cos(angle);
  const XlaOp sine = builder::Sin(angle);
  const XlaOp re = builder::Sub(cosine, builder::Mul(lost, sine));
  const XlaOp im = builder::Add(sine, builder::Mul(lost, cosine));
  return builder::Complex(re, is_inverse ? im : builder::Neg(im));
}

/// Transforms of lines in passes over memory, each of them short transforms,
/// which are products with the matrix of their turns.
class LinePasses {
 public:
  LinePasses(bool is_inverse, Fault fault)
      : is_inverse_(is_inverse), fault_(fault) {}

  /// The transforms of the lines of c128[m,n], not divided by n.
  XlaOp transformed(XlaOp x) const {
    const int64_t n = x.shape().dims[1];
    int64_t divisor = kShort;
    if (n <= divisor) return by_product(x);
    while (n % divisor != 0) --divisor;
    return divisor > 1 ? in_two_passes(x, divisor) : by_convolution(x);
  }

 private:
  XlaOp by_product(XlaOp x) const {
    const int64_t n = x.shape().dims[1];
    const auto index = [&](int64_t d) {
      return builder::Iota(&x.builder(),
                           Shape::array(ElementType::kS64, {n, n}), d);
    };
    const XlaOp parts =
        builder::Rem(builder::Mul(index(0), index(1)),
                     builder::ConstantR0<int64_t>(&x.builder(), n));
    return builder::Dot(x, turned(parts, n, is_inverse_));
  }

  /// Lines of each of the last two dimensions of c128[m,a,b].
  XlaOp along_last(XlaOp x) const {
    const Ints dims = x.shape().dims;
    return builder::Reshape(
        transformed(builder::Reshape(x, {dims[0] * dims[1], dims[2]})), dims);
  }

  /// With n = n1 n2, t = t1 n2 + t2 and j = j1 + n1 j2 (Cooley and Tukey 1965):
  /// transforms over t1, a turn by t2 j1 of n parts, transforms over t2.
  XlaOp in_two_passes(XlaOp x, int64_t n1) const {
    const int64_t m = x.shape().dims[0];
    const int64_t n = x.shape().dims[1];
    const int64_t n2 = n / n1;
    const auto index = [&](int64_t d) {
      return builder::Iota(&x.builder(),
                           Shape::array(ElementType::kS64, {n2, n1}), d);
    };
    const XlaOp turn = turned(builder::Mul(index(0), index(1)), n, is_inverse_);
    const Ints swap = {0, 2, 1};
    const bool is_turned = fault_ != Fault::kTurnsLeftOut;
    const XlaOp first =
        along_last(builder::Transpose(builder::Reshape(x, {m, n1, n2}), swap));
    const XlaOp second = along_last(builder::Transpose(
        is_turned ? builder::Mul(first, turn, {1, 2}) : first, swap));
    return builder::Reshape(builder::Transpose(second, swap), {m, n});
  }

  /// A prime length (Bluestein 1970): t j = (t^2 + j^2 - (j - t)^2) / 2 makes
  /// it a convolution with turns by t^2 of 2 n parts, which is done by
  /// transforms of a power of two.
  XlaOp by_convolution(XlaOp x) const {
    builder::XlaBuilder& builder = x.builder();
    const int64_t n = x.shape().dims[1];
    const auto length =
        static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * n - 1)));
    const XlaOp t = builder::Iota(&builder, ElementType::kS64, n);
    const XlaOp parts = builder::Rem(
        builder::Mul(t, t), builder::ConstantR0<int64_t>(&builder, 2 * n));
    const XlaOp turn = turned(parts, 2 * n, is_inverse_);
    const XlaOp zero = builder::Zero(&builder, ElementType::kC128);
    const XlaOp back = builder::Conj(turn);
    const XlaOp around = builder::ConcatInDim(
        &builder,
        {builder::PadInDim(back, zero, 0, 0, length - 2 * n + 1),
         builder::Rev(builder::SliceInDim(back, 1, n, 1, 0), {0})},
        0);
    const LinePasses there(/*is_inverse=*/false, fault_);
    const LinePasses back_again(/*is_inverse=*/true, fault_);
    const XlaOp kernel =
        there.transformed(builder::Reshape(around, {1, length}));
    const XlaOp line = there.transformed(
        builder::PadInDim(builder::Mul(x, turn, {1}), zero, 1, 0, length - n));
    const XlaOp sums = back_again.transformed(
        builder::Mul(line, builder::Reshape(kernel, {length}), {1}));
    return builder::Div(
        builder::Mul(builder::SliceInDim(sums, 0, n, 1, 1), turn, {1}),
        builder::ConstantR0<std::complex<double>>(&builder,
                                                  static_cast<double>(length)));
  }

  static constexpr int64_t kShort = 32;
  bool is_inverse_;
  Fault fault_;
};

/// The transforms along dimension d of c128.
XlaOp along(XlaOp x, int64_t d, const LinePasses& passes) {
  Ints order;
  for (int64_t k = 0; k < x.shape().rank(); ++k) order.push_back(k);
  std::swap(order[static_cast<size_t>(d)], order.back());
  const XlaOp last = builder::Transpose(x, order);
  const Ints dims = last.shape().dims;
  const int64_t lines = last.shape().element_count() / dims.back();
  const XlaOp result =
      passes.transformed(builder::Reshape(last, {lines, dims.back()}));
  return builder::Transpose(builder::Reshape(result, dims), order);
}

/// As many numbers along each of the last dimensions: the first ones, and
/// zeros behind.
XlaOp resized_last(XlaOp x, const Ints& sizes) {
  const XlaOp zero = builder::Zero(&x.builder(), x.shape().element_type);
  const int64_t before = x.shape().rank() - std::ssize(sizes);
  for (int64_t k = 0; k < std::ssize(sizes); ++k) {
    const int64_t size = x.shape().dims[static_cast<size_t>(before + k)];
    const int64_t more = sizes[static_cast<size_t>(k)] - size;
    if (more != 0) x = builder::PadInDim(x, zero, before + k, 0, more);
  }
  return x;
}

/// The numbers at the negative of each index along d, modulo its size.
XlaOp negated_index(XlaOp x, int64_t d) {
  const int64_t size = x.shape().dims[static_cast<size_t>(d)];
  return builder::ConcatInDim(
      &x.builder(),
      {builder::SliceInDim(x, 0, 1, 1, d),
       builder::Rev(builder::SliceInDim(x, 1, size, 1, d), {d})},
      d);
}

/// All of a spectrum of real numbers, of which half is given.
XlaOp mirrored(XlaOp half, const Ints& lengths) {
  const int64_t last = half.shape().rank() - 1;
  const int64_t given = half.shape().dims.back();
  const int64_t length = lengths.back();
  if (length == given) return half;
  XlaOp other = builder::Conj(builder::Rev(
      builder::SliceInDim(half, 1, length - given + 1, 1, last), {last}));
  for (int64_t k = 1; k < std::ssize(lengths); ++k) {
    other = negated_index(other, last - k);
  }
  return builder::ConcatInDim(&half.builder(), {half, other}, last);
}

}  // namespace

XlaOp fft_by_passes(const BlockTask& task) {
  const Instruction& fft = task.instruction;
  const ElementType type = fft.shape.element_type;
  const Ints& lengths = fft.get<Ints>("fft_length");
  const std::string& word = fft.get<Word>("fft_type").value;
  if (fft.shape.element_count() == 0 ||
      std::ranges::find(lengths, 0) != lengths.end()) {
    return builder::Broadcast(builder::Zero(&task.builder, type),
                              fft.shape.dims);
  }
  XlaOp x = widened(task.operands[0]);
  if (word == "RFFT") {
    x = builder::Complex(x, builder::Zero(&task.builder, ElementType::kF64));
  } else if (word == "IRFFT") {
    x = mirrored(x, lengths);
  }
  x = resized_last(x, lengths);
  const bool is_inverse = word == "IFFT" || word == "IRFFT";
  const LinePasses passes(is_inverse, task.fault);
  const int64_t rank = x.shape().rank();
  for (int64_t k = 1; k <= std::ssize(lengths); ++k) {
    x = along(x, rank - k, passes);
  }
  if (is_inverse) {
    double count = 1;
    for (const int64_t length : lengths) count *= static_cast<double>(length);
    x = builder::Div(
        x, builder::ConstantR0<std::complex<double>>(&task.builder, count));
  }
  if (word == "IRFFT") x = builder::Real(x);
  const Ints sizes(fft.shape.dims.end() - std::ssize(lengths),
                   fft.shape.dims.end());
  return narrowed(resized_last(x, sizes), type);
}

}  // namespace hlo::tpu
