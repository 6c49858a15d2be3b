#include "conformance/sweep/measurer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "conformance/sets/admitted.h"
#include "conformance/sets/exact_value.h"
#include "conformance/sweep/error_units.h"
#include "conformance/sweep/f32_errors.h"
#include "conformance/sweep/unit_counts.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/f32/fast_path.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/rounded.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

static_assert(kMostUnits <= std::numeric_limits<int32_t>::max());

bool has_kernel(const SweptOperation& operation) {
  return operation.type == ElementType::kF32 &&
         operation.op->accuracy.function &&
         numeric::fast_path(*operation.op->accuracy.function).evaluate !=
             nullptr;
}

/// The operand's code at an index.
uint64_t code_at(const Literal& literal, int64_t i) {
  return literal.at(i).bits[0];
}

bool is_zero(uint64_t code, const FloatFormat& format) {
  return !numeric::is_nan(code, format) && numeric::ordinal(code, format) == 0;
}

/// The zero of the number's sign.
uint64_t zero_of(uint64_t code, const FloatFormat& format) {
  return format.has_negative_zero() ? code & format.sign_mask() : 0;
}

/// The least number of the type that is not below `value` (direction 1), or
/// the greatest that is not above it (-1), as a place in the total order.
int64_t inner_place(double value, int direction, const FloatFormat& format) {
  const uint64_t code = numeric::encode(value, format);
  const double rounded = numeric::decode(code, format);
  const bool outside = direction > 0 ? rounded < value : rounded > value;
  return numeric::total_order(code, format) + (outside ? direction : 0);
}

/// What an order of codes by their numbers needs.
template <typename Code>
struct Keys {
  explicit Keys(const FloatFormat& format)
      : sign(static_cast<Code>(format.sign_mask())) {}

  int64_t operator()(Code code) const {
    const auto magnitude = static_cast<int64_t>(
        static_cast<uint64_t>(code & static_cast<Code>(~sign)));
    return (code & sign) != 0 ? -magnitude : magnitude;
  }

  Code sign;
};

}  // namespace

Measurer::Measurer(const SweptOperation& operation, const Profile& profile)
    : operation_(operation),
      one_(operation.on(1)),
      race_(*one_.entry->root, profile) {
  if (!is_float(operation.type)) return;
  limits_ = limits(operation.op->facts.range, operation.type);
  if (operation.arity != 1) return;
  const FloatFormat& format = numeric::format(operation.type);
  at_zeros_ = {reference_at(0),
               reference_at(zero_of(format.sign_mask(), format))};
  find_slopes();
}

Measurer::~Measurer() = default;

Literal Measurer::evaluate(const std::vector<Literal>& operands) const {
  const int64_t n = operands[0].element_count();
  return hlo::evaluate(operation_.on(n), operands,
                       {.max_work = Budget::kEndless});
}

uint64_t Measurer::reference_at(uint64_t x) const {
  const Scalar value{.type = operation_.type, .bits = {x, 0}};
  const Shape shape = Shape::array(operation_.type, {1});
  return code_at(evaluate({Literal::splat(shape, value)}), 0);
}

void Measurer::find_slopes() {
  const Behaviour& behaviour = operation_.op->facts.behaviour;
  if (behaviour.kind != Behaviour::Kind::kMonotone) return;
  const std::span<const Stretch> stretches =
      behaviour.stretches.empty() ? kOnAll : behaviour.stretches;
  for (const Stretch& stretch : stretches) {
    if (const auto slope = slope_of(stretch)) slopes_.push_back(*slope);
  }
}

std::optional<Measurer::Slope> Measurer::slope_of(
    const Stretch& stretch) const {
  const FloatFormat& format = numeric::format(operation_.type);
  const double most = format.has_infinity()
                          ? kEndless
                          : numeric::decode(format.max_finite(), format);
  const double from = std::max(stretch.from, -most);
  const double to = std::min(stretch.to, most);
  if (format.sign_mask() == 0 && from <= 0) return std::nullopt;  // no such end
  const int64_t first = inner_place(from, 1, format);
  const int64_t last = inner_place(to, -1, format);
  const uint64_t low = reference_at(numeric::encode(from, format));
  const uint64_t high = reference_at(numeric::encode(to, format));
  const bool unknown =
      numeric::is_nan(low, format) || numeric::is_nan(high, format);
  if (first >= last || unknown) return std::nullopt;
  // From one infinity to the other their difference is beyond 64 bits.
  const int64_t begin = numeric::ordinal(low, format);
  const int64_t end = numeric::ordinal(high, format);
  if (begin == end) return std::nullopt;
  return Slope{first, last, begin < end ? 1 : -1};
}

