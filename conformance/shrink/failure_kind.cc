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

/// What is wrong with the first part of a complex number that differs.
std::string what_differs(const Difference& difference) {
  const Scalar& actual = difference.actual;
  const Scalar& reference = difference.reference;
  for (int part = 0; part < components(actual.type); ++part) {
    const auto at = static_cast<size_t>(part);
    if (actual.bits.at(at) == reference.bits.at(at)) continue;
    return what_differs(number_of(actual, part), number_of(reference, part));
  }
  return "wrong number";
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

std::string describe(const FailureKind& kind) {
  std::string text(name(kind.verdict));
  if (!kind.what.empty()) text += ": " + kind.what;
  return text;
}

}  // namespace hlo::conformance
