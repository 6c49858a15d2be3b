#include "backends/cpu/functions/special/custom_functions.h"

#include <cmath>
#include <limits>
#include <map>

#include "backends/cpu/arrays/float_steps.h"
#include "backends/cpu/arrays/map_elements.h"
#include "backends/cpu/arrays/wide_numbers.h"
#include "backends/cpu/functions/complex/complex_numbers.h"
#include "backends/cpu/functions/math_functions.h"
#include "backends/cpu/functions/special/special_numbers.h"

namespace hlo::cpu {
namespace {

template <double (*kFunction)(double)>
Array of_reals(const Instruction& instruction, Operands operands) {
  std::vector<double> values = wide_reals(*operands[0]);
  for (double& x : values) x = kFunction(x);
  return rounded(instruction.shape, values);
}

template <double (*kFunction)(double, double)>
Array of_pairs(const Instruction& instruction, Operands operands) {
  std::vector<double> values = wide_reals(*operands[0]);
  const std::vector<double> second = wide_reals(*operands[1]);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = kFunction(values[i], second[i]);
  }
  return rounded(instruction.shape, values);
}

template <bool (*kHolds)(double)>
Array test_of(const Instruction& instruction, Operands operands) {
  std::vector<uint64_t> result;
  for (const double x : wide_reals(*operands[0])) {
    result.push_back(kHolds(x) ? 1 : 0);
  }
  return store<uint64_t>(instruction.shape, result);
}

bool is_infinite(double x) { return std::isinf(x); }

bool is_positive_infinite(double x) { return std::isinf(x) && x > 0; }

bool is_negative_infinite(double x) { return std::isinf(x) && x < 0; }

/// The number of the type next to x on the side of y.
double next_after(double x, double y, ElementType type) {
  if (std::isnan(x) || std::isnan(y)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (x == y) return y;
  if (type == ElementType::kF64) return std::nextafter(x, y);
  if (x == 0) return next_away(std::copysign(0.0, y), type).value_or(y);
  const bool is_away = (y > x) == (x > 0);
  if (!is_away && std::isinf(x)) return nearest_of(y, type);
  return (is_away ? next_away(x, type) : next_towards_zero(x, type))
      .value_or(y);
}

/// The largest finite number is next to an infinity.
double largest_of(ElementType type) {
  double size = 1;
  while (const auto next = next_away(size, type)) {
    const double twice = nearest_of(2 * size, type);
    size = std::isfinite(twice) && twice > *next ? twice : *next;
  }
  return size;
}

Array next(const Instruction& instruction, Operands operands) {
  const ElementType type = instruction.shape.element_type;
  std::vector<double> x = wide_reals(*operands[0]);
  const std::vector<double> y = wide_reals(*operands[1]);
  for (size_t i = 0; i < x.size(); ++i) {
    const bool leaves_infinity = std::isinf(x[i]) && x[i] != y[i] &&
                                 !std::isnan(y[i]) && type != ElementType::kF64;
    x[i] = leaves_infinity ? std::copysign(largest_of(type), x[i])
                           : next_after(x[i], y[i], type);
  }
  return rounded(instruction.shape, x);
}

Array arc_tangent(const Instruction& instruction, Operands operands) {
  return map_real(instruction, operands, [](auto x) { return std::atan(x); });
}

Array cube_root(const Instruction& instruction, Operands operands) {
  return map_real(instruction, operands, [](auto x) {
    if constexpr (kIsFloat<decltype(x)>) {
      return real_cube_root(x);
    } else {
      return complex_cube_root(x);
    }
  });
}

Array kernel_of_arcs(const Instruction& instruction, Operands operands) {
  return map_real(instruction, operands, [](auto x) {
    if constexpr (kIsFloat<decltype(x)>) {
      throw Unsupported("the kernel of arcs of real numbers");
      return x;
    } else {
      return arc_kernel(x);
    }
  });
}

using ByName = std::map<std::string_view, Function>;

ByName make_functions() {
  ByName functions = {{"lgamma", of_reals<log_gamma>},
                      {"digamma", of_reals<digamma>},
                      {"polygamma", of_pairs<polygamma>},
                      {"zeta", of_pairs<hurwitz_zeta>},
                      {"erfc", of_reals<error_complement>},
                      {"erf_inv", of_reals<inverse_error>},
                      {"bessel_i1e", of_reals<bessel_i1e>},
                      {"next_after", next},
                      {"is_inf", test_of<is_infinite>},
                      {"is_pos_inf", test_of<is_positive_infinite>},
                      {"is_neg_inf", test_of<is_negative_infinite>},
                      {"atan", arc_tangent},
                      {"cbrt", cube_root},
                      {"_asin_acos_kernel", kernel_of_arcs}};
  for (const auto& [name, function] : math_functions()) {
    functions.emplace(name, function);
  }
  return functions;
}

const ByName& functions() {
  static const ByName by_name = make_functions();
  return by_name;
}

std::string_view without_dialect(std::string_view target) {
  for (const std::string_view dialect : {"chlo.", "mhlo.", "stablehlo."}) {
    if (target.starts_with(dialect)) return target.substr(dialect.size());
  }
  return {};
}

}  // namespace

bool is_custom_function(std::string_view target) {
  return functions().contains(without_dialect(target));
}

Array custom_function(const Instruction& instruction, Operands operands) {
  const auto& target = instruction.get<std::string>("custom_call_target");
  return functions().at(without_dialect(target))(instruction, operands);
}

}  // namespace hlo::cpu
