#include "conformance/sweep/points/sweep_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "conformance/sweep/points/complex_points.h"
#include "conformance/sweep/points/drawn_codes.h"
#include "conformance/sweep/points/hard_arguments.h"
#include "interpreter/error.h"
#include "interpreter/evaluate.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/shortened.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

using numeric::FloatFormat;

constexpr int64_t kChunkMagnitudes = int64_t{1} << 20;
constexpr int64_t kChunkPairs = int64_t{1} << 18;
constexpr int64_t kChunkComplex = int64_t{1} << 14;
constexpr int kStratumBits = 8;  // of f64: so many numbers of a binade are 2^8
constexpr int kWidestCodes = 32;
constexpr uint64_t kChosen = 64;
constexpr int64_t kDrawnPairs = int64_t{1} << 20;

/// The i-th of the 256 numbers of a binade of f64: in both quarters beside its
/// ends the ends themselves, then one in each 256th of it.
uint64_t stratified(uint64_t i) {
  constexpr uint64_t kMantissa = 52;
  constexpr uint64_t kSlots = uint64_t{1} << kStratumBits;
  constexpr uint64_t kWidth = uint64_t{1} << (kMantissa - kStratumBits);
  constexpr uint64_t kEnd = 2;  // so many codes at each end
  const uint64_t binade = i >> kStratumBits;
  const uint64_t slot = i & (kSlots - 1);
  uint64_t mantissa = slot * kWidth + (mixed(i) & (kWidth - 1));
  if (slot < kEnd) mantissa = slot;
  if (slot >= kSlots - kEnd) mantissa = (kSlots * kWidth) - (kSlots - slot);
  return binade << kMantissa | mantissa;
}

/// The magnitudes of f64 that are tried, in order.
std::vector<uint64_t> strata_of(std::string_view operation) {
  const FloatFormat& format = numeric::format(ElementType::kF64);
  const uint64_t count = uint64_t{1} << (format.exponent_bits + kStratumBits);
  std::vector<uint64_t> codes = hard_arguments(operation);
  for (uint64_t i = 0; i < count; ++i) codes.push_back(stratified(i));
  std::ranges::sort(codes);
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

/// Codes of a type of 16 bits: the ends of its classes and their neighbours,
/// and others, drawn.
std::vector<uint64_t> chosen_codes(const SweptOperation& operation) {
  std::vector<uint64_t> codes;
  if (is_float(operation.type)) {
    const FloatFormat& format = numeric::format(operation.type);
    const uint64_t one = numeric::encode(1, format);
    const uint64_t normal = uint64_t{1} << format.mantissa_bits;
    const uint64_t most = format.max_finite();
    for (const uint64_t code : {uint64_t{0}, uint64_t{1}, normal - 1, normal,
                                one - 1, one, one + 1, most, most + 1}) {
      codes.push_back(code);
      codes.push_back(code | format.sign_mask());
    }
  } else {
    codes = {0, 1, 2, 0x7fff, 0x8000, 0x8001, 0xffff, 0xfffe};
  }
  for (uint64_t k = 0; codes.size() < kChosen; ++k) {
    codes.push_back(mixed(k) & 0xffff);
  }
  return codes;
}

void set_code(Literal& literal, int64_t i, uint64_t code) {
  const ElementType type = literal.type();
  if (is_float(type)) {
    numeric::store_code(literal.mutable_bytes().data(), i, code,
                        numeric::format(type));
  } else {
    literal.set(i, {.type = type, .bits = {code, 0}});
  }
}

Literal array_of(ElementType type, int64_t n) {
  return Literal::uninitialized(Shape::array(type, {n}));
}

uint64_t parse_code(std::string_view text, ElementType type) {
  constexpr std::string_view kLetters = "0123456789abcdefABCDEFxXpPinfINF.+-";
  const bool plain = !text.empty() &&
                     text.find_first_not_of(kLetters) == std::string_view::npos;
  if (plain) {
    try {
      const Module module = verified_module(fmt::format(
          "ENTRY main {{ ROOT c = {}[] constant({}) }}", name(type), text));
      return evaluate(module, {}).scalar().bits[0];
    } catch (const Error&) {  // said below
    }
  }
  throw Error(Phase::kParse, "sweep.range",
              fmt::format("an end of the range is \"{}\", but it must be a "
                          "number of {}, as in -1:0.5",
                          shortened(text), name(type)));
}

int64_t place(uint64_t code, const FloatFormat& format) {
  return numeric::total_order(code, format);
}

}  // namespace

