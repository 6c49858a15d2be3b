#pragma once

#include <functional>
#include <span>
#include <string>

#include "backends/backend.h"

namespace hlo::conformance {

/// The sum of the products of two rows, as some machine computes it.
using SimulatedSum =
    std::function<double(std::span<const double> a, std::span<const double> b)>;

/// A backend that has dot of two matrices, convolution without overlap and
/// reduce of rows or columns, each element by the function; of single numbers b
/// is 1. Where operands are arranged in another way it may use another one.
class SimulatedUnit : public Backend {
 public:
  explicit SimulatedUnit(SimulatedSum sum) : sum_(std::move(sum)) {}

  SimulatedUnit(SimulatedSum sum, SimulatedSum transposed,
                SimulatedSum column_major)
      : sum_(std::move(sum)),
        transposed_(std::move(transposed)),
        column_major_(std::move(column_major)) {}

  std::string name() const override { return "simulated"; }

  Outcome run(const Module& module, std::span<const Buffer> arguments) override;

 private:
  SimulatedSum sum_;
  SimulatedSum transposed_;    // none: the same
  SimulatedSum column_major_;  // none: the same
};

/// Roundings of MPFR, which shares no code with the model.
enum class Nearest { kEven, kZero, kUp, kDown, kAway };

/// Numbers of so many bits, the least normal one 2^min_exponent.
struct SimulatedFormat {
  int precision = 24;
  int min_exponent = -126;
  Nearest rounding = Nearest::kEven;
};

double simulated_add(double x, double y, const SimulatedFormat& format);
double simulated_multiply(double a, double b, const SimulatedFormat& format);
/// a * b + c with one rounding.
double simulated_fma(double a, double b, double c,
                     const SimulatedFormat& format);
double simulated_round(double x, const SimulatedFormat& format);

}  // namespace hlo::conformance
