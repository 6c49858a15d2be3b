#include "conformance/fingerprint/summed_operation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

constexpr std::array kKinds = {SumKind::kDot, SumKind::kConvolution,
                               SumKind::kReduce, SumKind::kReduceWindow,
                               SumKind::kCumulativeSum};

constexpr int64_t kMatrixRows = 16;
constexpr int64_t kReducedRows = 256;
constexpr int64_t kWindowRows = 64;
constexpr int64_t kTaps = 4;

std::string adder(std::string_view type) {
  return fmt::format(
      "add {{\n  x = {0}[] parameter(0)\n  y = {0}[] parameter(1)\n"
      "  ROOT s = {0}[] add(x, y)\n}}\n\n",
      type);
}

/// How many of its terms a convolution has in space; the rest are channels.
int64_t taps_of(int64_t terms) { return terms % kTaps == 0 ? kTaps : terms; }

bool is_transposed(const SummedOperation& op) {
  return op.arrangement == Arrangement::kTransposed;
}

/// A parameter of the operands' type, in the layout that is asked for.
std::string parameter(const SummedOperation& op,
                      const std::vector<int64_t>& dims, int number) {
  std::string layout;
  if (op.arrangement == Arrangement::kColumnMajor) {
    layout = dims.size() == 2 ? "{0,1}" : "{0,1,2}";
  }
  return fmt::format("  {} = {}[{}]{} parameter({})\n", number == 0 ? "a" : "b",
                     name(op.operand), fmt::join(dims, ","), layout, number);
}

std::string dot_text(const SummedOperation& op) {
  const std::vector<int64_t> rows = {op.rows(), op.terms};
  const std::vector<int64_t> columns = {op.terms, op.rows()};
  const bool other = is_transposed(op);
  return "ENTRY main {\n" + parameter(op, other ? columns : rows, 0) +
         parameter(op, other ? rows : columns, 1) +
         fmt::format(
             "  ROOT r = {0}[{1},{1}] dot(a, b), "
             "lhs_contracting_dims={{{2}}}, "
             "rhs_contracting_dims={{{3}}}\n}}\n",
             name(op.result), op.rows(), other ? 0 : 1, other ? 1 : 0);
}

std::string convolution_text(const SummedOperation& op) {
  const int64_t taps = taps_of(op.terms);
  const std::vector<int64_t> rows = {op.rows(), taps, op.terms / taps};
  const std::vector<int64_t> columns = {taps, op.terms / taps, op.rows()};
  const bool other = is_transposed(op);
  return "ENTRY main {\n" + parameter(op, other ? columns : rows, 0) +
         parameter(op, other ? rows : columns, 1) +
         fmt::format(
             "  ROOT r = {0}[{1},1,{1}] convolution(a, b), "
             "window={{size={2}}}, dim_labels={3}->b0f\n}}\n",
             name(op.result), op.rows(), taps, other ? "0fb_o0i" : "b0f_0io");
}

/// The dimensions of an array with so many numbers for each row.
std::vector<int64_t> single_operand(const SummedOperation& op, int64_t each) {
  std::vector<int64_t> dims = {op.rows(), each};
  if (is_transposed(op)) std::ranges::reverse(dims);
  return dims;
}

std::string reduce_text(const SummedOperation& op) {
  return adder(name(op.operand)) + "ENTRY main {\n" +
         parameter(op, single_operand(op, op.terms), 0) +
         fmt::format(
             "  z = {0}[] constant(0)\n  ROOT r = {0}[{1}] "
             "reduce(a, z), dimensions={{{2}}}, to_apply=add\n}}\n",
             name(op.operand), op.rows(), is_transposed(op) ? 0 : 1);
}

