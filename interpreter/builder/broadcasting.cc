#include "interpreter/builder/broadcasting.h"

#include <fmt/format.h>

#include <tuple>

#include "interpreter/error.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

/// The type that holds the values of both: of two floats the one with the
/// larger range, then the one with more digits.
ElementType type_of_both(ElementType a, ElementType b) {
  require(a == b || (is_float(a) && is_float(b)), "broadcasting.C8",
          {"the operands are of types ", a, " and ", b},
          "they must have one element type, or both be floats");
  if (a == b) return a;
  const auto rank = [](ElementType type) {
    const numeric::FloatFormat& format = numeric::format(type);
    return std::tuple(format.max_exponent(), format.mantissa_bits, bits(type));
  };
  return rank(a) < rank(b) ? b : a;
}

bool goes_with(int64_t a, int64_t b) { return a == b || a == 1 || b == 1; }

/// The shape of two arrays of one rank: the larger size in each dimension.
Shape degenerate_result(const Shape& lhs, const Shape& rhs) {
  Shape result =
      Shape::array(type_of_both(lhs.element_type, rhs.element_type), lhs.dims);
  for (int64_t d = 0; d < lhs.rank(); ++d) {
    const auto k = static_cast<size_t>(d);
    require(
        goes_with(lhs.dims[k], rhs.dims[k]), "broadcasting.C1",
        {"the operands are ", lhs, " and ", rhs},
        "dimensions of arrays of one rank must be equal, or one of them be 1");
    const bool from_rhs = lhs.dims[k] == 1;
    const bool equal = lhs.dims[k] == rhs.dims[k];
    result.dims[k] = from_rhs ? rhs.dims[k] : lhs.dims[k];
    result.set_dynamic(d, (lhs.is_dynamic(d) && (equal || !from_rhs)) ||
                              (rhs.is_dynamic(d) && (equal || from_rhs)));
  }
  return result;
}

void check_equal_rank(std::span<const int64_t> broadcast_dimensions,
                      int64_t rank) {
  if (broadcast_dimensions.empty()) return;
  bool identity = std::ssize(broadcast_dimensions) == rank;
  for (size_t k = 0; identity && k < broadcast_dimensions.size(); ++k) {
    identity = broadcast_dimensions[k] == static_cast<int64_t>(k);
  }
  require(identity, "broadcasting.C4",
          {"broadcast_dimensions is ", broadcast_dimensions,
           " for two arrays of rank ", rank},
          "it must be empty or 0, 1, 2, ...");
}

void check_unequal_rank(const Shape& low, const Shape& high,
                        std::span<const int64_t> broadcast_dimensions) {
  require(!broadcast_dimensions.empty() || low.rank() == 0, "broadcasting.C2",
          {"the operands are ", low, " and ", high,
           " and there are no broadcast_dimensions"},
          "between arrays of different rank they must be given, unless one is "
          "a scalar");
  require(
      std::ssize(broadcast_dimensions) == low.rank(), "broadcasting.C3",
      {"broadcast_dimensions is ", broadcast_dimensions, " for ", low},
      "it must have an entry for each dimension of the array of lower rank");
  int64_t previous = -1;
  for (size_t k = 0; k < broadcast_dimensions.size(); ++k) {
    const int64_t d = broadcast_dimensions[k];
    require(d >= 0 && d < high.rank(), "broadcasting.C5",
            {"broadcast_dimensions names dimension ", d, " of ", high},
            "it must name dimensions of the array of higher rank");
    require(d > previous, "broadcasting.C6",
            {"broadcast_dimensions is ", broadcast_dimensions},
            "it must increase strictly");
    require(goes_with(low.dims[k], high.dims[static_cast<size_t>(d)]),
            "broadcasting.C7",
            {"dimension ", k, " of ", low, " is matched with dimension ", d,
             " of ", high},
            "the two must be equal, or one of them be 1");
    previous = d;
  }
}

/// The array of lower rank, repeated along the dimensions that it lacks.
Shape in_dim_result(const Shape& low, const Shape& high,
                    std::span<const int64_t> broadcast_dimensions) {
  Shape result = high;
  result.element_type = low.element_type;
  result.layout.reset();
  for (size_t k = 0; k < broadcast_dimensions.size(); ++k) {
    const int64_t d = broadcast_dimensions[k];
    result.dims[static_cast<size_t>(d)] = low.dims[k];
    result.set_dynamic(d, low.is_dynamic(static_cast<int64_t>(k)));
  }
  return result;
}

