#include "interpreter/plans/contraction/blocks/contraction_exact.h"

#include <cmath>

#include "interpreter/numeric/format/float_codes.h"

namespace hlo {
namespace {

using numeric::ExactSum;
using numeric::FloatFormat;

/// The components of one element of a literal of a float or complex type.
struct Components {
  double real;
  double imaginary;
};

Components components(const Literal& literal, int64_t position) {
  const Scalar scalar = literal.at(position);
  const FloatFormat& format = numeric::format(component_type(literal.type()));
  return {
      numeric::decode(scalar.bits[0], format),
      is_complex(literal.type()) ? numeric::decode(scalar.bits[1], format) : 0};
}

/// The sums of single cells.
class CellSums {
 public:
  CellSums(const Job& job, const Panel<double>& panel,
           const RowBlock<double>& block)
      : job_(job),
        panel_(panel),
        block_(block),
        format_(numeric::format(component_type(job.type))),
        lanes_(best_kernel<double>().lanes),
        column_(static_cast<size_t>(job.length())) {}

  uint64_t code(const Cell& cell) {
    const double row = block_.norms[cell.row];
    const double column = panel_.norms[static_cast<size_t>(cell.vector)];
    if (!std::isfinite(row) || !std::isfinite(column)) {
      return sum_existing(cell);
    }
    load_column(cell.vector);
    sum_.clear();
    sum_.add(0.0);
    sum_.add_products(block_.row(cell.row, job_.length()), column_.data(),
                      job_.length());
    return sum_.round(format_).bits;
  }

 private:
  void load_column(int64_t v) {
    if (v == loaded_) return;
    loaded_ = v;
    const double* from =
        panel_.tile(v / lanes_ * lanes_, job_.length()) + v % lanes_;
    for (double& number : column_) {
      number = *from;
      from += lanes_;
    }
  }

  /// With infinities and NaNs, elements that do not exist must not be terms.
  uint64_t sum_existing(const Cell& cell) const {
    const int64_t column = panel_.first + cell.vector / job_.parts;
    const int64_t row = block_.first + cell.row;
    const Contraction& contraction = *job_.contraction;
    std::vector<int64_t> left(static_cast<size_t>(contraction.depth));
    std::vector<int64_t> right(left.size());
    contraction.lhs(panel_.group, job_.swapped ? column : row, left.data());
    contraction.rhs(panel_.group, job_.swapped ? row : column, right.data());
    return sum_products(job_.lhs, left, job_.rhs, right,
                        cell.vector % job_.parts == 1)
        .round(format_)
        .bits;
  }

  const Job& job_;
  const Panel<double>& panel_;
  const RowBlock<double>& block_;
  const FloatFormat& format_;
  int64_t lanes_;
  std::vector<double> column_;
  int64_t loaded_ = -1;
  ExactSum sum_;
};

}  // namespace

std::vector<uint64_t> round_exactly(const Job& job, const Panel<double>& panel,
                                    const RowBlock<double>& block,
                                    const std::vector<Cell>& cells) {
  CellSums sums(job, panel, block);
  std::vector<uint64_t> codes;
  codes.reserve(cells.size());
  for (const Cell& cell : cells) codes.push_back(sums.code(cell));
  return codes;
}

ExactSum sum_products(const Literal& lhs, std::span<const int64_t> left,
                      const Literal& rhs, std::span<const int64_t> right,
                      bool imaginary) {
  ExactSum sum;
  sum.add(0.0);  // the sum starts at +0
  for (size_t k = 0; k < left.size(); ++k) {
    if (left[k] < 0 || right[k] < 0) continue;
    const Components a = components(lhs, left[k]);
    const Components b = components(rhs, right[k]);
    sum.add_product(a.real, imaginary ? b.imaginary : b.real);
    if (!is_complex(lhs.type())) continue;
    sum.add_product(imaginary ? a.imaginary : -a.imaginary,
                    imaginary ? b.real : b.imaginary);
  }
  return sum;
}

}  // namespace hlo
