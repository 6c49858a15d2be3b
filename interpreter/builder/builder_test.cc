#include "interpreter/builder/builder.h"

#include "interpreter/builder/testing/builder_case.h"

namespace hlo::builder {
namespace {

const Shape kReal = Shape::scalar(ElementType::kF32);

TEST(Builder, EmitsHloWithNamesThatAreFree) {
  XlaBuilder b("two words");
  const XlaOp x = Parameter(&b, 0, Shape::array(ElementType::kF32, {2}), "add");
  const XlaOp y = Add(x, ConstantR0<float>(&b, 1));
  const XlaComputation built = b.Build(Add(y, y));
  EXPECT_EQ(text::print(built.module()), R"(HloModule two_words

ENTRY %two_words {
  %add = f32[2] parameter(0)
  %constant = f32[] constant(1)
  %broadcast = f32[2] broadcast(%constant), dimensions={}
  %add.1 = f32[2] add(%add, %broadcast)
  ROOT %add.2 = f32[2] add(%add.1, %add.1)
}
)");
}

TEST(Builder, RootIsTheLastUnlessItIsSaid) {
  XlaBuilder b("root");
  const XlaOp one = ConstantR0<float>(&b, 1);
  ConstantR0<float>(&b, 2);
  EXPECT_EQ(text::print(evaluate(b.Build().module(), {})), "2");
  EXPECT_EQ(text::print(evaluate(b.Build(one).module(), {})), "1");
}

TEST(Builder, EmbedsAComputationOnceUnderAFreeName) {
  const XlaComputation sum = CreateScalarAddComputation(ElementType::kF32);
  XlaBuilder b("add");
  const XlaOp x = ConstantR1<float>(&b, {1, 2});
  const XlaOp zero = ConstantR0<float>(&b, 0);
  const XlaOp first = Reduce(x, zero, sum, {0});
  const XlaOp second = Reduce(x, first, sum, {0});
  const XlaOp third =
      Reduce(x, second, CreateScalarAddComputation(ElementType::kF32), {0});
  const Module module = program(third);
  ASSERT_EQ(module.computations.size(), 3U);
  EXPECT_EQ(module.computations[0]->name, "add");
  EXPECT_EQ(module.computations[1]->name, "add.1");
  EXPECT_EQ(module.entry->name, "add.2");
  EXPECT_EQ(value(third), literal("f32[] 9"));
}

TEST(Builder, ComputationsMayCallOthers) {
  XlaBuilder inner("inner");
  const XlaOp x = Parameter(&inner, 0, kReal, "x");
  const XlaComputation square = inner.Build(Mul(x, x));
  XlaBuilder outer("outer");
  const XlaComputation fourth = outer.Build(
      Call(&outer, square,
           {Call(&outer, square, {Parameter(&outer, 0, kReal, "x")})}));
  XlaBuilder b("main");
  EXPECT_EQ(value(Add(Call(&b, fourth, {ConstantR0<float>(&b, 2)}),
                      Call(&b, square, {ConstantR0<float>(&b, 3)}))),
            literal("f32[] 25"));
}

TEST(Builder, LeavesNothingBehindWhereACallFails) {
  XlaBuilder b("failure");
  const XlaOp x = ConstantR1<float>(&b, {1, 2});
  EXPECT_EQ(refused_by([&] { Reshape(x, {3}); }).substr(0, 8), "reshape.");
  EXPECT_EQ(program(x).entry->instructions.size(), 1U);
}

TEST(Builder, SaysWhichInstructionFails) {
  XlaBuilder b("failure");
  const XlaOp x = ConstantR1<float>(&b, {1, 2});
  try {
    Transpose(x, {1});
    FAIL() << "must be refused";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("transpose(%constant)"), std::string::npos)
        << error.message();
  }
}

TEST(Builder, RefusesOperandsOfOthers) {
  XlaBuilder a("a");
  XlaBuilder b("b");
  const XlaOp x = ConstantR0<float>(&a, 1);
  const XlaOp y = ConstantR0<float>(&b, 1);
  EXPECT_EQ(refused_by([&] { Add(x, y); }), "builder.C1");
  EXPECT_EQ(refused_by([&] { b.Build(x); }), "builder.C1");
  EXPECT_EQ(refused_by([&] { Neg(XlaOp()); }), "builder.C1");
  EXPECT_EQ(refused_by([&] { static_cast<void>(XlaOp().shape()); }),
            "builder.C1");
}

TEST(Builder, RefusesWhatIsNotBuilt) {
  XlaBuilder b("b");
  EXPECT_EQ(refused_by([&] { b.Build(); }), "text.empty");
  EXPECT_EQ(refused_by([&] { Call(&b, XlaComputation(), {}); }), "builder.C2");
}

TEST(Builder, RefusesShapesThatNoTextHas) {
  XlaBuilder b("b");
  const auto parameter = [&](const Shape& shape) {
    return refused_by([&] { Parameter(&b, 0, shape, "x"); });
  };
  EXPECT_EQ(parameter(Shape::array(ElementType::kF32, {-2})), "builder.C3");
  EXPECT_EQ(parameter(Shape::array(ElementType::kToken, {2})), "builder.C3");
  EXPECT_EQ(parameter(Shape::array(ElementType::kF32, Ints(200, 1))),
            "builder.C3");
  Shape marks = kReal;
  marks.dynamic = {true};
  EXPECT_EQ(parameter(Shape::tuple({marks})), "builder.C3");
  EXPECT_EQ(refused_by([&] { Zero(&b, ElementType::kToken); }), "builder.C3");
  EXPECT_EQ(refused_by([&] { MinValue(&b, ElementType::kC64); }), "builder.C3");
}

TEST(Builder, NumbersParametersOnceWithoutGaps) {
  XlaBuilder b("b");
  const XlaOp x = Parameter(&b, 1, kReal, "x");
  EXPECT_EQ(refused_by([&] { Parameter(&b, 1, kReal, "x"); }), "builder.C4");
  EXPECT_EQ(refused_by([&] { Parameter(&b, -1, kReal, "x"); }), "builder.C4");
  EXPECT_EQ(refused_by([&] { b.Build(x); }), "text.parameters");
  Parameter(&b, 0, kReal, "y");
  EXPECT_EQ(b.Build(x).module().entry->parameters[1]->name, "x");
}

TEST(Builder, BoundsTheTuplesOfAProgram) {
  XlaBuilder b("b");
  XlaOp tuple = ConstantR0<float>(&b, 1);
  EXPECT_EQ(refused_by([&] {
              for (int i = 0; i < 100; ++i) tuple = Tuple(&b, {tuple, tuple});
            }),
            "module.shapes");
}

TEST(Builder, TakesAttributesOfEveryInstruction) {
  XlaBuilder b("b");
  b.SetAttribute("metadata", "{op_name=\"here\"}");
  const XlaOp x = ConstantR0<float>(&b, 1);
  b.SetAttribute("metadata", "");
  const std::string text = text::print(program(Neg(x)));
  EXPECT_NE(text.find("constant(1), metadata={op_name=\"here\"}"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("negate(%constant), "), std::string::npos) << text;
  EXPECT_EQ(refused_by([&] { b.SetAttribute("dimensions", "{0}"); }),
            "text.attribute-unknown");
  EXPECT_THROW(b.SetAttribute("metadata", "{op_name=\"a\"} {}"), Error);
}

TEST(Builder, SubBuildersAreForAsManyDevices) {
  XlaBuilder b("b");
  b.set_devices(2, 3);
  const auto sub = b.CreateSubBuilder("sub");
  const XlaComputation built = sub->Build(ReplicaId(sub.get()));
  EXPECT_EQ(built.module().replica_count, 2);
  EXPECT_EQ(built.module().num_partitions, 3);
  EXPECT_EQ(refused_by([&] { b.set_devices(0); }), "text.range");
}

TEST(Builder, ExtremeConstants) {
  XlaBuilder b("extremes");
  const auto text = [&](XlaOp (*constant)(XlaBuilder*, ElementType),
                        ElementType type) { return value(constant(&b, type)); };
  EXPECT_EQ(text(MinValue, ElementType::kF32), literal("f32[] -inf"));
  EXPECT_EQ(text(MaxValue, ElementType::kBF16), literal("bf16[] inf"));
  EXPECT_EQ(text(MaxValue, ElementType::kF8E4M3FN), literal("f8e4m3fn[] 448"));
  EXPECT_EQ(text(MinValue, ElementType::kF8E4M3FN), literal("f8e4m3fn[] -448"));
  EXPECT_EQ(text(MinValue, ElementType::kS8), literal("s8[] -128"));
  EXPECT_EQ(text(MaxValue, ElementType::kS8), literal("s8[] 127"));
  EXPECT_EQ(text(MaxValue, ElementType::kS4), literal("s4[] 7"));
  EXPECT_EQ(text(MaxValue, ElementType::kU64),
            literal("u64[] 18446744073709551615"));
  EXPECT_EQ(text(MinValue, ElementType::kU8), literal("u8[] 0"));
  EXPECT_EQ(text(MaxValue, ElementType::kPred), literal("pred[] 1"));
  EXPECT_EQ(text(One, ElementType::kF16), literal("f16[] 1"));
  EXPECT_EQ(text(One, ElementType::kC128), literal("c128[] (1, 0)"));
  EXPECT_EQ(text(One, ElementType::kS64), literal("s64[] 1"));
  EXPECT_EQ(text(One, ElementType::kF8E8M0FNU), literal("f8e8m0fnu[] 1"));
  EXPECT_EQ(text(Zero, ElementType::kF64), literal("f64[] 0"));
}

TEST(Builder, RefusesListsOfDifferentLengths) {
  XlaBuilder b("lists");
  EXPECT_EQ(refused_by([&] {
              ConstantR2<float>(&b, {{1, 2}, {3}});
            }),
            "builder.C5");
  EXPECT_EQ(refused_by([&] {
              MakeWindow({1, 2}, {.strides = {1}});
            }),
            "builder.C5");
  EXPECT_EQ(refused_by([&] {
              MakePadding({4}, {1, 2}, {}, Padding::kSame);
            }),
            "builder.C5");
}

}  // namespace
}  // namespace hlo::builder
