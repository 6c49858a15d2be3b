#include "conformance/sweep/complex_measurer.h"

#include <algorithm>

#include "conformance/expect/linear/exact_complex.h"
#include "conformance/expect/linear/expect_complex.h"
#include "conformance/expect/linear/open_signs.h"
#include "conformance/sets/admitted.h"
#include "conformance/sets/exact_value.h"
#include "conformance/sweep/error_units.h"
#include "conformance/sweep/f32_errors.h"
#include "conformance/sweep/part_units.h"
#include "conformance/sweep/unit_counts.h"
#include "interpreter/definition/numbers/scalar_codes.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using definition::Real;
using numeric::FloatFormat;
using Units = std::array<int32_t, 2>;

constexpr size_t kParts = 2;

bool is_zero_code(uint64_t code, const FloatFormat& format) {
  return (code & ~format.sign_mask()) == 0;
}

/// The number with each subnormal part as zero.
Scalar flushed(Scalar z, const FloatFormat& format) {
  for (uint64_t& code : z.bits) {
    if (is_subnormal(code, format)) code &= format.sign_mask();
  }
  return z;
}

bool same_part(uint64_t a, uint64_t b, const FloatFormat& format) {
  return a == b || (numeric::is_nan(a, format) && numeric::is_nan(b, format));
}

bool same(const Scalar& a, const Scalar& b, const FloatFormat& format) {
  return same_part(a.bits[0], b.bits[0], format) &&
         same_part(a.bits[1], b.bits[1], format);
}

/// What is wrong with a part where one of the two is no finite number.
SweepFault fault_of_special(uint64_t actual, uint64_t reference,
                            const FloatFormat& format) {
  if (numeric::is_nan(actual, format)) return SweepFault::kNan;
  if (numeric::is_nan(reference, format)) return SweepFault::kNumber;
  return is_finite(actual, format) ? SweepFault::kFinite
                                   : SweepFault::kInfinite;
}

}  // namespace

ComplexMeasurer::ComplexMeasurer(const SweptOperation& operation,
                                 const Profile& profile)
    : operation_(operation),
      one_(operation.on(1)),
      race_(*one_.entry->root, profile),
      format_(numeric::format(component_type(operation.type))) {}

SweepTally ComplexMeasurer::measure(const SweepPoints& points,
                                    const Literal& actual) {
  SweepTally tally;
  tally.odd = tally.even = false;
  reference_ = evaluate(operation_.on(actual.element_count()), points.operands,
                        {.max_work = Budget::kEndless});
  units_.clear();
  for (const SweepRun& run : points.runs) {
    tally.elements += run.size();
    for (int64_t i = run.begin; i < run.end; ++i) {
      tally_element(points, i, actual, tally);
    }
  }
  UnitCounts counts;
  counts.add(units_.data(), std::ssize(units_));
  counts.add_to(tally);
  if (points.mirrored) check_symmetry(points, actual, tally);
  for (auto& levels : tally.levels) levels.resize(all_levels().size());
  return tally;
}

SweptComplex ComplexMeasurer::element(const SweepPoints& points, int64_t i,
                                      const Literal& actual) const {
  SweptComplex element;
  element.arity = points.operands.size();
  for (size_t k = 0; k < element.arity; ++k) {
    element.operands.at(k) = points.operands[k].at(i);
  }
  element.actual = actual.at(i);
  element.reference = reference_.at(i);
  const auto function = operation_.op->accuracy.complex_function;
  if (function) {
    const Scalar& z = element.operands[0];
    element.open_signs =
        open_signs(*function, {numeric::decode(z.bits[0], format_),
                               numeric::decode(z.bits[1], format_)});
  }
  return element;
}

/// By the rule of each part, else by that of the number; what has neither only
/// changes signs.
ComplexMeasurer::Exact ComplexMeasurer::exact(const SweptComplex& element,
                                              const SweepPoints& points,
                                              int64_t i) const {
  const std::span<const Scalar> operands(element.operands.data(),
                                         element.arity);
  const auto rule = operation_.op->facts.exact;
  std::vector<Real> parts;
  for (size_t part = 0; rule != nullptr && part < kParts; ++part) {
    const auto number = rule(operands, part);
    if (!number) break;
    parts.push_back(*number);
  }
  if (parts.size() == kParts) return parts;
  const bool finite = std::ranges::all_of(
      element.reference.bits,
      [&](uint64_t code) { return is_finite(code, format_); });
  const Accuracy& accuracy = operation_.op->accuracy;
  if (!accuracy.sets_sign) {
    return exact_parts(*one_.entry->root, points.operands, i);
  }
  if (!finite) return std::nullopt;
  return std::vector{
      definition::decode(element.reference.bits[0], format_.type),
      definition::decode(element.reference.bits[1], format_.type)};
}

