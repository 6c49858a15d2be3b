#include "interpreter/numeric/format/float_codes.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>

#include "interpreter/numeric/format/instruction_sets.h"

namespace hlo::numeric {
namespace {

using enum ElementType;
using enum Specials;

constexpr int kDoubleMantissa = 52;
constexpr int kDoubleBias = 1023;
constexpr uint64_t kDoubleSign = uint64_t{1} << 63;
constexpr uint64_t kDoubleInfinity = uint64_t{0x7ff} << kDoubleMantissa;

double power_of_two(int exponent) {  // a normal double
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + kDoubleBias)
                               << kDoubleMantissa);
}

double decode_nan(bool negative) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return std::copysign(nan, negative ? -1.0 : 1.0);
}

// Values of NaN never carry a payload.
double canonical(double x) {
  return std::isnan(x) ? decode_nan(std::signbit(x)) : x;
}

// Formats of at most 8 bits.
double decode_narrow(uint64_t bits, const FloatFormat& format) {
  const bool negative = sign_bit(bits, format);
  if (is_nan(bits, format)) return decode_nan(negative);
  const uint64_t code = bits & ~format.sign_mask();
  const uint64_t field = code >> format.mantissa_bits;
  double value = 0;
  if (is_infinity(bits, format)) {
    value = std::numeric_limits<double>::infinity();
  } else if (field == 0 && format.specials != kE8M0) {
    value = static_cast<double>(code) *
            power_of_two(format.min_exponent() - format.mantissa_bits);
  } else {
    const auto rebias = static_cast<uint64_t>(kDoubleBias - format.bias);
    value = std::bit_cast<double>(
        (code << (kDoubleMantissa - format.mantissa_bits)) +
        (rebias << kDoubleMantissa));
  }
  return negative ? -value : value;
}

// encode for one format narrower than f64, with what it needs computed once.
// e8m0 has its own.
class NarrowEncoder {
 public:
  explicit NarrowEncoder(const FloatFormat& format)
      : shift_(kDoubleMantissa - format.mantissa_bits),
        half_((uint64_t{1} << (shift_ - 1)) - 1),
        rebias_(static_cast<uint64_t>(kDoubleBias - format.bias)
                << format.mantissa_bits),
        min_normal_(
            std::bit_cast<uint64_t>(power_of_two(format.min_exponent()))),
        subnormal_(power_of_two(kDoubleMantissa + format.min_exponent() -
                                format.mantissa_bits)),
        max_finite_(format.max_finite()),
        sign_shift_(format.width() - 1),
        nan_{nan_code(false, format), nan_code(true, format)},
        overflow_{overflow(false, format).bits, overflow(true, format).bits},
        negative_zero_(zero_code(true, format)) {}

  // Without branches, so that loops become vector code.
  [[gnu::always_inline]] uint64_t operator()(double value) const {
    const auto bits = std::bit_cast<uint64_t>(value);
    const uint64_t code = bits & ~kDoubleSign;
    const bool negative = bits > code;
    const uint64_t low = subnormal(code);
    const uint64_t high = normal(code);
    const uint64_t rounded = code < min_normal_ ? low : high;
    const uint64_t zero = negative ? negative_zero_ : 0;
    const uint64_t sign = (bits - code) >> (63 - sign_shift_);
    const uint64_t finite = rounded == 0 ? zero : rounded | sign;
    const uint64_t nan = negative ? nan_[1] : nan_[0];
    const uint64_t beyond = negative ? overflow_[1] : overflow_[0];
    const uint64_t special = code > kDoubleInfinity ? nan : beyond;
    return rounded > max_finite_ ? special : finite;
  }

 private:
  [[gnu::always_inline]] uint64_t normal(uint64_t code) const {
    const uint64_t odd = (code >> shift_) & 1;
    return ((code + half_ + odd) >> shift_) - rebias_;
  }

  // The addition rounds at the format's smallest step, which becomes the last
  // bit of the sum.
  [[gnu::always_inline]] uint64_t subnormal(uint64_t code) const {
    return std::bit_cast<uint64_t>(std::bit_cast<double>(code) + subnormal_) -
           std::bit_cast<uint64_t>(subnormal_);
  }

  int shift_;
  uint64_t half_;
  uint64_t rebias_;
  uint64_t min_normal_;
  double subnormal_;
  uint64_t max_finite_;
  int sign_shift_;
  std::array<uint64_t, 2> nan_;
  std::array<uint64_t, 2> overflow_;
  uint64_t negative_zero_;
};

