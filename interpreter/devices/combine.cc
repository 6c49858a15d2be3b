#include "interpreter/devices/combine.h"

#include <algorithm>
#include <span>
#include <vector>

#include "interpreter/definition/fold_terms.h"
#include "interpreter/definition/numbers/element_conversion.h"
#include "interpreter/error.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/plans/fold/fold_operands.h"
#include "interpreter/plans/region/map_region.h"
#include "interpreter/rules/known_reducer.h"
#include "interpreter/rules/reducer.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

/// Floats are added and multiplied exactly and rounded once, whatever the
/// order.
bool is_exact(Reducer reducer, ElementType type) {
  if (reducer == Reducer::kMultiply) return is_float(type);
  return reducer == Reducer::kAdd && (is_float(type) || is_complex(type));
}

/// The value that changes no sum (-0), or no product; nothing where the type
/// has none.
std::optional<Scalar> neutral(Reducer reducer, ElementType type) {
  const numeric::FloatFormat& format = numeric::format(component_type(type));
  const bool is_product = reducer == Reducer::kMultiply;
  if (!is_product && type == ElementType::kF8E8M0FNU) return std::nullopt;
  const uint64_t zero = format.has_negative_zero() ? format.sign_mask() : 0;
  const uint64_t code = is_product ? numeric::encode(1, format) : zero;
  return Scalar{type, {code, is_complex(type) ? code : 0}};
}

/// Columns of a matrix of `rows` rows, folded by a reducer that is_exact.
Literal fold_columns(const Computation& combiner, const Literal& matrix,
                     const Literal& init, Evaluator& evaluator) {
  const int64_t rows = matrix.shape().dims[0];
  const int64_t columns = matrix.shape().dims[1];
  const Fold fold{
      1,
      {{.operand_size = rows, .operand_stride = columns, .cells = rows},
       {.operand_size = columns,
        .result_size = columns,
        .result_stride = 1,
        .result_step = 1}},
      &combiner};
  Instruction reduce;
  reduce.shape = Shape::array(matrix.type(), {columns});
  return apply(fold, reduce, std::vector<Literal>{matrix, init}, evaluator)
      .value();
}

/// One element at a time, where no neutral value can stand for the initial one.
Literal fold_each(const Computation& combiner, const Literal& matrix,
                  Evaluator& evaluator) {
  const int64_t rows = matrix.shape().dims[0];
  const int64_t columns = matrix.shape().dims[1];
  Literal result =
      Literal::uninitialized(Shape::array(matrix.type(), {columns}));
  for (int64_t c = 0; c < columns; ++c) {
    Literal rest =
        Literal::uninitialized(Shape::array(matrix.type(), {rows - 1, 1}));
    for (int64_t r = 1; r < rows; ++r) {
      rest.set(r - 1, matrix.at(r * columns + c));
    }
    const Literal first = Literal::of(matrix.at(c));
    result.set(c, fold_columns(combiner, rest, first, evaluator).at(0));
  }
  return result;
}

/// Elements [begin, end) of each of the arrays, one array a row.
Literal stacked(const std::vector<Literal>& arrays, int64_t begin,
                int64_t end) {
  const int64_t width = storage_bytes(arrays[0].type());
  Literal matrix = Literal::uninitialized(
      Shape::array(arrays[0].type(), {std::ssize(arrays), end - begin}));
  std::byte* out = matrix.mutable_bytes().data();
  for (const Literal& array : arrays) {
    out = std::copy_n(array.bytes().data() + begin * width,
                      (end - begin) * width, out);
  }
  return matrix;
}