/// `shape` with the dimensions of `result`: those of size 1 that grow are
/// dropped, then the rest is broadcast.
std::vector<BroadcastStep> degenerate_steps(const Shape& shape, Shape result) {
  using Kind = BroadcastStep::Kind;
  if (shape.dims == result.dims) return {};
  result.element_type = shape.element_type;
  if (shape.rank() == 0) return {{Kind::kBroadcast, result, {}}};
  Shape kept = Shape::array(shape.element_type, {});
  std::vector<int64_t> dimensions;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    const auto k = static_cast<size_t>(d);
    if (shape.dims[k] != result.dims[k]) continue;
    append_dimension(kept, shape, d);
    dimensions.push_back(d);
  }
  return {{Kind::kReshape, kept, {}}, {Kind::kBroadcast, result, dimensions}};
}

void append(std::vector<BroadcastStep>& steps,
            std::vector<BroadcastStep> more) {
  steps.insert(steps.end(), more.begin(), more.end());
}

std::string shape_text(const Shape& shape) {
  return to_string(shape, /*with_layout=*/false);
}

std::string step_text(const BroadcastStep& step, const std::string& operand) {
  if (step.kind == BroadcastStep::Kind::kReshape) {
    return fmt::format("{} reshape(%{})", shape_text(step.shape), operand);
  }
  return fmt::format("{} broadcast(%{}), dimensions={{{}}}",
                     shape_text(step.shape), operand,
                     fmt::join(step.dimensions, ","));
}

/// Appends the operand and its steps; the name of the last of them.
std::string append_operand(std::string& text, const std::string& name,
                           int number, const Shape& shape,
                           const std::vector<BroadcastStep>& steps) {
  text += fmt::format("  %{} = {} parameter({})\n", name, shape_text(shape),
                      number);
  std::string last = name;
  for (size_t s = 0; s < steps.size(); ++s) {
    const std::string next = fmt::format("{}.{}", name, s + 1);
    text += fmt::format("  %{} = {}\n", next, step_text(steps[s], last));
    last = next;
  }
  return last;
}

}  // namespace

BroadcastPlan plan_broadcast(const Shape& lhs, const Shape& rhs,
                             std::span<const int64_t> broadcast_dimensions) {
  BroadcastPlan plan;
  Shape wide_lhs = lhs;
  Shape wide_rhs = rhs;
  if (lhs.rank() == rhs.rank()) {
    check_equal_rank(broadcast_dimensions, lhs.rank());
  } else {
    const bool lhs_is_low = lhs.rank() < rhs.rank();
    const Shape& low = lhs_is_low ? lhs : rhs;
    const Shape& high = lhs_is_low ? rhs : lhs;
    check_unequal_rank(low, high, broadcast_dimensions);
    const Shape wide = in_dim_result(low, high, broadcast_dimensions);
    (lhs_is_low ? plan.lhs : plan.rhs)
        .push_back(
            {BroadcastStep::Kind::kBroadcast,
             wide,
             {broadcast_dimensions.begin(), broadcast_dimensions.end()}});
    (lhs_is_low ? wide_lhs : wide_rhs) = wide;
  }
  plan.result = degenerate_result(wide_lhs, wide_rhs);
  append(plan.lhs, degenerate_steps(wide_lhs, plan.result));
  append(plan.rhs, degenerate_steps(wide_rhs, plan.result));
  return plan;
}

std::string broadcast_program(std::string_view opcode, const Shape& lhs,
                              const Shape& rhs,
                              std::span<const int64_t> broadcast_dimensions) {
  const BroadcastPlan plan = plan_broadcast(lhs, rhs, broadcast_dimensions);
  std::string text = "HloModule m\n\nENTRY %main {\n";
  const std::string a = append_operand(text, "a", 0, lhs, plan.lhs);
  const std::string b = append_operand(text, "b", 1, rhs, plan.rhs);
  text += fmt::format("  ROOT %r = {} {}(%{}, %{})\n}}\n",
                      shape_text(plan.result), opcode, a, b);
  return text;
}

}  // namespace hlo
