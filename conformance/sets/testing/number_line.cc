#include "conformance/sets/testing/number_line.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <stdexcept>

#include "conformance/literals/describe_scalar.h"

namespace hlo::conformance::testing {
namespace {

constexpr uint64_t kNone = ~uint64_t{0};

/// A row of the table of spec/types.md.
struct Row {
  ElementType type;
  int mantissa_bits;
  int bias;
  uint64_t largest;
  uint64_t infinity;
  uint64_t nan;
  uint64_t minus_zero;
};

constexpr std::array<Row, 15> kRows = {{
    {ElementType::kF4E2M1FN, 1, 1, 0x7, kNone, kNone, 0x8},
    {ElementType::kF6E2M3FN, 3, 1, 0x1f, kNone, kNone, 0x20},
    {ElementType::kF6E3M2FN, 2, 3, 0x1f, kNone, kNone, 0x20},
    {ElementType::kF8E3M4, 4, 3, 0x6f, 0x70, 0x78, 0x80},
    {ElementType::kF8E4M3, 3, 7, 0x77, 0x78, 0x7c, 0x80},
    {ElementType::kF8E4M3B11FNUZ, 3, 11, 0x7f, kNone, 0x80, kNone},
    {ElementType::kF8E4M3FN, 3, 7, 0x7e, kNone, 0x7f, 0x80},
    {ElementType::kF8E4M3FNUZ, 3, 8, 0x7f, kNone, 0x80, kNone},
    {ElementType::kF8E5M2, 2, 15, 0x7b, 0x7c, 0x7e, 0x80},
    {ElementType::kF8E5M2FNUZ, 2, 16, 0x7f, kNone, 0x80, kNone},
    {ElementType::kF8E8M0FNU, 0, 127, 0xfe, kNone, 0xff, kNone},
    {ElementType::kBF16, 7, 127, 0x7f7f, 0x7f80, 0x7fc0, 0x8000},
    {ElementType::kF16, 10, 15, 0x7bff, 0x7c00, 0x7e00, 0x8000},
    {ElementType::kF32, 23, 127, 0x7f7fffff, 0x7f800000, 0x7fc00000,
     0x80000000},
    {ElementType::kF64, 52, 1023, 0x7fefffffffffffff, 0x7ff0000000000000,
     0x7ff8000000000000, 0x8000000000000000},
}};

const Row& row_of(ElementType type) {
  return *std::ranges::find(kRows, type, &Row::type);
}

}  // namespace

mpq_class power_of_two(int64_t exponent) {
  mpq_class power(1);
  const auto shift = static_cast<mp_bitcnt_t>(std::abs(exponent));
  if (exponent < 0) return power >> shift;
  return power << shift;
}

int64_t exponent_of(const mpq_class& x) {
  const mpq_class size = abs(x);
  const auto bits = [](const mpz_class& n) {
    return static_cast<int64_t>(mpz_sizeinbase(n.get_mpz_t(), 2));
  };
  const int64_t e = bits(size.get_num()) - bits(size.get_den());
  return size < power_of_two(e) ? e - 1 : e;
}

NumberLine::NumberLine(ElementType type)
    : type_(type),
      mantissa_bits_(row_of(type).mantissa_bits),
      bias_(row_of(type).bias),
      largest_(row_of(type).largest),
      infinity_(row_of(type).infinity),
      nan_(row_of(type).nan),
      minus_zero_(row_of(type).minus_zero),
      sign_(type == ElementType::kF8E8M0FNU ? 0
                                            : uint64_t{1} << (bits(type) - 1)) {
}

mpq_class NumberLine::magnitude(uint64_t code) const {
  const uint64_t field = code >> mantissa_bits_;
  const uint64_t low = code & ((uint64_t{1} << mantissa_bits_) - 1);
  const bool normal = field > 0 || !is_signed();
  const mpq_class digits =
      mpq_class(mpz_class(static_cast<unsigned long>(low))) *
          power_of_two(-mantissa_bits_) +
      (normal ? 1 : 0);
  const int64_t exponent = static_cast<int64_t>(field) - bias_;
  return digits * power_of_two(normal ? exponent : exponent + 1);
}

mpq_class NumberLine::beyond() const {
  // A format of one bit has no two numbers in a binade.
  if (mantissa_bits_ == 0) return 2 * largest();
  return 2 * largest() - value(last() - 1);
}

mpq_class NumberLine::least() const { return magnitude(is_signed() ? 1 : 0); }

mpq_class NumberLine::least_normal() const { return value(place_of_normal()); }

int64_t NumberLine::place_of_normal() const {
  return is_signed() ? int64_t{1} << mantissa_bits_ : 0;
}

int64_t NumberLine::negated(int64_t place) const {
  return has_minus_zero() ? -1 - place : -place;
}

int64_t NumberLine::zero(bool negative) const {
  return negative && has_minus_zero() ? -1 : 0;
}

int64_t NumberLine::first() const {
  return is_signed() ? negated(last() + (has_infinity() ? 1 : 0)) : 0;
}

uint64_t NumberLine::code(int64_t place) const {
  const bool negative = place < 0;
  const int64_t steps = negative ? negated(place) : place;
  if (steps > last() + (has_infinity() ? 1 : 0) || (negative && sign_ == 0)) {
    throw std::logic_error("no code has that place");
  }
  return static_cast<uint64_t>(steps) | (negative ? sign_ : 0);
}

mpq_class NumberLine::value(int64_t place) const {
  const bool negative = place < 0;
  const mpq_class size =
      magnitude(static_cast<uint64_t>(negative ? negated(place) : place));
  return negative ? mpq_class(-size) : size;
}

int64_t NumberLine::ceil(const mpq_class& x) const {
  int64_t low = is_signed() ? negated(last()) : 0;
  int64_t high = last() + 1;
  while (low < high) {
    const int64_t middle = std::midpoint(low, high - 1);
    if (value(middle) < x) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

int64_t NumberLine::floor(const mpq_class& x) const {
  const int64_t above = ceil(x);
  const bool is_number = above <= last() && value(above) == x;
  if (!is_number) return above - 1;
  return x == 0 ? 0 : above;
}

int64_t NumberLine::nearest(const mpq_class& x) const {
  if (x < 0) return negated(nearest(-x));
  const int64_t below = std::max<int64_t>(floor(x), 0);
  if (below == last() && !has_nan()) return below;
  const mpq_class above = below == last() ? beyond() : value(below + 1);
  return 2 * x < value(below) + above ? below : below + 1;
}

std::vector<uint64_t> NumberLine::quiet_nans() const {
  if (!has_nan()) return {};
  if (!has_minus_zero()) return {nan_};
  std::vector<uint64_t> codes = {nan_, nan_ | sign_};
  if (has_infinity()) codes.push_back((nan_ + 1) | sign_);
  return codes;
}

std::vector<uint64_t> NumberLine::signaling_nans() const {
  if (!has_infinity()) return {};
  return {infinity_ + 1, (infinity_ + 1) | sign_, nan_ - 1};
}

std::vector<ElementType> float_types() {
  std::vector<ElementType> types;
  types.reserve(std::size(kRows));
  for (const Row& row : kRows) types.push_back(row.type);
  return types;
}

namespace {

/// The places at and beside the ends of what is held, and those that types end
/// at.
std::set<int64_t> places_to_try(const Held& held, const NumberLine& line) {
  const int64_t greatest = line.last() + (line.has_infinity() ? 1 : 0);
  std::set<int64_t> places = {
      line.zero(true),        0,       1, line.first(), line.last(),
      line.place_of_normal(), greatest};
  for (const Places& range : held.ranges) {
    for (const int64_t step : {-2, -1, 0, 1, 2}) {
      places.insert(range.low + step);
      places.insert(range.high + step);
    }
  }
  std::erase_if(places, [&](int64_t place) {
    return place < line.first() || place > greatest;
  });
  return places;
}

bool holds(const Held& held, int64_t place) {
  return std::ranges::any_of(held.ranges, [&](const Places& range) {
    return range.low <= place && place <= range.high;
  });
}

}  // namespace

std::string difference(const ValueSet& set, const Held& held,
                       const NumberLine& line) {
  std::string wrong;
  const auto check = [&](uint64_t code, bool expected) {
    if (set.contains(code, line.type()) == expected) return;
    const std::string number =
        describe(Scalar{.type = line.type(), .bits = {code, 0}});
    wrong += (expected ? " lacks " : " holds ") + number;
  };
  for (const int64_t place : places_to_try(held, line)) {
    check(line.code(place), holds(held, place));
  }
  const bool any =
      held.nans == Held::Nans::kQuiet || held.nans == Held::Nans::kQuietAndOne;
  const bool has_one =
      held.nans == Held::Nans::kOne || held.nans == Held::Nans::kQuietAndOne;
  for (const uint64_t code : line.quiet_nans()) {
    check(code, any || (has_one && code == held.nan));
  }
  for (const uint64_t code : line.signaling_nans()) {
    check(code, has_one && code == held.nan);
  }
  return wrong.empty() ? "" : describe(set, line.type()) + wrong;
}

}  // namespace hlo::conformance::testing