SweepTally Measurer::measure(const SweepPoints& points, const Literal& actual) {
  SweepTally tally;
  const std::byte* const bytes = actual.bytes().data();
  switch (info(operation_.type).bits) {
    case 64:
      measure_codes(points, reinterpret_cast<const uint64_t*>(bytes), tally);
      break;
    case 32:
      measure_codes(points, reinterpret_cast<const uint32_t*>(bytes), tally);
      break;
    case 16:
      measure_codes(points, reinterpret_cast<const uint16_t*>(bytes), tally);
      break;
    default:
      measure_codes(points, reinterpret_cast<const uint8_t*>(bytes), tally);
  }
  return tally;
}

template <typename Code>
void Measurer::measure_codes(const SweepPoints& points, const Code* actual,
                             SweepTally& tally) {
  refer(points, actual, points.operands[0].element_count());
  for (const SweepRun& run : points.runs) {
    tally_run(points, run, actual, tally);
    if (!slopes_.empty()) check_order(points, run, actual, tally);
  }
  if (points.mirrored) check_symmetry(points, actual, tally);
  // Levels of which nothing is known all hold.
  for (auto& levels : tally.levels) levels.resize(all_levels().size());
}

/// Fills in the reference's codes, and what is known of the errors.
template <typename Code>
void Measurer::refer(const SweepPoints& points, const Code* actual, int64_t n) {
  units_.resize(static_cast<size_t>(n));
  if constexpr (sizeof(Code) == sizeof(uint32_t)) {
    if (has_kernel(operation_)) {
      if (reference_.shape() != points.operands[0].shape()) {
        reference_ = Literal::uninitialized(points.operands[0].shape());
      }
      return f32_errors(numeric::fast_path(*operation_.op->accuracy.function),
                        points.operands[0].data<uint32_t>().data(), actual,
                        reference_.mutable_data<uint32_t>().data(),
                        units_.data(), n);
    }
  }
  reference_ = evaluate(points.operands);
  std::ranges::fill(units_, is_float(operation_.type) ? kOpen : kNotANumber);
}

template <typename Code>
void Measurer::tally_run(const SweepPoints& points, const SweepRun& run,
                         const Code* actual, SweepTally& tally) {
  constexpr int64_t kBlock = 1024;
  UnitCounts counts;
  tally.elements += run.size();
  for (int64_t k = 0; k < run.segments; ++k) {
    const int64_t last = run.begin + run.size() * (k + 1) / run.segments;
    int64_t peak = -1;
    int64_t begin = run.begin + run.size() * k / run.segments;
    for (; begin < last; begin += kBlock) {
      const int64_t end = std::min(last, begin + kBlock);
      judge_block(points, {begin, end}, actual, tally);
      counts.add(units_.data() + begin, end - begin);
      const int32_t most = counts.take_most();
      peak = std::max<int64_t>(peak, most);
      if (most > tally.worst.units)
        note_worst(points, {begin, end}, most, actual, tally);
    }
    if (points.operands.size() == 1) tally.peaks.at(run.sign).push_back(peak);
  }
  counts.add_to(tally);
}

template <typename Code>
void Measurer::note_worst(const SweepPoints& points, const SweepRun& block,
                          int32_t units, const Code* actual,
                          SweepTally& tally) const {
  const int32_t* const all = units_.data();
  const auto i = std::find(all + block.begin, all + block.end, units) - all;
  const SweptElement worst = element(points, i, actual[i]);
  tally.worst = {.units = units,
                 .operands = worst.codes(),
                 .actual = worst.actual.bits,
                 .reference = worst.reference.bits};
}

/// Judges what is not plainly the reference's code.
template <typename Code>
void Measurer::judge_block(const SweepPoints& points, const SweepRun& block,
                           const Code* actual, SweepTally& tally) {
  const Code* const reference = reference_.data<Code>().data();
  const int32_t* const units = units_.data();
  const int64_t same = std::inner_product(
      actual + block.begin, actual + block.end, reference + block.begin,
      int64_t{0}, std::plus<>(), [](Code a, Code b) { return a == b ? 1 : 0; });
  const int32_t* const end = units + block.end;
  const bool open = std::find(units + block.begin, end, kOpen) != end;
  tally.same += same;
  if (!open && same == block.size()) return;
  for (int64_t i = block.begin; i < block.end; ++i) {
    const bool plain = reference[i] == actual[i] && units[i] != kOpen;
    if (!plain) judge(points, i, actual, tally);
  }
}

