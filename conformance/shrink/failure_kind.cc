#include "conformance/shrink/failure_kind.h"

#include <algorithm>
#include <cctype>

#include "conformance/literals/literal_bits.h"
#include "interpreter/numeric/format/float_format.h"

namespace hlo::conformance {
namespace {

enum class Number { kOther, kZero, kInfinity, kNan };

Number number_of(const Scalar& scalar, int part) {
  const ElementType type = component_type(scalar.type);
  if (!is_float(type)) return Number::kOther;
  const numeric::FloatFormat& format = numeric::format(type);
  const uint64_t bits = scalar.bits.at(static_cast<size_t>(part));
  if (numeric::is_nan(bits, format)) return Number::kNan;
  if (numeric::is_infinity(bits, format)) return Number::kInfinity;
  const uint64_t sign = format.sign_mask();
  return (bits & ~sign) == 0 ? Number::kZero : Number::kOther;
}

std::string what_differs(Number actual, Number reference) {
  if (actual == Number::kNan) {
    return reference == Number::kNan ? "bits of NaN"
                                     : "NaN instead of a number";
  }
  if (reference == Number::kNan) return "number instead of NaN";
  if (actual == Number::kInfinity && reference != Number::kInfinity) {
    return "infinity instead of a number";
  }
  const bool zeros = actual == Number::kZero && reference == Number::kZero;
  return zeros ? "sign of zero" : "wrong number";
}

/// The first part of a complex number that differs, else the last part.
int differing_part(const Difference& difference) {
  const int last = components(difference.actual.type) - 1;
  for (int part = 0; part < last; ++part) {
    const auto at = static_cast<size_t>(part);
    if (difference.actual.bits.at(at) != difference.reference.bits.at(at)) {
      return part;
    }
  }
  return last;
}

std::string what_differs(const Difference& difference) {
  if (difference.actual == difference.reference) return "wrong number";
  const int part = differing_part(difference);
  return what_differs(number_of(difference.actual, part),
                      number_of(difference.reference, part));
}

bool is_subnormal(uint64_t bits, const numeric::FloatFormat& format) {
  const uint64_t size = bits & ~format.sign_mask();
  return size != 0 && size >> static_cast<unsigned>(format.mantissa_bits) == 0;
}

/// The first line of a message, with # for numbers and % for names, which
/// change from program to program. The number of a signal stays.
std::string pattern_of(const std::string& message) {
  constexpr size_t kMost = 80;
  const std::string line = message.substr(0, message.find('\n'));
  const size_t signal = line.find("signal ");
  if (signal != std::string::npos) {
    const size_t end = line.find_first_not_of("0123456789", signal + 7);
    return line.substr(signal, std::min(end, line.size()) - signal);
  }
  if (line.starts_with("no answer")) return "no answer in time";
  std::string pattern;
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
           c == '.';
  };
  for (size_t i = 0; i < line.size() && pattern.size() < kMost;) {
    size_t end = i;
    bool has_digit = false;
    while (end < line.size() && is_word(line[end])) {
      has_digit =
          has_digit || std::isdigit(static_cast<unsigned char>(line[end])) != 0;
      ++end;
    }
    if (end == i) {
      pattern += line[i++];
      continue;
    }
    pattern += has_digit ? "#" : line.substr(i, end - i);
    i = end;
  }
  return pattern;
}

}  // namespace

std::optional<FailureKind> failure_kind(const Judgement& judgement) {
  const Verdict verdict = judgement.verdict;
  const bool failed = is_failure(verdict) || is_broken(verdict);
  if (!failed || judgement.again) return std::nullopt;
  if (judgement.difference) {
    return FailureKind{verdict, what_differs(*judgement.difference)};
  }
  if (verdict == Verdict::kWrongShape) return FailureKind{verdict, ""};
  return FailureKind{verdict, pattern_of(judgement.message)};
}

std::string bits_words(const Difference& difference) {
  const ElementType type = component_type(difference.actual.type);
  if (!is_float(type)) return "";
  const numeric::FloatFormat& format = numeric::format(type);
  const auto part = static_cast<size_t>(differing_part(difference));
  const uint64_t actual = difference.actual.bits.at(part);
  const uint64_t reference = difference.reference.bits.at(part);
  if (numeric::is_nan(actual, format) && numeric::is_nan(reference, format)) {
    const bool signals = numeric::is_signaling_nan(actual, format);
    if (signals == numeric::is_signaling_nan(reference, format)) return "";
    return signals ? "A signaling NaN came, and what is right is a quiet one."
                   : "What is right is a signaling NaN, moved as it is, and a "
                     "quiet one came.";
  }
  const bool flushed =
      is_subnormal(reference, format) && (actual & ~format.sign_mask()) == 0;
  return flushed ? "The number that is right is subnormal, and zero came: the "
                   "engine takes subnormal numbers for zeros, or makes zeros "
                   "of them."
                 : "";
}

std::string describe(const FailureKind& kind) {
  std::string text(name(kind.verdict));
  if (!kind.what.empty()) text += ": " + kind.what;
  return text;
}

}  // namespace hlo::conformance
