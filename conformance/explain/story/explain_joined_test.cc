#include "conformance/explain/story/explain_joined.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "conformance/explain/explain.h"
#include "conformance/explain/testing/explanation_checks.h"
#include "conformance/random/draw.h"
#include "interpreter/error.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

constexpr std::array<std::string_view, 8> kCombiners = {
    "add", "multiply", "maximum", "minimum", "and", "or", "xor", "subtract"};

/// The types that a combination goes through.
struct Types {
  ElementType operand;
  ElementType combined;
  ElementType result;
};

/// Each of three devices keeps one element; nothing where a rule forbids it.
std::optional<Module> scattered(const Types& types, std::string_view combiner) {
  const std::string text = fmt::format(
      "HloModule m, replica_count=3\n"
      "f {{\n  a = {1}[] parameter(0)\n  b = {1}[] parameter(1)\n"
      "  ROOT c = {1}[] {3}(a, b)\n}}\n"
      "ENTRY main {{\n  x = {0}[3] parameter(0)\n"
      "  ROOT r = {2}[1] reduce-scatter(x), dimensions={{0}}, to_apply=f\n}}\n",
      name(types.operand), name(types.combined), name(types.result), combiner);
  Module module = text::parse(text);
  try {
    verify(module);
  } catch (const Error&) {
    return std::nullopt;
  }
  return module;
}

std::vector<ElementType> array_types() {
  std::vector<ElementType> types;
  for (const TypeInfo& row : all_types()) {
    if (row.type_class != TypeClass::kNone) types.push_back(row.type);
  }
  return types;
}

/// Explains each device's element of programs with these types.
int explained(const Types& types, Draw& draw) {
  int count = 0;
  for (const std::string_view combiner : kCombiners) {
    const std::optional<Module> module = scattered(types, combiner);
    if (!module) continue;
    std::vector<std::vector<Literal>> arguments(3);
    for (std::vector<Literal>& own : arguments) {
      own = {draw.literal(Shape::array(types.operand, {3}))};
    }
    for (int64_t replica = 0; replica < 3; ++replica) {
      ExplainRequest request{.element = "%main/r[0]"};
      request.device = Device{.replica = replica};
      SCOPED_TRACE(fmt::format("{} of {} in {} to {}", combiner,
                               name(types.operand), name(types.combined),
                               name(types.result)));
      check_facts(explain(*module, arguments, request));
      ++count;
    }
  }
  return count;
}

TEST(ExplainJoined, CombinesInAnyTypeAsTheEvaluatorDoes) {
  Draw draw(1);
  int count = 0;
  const std::vector<ElementType> types = array_types();
  for (const ElementType operand : types) {
    for (const ElementType combined : types) {
      count += explained({operand, combined, operand}, draw);
      count += explained({operand, combined, draw.of(types)}, draw);
    }
  }
  EXPECT_GT(count, 5000);
}

/// Explains the one element of three devices' f64.
void explain_doubles(std::string_view combiner,
                     const std::array<double, 3>& values) {
  constexpr ElementType kF64 = ElementType::kF64;
  const std::optional<Module> module = scattered({kF64, kF64, kF64}, combiner);
  std::vector<std::vector<Literal>> arguments;
  for (const double value : values) {
    const auto bits = std::bit_cast<uint64_t>(value);
    arguments.push_back({Literal(Shape::array(kF64, {3}))});
    arguments.back()[0].set(0, {kF64, {bits, 0}});
  }
  check_facts(explain(module.value(), arguments, {.element = "%main/r[0]"}));
}

TEST(ExplainJoined, RoundsNothingBesideAnInfinity) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kMost = std::numeric_limits<double>::max();
  explain_doubles("multiply", {0x1p-1000, -0x1p-1000, kInf});
  explain_doubles("multiply", {kInf, 0, kMost});
  explain_doubles("add", {kMost, kMost, -kInf});
  explain_doubles("add", {-kMost, kInf, -kMost});
}

// Their exact values would have 200,000 bits and more.
TEST(ExplainJoined, TellsOfProductsBeyondAllNumbers) {
  for (const auto& [factor, said, result] :
       {std::tuple{"1e-300", "below 2^-65536 in size", " = 0 "},
        {"-1e-300", "below 2^-65536 in size", " = -0.0 "},
        {"1e300", "beyond 2^55536 in size", " = inf "},
        {"-1e300", "beyond 2^55536 in size", " = -inf "}}) {
    const Module module = verified_module(
        "f { a = f64[] parameter(0) b = f64[] parameter(1) "
        "ROOT c = f64[] multiply(a, b) } ENTRY e { v = f64[] constant(" +
        std::string(factor) +
        ") x = f64[201] broadcast(v), dimensions={} i = f64[] constant(1) "
        "ROOT r = f64[] reduce(x, i), dimensions={0}, to_apply=f }");
    const Explanation told = explain(module, {{}}, {.element = "%e/r[]"});
    check_facts(told);
    EXPECT_NE(told.text.find(said), std::string::npos) << told.text;
    EXPECT_NE((told.text + " ").find(result), std::string::npos) << told.text;
  }
}

}  // namespace
}  // namespace hlo::conformance