void ComplexMeasurer::measure_parts(SweptComplex& element, const Exact& exact,
                                    Units& units) const {
  for (size_t part = 0; part < kParts; ++part) {
    const uint64_t actual = element.actual.bits.at(part);
    const uint64_t reference = element.reference.bits.at(part);
    const bool measured = exact && isfinite((*exact)[part]) &&
                          is_finite(actual, format_) &&
                          is_finite(reference, format_);
    if (!exact || !isfinite((*exact)[part])) continue;
    const Real& r = (*exact)[part];
    if (is_finite(reference, format_)) {
      const Real rounded = definition::decode(reference, format_.type);
      element.sides.at(part) = r > rounded ? 1 : r < rounded ? -1 : 0;
    } else if (is_next_to_infinity(r, format_)) {
      element.sides.at(part) = numeric::sign_bit(reference, format_) ? 1 : -1;
    }
    if (measured) {
      units.at(part) = static_cast<int32_t>(part_units(r, actual, format_));
    }
  }
  if (units[0] >= 0 && units[1] >= 0) {
    element.units = std::max(units[0], units[1]);
  }
}

void ComplexMeasurer::tally_element(const SweepPoints& points, int64_t i,
                                    const Literal& actual, SweepTally& tally) {
  SweptComplex e = element(points, i, actual);
  Units units = {kNotANumber, kNotANumber};
  measure_parts(e, exact(e, points, i), units);
  if (same(e.actual, e.reference, format_)) {
    ++tally.same;
  } else {
    note_faults(e, units, tally);
    race_.judge(e, tally);
  }
  for (size_t part = 0; part < kParts; ++part) {
    units_.push_back(units.at(part));
    if (units.at(part) <= tally.worst.units) continue;
    tally.worst = {.units = units.at(part),
                   .operands = e.codes(),
                   .actual = e.actual.bits,
                   .reference = e.reference.bits,
                   .part = static_cast<int64_t>(part)};
  }
}

/// Notes what is wrong; what was flushed has no units then.
void ComplexMeasurer::note_faults(const SweptComplex& e, Units& units,
                                  SweepTally& tally) const {
  const bool flushed_operand = is_flushed_operand(e);
  if (flushed_operand) tally.fault(SweepFault::kFlushedOperand).note(e.codes());
  for (size_t part = 0; part < kParts; ++part) {
    const uint64_t actual = e.actual.bits.at(part);
    const uint64_t reference = e.reference.bits.at(part);
    const bool opposite = (actual ^ reference) == format_.sign_mask();
    if (same_part(actual, reference, format_) ||
        (opposite && e.open_signs.at(part))) {
      continue;
    }
    const bool zero = is_zero_code(actual, format_);
    if (!is_finite(actual, format_) || !is_finite(reference, format_)) {
      tally.fault(fault_of_special(actual, reference, format_)).note(e.codes());
    } else if (zero && is_zero_code(reference, format_)) {
      tally.fault(SweepFault::kZeroSign).note(e.codes());
    } else if (zero && is_subnormal(reference, format_)) {
      tally.fault(SweepFault::kFlushedResult).note(e.codes());
      units.at(part) = kNotANumber;
    }
    if (flushed_operand) units.at(part) = kNotANumber;
  }
}

/// Whether the result is that of the operands without their subnormal parts.
bool ComplexMeasurer::is_flushed_operand(const SweptComplex& e) const {
  std::array<Scalar, 2> operands = e.operands;
  for (size_t k = 0; k < e.arity; ++k) {
    operands.at(k) = flushed(operands.at(k), format_);
  }
  if (operands == e.operands) return false;
  const Scalar result =
      operation_.op->element(*one_.entry->root, {operands.data(), e.arity});
  return same(result, e.actual, format_);
}

/// Results of conjugates that are no conjugates where the reference's are:
/// where Annex G of C leaves a sign open they need not be.
void ComplexMeasurer::check_symmetry(const SweepPoints& points,
                                     const Literal& actual,
                                     SweepTally& tally) const {
  const SweepRun& plus = points.runs[0];
  const int64_t minus = points.runs[1].begin - plus.begin;
  const auto differs = [&](const Literal& results, int64_t i) {
    Scalar other = results.at(i + minus);
    other.bits[1] ^= format_.sign_mask();
    return !same(results.at(i), other, format_);
  };
  tally.odd = true;
  for (int64_t i = plus.begin; i < plus.end; ++i) {
    if (differs(reference_, i) || !differs(actual, i)) continue;
    tally.fault(SweepFault::kSymmetry).note({points.operands[0].at(i).bits});
  }
}

}  // namespace hlo::conformance