/// Windows over all terms: a second one begins a term later, or each ends at
/// another term.
std::string window_text(const SummedOperation& op) {
  const bool cumulative = op.kind == SumKind::kCumulativeSum;
  const bool other = is_transposed(op);
  const std::string all = std::to_string(op.terms);
  const std::string behind = std::to_string(op.terms - 1) + "_0";
  const std::string pad = !cumulative ? ""
                          : other     ? " pad=" + behind + "x0_0"
                                      : " pad=0_0x" + behind;
  return adder(name(op.operand)) + "ENTRY main {\n" +
         parameter(op, single_operand(op, op.terms + (cumulative ? 0 : 1)), 0) +
         fmt::format(
             "  z = {0}[] constant(0)\n  ROOT r = {0}[{1}] "
             "reduce-window(a, z), window={{size={2}{3}}}, "
             "to_apply=add\n}}\n",
             name(op.operand),
             fmt::join(single_operand(op, cumulative ? op.terms : 2), ","),
             other ? all + "x1" : "1x" + all, pad);
}

void store(Literal& literal, int64_t i, double value) {
  const auto& row = numeric::format(literal.type());
  literal.set(
      i, {.type = literal.type(), .bits = {numeric::encode(value, row), 0}});
}

double load(const Literal& literal, int64_t i) {
  return numeric::decode(literal.at(i).bits[0],
                         numeric::format(literal.type()));
}

}  // namespace

void SumRows::add(std::span<const double> row_a,
                  std::span<const double> row_b) {
  a.insert(a.end(), row_a.begin(), row_a.end());
  b.insert(b.end(), row_b.begin(), row_b.end());
}

std::string_view name(SumKind kind) {
  switch (kind) {
    case SumKind::kDot:
      return "dot";
    case SumKind::kConvolution:
      return "convolution";
    case SumKind::kReduce:
      return "reduce";
    case SumKind::kReduceWindow:
      return "reduce-window";
    case SumKind::kCumulativeSum:
      break;
  }
  return "cumulative-sum";
}

std::string_view name(Arrangement arrangement) {
  switch (arrangement) {
    case Arrangement::kRows:
      return "rows";
    case Arrangement::kTransposed:
      return "transposed operands";
    case Arrangement::kColumnMajor:
      break;
  }
  return "column-major operands";
}

std::span<const SumKind> all_sum_kinds() { return kKinds; }

int64_t SummedOperation::rows() const {
  if (has_products()) return kMatrixRows;
  return kind == SumKind::kReduce ? kReducedRows : kWindowRows;
}

Module SummedOperation::module() const {
  const std::string head = "HloModule fingerprint\n\n";
  switch (kind) {
    case SumKind::kDot:
      return verified_module(head + dot_text(*this));
    case SumKind::kConvolution:
      return verified_module(head + convolution_text(*this));
    case SumKind::kReduce:
      return verified_module(head + reduce_text(*this));
    case SumKind::kReduceWindow:
    case SumKind::kCumulativeSum:
      break;
  }
  return verified_module(head + window_text(*this));
}

std::vector<Literal> SummedOperation::arguments(const SumRows& given) const {
  const Module program = module();
  std::vector<Literal> arguments;
  for (const Instruction* parameter : program.entry->parameters) {
    arguments.emplace_back(parameter->shape);
  }
  const bool other = is_transposed(*this);
  const int64_t pitch = arguments[0].element_count() / rows();
  for (int64_t row = 0; row < given.count(); ++row) {
    const auto a = given.row_of_a(row);
    const auto b = given.row_of_b(row);
    for (int64_t i = 0; i < terms; ++i) {
      const auto term = static_cast<size_t>(i);
      const int64_t of_row = row * pitch + i;
      const int64_t of_column = i * rows() + row;
      store(arguments[0], other ? of_column : of_row, a[term]);
      if (!has_products()) continue;
      store(arguments[1], other ? of_row : of_column, b[term]);
    }
  }
  return arguments;
}

std::vector<double> SummedOperation::cells_of(const Literal& array) const {
  const int64_t columns = array.element_count() / cells();
  // The last prefix is the whole sum, the first window has all terms.
  const int64_t column = kind == SumKind::kCumulativeSum ? columns - 1 : 0;
  std::vector<double> values;
  for (int64_t i = 0; i < cells(); ++i) {
    values.push_back(load(array, is_transposed(*this) && !has_products()
                                     ? column * cells() + i
                                     : i * columns + column));
  }
  return values;
}

}  // namespace hlo::conformance