SweepRange parse_sweep_range(std::string_view text, ElementType type) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || !is_float(type)) {
    throw Error(
        Phase::kParse, "sweep.range",
        fmt::format("the range is \"{}\" of {}, but it must be LOW:HIGH "
                    "of a float type",
                    shortened(text), name(type)));
  }
  return {parse_code(text.substr(0, colon), type),
          parse_code(text.substr(colon + 1), type)};
}

SweepPlan::SweepPlan(const SweptOperation& operation,
                     std::optional<SweepRange> range)
    : operation_(operation) {
  const int width = info(operation.type).bits;
  if (has_magnitudes()) {
    if (width > kWidestCodes) strata_ = strata_of(operation.op->name);
    plan_magnitudes(range);
  } else if (range) {
    throw Error(Phase::kParse, "sweep.range",
                fmt::format("{} is swept with a range, but it must have one "
                            "operand of a float type then",
                            operation.op->name));
  } else {
    const int64_t per_chunk =
        is_complex(operation.type) ? kChunkComplex : kChunkPairs;
    int64_t count = kDrawnPairs;
    if (is_complex(operation.type)) count = complex_count(operation);
    if (operation.arity == 2 && width <= 8) count = int64_t{1} << 2 * width;
    if (operation.arity == 2 && width == 16) {
      count = static_cast<int64_t>(2 * kChosen) << width;
    }
    for (int64_t i = 0; i < count; i += per_chunk) {
      const Part part{i, std::min(count, i + per_chunk)};
      chunks_.push_back({.signs = {part, Part{}}});
    }
  }
}

int64_t SweepPlan::magnitude_count() const {
  const int width = info(operation_.type).bits;
  if (!is_float(operation_.type)) return int64_t{1} << width;
  if (!strata_.empty()) return std::ssize(strata_);
  const FloatFormat& format = numeric::format(operation_.type);
  return int64_t{1} << (format.exponent_bits + format.mantissa_bits);
}

uint64_t SweepPlan::magnitude(int64_t i) const {
  const auto place = static_cast<size_t>(i);
  return strata_.empty() ? place : strata_.at(place);
}

/// Those magnitudes of each sign whose numbers are in the range.
std::array<SweepPlan::Part, 2> SweepPlan::selected(
    const SweepRange& range) const {
  const FloatFormat& format = numeric::format(operation_.type);
  const int64_t low = place(range.low, format);
  const int64_t high = place(range.high, format);
  std::array<Part, 2> parts;
  // The first magnitude for which `holds` is false.
  const auto first_not = [&](const auto& holds) {
    int64_t begin = 0;
    int64_t end = magnitude_count();
    while (begin < end) {
      const int64_t middle = begin + (end - begin) / 2;
      (holds(magnitude(middle)) ? begin : end) =
          holds(magnitude(middle)) ? middle + 1 : middle;
    }
    return begin;
  };
  parts[0] = {first_not([&](uint64_t m) { return place(m, format) < low; }),
              first_not([&](uint64_t m) { return place(m, format) <= high; })};
  if (format.sign_mask() == 0) return parts;
  const auto negative = [&](uint64_t m) {
    return place(m | format.sign_mask(), format);
  };
  parts[1] = {first_not([&](uint64_t m) { return negative(m) > high; }),
              first_not([&](uint64_t m) { return negative(m) >= low; })};
  return parts;
}

void SweepPlan::plan_magnitudes(const std::optional<SweepRange>& range) {
  const int64_t count = magnitude_count();
  const bool has_sign = is_float(operation_.type) &&
                        numeric::format(operation_.type).sign_mask() != 0;
  selected_ = {Part{0, count}, Part{0, has_sign ? count : 0}};
  if (range) selected_ = selected(*range);
  for (int64_t i = 0; i < count; i += kChunkMagnitudes) {
    Chunk chunk;
    bool any = false;
    for (size_t sign = 0; sign < 2; ++sign) {
      Part& part = chunk.signs.at(sign);
      part.begin = std::max(i, selected_.at(sign).begin);
      part.end = std::min(i + kChunkMagnitudes, selected_.at(sign).end);
      if (part.begin >= part.end) part = {};
      any = any || part.end > 0;
    }
    if (any) chunks_.push_back(chunk);
  }
  if (chunks_.empty()) {
    throw Error(Phase::kParse, "sweep.range",
                "the range holds no number that is swept, but it must hold "
                "some, the lower end first");
  }
}