uint64_t encode_e8m0(double value, const FloatFormat& format) {
  if (!(value > 0)) return format.quiet_nan();
  if (value <= power_of_two(format.min_exponent())) return 0;
  // The hidden bit is the odd one, so that a tie goes up.
  const uint64_t half = uint64_t{1} << (kDoubleMantissa - 1);
  const uint64_t field =
      (std::bit_cast<uint64_t>(value) + half) >> kDoubleMantissa;
  const uint64_t code =
      field - static_cast<uint64_t>(kDoubleBias - format.bias);
  return code > format.max_finite() ? format.quiet_nan() : code;
}

uint64_t encode_f32(double value, const FloatFormat& format) {
  if (std::isnan(value)) return nan_code(std::signbit(value), format);
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

uint64_t encode_f64(double value, const FloatFormat& format) {
  if (std::isnan(value)) return nan_code(std::signbit(value), format);
  return std::bit_cast<uint64_t>(value);
}

struct DecodeBf16 {  // the upper half of an f32

  [[gnu::always_inline]] static void run(const uint16_t* codes, double* values,
                                         int64_t n) {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    for (int64_t i = 0; i < n; ++i) {
      const double value = std::bit_cast<float>(uint32_t{codes[i]} << 16);
      const double nan = codes[i] >> 15 != 0 ? -kNan : kNan;
      values[i] = std::isnan(value) ? nan : value;
    }
  }
};

struct DecodeF16 {
  [[gnu::always_inline]] static void run(const uint16_t* codes, double* values,
                                         int64_t n) {
    for (int64_t i = 0; i < n; ++i) values[i] = decode(codes[i]);
  }

  [[gnu::always_inline]] static double decode(uint16_t code) {
    constexpr int kShift = kDoubleMantissa - 10;
    constexpr uint64_t kRebias = uint64_t{kDoubleBias - 15} << kDoubleMantissa;
    constexpr uint64_t kTop = uint64_t{0x7ff} << kDoubleMantissa;
    constexpr uint64_t kQuiet = uint64_t{1} << (kDoubleMantissa - 1);
    constexpr double kTwo52 = 0x1p52;
    const uint64_t sign = uint64_t{code & 0x8000U} << 48;
    const uint64_t magnitude = code & 0x7fffU;
    const uint64_t normal = (magnitude << kShift) + kRebias;
    const double count =
        std::bit_cast<double>(magnitude + std::bit_cast<uint64_t>(kTwo52)) -
        kTwo52;
    const auto subnormal = std::bit_cast<uint64_t>(count * 0x1p-24);
    const uint64_t finite = magnitude < 0x400 ? subnormal : normal;
    const uint64_t infinity = magnitude > 0x7c00 ? kTop | kQuiet : kTop;
    return std::bit_cast<double>(sign |
                                 (magnitude < 0x7c00 ? finite : infinity));
  }
};

using Table = std::array<double, 256>;

Table make_table(const FloatFormat& format) {
  Table table{};
  const uint64_t codes = uint64_t{1} << format.width();
  for (uint64_t code = 0; code < 256; ++code) {
    table[code] = decode_narrow(code & (codes - 1), format);
  }
  return table;
}

const Table& byte_table(const FloatFormat& wanted) {
  constexpr auto kFirst = static_cast<size_t>(kF16);
  constexpr size_t kFormats = static_cast<size_t>(kF6E3M2FN) - kFirst + 1;
  static const std::array<Table, kFormats> tables = [] {
    std::array<Table, kFormats> all{};
    for (size_t i = 0; i < all.size(); ++i) {
      const FloatFormat& row = format(static_cast<ElementType>(kFirst + i));
      if (row.width() <= 8) all[i] = make_table(row);
    }
    return all;
  }();
  return tables[static_cast<size_t>(wanted.type) - kFirst];
}

template <typename Code>
struct EncodeNarrow {
  [[gnu::always_inline]] static void run(NarrowEncoder encode_one,
                                         const double* values, Code* codes,
                                         int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      codes[i] = static_cast<Code>(encode_one(values[i]));
    }
  }
};

