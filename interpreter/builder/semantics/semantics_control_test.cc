// The document "Operation semantics": its examples of tuples, of computations
// that are run, and of sizes at run time.
#include "interpreter/builder/testing/builder_case.h"

namespace hlo::builder {
namespace {

const Shape kReal = Shape::scalar(ElementType::kF32);
const Shape kInteger = Shape::scalar(ElementType::kS32);

TEST(OperationSemantics, AfterAll) {
  XlaBuilder b("after_all");
  const XlaOp both = AfterAll(&b, {CreateToken(&b), CreateToken(&b)});
  EXPECT_EQ(shape_text(both), "token[]");
  EXPECT_EQ(value(AddDependency(ConstantR0<float>(&b, 1), both)),
            literal("f32[] 1"));
}

/// x -> x * factor + 1.
XlaComputation scaled(float factor) {
  XlaBuilder b("scaled");
  const XlaOp x = Parameter(&b, 0, kReal, "x");
  return b.Build(
      Add(Mul(x, ConstantR0<float>(&b, factor)), ConstantR0<float>(&b, 1)));
}

TEST(OperationSemantics, Call) {
  XlaBuilder b("call");
  const XlaOp x = ConstantR0<float>(&b, 5);
  EXPECT_EQ(value(Call(&b, scaled(2), {x})), literal("f32[] 11"));
  EXPECT_EQ(refused_by([&] {
              Call(&b, scaled(2), {x, x});
            }).substr(0, 5),
            "call.");
}

TEST(OperationSemantics, ConditionalOfAPredicate) {
  XlaBuilder b("conditional");
  const XlaOp x = ConstantR0<float>(&b, 5);
  const XlaOp y = ConstantR0<float>(&b, 7);
  const auto choose = [&](bool pred) {
    return Conditional(ConstantR0<bool>(&b, pred), x, scaled(2), y, scaled(3));
  };
  EXPECT_EQ(value(choose(true)), literal("f32[] 11"));
  EXPECT_EQ(value(choose(false)), literal("f32[] 22"));
}

// An index below 0 or from N on runs branch N - 1.
TEST(OperationSemantics, ConditionalOfAnIndex) {
  XlaBuilder b("conditional");
  const XlaOp x = ConstantR0<float>(&b, 1);
  const auto choose = [&](int32_t index) {
    return Conditional(ConstantR0<int32_t>(&b, index),
                       {scaled(10), scaled(20), scaled(30)}, {x, x, x});
  };
  EXPECT_EQ(value(choose(0)), literal("f32[] 11"));
  EXPECT_EQ(value(choose(1)), literal("f32[] 21"));
  EXPECT_EQ(value(choose(2)), literal("f32[] 31"));
  EXPECT_EQ(value(choose(3)), literal("f32[] 31"));
  EXPECT_EQ(value(choose(-1)), literal("f32[] 31"));
}

TEST(OperationSemantics, CustomCall) {
  XlaBuilder b("custom_call");
  const XlaOp x = ConstantR1<float>(&b, {1, 2});
  const XlaOp y = ConstantR2<float>(&b, {{10, 20, 30}, {40, 50, 60}});
  const XlaOp call =
      CustomCall(&b, "myfunc", {x, y}, Shape::array(ElementType::kF32, {3, 3}),
                 "options", /*has_side_effect=*/true);
  const std::string text = text::print(program(call));
  EXPECT_NE(text.find("f32[3,3] custom-call(%constant, %constant.1), "
                      "custom_call_target=\"myfunc\", "
                      "custom_call_has_side_effect=true, "
                      "backend_config=\"options\""),
            std::string::npos)
      << text;
}

// Padding is no part of what is reduced.
TEST(OperationSemantics, SetDimensionSize) {
  XlaBuilder b("sizes");
  const XlaOp v = ConstantR1<float>(&b, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const XlaOp five = ConstantR0<int32_t>(&b, 5);
  const XlaOp six = ConstantR0<int32_t>(&b, 6);
  const XlaOp padded_v_five = SetDimensionSize(v, five, /*dimension=*/0);
  const XlaOp padded_v_six = SetDimensionSize(v, six, /*dimension=*/0);
  EXPECT_EQ(shape_text(padded_v_five), "f32[<=10]");
  const XlaOp zero = ConstantR0<float>(&b, 0);
  const XlaOp one = ConstantR0<float>(&b, 1);
  const XlaComputation sum = CreateScalarAddComputation(ElementType::kF32);
  const XlaComputation product =
      CreateScalarMultiplyComputation(ElementType::kF32);
  EXPECT_EQ(value(ReduceAll(padded_v_five, zero, sum)), literal("f32[] 15"));
  EXPECT_EQ(value(ReduceAll(padded_v_five, one, product)),
            literal("f32[] 120"));
  EXPECT_EQ(value(ReduceAll(padded_v_six, zero, sum)), literal("f32[] 21"));
  EXPECT_EQ(
      value(ReduceAll(RemoveDynamicDimension(padded_v_six, 0), zero, sum)),
      literal("f32[] 55"));
}

TEST(OperationSemantics, GetDimensionSize) {
  XlaBuilder b("sizes");
  const XlaOp v = Broadcast(ConstantR0<float>(&b, 1), {3, 4});
  EXPECT_EQ(value(GetDimensionSize(v, 1)), literal("s32[] 4"));
  const XlaOp set = SetDimensionSize(v, ConstantR0<int32_t>(&b, 2), 1);
  EXPECT_EQ(value(GetDimensionSize(set, 1)), literal("s32[] 2"));
}

TEST(OperationSemantics, TupleAndGetTupleElement) {
  XlaBuilder b("tuple");
  const XlaOp v = Iota(&b, ElementType::kF32, 10);
  const XlaOp s = ConstantR0<int32_t>(&b, 5);
  const XlaOp t = Tuple(&b, {v, s});
  EXPECT_EQ(shape_text(t), "(f32[10], s32[])");
  const XlaOp element_1 = GetTupleElement(t, 1);
  EXPECT_EQ(shape_text(element_1), "s32[]");
  EXPECT_EQ(value(element_1), literal("s32[] 5"));
  EXPECT_EQ(value(GetTupleElement(t, 0)), value(v));
}

XlaComputation fewer_than(const Shape& state, int32_t limit) {
  XlaBuilder b("condition");
  const XlaOp result = Parameter(&b, 0, state, "result");
  return b.Build(
      Lt(GetTupleElement(result, 0), ConstantR0<int32_t>(&b, limit)));
}

XlaComputation add_vector(const Shape& state) {
  XlaBuilder b("body");
  const XlaOp result = Parameter(&b, 0, state, "result");
  const XlaOp iteration =
      Add(GetTupleElement(result, 0), ConstantR0<int32_t>(&b, 1));
  const XlaOp vector = Add(GetTupleElement(result, 1),
                           Broadcast(ConstantR0<float>(&b, 0.5), {10}));
  return b.Build(Tuple(&b, {iteration, vector}));
}

// 1000 times a constant vector.
TEST(OperationSemantics, While) {
  const Shape state =
      Shape::tuple({kInteger, Shape::array(ElementType::kF32, {10})});
  XlaBuilder b("while");
  const XlaOp init = Tuple(&b, {ConstantR0<int32_t>(&b, 0),
                                Broadcast(ConstantR0<float>(&b, 0), {10})});
  const XlaOp result = While(fewer_than(state, 1000), add_vector(state), init);
  EXPECT_EQ(value(GetTupleElement(result, 0)), literal("s32[] 1000"));
  EXPECT_EQ(value(GetTupleElement(result, 1)),
            literal("f32[10] {500, 500, 500, 500, 500, 500, 500, 500, 500, "
                    "500}"));
}

/// What the program gives with this infeed.
GridResult run_with_infeed(XlaOp op, std::deque<Literal> infeed) {
  const Module module = program(op);
  return run_grid(kReference, {},
                  {{.computation = module.entry, .arguments = {}}},
                  std::move(infeed));
}

TEST(OperationSemantics, Infeed) {
  XlaBuilder b("infeed");
  const XlaOp first = Infeed(&b, kReal);
  const XlaOp second = Infeed(&b, kReal, "config");
  const GridResult run = run_with_infeed(
      Sub(first, second),
      {text::parse_literal("9", kReal), text::parse_literal("4", kReal)});
  EXPECT_EQ(text::print(run.results.at(0)), "5");
}

/// Reads twice and gives the last value: as often as a loop runs.
XlaComputation read_body(const Shape& state) {
  XlaBuilder b("body");
  const XlaOp result = Parameter(&b, 0, state, "result");
  const XlaOp next =
      Add(GetTupleElement(result, 0), ConstantR0<int32_t>(&b, 1));
  return b.Build(Tuple(&b, {next, Infeed(&b, kReal)}));
}

// The loops of the document: their infeeds are in order, because the second
// loop needs the result of the first.
TEST(OperationSemantics, InfeedInTwoLoops) {
  const Shape state = Shape::tuple({kInteger, kReal});
  XlaBuilder b("infeed");
  const XlaOp zero = ConstantR0<int32_t>(&b, 0);
  const XlaOp init = Tuple(&b, {zero, ConstantR0<float>(&b, 0)});
  const XlaOp result1 = While(fewer_than(state, 2), read_body(state), init);
  const XlaOp again = Tuple(&b, {zero, GetTupleElement(result1, 1)});
  const XlaOp result2 = While(fewer_than(state, 1), read_body(state), again);
  const XlaOp both =
      Tuple(&b, {GetTupleElement(result1, 1), GetTupleElement(result2, 1)});
  const GridResult run = run_with_infeed(
      both, {text::parse_literal("1", kReal), text::parse_literal("2", kReal),
             text::parse_literal("3", kReal)});
  EXPECT_EQ(text::print(run.results.at(0)), "(2, 3)");
}

TEST(OperationSemantics, Outfeed) {
  XlaBuilder b("outfeed");
  const XlaOp x = ConstantR0<float>(&b, 3);
  const XlaOp token = OutfeedWithToken(x, CreateToken(&b), "config");
  Outfeed(Mul(x, x));
  const GridResult run = run_with_infeed(AddDependency(x, token), {});
  ASSERT_EQ(run.outfeed.size(), 2U);
  EXPECT_EQ(text::print(run.outfeed[0].value), "3");
  EXPECT_EQ(text::print(run.outfeed[1].value), "9");
}

}  // namespace
}  // namespace hlo::builder
