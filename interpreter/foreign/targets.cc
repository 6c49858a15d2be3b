#include "interpreter/foreign/targets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/plans/elementwise/elementwise.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

using numeric::Function;
using numeric::Function2;

template <Function function>
struct Function1Rule {
  static constexpr Function kFunction = function;
};

template <Function2 function>
struct Function2Rule {
  static constexpr Function2 kFunction2 = function;
};

struct Atan {
  static constexpr Function kFunction = Function::kAtan;
  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kAtan;
};

struct Cbrt {
  static constexpr Function kFunction = Function::kCbrt;
  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kCbrt;
};

struct AsinAcosKernel {
  static constexpr numeric::ComplexFunction kComplexFunction =
      numeric::ComplexFunction::kAsinAcosKernel;
};

struct IsInf {
  static bool real(auto x) { return isinf(x); }
};

struct IsPosInf {
  static bool real(auto x) { return isinf(x) && x > 0; }
};

struct IsNegInf {
  static bool real(auto x) { return isinf(x) && x < 0; }
};

struct NextAfter {
  static uint64_t bits(uint64_t x, uint64_t y, const FloatFormat& format) {
    if (numeric::is_nan(x, format) || numeric::is_nan(y, format)) {
      return format.quiet_nan();
    }
    const double from = numeric::decode(x, format);
    const double to = numeric::decode(y, format);
    if (from == to) return y;
    const int64_t step = from < to ? 1 : -1;
    // Towards something else there is a next code.
    const uint64_t next =
        *numeric::from_ordinal(numeric::ordinal(x, format) + step, format);
    const bool to_zero = numeric::decode(next, format) == 0;
    const bool is_negative_zero =
        to_zero && from < 0 && format.has_negative_zero();
    return is_negative_zero ? format.sign_mask() : next;
  }
};

/// One function that custom-calls name.
struct Target {
  std::string_view dialect = "chlo";  // before the dot of the target
  std::string_view function;          // behind it
  bool takes_complex = false;
  bool takes_floats = true;
  bool is_predicate = false;
  Op op;
};

/// A function that HLO has an opcode for.
Target with_opcode(std::string_view name) {
  const Op& op = *find_op(name);
  return {.function = name, .takes_complex = name != "erf", .op = op};
}

std::vector<Target> functions() {
  constexpr Accuracy kRounded = rounded();
  const auto row = [](std::string_view name, const Op& op) {
    return Target{.function = name, .op = op};
  };
  const auto predicate = [](std::string_view name, const Op& op) {
    return Target{.function = name, .is_predicate = true, .op = op};
  };
  std::vector<Target> rows = {
      {.function = "atan",
       .takes_complex = true,
       .op = elementwise<Atan>("", kRounded)},
      {.dialect = "stablehlo",
       .function = "cbrt",
       .takes_complex = true,
       .op = elementwise<Cbrt>("", kRounded)},
      {.function = "_asin_acos_kernel",
       .takes_complex = true,
       .takes_floats = false,
       .op = elementwise<AsinAcosKernel>("", kRounded)},
      row("bessel_i1e",
          elementwise<Function1Rule<Function::kBesselI1e>>("", kRounded)),
      row("digamma",
          elementwise<Function1Rule<Function::kDigamma>>("", kRounded)),
      row("erf_inv",
          elementwise<Function1Rule<Function::kErfInv>>("", kRounded)),
      row("erfc", elementwise<Function1Rule<Function::kErfc>>("", kRounded)),
      row("lgamma",
          elementwise<Function1Rule<Function::kLgamma>>("", kRounded)),
      row("polygamma",
          elementwise<Function2Rule<Function2::kPolygamma>>("", kRounded)),
      row("zeta", elementwise<Function2Rule<Function2::kZeta>>("", kRounded)),
      row("next_after", elementwise<NextAfter>("")),
      predicate("is_inf", elementwise<IsInf>("")),
      predicate("is_pos_inf", elementwise<IsPosInf>("")),
      predicate("is_neg_inf", elementwise<IsNegInf>("")),
  };
  for (const char* name : {"acos", "acosh", "asin", "asinh", "atanh", "cosh",
                           "erf", "sinh", "tan"}) {
    rows.push_back(with_opcode(name));
  }
  return rows;
}

Shape infer_target(const Instruction& instruction);

const std::vector<Target>& all_targets() {
  static const std::vector<Target> targets = [] {
    std::vector<Target> rows = functions();
    const Op& custom_call = *find_op("custom-call");
    for (Target& row : rows) {
      row.op.name = custom_call.name;
      row.op.attributes = custom_call.attributes;
      row.op.infer = infer_target;
    }
    return rows;
  }();
  return targets;
}

const Target* target_of(const Op& op) {
  const auto& targets = all_targets();
  const auto found = std::ranges::find_if(
      targets, [&](const Target& row) { return &row.op == &op; });
  return found == targets.end() ? nullptr : &*found;
}

bool fits(const Target& target, const Instruction& call) {
  if (std::ssize(call.operands) != target.op.min_operands) return false;
  const Shape& operand = call.operand_shape(0);
  const bool known = (target.takes_floats && is_float(operand.element_type)) ||
                     (target.takes_complex && is_complex(operand.element_type));
  const auto alike = [&](const Instruction* other) {
    return compatible(other->shape, operand, /*ignore_dynamic=*/true);
  };
  const ElementType result =
      target.is_predicate ? ElementType::kPred : operand.element_type;
  return known && std::ranges::all_of(call.operands, alike) &&
         same_dims(call.shape, operand) && call.shape.element_type == result;
}

Shape infer_target(const Instruction& instruction) {
  Shape result = find_op("custom-call")->infer(instruction);
  require(fits(*target_of(*instruction.op), instruction), "custom-call.C3",
          "a function's operands are of one shape and a type that it takes, "
          "and so is the result; that of is_inf and its kin is pred");
  return result;
}

}  // namespace

const Op* find_target(std::string_view target) {
  const size_t dot = target.find('.');
  if (dot == std::string_view::npos) return nullptr;
  // JAX calls some of CHLO's functions by MHLO's name.
  std::string_view dialect = target.substr(0, dot);
  if (dialect == "mhlo") dialect = "chlo";
  const auto& targets = all_targets();
  const auto found = std::ranges::find_if(targets, [&](const Target& row) {
    return row.dialect == dialect && row.function == target.substr(dot + 1);
  });
  return found == targets.end() ? nullptr : &found->op;
}

void choose_target(Instruction& instruction) {
  if (instruction.op->name != "custom-call") return;
  const Op* op =
      find_target(instruction.get<std::string>("custom_call_target"));
  if (op != nullptr) instruction.op = op;
}

std::string_view function_name(const Op& op) {
  if (op.name != "custom-call") return op.name;
  const Target* target = target_of(op);
  return target == nullptr ? op.name : target->function;
}

}  // namespace hlo
