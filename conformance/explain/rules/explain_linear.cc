#include "conformance/explain/rules/explain_linear.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "conformance/explain/recording/element.h"
#include "conformance/explain/story/explain_joined.h"
#include "conformance/explain/values/number_of.h"
#include "interpreter/counted.h"
#include "interpreter/evaluate.h"
#include "interpreter/plans/elementwise/converted.h"

namespace hlo::conformance {
namespace {

using fmt::format;

ElementType wide_type(ElementType type) {
  if (is_complex(type)) return ElementType::kC128;
  return is_float(type) ? ElementType::kF64 : type;
}

Shape wide_shape(Shape shape) {
  shape.element_type = wide_type(shape.element_type);
  for (Shape& part : shape.tuple_shapes) part = wide_shape(part);
  return shape;
}

/// The result of the same operation between arrays of f64 and c128.
Literal result_in_doubles(const Point& point) {
  Instruction instruction = point.instruction();
  instruction.shape = wide_shape(instruction.shape);
  std::vector<std::unique_ptr<Instruction>> parameters;
  std::vector<Literal> operands;
  Evaluator evaluator(kReference);
  for (size_t k = 0; k < instruction.operands.size(); ++k) {
    const Literal& given = point.run.operands[k];
    operands.push_back(
        converted(given, wide_type(given.type()), evaluator.threads()));
    parameters.push_back(
        std::make_unique<Instruction>(*instruction.operands[k]));
    parameters.back()->shape = wide_shape(parameters.back()->shape);
    instruction.operands[k] = parameters.back().get();
  }
  return evaluate_instruction(instruction, operands, evaluator);
}

/// What lies at most half a unit in the last place from a double.
RealValue about(double value) {
  const double next = std::nextafter(value, value < 0 ? -HUGE_VAL : HUGE_VAL);
  const Fraction reach = (Fraction(next) - Fraction(value)) * Fraction(0.5);
  const Fraction one = Fraction(value) - reach;
  const Fraction other = Fraction(value) + reach;
  return one < other ? RealValue{one, other} : RealValue{other, one};
}

int64_t dim(const Shape& shape, int64_t from_last) {
  return shape.dims[static_cast<size_t>(shape.rank() - 1 - from_last)];
}

/// The index with its last two numbers replaced.
Index at(Index index, int64_t row, int64_t column) {
  index[index.size() - 2] = row;
  index[index.size() - 1] = column;
  return index;
}

/// An element of operand k.
std::string element(Story& story, size_t k, const Index& index) {
  const Literal& operand = story.point().run.operands[k];
  return story.operand(k, linearize(index, operand.shape().dims));
}

/// An element of the result.
std::string unknown(const Point& point, const Index& index) {
  return element_name(point.instruction(), point.tuple_index, index) + " = " +
         value_text(point.array.at(index));
}

// ---------------------------------------------------------------- batch norm

/// The elements of the feature, of all operands that are as large as the first.
void list_feature(Story& story, size_t d, int64_t feature) {
  const Point& point = story.point();
  const Shape& operand = point.run.operands[0].shape();
  std::vector<std::string> lines;
  for (int64_t i = 0; i < operand.element_count(); ++i) {
    if (delinearize(i, operand.dims)[d] != feature) continue;
    lines.emplace_back();
    if (std::ssize(lines) > point.request.terms) continue;
    for (size_t k = 0; k < point.run.operands.size(); ++k) {
      if (!same_dims(point.run.operands[k].shape(), operand)) continue;
      lines.back() += (k == 0 ? "" : " at ") + story.operand(k, i);
    }
  }
  list_terms(story, lines);
}

int64_t elements_of_feature(const Shape& operand, size_t d) {
  const int64_t features = operand.dims[d];
  return features == 0 ? 0 : operand.element_count() / features;
}

/// How the exact value `which`, whose rounding to f64 is `value`, is rounded to
/// this part of the result.
void round_double(Story& story, const std::string& which, double value,
                  int part) {
  const ElementType type = component_type(story.point().result().type);
  const numeric::FloatFormat& own = numeric::format(type);
  if (!std::isfinite(value) || value == 0) {
    return story.say(which + " is 0, or beyond what f64 holds: " +
                     value_text(story.point().result()));
  }
  if (numeric::decode(numeric::encode(value, own), own) == value) {
    // The exact value may differ behind the digits of f64.
    return story.round(which + ", as far as f64 tells it,",
                       RealValue::of(Fraction(value)), part);
  }
  const RealValue known = about(value);
  if (known.low.round(own).bits == known.high.round(own).bits) {
    return story.round(which, known, part);
  }
  story.say(
      format("{} is about {}, next to where rounding to {} changes; more "
             "digits decide: {}",
             which, to_decimal(Fraction(value), 17), info(type).name,
             value_text(story.point().result())));
}

}  // namespace

void explain_in_doubles(Story& story) {
  const Point& point = story.point();
  const Scalar result = point.result();
  const ElementType type = component_type(result.type);
  if (!is_float(type)) return;
  for (const double part : parts_of(result)) {
    if (!std::isfinite(part)) {
      return story.say("gives " + value_text(result) +
                       " by the special values of the operation");
    }
  }
  if (type == ElementType::kF64) {
    return story.say("the exact value rounded once, to nearest even: " +
                     value_text(result));
  }
  const Literal wide = result_in_doubles(point);
  const Scalar value = part_of(wide, point.tuple_index).at(point.position);
  const std::vector<double> parts = parts_of(value);
  for (size_t part = 0; part < parts.size(); ++part) {
    const std::string which = parts.size() == 1 ? "the exact value"
                              : part == 0       ? "the exact real part"
                                                : "the exact imaginary part";
    round_double(story, which, parts[part], static_cast<int>(part));
  }
}

void explain_normalized(Story& story) {
  const Point& point = story.point();
  const Instruction& norm = point.instruction();
  const auto d = static_cast<size_t>(norm.get<int64_t>("feature_index"));
  const Shape& operand = point.run.operands[0].shape();
  const bool is_whole = same_dims(point.array.shape(), operand);
  const int64_t feature = point.index[is_whole ? d : 0];
  story.say(format("feature {} along dimension {}, of {}; epsilon {}", feature,
                   d, counted(elements_of_feature(operand, d), "element"),
                   norm.get<Decimal>("epsilon").text));
  for (size_t k = 0; k < point.run.operands.size(); ++k) {
    const bool is_feature = !same_dims(point.run.operands[k].shape(), operand);
    if (is_feature || is_whole) {
      story.say(story.operand(k, is_feature ? feature : point.position));
    }
  }
  story.say_words();
  if (!is_whole) list_feature(story, d, feature);
  explain_in_doubles(story);
}

void explain_cholesky(Story& story) {
  const Point& point = story.point();
  const bool lower = point.instruction().get_or("lower", false);
  // The transposed index reads the upper factor as a lower one.
  const int64_t row = point.index[point.index.size() - (lower ? 2 : 1)];
  const int64_t column = point.index[point.index.size() - (lower ? 1 : 2)];
  // Types without NaN have another code in its place.
  const bool failed = std::isnan(parts_of(point.result())[0]) ||
                      (row < column && point.result().bits[0] != 0);
  if (failed) story.say("the matrix is not positive definite");
  if (row < column && !failed) {
    return story.copy_of(Scalar{point.array.type(), {}},
                         "a zero: the other triangle of the factor");
  }
  story.say(element(story, 0, point.index));
  if (row == column && is_complex(point.array.type())) {
    story.say("on the diagonal its imaginary part is not read");
  }
  if (failed) return explain_in_doubles(story);
  const std::string diagonal =
      row == column ? "and the root of that"
                    : "over " + unknown(point, at(point.index, column, column));
  story.say(format("the {} factor: minus these products of exact elements, {}",
                   lower ? "lower" : "upper", diagonal));
  std::vector<std::string> lines;
  for (int64_t k = 0; k < column; ++k) {
    const Index a = lower ? at(point.index, row, k) : at(point.index, k, row);
    const Index b =
        lower ? at(point.index, column, k) : at(point.index, k, column);
    lines.push_back(unknown(point, a) + " times the conjugate of " +
                    unknown(point, b));
  }
  list_terms(story, lines);
  explain_in_doubles(story);
}

namespace {

std::string transposition(const Instruction& solve) {
  return solve.get_or("transpose_a", Word{"NO_TRANSPOSE"}).value;
}

/// The products of the row of op(a) with the unknowns.
std::vector<std::string> solved_products(Story& story) {
  const Point& point = story.point();
  const Instruction& solve = point.instruction();
  const bool left = solve.get_or("left_side", false);
  const bool lower = solve.get_or("lower", false);
  const bool unit = solve.get_or("unit_diagonal", false);
  const std::string turned = transposition(solve);
  const std::string times =
      turned == "ADJOINT" ? ", conjugate, times " : " times ";
  const size_t unknowns = point.index.size() - (left ? 2 : 1);
  const int64_t i = point.index[unknowns];
  std::vector<std::string> lines;
  for (int64_t k = 0; k < dim(point.run.operands[0].shape(), 0); ++k) {
    // op(a)(i, k) of the left side, op(a)(k, i) of the right one.
    const bool swap = (turned != "NO_TRANSPOSE") == left;
    const int64_t row = swap ? k : i;
    const int64_t column = swap ? i : k;
    if (lower ? row < column : row > column) continue;
    Index x = point.index;
    x[unknowns] = k;
    const std::string factor =
        unit && row == column ? "1"
                              : element(story, 0, at(point.index, row, column));
    lines.push_back(factor + times + unknown(point, x));
  }
  return lines;
}

}  // namespace

void explain_triangular_solve(Story& story) {
  const Point& point = story.point();
  const Instruction& solve = point.instruction();
  const bool left = solve.get_or("left_side", false);
  const std::string turned = transposition(solve);
  story.say(format("the equation of {} {} of {}, op {}",
                   left ? "row" : "column",
                   point.index[point.index.size() - (left ? 2 : 1)],
                   left ? "op(a) * x = b" : "x * op(a) = b",
                   turned == "NO_TRANSPOSE" ? "the identity" : turned));
  story.say("b: " + element(story, 1, point.index));
  const std::vector<std::string> lines = solved_products(story);
  story.say("is the sum of the products, of exact unknowns:");
  list_terms(story, lines);
  explain_in_doubles(story);
}

void explain_fft(Story& story) {
  const Point& point = story.point();
  const Instruction& fft = point.instruction();
  const Ints& lengths = fft.get<Ints>("fft_length");
  const std::string& type = fft.get<Word>("fft_type").value;
  const size_t batch = point.index.size() - lengths.size();
  const Index bins(point.index.begin() + static_cast<std::ptrdiff_t>(batch),
                   point.index.end());
  int64_t count = 1;
  for (const int64_t length : lengths) count *= length;
  const bool inverse = type == "IFFT" || type == "IRFFT";
  story.say(format(
      "{} of lengths {}: {}the sum over t of operand[t] exp({}2 pi "
      "i (k t / L)), at k = {}",
      type, index_text(lengths), inverse ? format("1/{} of ", count) : "",
      inverse ? "" : "-", index_text(bins)));
  if (type == "IRFFT") {
    story.say("the real part, the other half being the conjugates of the bins");
  }
  const Shape& operand = point.run.operands[0].shape();
  Ints inner(operand.dims.begin() + static_cast<std::ptrdiff_t>(batch),
             operand.dims.end());
  const int64_t terms =
      Shape::array(operand.element_type, inner).element_count();
  std::vector<std::string> lines;
  for (int64_t t = 0; t < terms; ++t) {
    if (t >= point.request.terms) {
      lines.emplace_back();
      continue;
    }
    Index index(point.index.begin(),
                point.index.begin() + static_cast<std::ptrdiff_t>(batch));
    const Index place = delinearize(t, inner);
    index.insert(index.end(), place.begin(), place.end());
    lines.push_back(element(story, 0, index));
  }
  list_terms(story, lines);
  explain_in_doubles(story);
}

}  // namespace hlo::conformance
