#include "interpreter/plans/contraction/scaled.h"

#include <algorithm>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/contraction/dot_map.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

using Vector = std::vector<double>;

/// A product of two such numbers has at most 48 bits, and an exponent far
/// within double's.
bool has_exact_products(const Literal& literal) {
  return is_float(literal.type()) && literal.type() != ElementType::kF64;
}

Vector decoded(const Literal& literal) {
  Vector values(static_cast<size_t>(literal.element_count()));
  numeric::decode_array(literal.bytes().data(), values.data(),
                        literal.element_count(),
                        numeric::format(literal.type()));
  return values;
}

/// Each element times that of the block that it lies in.
Literal scaled_by(const Literal& operand, const Literal& scale) {
  const auto& dims = operand.shape().dims;
  Literal result(Shape::array(ElementType::kF64, dims));
  const Vector values = decoded(operand);
  std::ranges::copy(values, result.mutable_data<double>().begin());
  if (scale.shape().is_scalar()) return result;  // it means 1
  const Vector scales = decoded(scale);
  const auto& blocks = scale.shape().dims;
  for (int64_t i = 0; i < operand.element_count(); ++i) {
    const Index index = delinearize(i, dims);
    int64_t at = 0;
    for (size_t d = 0; d < dims.size(); ++d) {
      at = at * blocks[d] + index[d] / (dims[d] / blocks[d]);
    }
    result.mutable_data<double>()[static_cast<size_t>(i)] *=
        scales[static_cast<size_t>(at)];
  }
  return result;
}

/// The numbers at the positions of one row or column; 0 where there is none.
void pick(const Runs& runs, const Literal& literal, int64_t g, int64_t index,
          std::vector<int64_t>& positions, double* numbers) {
  runs(g, index, positions.data());
  const auto values = literal.data<double>();
  for (const int64_t p : positions) {
    *numbers++ = p >= 0 ? values[static_cast<size_t>(p)] : 0;
  }
}

/// All columns of a group, one after the other.
Vector pick_columns(const ScaledDot& scaled, int64_t g) {
  const Contraction& c = scaled.contraction;
  Vector columns(static_cast<size_t>(c.columns * c.depth));
  std::vector<int64_t> positions(static_cast<size_t>(c.depth));
  for (int64_t n = 0; n < c.columns; ++n) {
    pick(c.rhs, scaled.rhs, g, n, positions, columns.data() + n * c.depth);
  }
  return columns;
}

void put_row(const ScaledDot& scaled, int64_t g, int64_t m,
             const Vector& columns, Literal& result) {
  const Contraction& c = scaled.contraction;
  const auto& format = numeric::format(result.type());
  Vector row(static_cast<size_t>(c.depth));
  std::vector<int64_t> positions(row.size());
  pick(c.lhs, scaled.lhs, g, m, positions, row.data());
  numeric::ExactSum sum;
  for (int64_t n = 0; n < c.columns; ++n) {
    sum.clear();
    sum.add(0.0);  // as dot: no sum is -0
    sum.add_products(row.data(), columns.data() + n * c.depth, c.depth);
    result.set(c.result_row(g, m) + c.result_column(g, n),
               {.type = result.type(), .bits = {sum.round(format).bits, 0}});
  }
}

}  // namespace

std::optional<ScaledDot> scaled_dot(const Instruction& dot, Operands operands) {
  if (!std::ranges::all_of(operands, has_exact_products) ||
      !is_float(dot.shape.element_type)) {
    return std::nullopt;
  }
  return ScaledDot{.contraction = dot_products(dot),
                   .lhs = scaled_by(operands[0], operands[2]),
                   .rhs = scaled_by(operands[1], operands[3])};
}

Literal apply(const ScaledDot& scaled, const Shape& shape,
              const Evaluator& evaluator) {
  const Contraction& c = scaled.contraction;
  Literal result(shape);
  result.mutable_bytes();  // its own before threads write to it
  for (int64_t g = 0; g < c.groups && result.element_count() > 0; ++g) {
    const Vector columns = pick_columns(scaled, g);
    evaluator.parallel_for(c.rows, 1, [&](int64_t begin, int64_t end) {
      for (int64_t m = begin; m < end; ++m) {
        put_row(scaled, g, m, columns, result);
      }
    });
  }
  return result;
}

}  // namespace hlo
