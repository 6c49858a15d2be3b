#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/levels/profile.h"
#include "interpreter/model/element_type.h"

namespace hlo::conformance {

/// How far a result may be from the exact value r = f(x). A result conforms
/// where any of the limits admits it: `steps`, `faithful`, or an error of at
/// most the largest of the others.
struct Bound {
  int steps = -1;         // codes from the correctly rounded value; -1: none
  bool faithful = false;  // one of the two neighbours of r, r where it is one
  bool unlimited = false;
  double ulps = 0;          // units in the last place of r, a multiple of 1/2
  double ulps_per_x = 0;    // and as many more for each unit of |x|
  double eps = 0;           // times 2^(1-p) max(|r|, smallest normal number)
  double absolute = 0;      // a real number
  double absolute_eps = 0;  // times 2^(1-p)
  /// The x for which it holds.
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();

  friend bool operator==(const Bound&, const Bound&) = default;
};

/// The one code nearest to the exact value.
inline constexpr Bound kCorrectlyRounded{.steps = 0};

/// The bounds of a function for a group of types; the first whose [from, to]
/// holds x counts.
struct TypeBounds {
  std::string types;  // the name of a type, f8, narrow or any
  std::vector<Bound> bounds;
};

struct FunctionBounds {
  std::string operation;
  std::vector<TypeBounds> rows;
};

/// A file of conformance/levels.
struct Level {
  std::string name;
  int rank = 0;  // 0: the strictest
  std::string statement;
  bool sums_rounded_once = false;
  Profile profile;  // its name and axes
  std::vector<FunctionBounds> functions;
  std::vector<TypeBounds> otherwise;  // of real functions without a row
};

/// From the strictest to the most lax.
std::span<const Level> all_levels();
/// Throws Error "usage.profile" that lists what there is.
const Level& find_level(std::string_view name);

/// The bounds of the operation's results of a float type. Operations that are
/// no real functions (divide, sqrt) are correctly rounded where the level has
/// no row for them.
std::span<const Bound> bounds(const Level& level, std::string_view operation,
                              ElementType type, bool is_real_function);
/// The one of them that holds for the operand x; the last one where none does.
const Bound& bound_at(std::span<const Bound> bounds, double x);

/// How far the parts of complex functions, products and quotients may be off.
enum class ComplexParts : uint8_t {
  kRoundedOnce,  // not at all
  kFaithful,     // each is a neighbour of its exact value
  kByModulus,    // as the gate says, which no laxer level widens
};

/// What the level asks of parts of the type.
ComplexParts complex_parts(const Level& level, ElementType part);

}  // namespace hlo::conformance