SweptElement Measurer::element(const SweepPoints& points, int64_t i,
                               uint64_t actual) const {
  SweptElement element;
  element.arity = points.operands.size();
  for (size_t k = 0; k < element.arity; ++k) {
    element.operands.at(k) = points.operands[k].at(i);
  }
  element.reference = reference_.at(i);
  element.actual = {.type = operation_.type, .bits = {actual, 0}};
  return element;
}

int64_t Measurer::units_of(const SweptElement& element) const {
  std::array<double, 2> x{};
  for (size_t k = 0; k < element.arity; ++k) {
    x.at(k) = numeric::decode(element.operands.at(k).bits[0],
                              numeric::format(operation_.type));
  }
  return error_units(*operation_.op, {x.data(), element.arity},
                     element.reference.bits[0], element.actual.bits[0],
                     numeric::format(operation_.type));
}

/// The reference's code where the kernel has left it open.
void Measurer::refer_again(SweptElement& e, int64_t i, SweepTally& tally) {
  const bool was_same = e.reference == e.actual;
  e.reference.bits[0] =
      numeric::round_function(*operation_.op->accuracy.function,
                              e.operands[0].bits[0],
                              numeric::format(operation_.type))
          .bits;
  reference_.set(i, e.reference);
  tally.same += (e.reference == e.actual ? 1 : 0) - (was_same ? 1 : 0);
}

/// One element of which little is known, or that is not the reference's code.
template <typename Code>
void Measurer::judge(const SweepPoints& points, int64_t i, const Code* actual,
                     SweepTally& tally) {
  const uint64_t mask = ~uint64_t{0} >> (64 - info(operation_.type).bits);
  SweptElement e = element(points, i, actual[i] & mask);
  int32_t& units = units_[static_cast<size_t>(i)];
  if (!is_float(operation_.type)) {
    tally.fault(SweepFault::kInteger).note(e.codes());
    return race_.judge(e, tally);
  }
  const FloatFormat& format = numeric::format(operation_.type);
  if (has_kernel(operation_) && units == kOpen) refer_again(e, i, tally);
  const bool both_nan = numeric::is_nan(e.actual.bits[0], format) &&
                        numeric::is_nan(e.reference.bits[0], format);
  if (both_nan) {
    units = kNotANumber;
    tally.same += static_cast<int64_t>(e.actual != e.reference);
    return;
  }
  const bool finite = is_finite(e.actual.bits[0], format) &&
                      is_finite(e.reference.bits[0], format);
  if (e.actual == e.reference) {
    // More than half a unit: the format has no code for what overflows.
    const int64_t least = finite ? units_of(e) : kMostUnits;
    units =
        least <= kUnitsPerUlp / 2 ? static_cast<int32_t>(least) : kNotANumber;
    return;
  }
  if (finite) e.units = units >= 0 ? units : units_of(e);
  classify(e, tally);
  units = static_cast<int32_t>(e.units);
  race_.judge(e, tally);
}

/// Notes what is wrong; what was flushed has no units then.
void Measurer::classify(SweptElement& e, SweepTally& tally) const {
  if (e.units < 0) {
    tally.fault(fault_of_special(e)).note(e.codes());
    return;
  }
  const FloatFormat& format = numeric::format(operation_.type);
  const uint64_t actual = e.actual.bits[0];
  const uint64_t reference = e.reference.bits[0];
  const bool zero = is_zero(actual, format);
  if (zero && is_zero(reference, format)) {
    return tally.fault(SweepFault::kZeroSign).note(e.codes());
  }
  const uint64_t x = e.operands[0].bits[0];
  e.flushed_result = zero && is_subnormal(reference, format);
  e.flushed_operand =
      e.arity == 1 && is_subnormal(x, format) &&
      at_zeros_.at(numeric::sign_bit(x, format) ? 1 : 0) == actual;
  note_numbers(e, tally);
}

