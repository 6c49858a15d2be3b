#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlo::conformance {

/// What a backend may do with subnormal numbers: take operands for zero (daz),
/// return zero for them (ftz). Each operand and result for itself.
enum class Subnormals : uint8_t { kIeee, kDaz, kFtz, kDazFtz };
/// What a NaN result may be: any quiet one, the canonical one, that of an
/// operand where one is NaN, or anything at all, numbers included.
enum class NanRule : uint8_t { kAny, kCanonical, kPayload, kFree };
enum class ZeroSign : uint8_t { kStrict, kLax };
/// Whether a product may be added without being rounded first.
enum class FusedProducts : uint8_t { kNone, kFma };
/// Whether intermediate results may keep more precision than their type.
enum class ExcessPrecision : uint8_t { kNone, kAllowed };
/// How sums are accumulated (spec/conformance.md, Accumulation).
enum class Accumulation : uint8_t {
  kWideAny,
  kStrictOut,
  kF32Rn,
  kF32Tc,
  kTf32,
  kBf16x1,
  kBf16x3,
  kBf16x6,
  kBf16x9,
  kFp8Fast,
};

/// Whether what the specification leaves open is as the reference has it, or
/// anything.
enum class Freedom : uint8_t { kDefined, kAny };

/// What is asked of a backend: a level of accuracy (conformance/levels), and a
/// choice on each axis.
struct Profile {
  std::string level = "tight";
  Subnormals subnormals = Subnormals::kIeee;
  NanRule nan = NanRule::kAny;
  ZeroSign zero_sign = ZeroSign::kStrict;
  FusedProducts contraction = FusedProducts::kNone;
  ExcessPrecision excess_precision = ExcessPrecision::kNone;
  Accumulation accumulation = Accumulation::kWideAny;
  /// x / 0, x mod 0, and the least integer by -1.
  Freedom integer_division = Freedom::kDefined;
  /// Conversions of floats to integers that have not that number.
  Freedom conversions = Freedom::kDefined;
  /// What named algorithms draw, and the state that they leave.
  Freedom random_bits = Freedom::kDefined;
  /// What updates do whose window lies partly outside.
  Freedom scatter_windows = Freedom::kDefined;
  friend bool operator==(const Profile&, const Profile&) = default;
};

/// Sets one axis. Throws Error "usage.profile" that lists what is known.
void set_axis(Profile& profile, std::string_view axis, std::string_view choice);

/// An axis and what a profile chooses on it, by their names.
struct AxisChoice {
  std::string_view axis;
  std::string_view choice;
  friend bool operator==(const AxisChoice&, const AxisChoice&) = default;
};

/// The choices of the profile on all axes.
std::vector<AxisChoice> choices(const Profile& profile);

/// Whether some subnormal numbers may count as zero.
inline bool flushes(const Profile& profile) {
  return profile.subnormals != Subnormals::kIeee;
}

inline bool has_daz(const Profile& profile) {
  return profile.subnormals == Subnormals::kDaz ||
         profile.subnormals == Subnormals::kDazFtz;
}

inline bool has_ftz(const Profile& profile) {
  return profile.subnormals == Subnormals::kFtz ||
         profile.subnormals == Subnormals::kDazFtz;
}

}  // namespace hlo::conformance
