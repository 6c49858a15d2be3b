#include "conformance/certify/image/image.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "conformance/certify/image/turns.h"
#include "conformance/sets/admitted.h"
#include "conformance/sets/open_results.h"
#include "interpreter/definition/elementwise_element.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/format/rounding.h"

namespace hlo::conformance {
namespace {

using Kind = Behaviour::Kind;
using definition::Real;
using numeric::FloatFormat;

/// Combinations of pieces, or of values, that are looked at one by one.
constexpr size_t kMaxCombinations = 64;

/// The common part of two ranges, which may have none.
Places common(const Places& a, const Places& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

bool is_empty(const Places& range) { return range.low > range.high; }

/// The range of places between two numbers; ends that are no codes round
/// inward, but the stretches have none. Where there is no -0, what ends at it
/// ends before zero, and what begins at it begins at zero.
Places places(const Stretch& stretch, ElementType type) {
  const FloatFormat& format = numeric::format(type);
  const auto place = [&](double x, Place otherwise) {
    if (std::isinf(x)) return otherwise;
    return place_of(numeric::encode(x, format), type);
  };
  const bool before_zero = stretch.to == 0 && std::signbit(stretch.to) &&
                           !format.has_negative_zero();
  return {place(stretch.from, least_place(type)),
          before_zero ? -2 : place(stretch.to, greatest_place(type))};
}

Real number_at(Place place, ElementType type) {
  const Scalar scalar{.type = type, .bits = {code_at(place, type), 0}};
  return Real(definition::integer_of(scalar, is_signed(type)));
}

/// Whether it is a number of the type of integers.
bool holds(ElementType type, const Real& number) {
  return number >= number_at(least_place(type), type) &&
         number <= number_at(greatest_place(type), type);
}

/// Whether a signaling NaN is in it.
bool signals(const ValueSet& set) {
  return set.has_all_nans() ||
         !std::ranges::all_of(set.nan_codes(), &ValueSet::Nan::is_quiet);
}

/// The set as one of doubles, which hold the numbers of all narrower types.
ValueSet widened(const ValueSet& set, ElementType type) {
  const auto wide = [type](Place place) {
    const double x =
        numeric::decode(code_at(place, type), numeric::format(type));
    return place_of(std::bit_cast<uint64_t>(x), ElementType::kF64);
  };
  ValueSet all;
  for (const Places& range : set.ranges()) {
    all.add(ValueSet::range(wide(range.low), wide(range.high)));
  }
  if (set.has_nan()) all.add_any_nan();
  return all;
}

}  // namespace

Image::Image(const Instruction& instruction, const Profile& profile)
    : instruction_(instruction),
      rule_(instruction, profile, /*is_intermediate=*/true),
      profile_(profile),
      op_(*instruction.op),
      behaviour_(op_.facts.behaviour),
      result_(instruction.shape.element_type) {
  for (const Instruction* operand : instruction.operands) {
    types_.push_back(operand->shape.element_type);
  }
  if (is_float(result_)) limits_ = limits(op_.facts.range, result_);
  if (behaviour_.kind != Kind::kCompare) return;
  comparison_ = {
      .direction = instruction.get<Word>("direction").value,
      .type = types_[0] == types_[1] ? types_[0] : ElementType::kF64,
      .total_order = instruction.get_or("type", Word{}).value == "TOTALORDER"};
}

ValueSet Image::everything() const {
  ValueSet all = ValueSet::everything(result_);
  if (limits_.least || limits_.greatest) {
    all = ValueSet::range(limits_.least.value_or(all.low()),
                          limits_.greatest.value_or(all.high()));
    all.add_quiet_nan();
  }
  return all;
}

Scalar Image::scalar(const Piece& piece, bool high, size_t operand) const {
  const ElementType type = types_[operand];
  const Place place = high ? piece.range.high : piece.range.low;
  return {.type = type,
          .bits = {piece.is_nan ? piece.nan : code_at(place, type), 0}};
}

/// The ends of the pieces that the bits of the number choose.
Image::Points Image::corner(std::span<const Piece> pieces,
                            size_t number) const {
  Points points{};
  for (size_t k = 0; k < pieces.size(); ++k) {
    points.at(k) = scalar(pieces[k], (number >> k & 1) != 0, k);
  }
  return points;
}

double Image::real(Place place, size_t operand) const {
  const ElementType type = types_[operand];
  return numeric::decode(code_at(place, type), numeric::format(type));
}

ValueSet Image::flushed(const ValueSet& set, size_t operand) const {
  ValueSet all = set;
  const ElementType type = types_[operand];
  if (has_daz(profile_) && is_float(type)) add_zeros_of_subnormals(all, type);
  return all;
}

Image::Pieces Image::nan_pieces(size_t operand) const {
  const FloatFormat& format = numeric::format(types_[operand]);
  const auto piece = [&](bool negative) {
    return Piece{.range = {},
                 .nan = numeric::nan_code(negative, format),
                 .is_nan = true};
  };
  // A NaN of sign - becomes +0, others -0, where there is no NaN.
  const bool by_sign = is_float(result_) && !numeric::format(result_).has_nan();
  return by_sign ? Pieces{piece(false), piece(true)} : Pieces{piece(false)};
}

std::vector<Places> Image::cuts(size_t operand) const {
  const ElementType type = types_[operand];
  if (!is_float(type) || behaviour_.stretches.empty()) {
    return {{least_place(type), greatest_place(type)}};
  }
  const bool exponent = behaviour_.kind == Kind::kPower && operand == 1;
  const std::span<const Stretch> stretches =
      exponent ? std::span<const Stretch>(kOnHalves) : behaviour_.stretches;
  // What lies before, on and after each stretch.
  std::vector<Places> cuts;
  Place next = least_place(type);
  for (const Stretch& stretch : stretches) {
    const Places on = places(stretch, type);
    cuts.push_back({next, on.low - 1});
    cuts.push_back(on);
    next = on.high + 1;
  }
  cuts.push_back({next, greatest_place(type)});
  return cuts;
}

Image::Pieces Image::split(const ValueSet& set, size_t operand) const {
  Pieces pieces = set.has_nan() ? nan_pieces(operand) : Pieces();
  const std::vector<Places> all = cuts(operand);
  for (const Places& range : set.ranges()) {
    for (const Places& cut : all) {
      const Places part = common(range, cut);
      if (!is_empty(part)) pieces.push_back({.range = part});
    }
  }
  return pieces;
}

ValueSet Image::of(std::span<const ValueSet> operands) {
  if (std::ranges::all_of(operands, &ValueSet::is_single)) {
    return of_known(operands);
  }
  if (may_divide_openly(instruction_, profile_, operands)) return everything();
  if (behaviour_.kind == Kind::kSelect) {
    // Sets of one type are none of another: what is rounded may be anything.
    if (types_[1] != result_ || types_[2] != result_) return everything();
    ValueSet set;
    if (operands[0].contains(1, ElementType::kPred)) set.add(operands[1]);
    if (operands[0].contains(0, ElementType::kPred)) set.add(operands[2]);
    return set;
  }
  std::array<ValueSet, kMaxOperands> sets;
  for (size_t k = 0; k < operands.size(); ++k) {
    sets.at(k) = flushed(operands[k], k);
  }
  if (behaviour_.kind == Kind::kCompare) {
    for (size_t k = 0; k < 2 && types_[0] != types_[1]; ++k) {
      sets.at(k) = widened(sets.at(k), types_[k]);
    }
    return compared(sets[0], sets[1], comparison_);
  }
  if (behaviour_.kind == Kind::kFinite) return finite(sets[0], types_[0]);
  ValueSet all = of_combinations({sets.data(), operands.size()});
  const bool copies = op_.facts.arithmetic == Arithmetic::kCopy;
  const bool keeps_nan =
      op_.accuracy.sets_sign || (copies && types_[0] == result_);
  if (all.has_nan() && profile_.nan == NanRule::kFree) {
    all = ValueSet::everything(result_);
  }
  if (keeps_nan && all.has_nan()) {
    all.add_quiet_nan();
    if (std::ranges::any_of(std::span(sets).first(operands.size()), signals)) {
      all.add_any_nan();
    }
  }
  add_axes(all, profile_, result_);
  return all;
}

/// One code each: the rule for single values needs no pieces.
ValueSet Image::of_known(std::span<const ValueSet> operands) {
  Points points{};
  for (size_t k = 0; k < operands.size(); ++k) {
    const ValueSet& set = operands[k];
    const uint64_t code = set.has_numbers() ? code_at(set.low(), types_[k])
                                            : set.only_nan().value();
    points.at(k) = {.type = types_[k], .bits = {code, 0}};
  }
  return rule_.at({points.data(), operands.size()}).parts[0];
}

ValueSet Image::of_combinations(std::span<const ValueSet> sets) {
  std::array<Pieces, kMaxOperands> pieces;
  size_t combinations = 1;
  for (size_t k = 0; k < sets.size(); ++k) {
    pieces.at(k) = split(sets[k], k);
    combinations *= pieces.at(k).size();
  }
  if (combinations > kMaxCombinations) return everything();
  ValueSet all;
  for (size_t c = 0; c < combinations; ++c) {
    std::array<Piece, kMaxOperands> chosen{};
    size_t rest = c;
    for (size_t k = 0; k < sets.size(); ++k) {
      chosen.at(k) = pieces.at(k)[rest % pieces.at(k).size()];
      rest /= pieces.at(k).size();
    }
    all.add(of_pieces({chosen.data(), sets.size()}));
  }
  return all;
}

ValueSet Image::of_pieces(std::span<const Piece> pieces) {
  if (std::ranges::all_of(pieces, &Piece::is_point)) {
    const Points points = corner(pieces, 0);
    return rule_.at({points.data(), pieces.size()}).parts[0];
  }
  if (!has_rule_for(pieces)) {
    return of_values(pieces).value_or(everything());
  }
  return of_ranges(pieces);
}

bool Image::has_rule_for(std::span<const Piece> pieces) const {
  if (behaviour_.kind == Kind::kEnumerated) return false;
  if (result_ == ElementType::kPred) return false;
  for (size_t k = 0; k < pieces.size(); ++k) {
    if (is_float(types_[k])) continue;
    if (!behaviour_.is_monotone_on_integers) return false;
  }
  if (is_integer(result_) && wraps(pieces)) return false;
  if (!is_float(types_[0]) || pieces[0].is_nan) return true;
  return rule_.has_one_bound(real(pieces[0].range.low, 0),
                             real(pieces[0].range.high, 0));
}

/// Whether a conversion of integers may leave the range of the result's type.
bool Image::convert_wraps(const Places& range) const {
  const ElementType from = types_[0];
  if (!is_integer(from)) return false;
  const bool holds =
      bits(from) <= bits(result_) && is_signed(from) == is_signed(result_);
  const bool fits = range.low >= 0 && from != ElementType::kU64 &&
                    range.high <= greatest_place(result_);
  return !holds && !fits;
}

/// Whether integers may leave the range of the result's type: where they do
/// not at any corner they do nowhere.
bool Image::wraps(std::span<const Piece> pieces) const {
  const ElementFacts& facts = op_.facts;
  if (facts.arithmetic == Arithmetic::kCopy) {
    return convert_wraps(pieces[0].range);
  }
  if (facts.exact == nullptr) return true;
  for (size_t k = 0; k < corner_count(pieces); ++k) {
    const Points points = corner(pieces, k);
    const auto number = facts.exact({points.data(), pieces.size()}, 0);
    if (!number || !holds(result_, *number)) return true;
  }
  return false;
}

/// One by one, where there are few.
std::optional<ValueSet> Image::of_values(std::span<const Piece> pieces) {
  uint64_t count = 1;
  for (const Piece& piece : pieces) {
    if (piece.is_nan) continue;
    const uint64_t width = distance(piece.range);
    if (width >= kMaxCombinations) return std::nullopt;
    count *= width + 1;
  }
  if (count > kMaxCombinations) return std::nullopt;
  ValueSet all;
  for (uint64_t c = 0; c < count; ++c) {
    Points points{};
    uint64_t rest = c;
    for (size_t k = 0; k < pieces.size(); ++k) {
      Piece point = pieces[k];
      const uint64_t size = point.is_nan ? 1 : distance(point.range) + 1;
      point.range.low = place_above(point.range, rest % size);
      rest /= size;
      points.at(k) = scalar(point, false, k);
    }
    all.add(rule_.at({points.data(), pieces.size()}).parts[0]);
  }
  return all;
}

ValueSet Image::of_ranges(std::span<const Piece> pieces) {
  switch (behaviour_.kind) {
    case Kind::kWave:
      return of_wave(pieces);
    case Kind::kTangent:
      if (passes_pole(real(pieces[0].range.low, 0),
                      real(pieces[0].range.high, 0))) {
        return everything();
      }
      return of_corners(pieces);
    case Kind::kRemainder:
      return of_remainder(pieces);
    case Kind::kPower:
      return of_power(pieces);
    default:
      return of_corners(pieces);
  }
}

ValueSet Image::of_corners(std::span<const Piece> pieces) {
  ValueSet found;
  double largest_x = 0;
  if (is_float(types_[0]) && !pieces[0].is_nan) {
    largest_x = std::max(std::fabs(real(pieces[0].range.low, 0)),
                         std::fabs(real(pieces[0].range.high, 0)));
  }
  for (size_t k = 0; k < corner_count(pieces); ++k) {
    const Points points = corner(pieces, k);
    found.add(rule_.at_end({points.data(), pieces.size()}, largest_x).parts[0]);
  }
  // Without infinity NaN may stand for numbers beyond the largest, at both ends
  // too, and without zero for what lies below the least.
  const bool any_nan = std::ranges::any_of(pieces, &Piece::is_nan);
  const bool no_infinity =
      is_float(result_) && !numeric::format(result_).has_infinity();
  if (found.has_nan() && no_infinity && !any_nan) return everything();
  if (!found.has_numbers()) return found;
  ValueSet hull = ValueSet::range(found.low(), found.high());
  hull.add(found.nans());
  return hull;
}

/// A power of negative numbers: only integer exponents have real results.
ValueSet Image::of_power(std::span<const Piece> pieces) {
  const bool negative = !pieces[0].is_nan && pieces[0].range.low < 0;
  if (negative && !pieces[1].is_point()) return everything();
  ValueSet set = of_corners(pieces);
  if (!negative || pieces[1].is_nan) return set;
  const double exponent = real(pieces[1].range.low, 1);
  if (exponent != std::floor(exponent)) set.add_quiet_nan();
  return set;
}

ValueSet Image::of_wave(std::span<const Piece> pieces) {
  const double low = real(pieces[0].range.low, 0);
  const double high = real(pieces[0].range.high, 0);
  if (!std::isfinite(low) || !std::isfinite(high)) return everything();
  const FloatFormat& format = numeric::format(result_);
  ValueSet found = of_corners(pieces);
  const bool sine = op_.accuracy.function == numeric::Function::kSine;
  for (const int extreme : {1, -1}) {
    if (!passes_extreme(low, high, sine, extreme)) continue;
    // Where there is no sign, all that is not positive is NaN.
    if (extreme < 0 && format.sign_mask() == 0) return everything();
    const Place place = place_of(numeric::encode(extreme, format), result_);
    found.add(
        Places{std::min(place, found.low()), std::max(place, found.high())});
  }
  return found;
}

/// It has the sign of the dividend and exceeds neither operand.
ValueSet Image::of_remainder(std::span<const Piece> pieces) const {
  if (pieces[0].is_nan || pieces[1].is_nan || types_[0] != result_ ||
      types_[1] != result_) {
    return everything();
  }
  const FloatFormat& format = numeric::format(result_);
  const auto magnitude = [&](Place place) {
    return place < 0 ? negated(place, result_) : place;
  };
  const auto largest = [&](const Piece& piece) {
    return std::max(magnitude(piece.range.low), magnitude(piece.range.high));
  };
  const Place most = std::min(largest(pieces[0]), largest(pieces[1]));
  const bool negative = pieces[0].range.low < 0;
  ValueSet set = negative ? ValueSet::range(negated(most, result_),
                                            zero_place(true, result_))
                          : ValueSet::range(0, most);
  const Places& y = pieces[1].range;
  const bool by_zero = y.low <= 0 && y.high >= zero_place(true, result_);
  const bool may_be_nan =
      by_zero || largest(pieces[0]) == greatest_place(result_);
  // A zero stands for NaN in some formats, and NaN for zero in others.
  if (!format.has_nan() && may_be_nan) {
    set.add(Places{zero_place(true, result_), zero_place(false, result_)});
  } else if (may_be_nan || format.sign_mask() == 0) {
    set.add_quiet_nan();
  }
  return set;
}

}  // namespace hlo::conformance
