#include "conformance/fingerprint/summed_operation.h"

#include <fmt/format.h>

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

std::string dot_text(const SummedOperation& op) {
  return fmt::format(
      "ENTRY main {{\n  a = {0}[{2},{3}] parameter(0)\n"
      "  b = {0}[{3},{2}] parameter(1)\n  ROOT r = {1}[{2},{2}] dot(a, b), "
      "lhs_contracting_dims={{1}}, rhs_contracting_dims={{0}}\n}}\n",
      name(op.operand), name(op.result), op.rows(), op.terms);
}

std::string convolution_text(const SummedOperation& op) {
  const int64_t taps = taps_of(op.terms);
  return fmt::format(
      "ENTRY main {{\n  a = {0}[{2},{3},{4}] parameter(0)\n"
      "  b = {0}[{3},{4},{2}] parameter(1)\n  ROOT r = {1}[{2},1,{2}] "
      "convolution(a, b), window={{size={3}}}, dim_labels=b0f_0io->b0f\n}}\n",
      name(op.operand), name(op.result), op.rows(), taps, op.terms / taps);
}

std::string reduce_text(const SummedOperation& op) {
  return adder(name(op.operand)) +
         fmt::format(
             "ENTRY main {{\n  a = {0}[{1},{2}] parameter(0)\n"
             "  z = {0}[] constant(0)\n  ROOT r = {0}[{1}] reduce(a, z), "
             "dimensions={{1}}, to_apply=add\n}}\n",
             name(op.operand), op.rows(), op.terms);
}

/// Windows over all terms: a second one begins a term later, or each ends at
/// another term.
std::string window_text(const SummedOperation& op) {
  const bool cumulative = op.kind == SumKind::kCumulativeSum;
  const std::string pad =
      cumulative ? fmt::format(" pad=0_0x{}_0", op.terms - 1) : "";
  return adder(name(op.operand)) +
         fmt::format(
             "ENTRY main {{\n  a = {0}[{1},{2}] parameter(0)\n"
             "  z = {0}[] constant(0)\n  ROOT r = {0}[{1},{3}] "
             "reduce-window(a, z), window={{size=1x{4}{5}}}, "
             "to_apply=add\n}}\n",
             name(op.operand), op.rows(), op.terms + (cumulative ? 0 : 1),
             cumulative ? op.terms : 2, op.terms, pad);
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
  const int64_t pitch = arguments[0].element_count() / rows();
  for (int64_t row = 0; row < given.count(); ++row) {
    const auto a = given.row_of_a(row);
    const auto b = given.row_of_b(row);
    for (int64_t i = 0; i < terms; ++i) {
      const auto term = static_cast<size_t>(i);
      store(arguments[0], row * pitch + i, a[term]);
      if (has_products()) store(arguments[1], i * rows() + row, b[term]);
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
    values.push_back(load(array, i * columns + column));
  }
  return values;
}

}  // namespace hlo::conformance
