#include "conformance/fingerprint/testing/simulated_unit.h"

#include <mpfr.h>

#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/op.h"

namespace hlo::conformance {
namespace {

double load_at(const Literal& literal, int64_t i) {
  return numeric::decode(literal.at(i).bits[0],
                         numeric::format(literal.type()));
}

mpfr_rnd_t mode(Nearest rounding) {
  switch (rounding) {
    case Nearest::kZero:
      return MPFR_RNDZ;
    case Nearest::kUp:
      return MPFR_RNDU;
    case Nearest::kDown:
      return MPFR_RNDD;
    default:
      return MPFR_RNDN;
  }
}

double rounded_as(mpfr_t exact, const SimulatedFormat& format,
                  mpfr_rnd_t rounding) {
  const mpfr_exp_t emin = mpfr_get_emin();
  mpfr_t result;
  mpfr_init2(result, format.precision);
  mpfr_set_emin(format.min_exponent - format.precision + 2);
  int ternary = mpfr_set(result, exact, rounding);
  ternary = mpfr_check_range(result, ternary, rounding);
  mpfr_subnormalize(result, ternary, rounding);
  const double value = mpfr_get_d(result, MPFR_RNDN);
  mpfr_clear(result);
  mpfr_set_emin(emin);
  return value;
}

/// An exact number, rounded to the format.
double rounded(mpfr_t exact, const SimulatedFormat& format) {
  if (format.rounding != Nearest::kAway) {
    return rounded_as(exact, format, mode(format.rounding));
  }
  // The neighbour toward zero where it is nearer than the other one.
  const double inner = rounded_as(exact, format, MPFR_RNDZ);
  const double outer = rounded_as(exact, format, MPFR_RNDA);
  const double middle = inner / 2 + outer / 2;
  const bool is_inner =
      outer > 0 ? mpfr_cmp_d(exact, middle) < 0 : mpfr_cmp_d(exact, middle) > 0;
  return is_inner ? inner : outer;
}

/// a * b + c, exactly, then rounded.
double exact_fma(double a, double b, double c, const SimulatedFormat& format) {
  constexpr mpfr_prec_t kEnough = 700;
  mpfr_t x;
  mpfr_t y;
  mpfr_t z;
  mpfr_inits2(kEnough, x, y, z, nullptr);
  mpfr_set_d(x, a, MPFR_RNDN);
  mpfr_set_d(y, b, MPFR_RNDN);
  mpfr_set_d(z, c, MPFR_RNDN);
  mpfr_fma(x, x, y, z, MPFR_RNDN);
  const double value = rounded(x, format);
  mpfr_clears(x, y, z, nullptr);
  return value;
}

/// Rows of a and columns of b: those of a matrix, or of the window and filter
/// of a convolution with one place, whose terms lie as those of a matrix do.
std::vector<double> matrix(const Literal& a, const Literal& b, int64_t rows,
                           bool transposed, const SimulatedSum& sum) {
  const int64_t terms = a.element_count() / rows;
  std::vector<double> cells;
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < rows; ++c) {
      std::vector<double> x;
      std::vector<double> y;
      for (int64_t i = 0; i < terms; ++i) {
        x.push_back(load_at(a, transposed ? i * rows + r : r * terms + i));
        y.push_back(load_at(b, transposed ? c * terms + i : i * rows + c));
      }
      cells.push_back(sum(x, y));
    }
  }
  return cells;
}

/// Whether the first operand has its terms before its rows. The terms that a
/// convolution has in space are never as many as its rows.
bool is_transposed(const Instruction& root, const Shape& a) {
  if (root.op->name == "dot") {
    return root.get<Ints>("lhs_contracting_dims").at(0) == 0;
  }
  return a.dims[0] != root.shape.dims[0];
}

}  // namespace

Outcome SimulatedUnit::run(const Module& module,
                           std::span<const Buffer> arguments) {
  const Instruction& root = *module.entry->root;
  const Literal a = load(arguments[0]);
  const int64_t rows = root.shape.dims[0];
  const bool transposed = is_transposed(root, a.shape());
  const auto& layout = module.entry->parameters[0]->shape.layout;
  const bool column_major = layout && layout->minor_to_major[0] == 0;
  SimulatedSum sum = sum_;
  if (transposed && transposed_) sum = transposed_;
  if (column_major && column_major_) sum = column_major_;
  std::vector<double> cells;
  if (root.op->name == "dot" || root.op->name == "convolution") {
    cells = matrix(a, load(arguments[1]), rows, transposed, sum);
  } else if (root.op->name == "reduce") {
    const int64_t terms = a.element_count() / rows;
    const std::vector<double> ones(static_cast<size_t>(terms), 1);
    for (int64_t r = 0; r < rows; ++r) {
      std::vector<double> x;
      for (int64_t i = 0; i < terms; ++i)
        x.push_back(load_at(a, transposed ? i * rows + r : r * terms + i));
      cells.push_back(sum(x, ones));
    }
  } else {
    return Failure{Failure::Kind::kUnsupported, "", "only sums"};
  }
  Literal result(root.shape);
  const auto& format = numeric::format(root.shape.element_type);
  for (size_t i = 0; i < cells.size(); ++i) {
    result.set(static_cast<int64_t>(i),
               {.type = root.shape.element_type,
                .bits = {numeric::encode(cells[i], format), 0}});
  }
  return std::vector<Buffer>{store(result, result_shapes(module)[0])};
}

double simulated_fma(double a, double b, double c,
                     const SimulatedFormat& format) {
  return exact_fma(a, b, c, format);
}

double simulated_add(double x, double y, const SimulatedFormat& format) {
  return exact_fma(x, 1, y, format);
}

double simulated_multiply(double a, double b, const SimulatedFormat& format) {
  return exact_fma(a, b, 0, format);
}

double simulated_round(double x, const SimulatedFormat& format) {
  return exact_fma(x, 1, 0, format);
}

}  // namespace hlo::conformance