template <typename Code>
void encode_narrow(const double* values, void* bits, int64_t n,
                   const FloatFormat& format) {
  run_on_vectors<EncodeNarrow<Code>, NarrowEncoder, const double*,
                 Code* __restrict__>(NarrowEncoder(format), values,
                                     static_cast<Code*>(bits), n);
}

template <typename Code, typename Encode>
void encode_all(const double* values, void* bits, int64_t n,
                const Encode& encode_one) {
  Code* codes = static_cast<Code*>(bits);
  for (int64_t i = 0; i < n; ++i) {
    codes[i] = static_cast<Code>(encode_one(values[i]));
  }
}

template <typename Code, typename Decode>
void decode_all(const void* bits, double* values, int64_t n,
                const Decode& decode_one) {
  const Code* codes = static_cast<const Code*>(bits);
  for (int64_t i = 0; i < n; ++i) values[i] = decode_one(codes[i]);
}

template <typename Code>
Code load_as(const void* bits, int64_t i) {
  return static_cast<const Code*>(bits)[i];
}

template <typename Code>
void store_as(void* bits, int64_t i, uint64_t code) {
  static_cast<Code*>(bits)[i] = static_cast<Code>(code);
}

}  // namespace

double decode(uint64_t bits, const FloatFormat& format) {
  switch (format.type) {
    case kF64:
      return canonical(std::bit_cast<double>(bits));
    case kF32:
      return canonical(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    case kBF16:
      return canonical(std::bit_cast<float>(static_cast<uint32_t>(bits << 16)));
    case kF16:
      return DecodeF16::decode(static_cast<uint16_t>(bits));
    default:
      return byte_table(format)[bits & 0xff];
  }
}

uint64_t encode(double value, const FloatFormat& format) {
  if (format.type == kF64) return encode_f64(value, format);
  if (format.type == kF32) return encode_f32(value, format);
  if (format.specials == kE8M0) return encode_e8m0(value, format);
  return NarrowEncoder(format)(value);
}

void decode_array(const void* bits, double* values, int64_t n,
                  const FloatFormat& format) {
  if (format.type == kF64 || format.type == kF32) {
    const auto plain = [](double x) { return canonical(x); };
    if (format.type == kF64) return decode_all<double>(bits, values, n, plain);
    return decode_all<float>(bits, values, n, plain);
  }
  if (format.width() <= 8) {
    const Table& table = byte_table(format);
    return decode_all<uint8_t>(bits, values, n,
                               [&](uint8_t code) { return table[code]; });
  }
  const auto* const codes = static_cast<const uint16_t*>(bits);
  const auto decode_16 = format.type == kBF16
                             ? run_on_vectors<DecodeBf16, const uint16_t*,
                                              double* __restrict__, int64_t>
                             : run_on_vectors<DecodeF16, const uint16_t*,
                                              double* __restrict__, int64_t>;
  decode_16(codes, values, n);
}

void encode_array(const double* values, void* bits, int64_t n,
                  const FloatFormat& format) {
  const auto f64 = [&](double x) { return encode_f64(x, format); };
  const auto f32 = [&](double x) { return encode_f32(x, format); };
  const auto e8m0 = [&](double x) { return encode_e8m0(x, format); };
  if (format.type == kF64) return encode_all<uint64_t>(values, bits, n, f64);
  if (format.type == kF32) return encode_all<uint32_t>(values, bits, n, f32);
  if (format.specials == kE8M0) {
    return encode_all<uint8_t>(values, bits, n, e8m0);
  }
  if (format.width() <= 8) {
    return encode_narrow<uint8_t>(values, bits, n, format);
  }
  encode_narrow<uint16_t>(values, bits, n, format);
}

uint64_t load_code(const void* bits, int64_t i, const FloatFormat& format) {
  if (format.width() <= 8) return load_as<uint8_t>(bits, i);
  if (format.width() == 16) return load_as<uint16_t>(bits, i);
  if (format.width() == 32) return load_as<uint32_t>(bits, i);
  return load_as<uint64_t>(bits, i);
}

void store_code(void* bits, int64_t i, uint64_t code,
                const FloatFormat& format) {
  if (format.width() <= 8) return store_as<uint8_t>(bits, i, code);
  if (format.width() == 16) return store_as<uint16_t>(bits, i, code);
  if (format.width() == 32) return store_as<uint32_t>(bits, i, code);
  store_as<uint64_t>(bits, i, code);
}

}  // namespace hlo::numeric
