#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "conformance/numerics/exact.h"
#include "interpreter/numeric/rounded.h"

// A second engine for the functions, which shares no code with the reference.
namespace hlo::conformance {

/// Which arguments of f32 a function is tried at; see Points in sweep.h.
enum class Sweep : uint8_t { kAll, kStrided, kPairs, kOrders };

/// A function of the reference and how its rival gets at it. Of functions of
/// one argument, y is nothing.
struct Rival {
  std::variant<numeric::Function, numeric::Function2> function;
  std::string_view name;  // "exp", "log1p", ...
  Sweep sweep;
  /// A function of the C library, or a formula over some, whose relative error
  /// is below 2^-47, or NaN; a rounding test decides whether that is enough.
  double (*approximate)(double x, double y);
  Exact exact;

  bool is_binary() const { return function.index() == 1; }
};

std::span<const Rival> all_rivals();
/// Null where there is none of that name.
const Rival* find_rival(std::string_view name);

/// f(x, y) rounded to nearest even, by the approximation or else by MPFR; any
/// NaN.
float evaluate(const Rival& rival, float x, float y = 0);
/// A double of 53 bits which any format of at most 51 rounds to the same number
/// as f(x, y), by MPFR; beyond 2^1000 and within 2^-1000 of 0 only that is
/// certain.
double evaluate_to_odd(const Rival& rival, double x, double y = 0);
/// f(x) by MPFR with 2,000 bits, rounded to nearest even.
double evaluate_precisely(const Rival& rival, double x);

/// What the rival is for: the codes of f of n codes of the type's storage.
void evaluate_reference(const Rival& rival, const void* x, const void* y,
                        void* result, int64_t n,
                        const numeric::FloatFormat& format);

}  // namespace hlo::conformance
