#include "backends/mutant/number_mutants.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo {
namespace {

using numeric::FloatFormat;

/// The instruction's own result with each element changed by `change`, which
/// gets the position and the element.
template <typename Change>
Literal changed(const Instruction& instruction, Operands operands,
                Evaluator& evaluator, const Change& change) {
  Literal result = original(instruction, operands, evaluator);
  for (int64_t i = 0; i < result.element_count(); ++i) {
    const Scalar before = result.at(i);
    const Scalar after = change(i, before);
    if (!(before == after)) result.set(i, after);
  }
  return result;
}

bool has_float_result(const Instruction& instruction) {
  return is_float(instruction.shape.element_type);
}

const FloatFormat& format_of(const Scalar& scalar) {
  return numeric::format(scalar.type);
}

bool is_nan(const Scalar& scalar) {
  return is_float(scalar.type) &&
         numeric::is_nan(scalar.bits[0], format_of(scalar));
}

double value_of(const Scalar& scalar) {
  return numeric::decode(scalar.bits[0], format_of(scalar));
}

Scalar moved(Scalar scalar, int64_t steps) {
  const FloatFormat& format = format_of(scalar);
  const int64_t ordinal = numeric::ordinal(scalar.bits[0], format);
  scalar.bits[0] =
      numeric::from_ordinal(ordinal + steps, format).value_or(scalar.bits[0]);
  return scalar;
}

bool is_zero(const Scalar& scalar) {
  return is_float(scalar.type) && !is_nan(scalar) && value_of(scalar) == 0;
}

Literal truncate_add(const Instruction& add, Operands in, Evaluator& run) {
  if (!has_float_result(add)) return original(add, in, run);
  return changed(add, in, run, [&](int64_t i, const Scalar& sum) {
    const double rounded = value_of(sum);
    if (!std::isfinite(rounded) || rounded == 0) return sum;
    numeric::ExactSum exact;
    exact.add(value_of(in[0].at(i)));
    exact.add(value_of(in[1].at(i)));
    const int side = exact.round(format_of(sum)).side;
    const int toward_zero = rounded > 0 ? -1 : 1;
    return side == toward_zero ? moved(sum, toward_zero) : sum;
  });
}

Literal saturate_add(const Instruction& add, Operands in, Evaluator& run) {
  const ElementType type = add.shape.element_type;
  if (!is_signed(type) || bits(type) > 32) return original(add, in, run);
  const int64_t greatest = (int64_t{1} << (bits(type) - 1)) - 1;
  const uint64_t mask = (uint64_t{1} << bits(type)) - 1;
  return changed(add, in, run, [&](int64_t i, Scalar sum) {
    const int64_t wide = std::clamp(in[0].integer(i) + in[1].integer(i),
                                    -greatest - 1, greatest);
    sum.bits[0] = static_cast<uint64_t>(wide) & mask;
    return sum;
  });
}

Literal drop_nan(const Instruction& maximum, Operands in, Evaluator& run) {
  return changed(maximum, in, run, [&](int64_t i, const Scalar& result) {
    if (!is_nan(result)) return result;
    const Scalar a = in[0].at(i);
    return is_nan(a) ? in[1].at(i) : a;
  });
}

Literal take_first_zero(const Instruction& minimum, Operands in,
                        Evaluator& run) {
  return changed(minimum, in, run, [&](int64_t i, const Scalar& result) {
    const Scalar a = in[0].at(i);
    return is_zero(a) && is_zero(in[1].at(i)) ? a : result;
  });
}

Literal flush_subnormals(const Instruction& product, Operands in,
                         Evaluator& run) {
  if (!has_float_result(product)) return original(product, in, run);
  return changed(product, in, run, [&](int64_t, Scalar result) {
    const FloatFormat& format = format_of(result);
    const double least = std::ldexp(1.0, format.min_exponent());
    const bool subnormal = std::fabs(value_of(result)) < least;
    if (subnormal && format.sign_mask() != 0) {
      result.bits[0] &= format.has_negative_zero() ? format.sign_mask() : 0;
    }
    return result;
  });
}

Literal lose_zero_sign(const Instruction& negate, Operands in, Evaluator& run) {
  return changed(negate, in, run, [&](int64_t, Scalar result) {
    if (is_zero(result)) result.bits[0] = 0;
    return result;
  });
}

/// Accumulated in a type of half the width.
Literal narrow_sum(const Instruction& sum, Operands in, Evaluator& run) {
  const ElementType type = sum.shape.element_type;
  const bool wide = type == ElementType::kF64;
  if (!wide && type != ElementType::kF32) return original(sum, in, run);
  const FloatFormat& narrow =
      numeric::format(wide ? ElementType::kF32 : ElementType::kBF16);
  return changed(sum, in, run, [&](int64_t, Scalar result) {
    if (is_nan(result)) return result;
    const uint64_t code = numeric::encode(value_of(result), narrow);
    result.bits[0] =
        numeric::encode(numeric::decode(code, narrow), format_of(result));
    return result;
  });
}

Literal truncate_convert(const Instruction& convert, Operands in,
                         Evaluator& run) {
  if (!has_float_result(convert) || !is_float(in[0].type())) {
    return original(convert, in, run);
  }
  return changed(convert, in, run, [&](int64_t i, const Scalar& result) {
    const double exact = value_of(in[0].at(i));
    const double rounded = value_of(result);
    if (!std::isfinite(exact) || std::isnan(rounded)) return result;
    if (std::fabs(rounded) <= std::fabs(exact)) return result;
    return moved(result, rounded > 0 ? -1 : 1);
  });
}

Literal zero_out_of_range(const Instruction& convert, Operands in,
                          Evaluator& run) {
  const ElementType type = convert.shape.element_type;
  if (!is_integer(type) || !is_float(in[0].type())) {
    return original(convert, in, run);
  }
  const double limit = std::ldexp(1.0, bits(type) - (is_signed(type) ? 1 : 0));
  return changed(convert, in, run, [&](int64_t i, Scalar result) {
    const double value = value_of(in[0].at(i));
    const double least = is_signed(type) ? -limit : 0;
    if (value >= limit || value < least) result.bits[0] = 0;
    return result;
  });
}

Literal floor_divide(const Instruction& divide, Operands in, Evaluator& run) {
  const ElementType type = divide.shape.element_type;
  if (!is_signed(type)) return original(divide, in, run);
  const uint64_t mask =
      bits(type) == 64 ? ~uint64_t{0} : (uint64_t{1} << bits(type)) - 1;
  return changed(divide, in, run, [&](int64_t i, Scalar result) {
    const int64_t a = in[0].integer(i);
    const int64_t b = in[1].integer(i);
    if (b == 0 || b == -1 || a % b == 0 || (a < 0) == (b < 0)) return result;
    result.bits[0] = (result.bits[0] - 1) & mask;
    return result;
  });
}

Literal unordered_compare(const Instruction& compare, Operands in,
                          Evaluator& run) {
  const bool equality = compare.get<Word>("direction").value == "EQ";
  return changed(compare, in, run, [&](int64_t i, Scalar result) {
    const bool nan = is_nan(in[0].at(i)) || is_nan(in[1].at(i));
    if (nan && !equality) result.bits[0] = 1;
    return result;
  });
}

Literal signed_compare(const Instruction& compare, Operands in,
                       Evaluator& run) {
  const ElementType type = in[0].type();
  const std::string& direction = compare.get<Word>("direction").value;
  if (!is_unsigned(type) || direction == "EQ" || direction == "NE") {
    return original(compare, in, run);
  }
  const uint64_t top = uint64_t{1} << (bits(type) - 1);
  return changed(compare, in, run, [&](int64_t i, Scalar result) {
    const bool a = (in[0].at(i).bits[0] & top) != 0;
    const bool b = (in[1].at(i).bits[0] & top) != 0;
    if (a != b) result.bits[0] ^= 1U;
    return result;
  });
}

Literal ordered_zeros(const Instruction& compare, Operands in, Evaluator& run) {
  if (compare.get<Word>("direction").value != "LT") {
    return original(compare, in, run);
  }
  return changed(compare, in, run, [&](int64_t i, Scalar result) {
    const Scalar a = in[0].at(i);
    const Scalar b = in[1].at(i);
    if (is_zero(a) && is_zero(b) && a.bits[0] > b.bits[0]) result.bits[0] = 1;
    return result;
  });
}

Literal select_number(const Instruction& select, Operands in, Evaluator& run) {
  return changed(select, in, run, [&](int64_t i, const Scalar& result) {
    return is_nan(result) ? in[2].at(i) : result;
  });
}

Literal loose_exponential(const Instruction& exponential, Operands in,
                          Evaluator& run) {
  if (!has_float_result(exponential)) return original(exponential, in, run);
  return changed(exponential, in, run, [&](int64_t, const Scalar& result) {
    const double value = value_of(result);
    return std::isfinite(value) && value > 0 && value != 1 ? moved(result, 5)
                                                           : result;
  });
}

Literal overshoot(const Instruction& tanh, Operands in, Evaluator& run) {
  if (!has_float_result(tanh)) return original(tanh, in, run);
  return changed(tanh, in, run, [&](int64_t, const Scalar& result) {
    return value_of(result) == 1 ? moved(result, 1) : result;
  });
}

Literal no_sign_of_nan(const Instruction& sign, Operands in, Evaluator& run) {
  return changed(sign, in, run, [&](int64_t, Scalar result) {
    if (is_nan(result)) result.bits[0] = 0;
    return result;
  });
}

Literal round_floor(const Instruction& floor, Operands in, Evaluator& run) {
  if (!has_float_result(floor)) return original(floor, in, run);
  return changed(floor, in, run, [&](int64_t i, Scalar result) {
    const double value = std::trunc(value_of(in[0].at(i)));
    if (std::isfinite(value)) {
      result.bits[0] = numeric::encode(value, format_of(result));
    }
    return result;
  });
}

Literal multiply_by_reciprocal(const Instruction& divide, Operands in,
                               Evaluator& run) {
  if (!has_float_result(divide)) return original(divide, in, run);
  return changed(divide, in, run, [&](int64_t i, Scalar result) {
    const FloatFormat& format = format_of(result);
    const double a = value_of(in[0].at(i));
    const double reciprocal = numeric::decode(
        numeric::encode(1 / value_of(in[1].at(i)), format), format);
    if (std::isfinite(value_of(result)) && std::isfinite(reciprocal)) {
      result.bits[0] = numeric::encode(a * reciprocal, format);
    }
    return result;
  });
}

Literal flush_operands(const Instruction& instruction, Operands in,
                       Evaluator& run) {
  if (!is_float(in[0].type())) return original(instruction, in, run);
  std::vector<Literal> flushed(in.begin(), in.end());
  for (Literal& operand : flushed) {
    const FloatFormat& format = numeric::format(operand.type());
    const double least = std::ldexp(1.0, format.min_exponent());
    for (int64_t i = 0; i < operand.element_count(); ++i) {
      Scalar x = operand.at(i);
      if (std::fabs(value_of(x)) >= least || is_nan(x)) continue;
      x.bits[0] &= format.has_negative_zero() ? format.sign_mask() : 0;
      operand.set(i, x);
    }
  }
  return original(instruction, flushed, run);
}

/// As with roots of unity that lack the last 12 bits.
Literal coarse_transform(const Instruction& fft, Operands in, Evaluator& run) {
  return changed(fft, in, run, [](int64_t, Scalar result) {
    const FloatFormat& format = numeric::format(component_type(result.type));
    const double factor = 1 + std::ldexp(1.0, 12 - format.precision());
    for (uint64_t& part : result.bits) {
      const double value = numeric::decode(part, format);
      if (std::isfinite(value)) part = numeric::encode(value * factor, format);
    }
    return result;
  });
}

constexpr std::array kMutants = {
    Mutant{"truncate-add", "floats are added with rounding toward zero", "add",
           truncate_add},
    Mutant{"saturate-add", "signed integers saturate where they wrap", "add",
           saturate_add},
    Mutant{"drop-nan", "the larger of NaN and a number is the number",
           "maximum", drop_nan},
    Mutant{"first-zero", "of -0 and +0 the first operand is taken",
           "minimum maximum", take_first_zero},
    Mutant{"flush-operands", "subnormal operands count as zero",
           "add multiply log sqrt", flush_operands},
    Mutant{"flush-subnormals", "subnormal results are zero", "multiply divide",
           flush_subnormals},
    Mutant{"lose-zero-sign", "-0 becomes +0", "negate", lose_zero_sign},
    Mutant{"narrow-sum", "sums are kept in a type of half the width",
           "reduce dot convolution", narrow_sum},
    Mutant{"truncate-convert", "floats are converted toward zero", "convert",
           truncate_convert},
    Mutant{"zero-out-of-range", "floats beyond an integer type become 0",
           "convert", zero_out_of_range},
    Mutant{"reciprocal", "floats are multiplied by a rounded reciprocal",
           "divide", multiply_by_reciprocal},
    Mutant{"coarse-transform", "roots of unity lack their last 12 bits", "fft",
           coarse_transform},
    Mutant{"floor-divide", "integer quotients round down", "divide",
           floor_divide},
    Mutant{"unordered-compare", "comparisons with NaN hold", "compare",
           unordered_compare},
    Mutant{"signed-compare", "unsigned integers are compared as signed ones",
           "compare", signed_compare},
    Mutant{"ordered-zeros", "-0 is less than +0", "compare", ordered_zeros},
    Mutant{"select-number",
           "where the selected element is NaN the other one "
           "is taken",
           "select", select_number},
    Mutant{"loose-exponential", "results are five codes off", "exponential",
           loose_exponential},
    Mutant{"overshoot", "tanh exceeds 1 by one code", "tanh", overshoot},
    Mutant{"sign-of-nan", "the sign of NaN is 0", "sign", no_sign_of_nan},
    Mutant{"truncate-floor", "negative numbers round toward zero", "floor",
           round_floor},
};

}  // namespace

std::span<const Mutant> number_mutants() { return kMutants; }

}  // namespace hlo
