#include "conformance/literals/inputs.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "conformance/files/output_file.h"
#include "conformance/literals/npy.h"
#include "conformance/literals/random_inputs.h"
#include "interpreter/error.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

std::string read_back(const std::string& text, const std::string& shape) {
  try {
    return text::print(parse_input(text, text::parse_shape(shape)));
  } catch (const Error& error) {
    return error.rule();
  }
}

std::string count_rule(const Module& module,
                       const std::vector<std::string>& texts) {
  try {
    static_cast<void>(make_inputs(module, texts));
  } catch (const Error& error) {
    return error.rule();
  }
  return "";
}

TEST(Inputs, SizesAreThoseThatTheTextSays) {
  using Sizes = std::optional<std::vector<int64_t>>;
  EXPECT_EQ(sizes_of_input("2x3xf32=0"), Sizes({2, 3}));
  EXPECT_EQ(sizes_of_input("f32=0"), Sizes(std::vector<int64_t>()));
  EXPECT_EQ(sizes_of_input("s8[0,2] {}"), Sizes({0, 2}));
  EXPECT_EQ(sizes_of_input("dense<1> : tensor<4xi32>"),
            Sizes(std::vector<int64_t>{4}));
  EXPECT_EQ(sizes_of_input("(f32[], f32[]) (1, 2)"), std::nullopt);
  EXPECT_EQ(sizes_of_input("{1, 2}"), std::nullopt);
  EXPECT_EQ(sizes_of_input("random:1"), std::nullopt);
  EXPECT_EQ(sizes_of_input(""), std::nullopt);
}

TEST(Inputs, LiteralsMayHaveTheirShape) {
  EXPECT_EQ(read_back("{1, 2}", "f32[2]"), "{1, 2}");
  EXPECT_EQ(read_back("f32[2] {1, 2}", "f32[2]"), "{1, 2}");
  EXPECT_EQ(read_back(" f32[2]{0} {1, 2} ", "f32[2]"), "{1, 2}");
  EXPECT_EQ(read_back("7", "s32[]"), "7");
  EXPECT_EQ(read_back("({1}, true)", "(f32[1], pred[])"), "({1}, true)");
  EXPECT_EQ(read_back("(f32[1], pred[]) ({1}, true)", "(f32[1], pred[])"),
            "({1}, true)");
  EXPECT_EQ(read_back("(1, 2)", "c64[]"), "(1, 2)");
}

TEST(Inputs, SizedFormsGiveElementsInRowMajorOrder) {
  const std::string expected = read_back("{{1, 2}, {3, 4}}", "f32[2,2]");
  EXPECT_EQ(read_back("2x2xf32=1 2 3 4", "f32[2,2]"), expected);
  EXPECT_EQ(read_back("2x2xf32=[[1 2][3 4]]", "f32[2,2]"), expected);
  EXPECT_EQ(read_back("2x2xf32=[[1,2],[3,4]]", "f32[2,2]"), expected);
  EXPECT_EQ(read_back("f32=3.5", "f32[]"), "3.5");
  EXPECT_EQ(read_back("2xc64=(1,2) (3,-4)", "c64[2]"), "{(1, 2), (3, -4)}");
}

TEST(Inputs, LiteralsMayBeThoseOfMlir) {
  EXPECT_EQ(read_back("dense<[1, 2]> : tensor<2xi32>", "s32[2]"), "{1, 2}");
  EXPECT_EQ(read_back("dense<0x7FC00001> : tensor<f32>", "f32[]"),
            "nan(0x400001)");
  EXPECT_EQ(read_back("dense<[1, 2]> : tensor<2xi32>", "u32[2]"),
            "input.shape");
  EXPECT_EQ(read_back("dense<1> : tensor<i32> 2", "s32[]"), "stablehlo.syntax");
  EXPECT_EQ(read_back("dense", "s32[]"), "stablehlo.syntax");
}

TEST(Inputs, OneElementFillsAnArray) {
  EXPECT_EQ(read_back("4xf32=0.5", "f32[4]"), "{0.5, 0.5, 0.5, 0.5}");
  EXPECT_EQ(read_back("2x0xf32=0", "f32[2,0]"),
            read_back("2x0xf32=", "f32[2,0]"));
}

TEST(Inputs, HexadecimalNumbersAreBits) {
  EXPECT_EQ(read_back("2xf32=0x3f800000 0x7fc00001", "f32[2]"),
            "{1, nan(0x400001)}");
  EXPECT_EQ(read_back("2xs8=0xff 0x7f", "s8[2]"), "{-1, 127}");
  EXPECT_EQ(read_back("1xs8=0x100", "s8[1]"), "input.value");
  EXPECT_EQ(read_back("1xf32=0x", "f32[1]"), "input.value");
}

TEST(Inputs, TypesMayHaveTheNamesOfMlir) {
  EXPECT_EQ(read_back("2xi32=1 2", "s32[2]"), "{1, 2}");
  EXPECT_EQ(read_back("2xi32=1 2", "u32[2]"), "{1, 2}");
  EXPECT_EQ(read_back("2xsi8=-1 2", "s8[2]"), "{-1, 2}");
  EXPECT_EQ(read_back("2xui8=1 2", "u8[2]"), "{1, 2}");
  EXPECT_EQ(read_back("2xi1=1 0", "pred[2]"), "{1, 0}");
  EXPECT_EQ(read_back("2xui8=1 2", "s8[2]"), "input.shape");
}

