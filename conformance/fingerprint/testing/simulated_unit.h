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
/// reduce of rows, each element by the function; of single numbers b is 1.
class SimulatedUnit : public Backend {
 public:
  explicit SimulatedUnit(SimulatedSum sum) : sum_(std::move(sum)) {}

  std::string name() const override { return "simulated"; }

  Outcome run(const Module& module, std::span<const Buffer> arguments) override;

 private:
  SimulatedSum sum_;
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
