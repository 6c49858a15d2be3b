#include "backends/cpu/arrays/float_steps.h"

#include <bit>
#include <cmath>

#include "backends/cpu/arrays/narrow_float.h"

namespace hlo::cpu {
namespace {

uint32_t encoded(double value, ElementType type) {
  return type == ElementType::kF32
             ? std::bit_cast<uint32_t>(static_cast<float>(value))
             : encode_narrow(value, type);
}

double decoded(uint32_t code, ElementType type) {
  return type == ElementType::kF32 ? std::bit_cast<float>(code)
                                   : decode_narrow(code, type);
}

/// One more than the largest code of a magnitude.
uint64_t magnitudes(ElementType type) {
  const int sign_bits = type == ElementType::kF8E8M0FNU ? 0 : 1;
  return uint64_t{1} << (bits(type) - sign_bits);
}

}  // namespace

double nearest_of(double value, ElementType type) {
  return decoded(encoded(value, type), type);
}

std::optional<double> next_away(double value, ElementType type) {
  const uint64_t next = uint64_t{encoded(std::fabs(value), type)} + 1;
  if (next >= magnitudes(type)) return std::nullopt;
  const double found = decoded(static_cast<uint32_t>(next), type);
  if (!std::isfinite(found)) return std::nullopt;
  return std::copysign(found, value);
}

std::optional<double> next_towards_zero(double value, ElementType type) {
  const uint32_t code = encoded(std::fabs(value), type);
  if (code == 0) return std::nullopt;
  return std::copysign(decoded(code - 1, type), value);
}

}  // namespace hlo::cpu