TEST(Inputs, DynamicDimensionsMayBeSmaller) {
  EXPECT_EQ(read_back("f32[<=4](2) {1, 2}", "f32[<=4]"), "(2) {1, 2}");
  EXPECT_EQ(read_back("2xf32=1 2", "f32[<=4]"), "(2) {1, 2}");
  EXPECT_EQ(read_back("4xf32=1 2 3 4", "f32[<=4]"), "{1, 2, 3, 4}");
  EXPECT_EQ(read_back("5xf32=0", "f32[<=4]"), "input.shape");
}

TEST(Inputs, OtherShapesAreRefused) {
  EXPECT_EQ(read_back("2x3xf32=0", "f32[3,2]"), "input.shape");
  EXPECT_EQ(read_back("2xf64=0", "f32[2]"), "input.shape");
  EXPECT_EQ(read_back("f32[3] {1, 2, 3}", "f32[2]"), "input.shape");
  EXPECT_EQ(read_back("2xf32=1 2 3", "f32[2]"), "input.value");
  EXPECT_EQ(read_back("3xf32=[1 2 3", "f32[3]"), "input.value");
  EXPECT_EQ(read_back("2xf32=1 x", "f32[2]"), "input.value");
  EXPECT_EQ(read_back("@nowhere.npy", "f32[2]"), "file.read");
}

TEST(Inputs, FilesAreRead) {
  const auto file =
      std::filesystem::temp_directory_path() / "assay_inputs_test.npy";
  const Literal value = parse_input("2xf32=1 2", text::parse_shape("f32[2]"));
  write_file(file.string(), write_npy(value));
  EXPECT_EQ(read_back("@" + file.string(), "f32[2]"), "{1, 2}");
  EXPECT_EQ(read_back("@" + file.string(), "s32[2]"), "npy.type");
  std::filesystem::remove(file);
}

TEST(Inputs, EveryParameterHasOne) {
  const Module module = verified_module(
      "HloModule m\nENTRY e {\n  a = f32[2] parameter(0)\n"
      "  b = s32[] parameter(1)\n  ROOT r = (f32[2], s32[]) tuple(a, b)\n}");
  EXPECT_EQ(count_rule(module, {"{1, 2}", "3"}), "");
  EXPECT_EQ(count_rule(module, {"{1, 2}", "random:7"}), "");
  EXPECT_EQ(count_rule(module, {"random:7"}), "");
  EXPECT_EQ(count_rule(module, {}), "input.count");
  EXPECT_EQ(count_rule(module, {"{1, 2}"}), "input.count");
  EXPECT_EQ(count_rule(module, {"{1, 2}", "3", "4"}), "input.count");
  EXPECT_EQ(count_rule(module, {"random:x"}), "input.seed");
}

TEST(RandomInputs, ElementsDependOnTheirPlaceAlone) {
  const Shape shape = Shape::array(ElementType::kF32, {6});
  const Literal six = random_input(1, 0, shape, 1);
  const Literal two =
      random_input(1, 0, Shape::array(ElementType::kF32, {2}), 1);
  EXPECT_EQ(six.at(1), two.at(1));
  EXPECT_FALSE(identical(six, random_input(2, 0, shape, 1)));
  EXPECT_FALSE(identical(six, random_input(1, 1, shape, 1)));
}

// Key 0, counter 0: the words 6627e8d5 e169c58d give u = 0xe169c58d6627e /
// 2^52, and 0.5 + u = 1.380519244...
TEST(RandomInputs, TheFirstFloatIsThatOfTheSpecification) {
  const Literal value = random_input(0, 0, Shape::scalar(ElementType::kF64), 1);
  EXPECT_EQ(value.scalar().bits[0], 0x3ff6169c58d6627eU);
}

// u^16 = 0.8805201978886141^16 = 0.13057..., times 17 / 4.
TEST(RandomInputs, WeightsAreThoseOfTheSpecification) {
  const Literal value = random_input(0, 0, Shape::scalar(ElementType::kF64), 4);
  EXPECT_EQ(value.scalar().bits[0], 0x3fe1c1c6a9b64a00U);
}

TEST(RandomInputs, FloatsArePositiveInEveryFormat) {
  for (const TypeInfo& type : all_types()) {
    if (type.type_class != TypeClass::kFloat) continue;
    const Literal values =
        random_input(3, 0, Shape::array(type.type, {50}), 1000);
    for (int64_t i = 0; i < 50; ++i) {
      const uint64_t sign = uint64_t{1} << (type.bits - 1);
      EXPECT_NE(values.at(i).bits[0] % sign, 0U) << type.name;
      EXPECT_EQ(values.at(i).bits[0] & sign, 0U) << type.name;
    }
  }
}

TEST(RandomInputs, IntegersAreSmallAndNotNegative) {
  for (const TypeInfo& type : all_types()) {
    if (!is_integer(type.type)) continue;
    const Literal values = random_input(3, 0, Shape::array(type.type, {50}), 1);
    for (int64_t i = 0; i < 50; ++i) {
      EXPECT_GE(values.integer(i), 0) << type.name;
      EXPECT_LT(values.integer(i), 8) << type.name;
    }
  }
}

TEST(RandomInputs, WeightsAreScaledByTheSumsTheyEnter) {
  const Module module = verified_module(
      "HloModule m\nENTRY e {\n  x = f32[4,100] parameter(0)\n"
      "  w = f32[10,100] parameter(1)\n  b = f32[10] parameter(2)\n"
      "  t = f32[100,10] transpose(w), dimensions={1,0}\n"
      "  p = f32[4,10] dot(x, t), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}\n"
      "  c = f32[4,10] broadcast(b), dimensions={1}\n"
      "  ROOT r = f32[4,10] add(p, c)\n}");
  EXPECT_EQ(fan_ins(module), (std::vector<int64_t>{100, 100, 1}));
}

}  // namespace
}  // namespace hlo::conformance