/// In pieces, so that not all arrays are copied at once.
Literal combine_exactly(const Computation& combiner, Reducer reducer,
                        const std::vector<Literal>& arrays,
                        Evaluator& evaluator) {
  constexpr int64_t kPiece = int64_t{1} << 22;
  const int64_t step = std::max<int64_t>(1, kPiece / std::ssize(arrays));
  const ElementType type = combiner.root->shape.element_type;
  const std::optional<Scalar> init = neutral(reducer, type);
  Literal result =
      Literal::uninitialized(Shape::array(type, arrays[0].shape().dims));
  std::byte* out = result.mutable_bytes().data();
  const int64_t count = result.element_count();
  for (int64_t begin = 0; begin < count; begin += step) {
    const Literal matrix =
        converted(stacked(arrays, begin, std::min(count, begin + step)), type,
                  evaluator.threads());
    const Literal piece =
        init ? fold_columns(combiner, matrix, Literal::of(*init), evaluator)
             : fold_each(combiner, matrix, evaluator);
    out = std::ranges::copy(piece.bytes(), out).out;
  }
  return result;
}

/// The combiner's value for two whole arrays: element by element, or at once
/// where it takes arrays of these dimensions.
Literal combine_two(const Computation& combiner, const Literal& a,
                    const Literal& b, Evaluator& evaluator) {
  const Literal x = converted(a, combiner.parameters[0]->shape.element_type,
                              evaluator.threads());
  const Literal y = converted(b, combiner.parameters[1]->shape.element_type,
                              evaluator.threads());
  if (combiner.root->shape.is_scalar()) {
    return apply_to_elements(combiner, std::vector<Literal>{x, y}, x.shape(),
                             evaluator);
  }
  return evaluator.call(combiner, {x, y});
}

/// Element by element: x_0, then x_1, ... joined.
Literal fold_members(const Computation& combiner,
                     const std::vector<Literal>& arrays, Evaluator& evaluator) {
  const ElementType type = arrays[0].type();
  const ElementType computed = combiner.root->shape.element_type;
  Literal result(
      Shape::array(same_up_to_precision(type, computed) ? computed : type,
                   arrays[0].shape().dims));
  for (int64_t i = 0; i < result.element_count(); ++i) {
    const auto others = [&](const definition::VisitScalars& visit) {
      for (const Literal& array : std::span(arrays).subspan(1)) {
        visit({array.at(i)});
      }
    };
    const Scalar joined = definition::fold_terms(
        combiner, {arrays[0].at(i)}, others,
        definition::ExactFolds::kSumsAndProducts, evaluator)[0];
    result.set(i, definition::convert(joined, result.type()));
  }
  return result;
}

Literal combine(const Computation& combiner, const std::vector<Literal>& arrays,
                Evaluator& evaluator) {
  const ElementType type = arrays[0].type();
  const Reducer reducer = recognize(combiner);
  if (arrays.size() == 1) return arrays[0];
  const bool is_planned = evaluator.options().plans.contains(PlanFamily::kFold);
  if (!is_planned && combiner.root->shape.is_scalar()) {
    return fold_members(combiner, arrays, evaluator);
  }
  const ElementType computed = combiner.root->shape.element_type;
  Literal result = arrays[0];
  if (is_exact(reducer, computed)) {
    result = combine_exactly(combiner, reducer, arrays, evaluator);
  } else {
    for (size_t i = 1; i < arrays.size(); ++i) {
      result = combine_two(combiner, result, arrays[i], evaluator);
    }
  }
  const bool rounds_later = same_up_to_precision(type, computed);
  return rounds_later ? result : converted(result, type, evaluator.threads());
}

}  // namespace

std::vector<Literal> combined(const Meeting& meeting, Evaluator& evaluator) {
  const auto& combiner = *meeting.collective->get<Computation*>("to_apply");
  std::vector<Literal> results;
  for (size_t k = 0; k < meeting.operands[0].size(); ++k) {
    std::vector<Literal> arrays;
    for (const auto& operands : meeting.operands) arrays.push_back(operands[k]);
    const bool takes_scalars = combiner.root->shape.is_scalar();
    require_evaluable(
        takes_scalars || same_dims(combiner.root->shape, arrays[0].shape()),
        "collective.combiner",
        {"to_apply returns ", combiner.root->shape, " and the operands are ",
         arrays[0].shape()},
        "it must combine scalars, or whole operands");
    results.push_back(combine(combiner, arrays, evaluator));
  }
  return results;
}

}  // namespace hlo