int64_t SweepPlan::chunk_count() const { return std::ssize(chunks_); }

SweepPoints SweepPlan::points(int64_t chunk) const {
  const Chunk& planned = chunks_.at(static_cast<size_t>(chunk));
  const Part& drawn = planned.signs[0];
  if (is_complex(operation_.type)) {
    return complex_points(operation_, drawn.begin, drawn.end);
  }
  return has_magnitudes() ? magnitudes(planned) : pairs(drawn);
}

bool SweepPlan::has_magnitudes() const {
  return operation_.arity == 1 &&
         (is_float(operation_.type) || info(operation_.type).bits <= 16);
}

/// In each chunk and sign.
int64_t SweepPlan::segment_count() const {
  constexpr int64_t kSegments = 128;
  return chunk_count() > 1 ? 1 : std::min(kSegments, magnitude_count());
}

std::vector<uint64_t> SweepPlan::segments(size_t sign) const {
  std::vector<uint64_t> starts;
  const int64_t count = segment_count();
  for (const Chunk& chunk : chunks_) {
    const Part& part = chunk.signs.at(sign);
    const int64_t size = part.end - part.begin;
    for (int64_t i = 0; i < count && size > 0; ++i) {
      starts.push_back(magnitude(part.begin + size * i / count));
    }
  }
  return starts;
}

SweepPoints SweepPlan::magnitudes(const Chunk& chunk) const {
  SweepPoints points;
  int64_t n = 0;
  for (size_t sign = 0; sign < 2; ++sign) {
    const Part& part = chunk.signs.at(sign);
    const int64_t size = part.end - part.begin;
    if (size == 0) continue;
    const bool next = part.end < selected_.at(sign).end;
    points.runs.push_back({n, n + size, next, sign, segment_count()});
    n += size + (next ? 1 : 0);
  }
  const Part& plus = chunk.signs[0];
  const Part& minus = chunk.signs[1];
  points.mirrored = plus.begin == minus.begin && plus.end == minus.end;
  Literal x = array_of(operation_.type, n);
  for (const SweepRun& run : points.runs) {
    fill(x, run, chunk.signs.at(run.sign).begin);
  }
  points.operands.push_back(std::move(x));
  return points;
}

/// Writes the run's codes, from that magnitude on.
void SweepPlan::fill(Literal& x, const SweepRun& run, int64_t first) const {
  const int64_t n = run.size() + (run.next ? 1 : 0);
  const uint64_t bit =
      run.sign == 0 ? 0 : numeric::format(operation_.type).sign_mask();
  if (operation_.type == ElementType::kF32) {  // the one with most
    uint32_t* const codes = x.mutable_data<uint32_t>().data() + run.begin;
    std::iota(codes, codes + n,
              static_cast<uint32_t>(first | static_cast<int64_t>(bit)));
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    set_code(x, run.begin + i, magnitude(first + i) | bit);
  }
}

SweepPoints SweepPlan::pairs(const Part& part) const {
  const int width = info(operation_.type).bits;
  const int64_t n = part.end - part.begin;
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  std::vector<uint64_t> chosen;
  if (width == 16) chosen = chosen_codes(operation_);
  Literal x = array_of(operation_.type, n);
  Literal y = array_of(operation_.type, n);
  for (int64_t i = 0; i < n; ++i) {
    const auto k = static_cast<uint64_t>(part.begin + i);
    std::array<uint64_t, 2> codes = {mixed(2 * k) & mask,
                                     mixed(2 * k + 1) & mask};
    if (width <= 8) {
      codes = {k >> static_cast<unsigned>(width), k & mask};
    } else if (width == 16) {
      codes = {k & mask, chosen.at((k >> 16U) % kChosen)};
      if (k >> 16U >= kChosen) std::swap(codes[0], codes[1]);
    } else if (is_float(operation_.type) && k % 2 == 0) {
      codes[1] = beside(codes[0], codes[1], numeric::format(operation_.type));
    }
    set_code(x, i, codes[0]);
    set_code(y, i, codes[1]);
  }
  SweepPoints points;
  points.runs.push_back({.begin = 0, .end = n});
  points.operands.push_back(std::move(x));
  if (operation_.arity == 2) points.operands.push_back(std::move(y));
  return points;
}

}  // namespace hlo::conformance
