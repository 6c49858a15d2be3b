// The document "Operation semantics": its examples of operations between
// devices, of which each has its own replica id.
#include "interpreter/builder/testing/builder_case.h"

namespace hlo::builder {
namespace {

/// Row `replica-id` of a matrix.
XlaOp own_row(XlaBuilder* b, std::string_view rows) {
  const XlaOp all = Constant(b, rows);
  const int64_t width = all.shape().dims[1];
  const XlaOp zero = ConstantR0<uint32_t>(b, 0);
  const XlaOps starts = {ReplicaId(b), zero};
  return Reshape(DynamicSlice(all, starts, {1, width}), {width});
}

constexpr std::string_view kTwo = "f32[2,2] {{1.0, 2.5}, {3.0, 5.25}}";
constexpr std::string_view kFour =
    "f32[4,2] {{1, 2}, {10, 20}, {100, 200}, {1000, 2000}}";

XlaComputation sum() { return CreateScalarAddComputation(ElementType::kF32); }

TEST(OperationSemantics, ReplicaId) {
  XlaBuilder b("id");
  b.set_devices(3);
  EXPECT_EQ(values(ReplicaId(&b)),
            (std::vector{literal("u32[] 0"), literal("u32[] 1"),
                         literal("u32[] 2")}));
}

TEST(Builder, PartitionId) {
  XlaBuilder b("id");
  b.set_devices(1, 2);
  EXPECT_EQ(values(PartitionId(&b)),
            (std::vector{literal("u32[] 0"), literal("u32[] 1")}));
}

TEST(OperationSemantics, AllGather) {
  XlaBuilder b("all_gather");
  b.set_devices(2);
  const std::string all = literal("f32[4] {1.0, 2.5, 3.0, 5.25}");
  EXPECT_EQ(values(AllGather(own_row(&b, kTwo), 0, 2)),
            (std::vector{all, all}));
}

// replica_groups = {0, 2}, {1, 3}
TEST(OperationSemantics, AllGatherInGroups) {
  XlaBuilder b("all_gather");
  b.set_devices(4);
  const XlaOp all =
      AllGather(own_row(&b, kFour), 0, 2, {.replica_groups = {{0, 2}, {1, 3}}});
  const std::string even = literal("f32[4] {1, 2, 100, 200}");
  const std::string odd = literal("f32[4] {10, 20, 1000, 2000}");
  EXPECT_EQ(values(all), (std::vector{even, odd, even, odd}));
}

TEST(OperationSemantics, AllReduce) {
  XlaBuilder b("all_reduce");
  b.set_devices(2);
  const XlaOp x = own_row(&b, kTwo);
  const std::string total = literal("f32[2] {4.0, 7.75}");
  EXPECT_EQ(values(AllReduce(x, sum())), (std::vector{total, total}));
  EXPECT_EQ(values(CrossReplicaSum(x)), (std::vector{total, total}));
}

// A tuple becomes a tuple.
TEST(OperationSemantics, AllReduceOfATuple) {
  XlaBuilder b("all_reduce");
  b.set_devices(2);
  const XlaOp x = own_row(&b, kTwo);
  const XlaOp both = AllReduce(Tuple(&b, {x, Neg(x)}), sum());
  EXPECT_EQ(shape_text(both), "(f32[2], f32[2])");
  const std::string total = literal("f32[2] {-4.0, -7.75}");
  EXPECT_EQ(values(GetTupleElement(both, 1)), (std::vector{total, total}));
  EXPECT_EQ(shape_text(AllReduce(Tuple(&b, {x}), sum())), "(f32[2])");
}

TEST(OperationSemantics, AllReduceInGroups) {
  XlaBuilder b("all_reduce");
  b.set_devices(4);
  const XlaOp total = AllReduce(own_row(&b, kFour), sum(),
                                {.replica_groups = {{0, 2}, {1, 3}}});
  const std::string even = literal("f32[2] {101, 202}");
  const std::string odd = literal("f32[2] {1010, 2020}");
  EXPECT_EQ(values(total), (std::vector{even, odd, even, odd}));
}

TEST(OperationSemantics, CrossReplicaSumOfPredicates) {
  XlaBuilder b("sum");
  b.set_devices(2);
  const XlaOp is_first = Eq(ReplicaId(&b), ConstantR0<uint32_t>(&b, 0));
  const std::string yes = literal("pred[] 1");
  EXPECT_EQ(values(CrossReplicaSum(is_first)), (std::vector{yes, yes}));
}

// Four cores split dimension 1 and concatenate along dimension 0.
TEST(OperationSemantics, AllToAll) {
  XlaBuilder b("alltoall");
  b.set_devices(4);
  auto x = Parameter(&b, 0, Shape::array(ElementType::kF32, {4, 16}), "x");
  const XlaOp exchanged = AllToAll(x, /*split_dimension=*/1,
                                   /*concat_dimension=*/0, /*split_count=*/4);
  EXPECT_EQ(shape_text(exchanged), "f32[16,4]");
  EXPECT_EQ(refused_by([&] { AllToAll(x, 1, 0, 3); }), "builder.C9");
  EXPECT_EQ(refused_by([&] { AllToAll(x, 2, 0, 4); }), "builder.C7");
}

// Element (r, c) on core k comes from core r / 4, and was at (r % 4, 4 k + c).
TEST(OperationSemantics, AllToAllValues) {
  XlaBuilder b("alltoall");
  b.set_devices(4);
  const XlaOp numbers = Reshape(Iota(&b, ElementType::kS32, 64), {4, 16});
  const XlaOp core = ConvertElementType(ReplicaId(&b), ElementType::kS32);
  const XlaOp x = Add(numbers, Mul(core, ConstantR0<int32_t>(&b, 1000)));
  const Module module = program(AllToAll(x, 1, 0, 4));
  const GridResult run = evaluate_devices(module, {{}});
  for (int64_t k = 0; k < 4; ++k) {
    const Literal& result = run.results[static_cast<size_t>(k)];
    for (int64_t r = 0; r < 16; ++r) {
      for (int64_t c = 0; c < 4; ++c) {
        EXPECT_EQ(result.integer(r * 4 + c),
                  1000 * (r / 4) + (r % 4) * 16 + 4 * k + c);
      }
    }
  }
}

// replica_groups = {1,2,3}, {4,5,0}: blocks come together in that order.
TEST(OperationSemantics, AllToAllInGroups) {
  XlaBuilder b("alltoall");
  b.set_devices(6);
  const XlaOp id = ConvertElementType(ReplicaId(&b), ElementType::kS32);
  const XlaOp x =
      Add(Iota(&b, ElementType::kS32, 3), Mul(id, ConstantR0<int32_t>(&b, 10)));
  const XlaOp exchanged =
      AllToAll(x, 0, 0, 3, {.replica_groups = {{1, 2, 3}, {4, 5, 0}}});
  EXPECT_EQ(values(exchanged),
            (std::vector{
                literal("s32[3] {42, 52, 2}"), literal("s32[3] {10, 20, 30}"),
                literal("s32[3] {11, 21, 31}"), literal("s32[3] {12, 22, 32}"),
                literal("s32[3] {40, 50, 0}"), literal("s32[3] {41, 51, 1}")}));
}

TEST(Builder, AllToAllTuple) {
  XlaBuilder b("alltoall");
  b.set_devices(2);
  const XlaOp id = ReplicaId(&b);
  const XlaOp ten = Add(id, ConstantR0<uint32_t>(&b, 10));
  const XlaOp exchanged = AllToAllTuple(&b, {id, ten});
  EXPECT_EQ(values(GetTupleElement(exchanged, 1)),
            (std::vector{literal("u32[] 1"), literal("u32[] 11")}));
}

// Where no pair sends to, there are zeros.
TEST(OperationSemantics, CollectivePermute) {
  XlaBuilder b("permute");
  b.set_devices(4);
  const XlaOp x = own_row(&b, kFour);
  EXPECT_EQ(
      values(CollectivePermute(x, {{0, 1}, {1, 2}, {3, 0}})),
      (std::vector{literal("f32[2] {1000, 2000}"), literal("f32[2] {1, 2}"),
                   literal("f32[2] {10, 20}"), literal("f32[2] {0, 0}")}));
  EXPECT_NE(refused_by([&] { CollectivePermute(x, {{0, 1}, {2, 1}}); }), "");
  EXPECT_NE(refused_by([&] { CollectivePermute(x, {{0, 1}, {0, 2}}); }), "");
}

TEST(Builder, CollectiveBroadcast) {
  XlaBuilder b("broadcast");
  b.set_devices(2);
  const std::string second = literal("f32[2] {3.0, 5.25}");
  EXPECT_EQ(values(CollectiveBroadcast(own_row(&b, kTwo), {{1, 0}})),
            (std::vector{second, second}));
}

TEST(OperationSemantics, ReduceScatter) {
  XlaBuilder b("reduce_scatter");
  b.set_devices(2);
  const XlaOp x = own_row(&b, "f32[2,2] {{1.0, 2.25}, {3.0, 5.25}}");
  EXPECT_EQ(values(ReduceScatter(x, sum(), 0, 2)),
            (std::vector{literal("f32[1] {4.0}"), literal("f32[1] {7.5}")}));
  EXPECT_EQ(refused_by([&] { ReduceScatter(x, sum(), 0, 3); }), "builder.C9");
}

TEST(OperationSemantics, ReduceScatterInGroups) {
  XlaBuilder b("reduce_scatter");
  b.set_devices(4);
  const XlaOp parts = ReduceScatter(own_row(&b, kFour), sum(), 0, 2,
                                    {.replica_groups = {{0, 2}, {1, 3}}});
  EXPECT_EQ(values(parts),
            (std::vector{literal("f32[1] {101}"), literal("f32[1] {1010}"),
                         literal("f32[1] {202}"), literal("f32[1] {2020}")}));
}

TEST(OperationSemantics, SendAndRecv) {
  XlaBuilder b("send");
  b.set_devices(1, 2);
  const XlaOp x = Add(PartitionId(&b), ConstantR0<uint32_t>(&b, 7));
  b.SetAttribute("frontend_attributes",
                 "{_xla_send_recv_source_target_pairs=\"{{0,1}}\"}");
  const ChannelHandle channel = {.handle = 1};
  const XlaOp token = CreateToken(&b);
  const XlaOp sent = SendWithToken(x, token, channel);
  const XlaOp received = RecvWithToken(token, x.shape(), channel);
  b.SetAttribute("frontend_attributes", "");
  EXPECT_EQ(shape_text(sent), "token[]");
  EXPECT_EQ(values(GetTupleElement(received, 0)),
            (std::vector{literal("u32[] 0"), literal("u32[] 7")}));
  EXPECT_EQ(shape_text(received), "(u32[], token[])");
}

TEST(Builder, RaggedAllToAll) {
  XlaBuilder b("ragged");
  b.set_devices(2);
  const XlaOp ones = ConstantR1<int32_t>(&b, {1, 1});
  const XlaOp starts = ConstantR1<int32_t>(&b, {0, 1});
  const XlaOp id = ConvertElementType(ReplicaId(&b), ElementType::kS32);
  const XlaOp output = ConstantR1<int32_t>(&b, {-1, -1});
  const XlaOp exchanged =
      RaggedAllToAll(Add(ConstantR1<int32_t>(&b, {10, 20}), id), output,
                     {.input_offsets = starts,
                      .send_sizes = ones,
                      .output_offsets = Broadcast(id, {2}),
                      .recv_sizes = ones},
                     {.replica_groups = {{0, 1}}});
  EXPECT_EQ(values(exchanged), (std::vector{literal("s32[2] {10, 11}"),
                                            literal("s32[2] {20, 21}")}));
}

}  // namespace
}  // namespace hlo::builder