/// What is wrong with NaN, an infinity, or what should be one.
SweepFault Measurer::fault_of_special(const SweptElement& e) const {
  const FloatFormat& format = numeric::format(operation_.type);
  if (numeric::is_nan(e.actual.bits[0], format)) return SweepFault::kNan;
  if (numeric::is_nan(e.reference.bits[0], format)) return SweepFault::kNumber;
  const bool finite = is_finite(e.actual.bits[0], format);
  return finite ? SweepFault::kFinite : SweepFault::kInfinite;
}

void Measurer::note_numbers(SweptElement& e, SweepTally& tally) const {
  if (e.flushed_result) {
    tally.fault(SweepFault::kFlushedResult).note(e.codes());
  }
  if (e.flushed_operand) {
    tally.fault(SweepFault::kFlushedOperand).note(e.codes());
  }
  if (e.flushed_result || e.flushed_operand) {
    e.units = -1;
    return;
  }
  const Place place = place_of(e.actual.bits[0], operation_.type);
  const bool outside = (limits_.least && place < *limits_.least) ||
                       (limits_.greatest && place > *limits_.greatest);
  if (outside) tally.fault(SweepFault::kRange).note(e.codes());
}

/// Neighbours whose results are in the other order than the function's values.
template <typename Code>
void Measurer::check_order(const SweepPoints& points, const SweepRun& run,
                           const Code* actual, SweepTally& tally) const {
  const FloatFormat& format = numeric::format(operation_.type);
  const Code* const begin = points.operands[0].data<Code>().data() + run.begin;
  const Code* const end = begin + run.size() + (run.next ? 1 : 0);
  const auto place = [&](Code x) { return numeric::total_order(x, format); };
  for (const Slope& slope : slopes_) {
    // Places grow with the magnitude, or fall.
    const bool falls = run.sign == 1;
    const Code* const first = std::partition_point(begin, end, [&](Code x) {
      return falls ? place(x) > slope.to : place(x) < slope.from;
    });
    const Code* const last = std::partition_point(first, end, [&](Code x) {
      return falls ? place(x) >= slope.from : place(x) <= slope.to;
    });
    check_steps({first, last}, actual + run.begin + (first - begin),
                falls ? -slope.direction : slope.direction, tally);
  }
}

/// Results that go back, of operands that stand in a row.
template <typename Code>
void Measurer::check_steps(std::span<const Code> x, const Code* actual,
                           int direction, SweepTally& tally) const {
  const FloatFormat& format = numeric::format(operation_.type);
  const Keys<Code> key(format);
  for (size_t i = 0; i + 1 < x.size(); ++i) {
    const auto now = key(actual[i]);
    const auto next = key(actual[i + 1]);
    if (direction > 0 ? now <= next : now >= next) continue;
    const bool number = !numeric::is_nan(actual[i], format) &&
                        !numeric::is_nan(actual[i + 1], format);
    if (number) tally.fault(SweepFault::kMonotone).note({SweepCode{x[i]}});
  }
}

/// Results that are not symmetric where the reference is.
template <typename Code>
void Measurer::check_symmetry(const SweepPoints& points, const Code* actual,
                              SweepTally& tally) const {
  const FloatFormat& format = numeric::format(operation_.type);
  const auto sign = static_cast<Code>(format.sign_mask());
  const Code* const reference = reference_.data<Code>().data();
  const Code* const x = points.operands[0].data<Code>().data();
  const SweepRun& plus = points.runs[0];
  const int64_t minus = points.runs[1].begin - plus.begin;
  const auto differs = [&](const Code* codes, int64_t i, Code flip) {
    const Code one = codes[i];
    const Code other = codes[i + minus];
    if (static_cast<Code>(one ^ other) == flip) return false;
    return !(numeric::is_nan(one, format) && numeric::is_nan(other, format));
  };
  const auto holds = [&](Code flip) {
    for (int64_t i = plus.begin; i < plus.end; ++i) {
      if (differs(reference, i, flip)) return false;
    }
    return true;
  };
  tally.odd = holds(sign);
  tally.even = holds(0);
  if (tally.odd == tally.even) return;
  const Code flip = tally.odd ? sign : Code{0};
  for (int64_t i = plus.begin; i < plus.end; ++i) {
    if (!differs(actual, i, flip)) continue;
    tally.fault(SweepFault::kSymmetry).note({SweepCode{x[i]}});
  }
}

}  // namespace hlo::conformance
