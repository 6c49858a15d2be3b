#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/certify/certify.h"
#include "conformance/expect/expect_module.h"
#include "conformance/levels/profile_text.h"
#include "conformance/sets/membership.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

// What the documents leave open, and a profile may leave open too: what the
// reference gives is admitted always, other things where the axis says `any`.

namespace hlo::conformance {
namespace {

struct Row {
  const char* axis;
  const char* shape;
  const char* instruction;
  std::vector<const char*> operands;
  /// One character for each element: o is open.
  const char* open;
  const char* other;  // a value that the reference does not give
};

const Row kRows[] = {
    {"integer-division",
     "s8[6]",
     "divide(x0, x1)",
     {"s8[6] {7, -128, -128, 0, -127, 7}", "s8[6] {0, -1, 1, 0, -1, 2}"},
     "oo.o..",
     "99"},
    {"integer-division",
     "u8[3]",
     "divide(x0, x1)",
     {"u8[3] {7, 128, 255}", "u8[3] {0, 255, 1}"},
     "o..",
     "99"},
    {"integer-division",
     "s64[3]",
     "remainder(x0, x1)",
     {"s64[3] {7, -9223372036854775808, -9223372036854775807}",
      "s64[3] {0, -1, -1}"},
     "oo.",
     "99"},
    {"conversions",
     "s8[8]",
     "convert(x0)",
     {"f32[8] {127.9, 128, -128.9, -129, nan, inf, 3, -inf}"},
     ".o.ooo.o",
     "99"},
    {"conversions",
     "u4[5]",
     "convert(x0)",
     {"f32[5] {15.9, 16, -0.9, -1, -0}"},
     ".o.o.",
     "9"},
    {"conversions",
     "s64[3]",
     "convert(x0)",
     {"f64[3] {9223372036854774784, 9223372036854775808, "
      "-9223372036854775808}"},
     ".o.",
     "99"},
    {"conversions", "s8[2]", "convert(x0)", {"s32[2] {300, -1}"}, "..", "99"},
    {"scatter-windows",
     "f32[4]",
     "scatter(x0, x1, x2), update_window_dims={1}, inserted_window_dims={}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second",
     {"f32[4] {1, 2, 3, 4}", "s32[2] {3, 0}", "f32[2,2] {{5, 6}, {7, 8}}"},
     "...o",
     "99"},
    {"scatter-windows",
     "f32[4]",
     "scatter(x0, x1, x2), update_window_dims={1}, inserted_window_dims={}, "
     "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=second",
     {"f32[4] {1, 2, 3, 4}", "s32[2] {-2, -1}", "f32[2,2] {{5, 6}, {7, 8}}"},
     "o...",
     "99"},
};

Module module_of(const Row& row) {
  std::string text =
      "HloModule m\nsecond { a = f32[] parameter(0)\nROOT b = f32[] "
      "parameter(1) }\nENTRY e {\n";
  for (size_t k = 0; k < row.operands.size(); ++k) {
    const std::string operand = row.operands[k];
    text += "x" + std::to_string(k) + " = " +
            operand.substr(0, operand.find(' ')) + " parameter(" +
            std::to_string(k) + ")\n";
  }
  return verified_module(text + "ROOT r = " + row.shape + " " +
                         row.instruction + "\n}");
}

std::vector<Literal> inputs_of(const Row& row) {
  std::vector<Literal> inputs;
  for (const char* operand : row.operands) {
    inputs.push_back(text::parse_literal_with_shape(operand));
  }
  return inputs;
}

/// A set with o where the other value is in it.
std::string admitted(const ArraySet& set, const Scalar& other) {
  std::string text;
  for (int64_t i = 0; i < set.value.element_count(); ++i) {
    EXPECT_TRUE(contains(set, i, set.value.at(i)).inside) << i;
    text += contains(set, i, other).inside ? 'o' : '.';
  }
  return text;
}

TEST(OpenAxes, OpenWhatTheySayAndNothingElse) {
  for (const Row& row : kRows) {
    const Module module = module_of(row);
    const std::string shape = row.shape;
    const Scalar other =
        text::parse_literal_with_shape(shape.substr(0, shape.find('[')) +
                                       "[] " + row.other)
            .scalar();
    const std::vector<Literal> inputs = inputs_of(row);
    for (const bool any : {false, true}) {
      const Profile profile = parse_profile("tight," + std::string(row.axis) +
                                            (any ? "=any" : "=defined"));
      const std::string wanted =
          any ? row.open : std::string(std::string_view(row.open).size(), '.');
      EXPECT_EQ(admitted(std::get<ArraySet>(expect_module(module, inputs,
                                                          nullptr, profile)[0]),
                         other),
                wanted)
          << row.instruction << (any ? " any" : "");
      const SetTree bounds = certify(module, inputs, {.profile = profile});
      EXPECT_EQ(admitted(bounds, other), wanted) << row.instruction;
    }
  }
}

TEST(OpenAxes, DivideBySetsThatHoldZero) {
  const Module module = verified_module(
      "HloModule m\nENTRY e {\nx = s32[] parameter(0)\ny = s32[] parameter(1)\n"
      "ROOT r = s32[] divide(x, y)\n}");
  SetTree x = SetTree::known(text::parse_literal_with_shape("s32[] 1000"));
  SetTree y = SetTree::known(text::parse_literal_with_shape("s32[] 5"));
  y.sets = {ValueSet::range(-5, 5)};
  const Profile any = parse_profile("tight,integer-division=any");
  EXPECT_TRUE(certify(module, {x, y}, {.profile = any})
                  .at(0)
                  .contains(123456, ElementType::kS32));
  y.sets = {ValueSet::range(1, 5)};
  EXPECT_FALSE(certify(module, {x, y}, {.profile = any})
                   .at(0)
                   .contains(123456, ElementType::kS32));
}

TEST(OpenAxes, LeaveRandomBitsOpen) {
  const Module module = verified_module(
      "HloModule m\nENTRY e {\ns = u64[2] parameter(0)\nROOT r = (u64[2], "
      "u32[4]) rng-bit-generator(s), algorithm=rng_philox\n}");
  const std::vector<Literal> state = {
      text::parse_literal_with_shape("u64[2] {1, 2}")};
  for (const bool any : {false, true}) {
    const Profile profile =
        parse_profile(any ? "tight,random-bits=any" : "tight");
    const auto sets = expect_module(module, state, nullptr, profile);
    ASSERT_EQ(sets.size(), 2U);
    for (const Expectation& set : sets) {
      EXPECT_EQ(std::holds_alternative<UnspecifiedSet>(set), any);
    }
  }
}

}  // namespace
}  // namespace hlo::conformance
