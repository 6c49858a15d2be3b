#include "interpreter/verify/verify.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "interpreter/rules/attributes/sharding.h"
#include "interpreter/rules/attributes/verbatim.h"
#include "interpreter/rules/devices/collective.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify_rules.h"

namespace hlo {
namespace {

constexpr std::string_view kSum = R"(HloModule m

ENTRY main {
  x = f32[2] parameter(0)
  y = add(x, x)
  ROOT r = f32[2] negate(y)
})";

/// The error of verifying the module, if any.
std::optional<Error> error_of(Module& module) {
  try {
    verify(module);
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

std::string rule_of(Module& module) {
  const auto error = error_of(module);
  return error ? error->rule() : "none";
}

Instruction& instruction(Module& module, size_t i) {
  return *module.entry->instructions[i];
}

TEST(Verify, FillsInShapesThatTheTextLeftOut) {
  Module module = text::parse(kSum);
  verify(module);
  EXPECT_TRUE(instruction(module, 1).has_shape);
  EXPECT_EQ(to_string(instruction(module, 1).shape, false), "f32[2]");
}

TEST(Verify, ResultsHaveAMarkForEachDimensionThatIsKept) {
  Module module = text::parse(R"(HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY main {
  x = f32[<=2,3,<=4] parameter(0)
  z = f32[] constant(0)
  y = reduce(x, z), dimensions={2}, to_apply=add
  w = reduce(x, z), dimensions={1}, to_apply=add
  ROOT r = dot(x, x), lhs_contracting_dims={2}, rhs_contracting_dims={2}
})");
  verify(module);
  EXPECT_EQ(instruction(module, 2).shape.dynamic,
            (std::vector<bool>{true, false}));
  EXPECT_EQ(instruction(module, 3).shape.dynamic,
            (std::vector<bool>{true, true}));
  EXPECT_EQ(instruction(module, 4).shape.dynamic,
            (std::vector<bool>{true, false, true, false}));
}

TEST(Verify, NamesThePlaceAndTheInstruction) {
  Module module = text::parse(R"(HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  ROOT r = f32[3] negate(x)
})");
  const auto error = error_of(module);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->phase(), Phase::kVerify);
  EXPECT_EQ(error->rule(), "text.shape-mismatch");
  EXPECT_EQ(error->location().line, 4);
  EXPECT_EQ(error->message(),
            "the shape is f32[2], but the text says f32[3]: "
            "%r = f32[3] negate(%x)");
}

TEST(Verify, ShortensLongInstructions) {
  std::string text =
      "HloModule m\nENTRY main {\n  x = f32[] parameter(0)\n"
      "  ROOT r = f32[2] tuple(x";
  for (int i = 0; i < 1000; ++i) text += ", x";
  Module module = text::parse(text + ")\n}");
  const auto error = error_of(module);
  ASSERT_TRUE(error);
  EXPECT_LT(summary(instruction(module, 1)).size(), 160U);
}

TEST(Verify, AcceptsTheSameModuleTwice) {
  Module module = text::parse(kSum);
  verify(module);
  EXPECT_EQ(rule_of(module), "none");
}

TEST(Verify, RefusesAnOperandThatStandsBehind) {
  Module module = text::parse(kSum);
  instruction(module, 1).operands[0] = &instruction(module, 2);
  EXPECT_EQ(rule_of(module), "text.undefined");
}

TEST(Verify, RefusesTooManyOperands) {
  Module module = text::parse(kSum);
  Instruction& negate = instruction(module, 2);
  negate.operands.push_back(negate.operands[0]);
  EXPECT_EQ(rule_of(module), "text.operand-count");
}

TEST(Verify, RefusesAWordThatIsNoneOfTheAttributes) {
  Module module = text::parse(R"(HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  ROOT r = compare(x, x), direction=LT
})");
  instruction(module, 1).attributes[0].second = Word{""};
  EXPECT_EQ(rule_of(module), "text.word");
  instruction(module, 1).attributes[0].second = Word{"GE GT"};
  EXPECT_EQ(rule_of(module), "text.word");
}

TEST(Verify, RefusesAnAttributeOfAnotherOperation) {
  Module module = text::parse(kSum);
  instruction(module, 2).attributes.emplace_back("dimensions", Ints{0});
  EXPECT_EQ(rule_of(module), "text.attribute-unknown");
}

TEST(Verify, RefusesAnAttributeOfAnotherType) {
  Module module = text::parse(kSum);
  instruction(module, 2).attributes.emplace_back("metadata", int64_t{1});
  EXPECT_EQ(rule_of(module), "text.attribute-unknown");
}

TEST(Verify, RefusesAMissingAttribute) {
  Module module = text::parse(R"(HloModule m
ENTRY main {
  x = f32[2] parameter(0)
  ROOT r = f32[2] reverse(x), dimensions={0}
})");
  instruction(module, 1).attributes.clear();
  EXPECT_EQ(rule_of(module), "text.attribute-missing");
}

TEST(Verify, RefusesAGapInTheParameters) {
  Module module = text::parse(kSum);
  module.entry->parameters.push_back(nullptr);
  EXPECT_EQ(rule_of(module), "text.parameters");
}

TEST(Verify, NestsTuplesTwoHundredDeep) {
  for (const int depth : {200, 201}) {
    Shape shape = Shape::scalar(ElementType::kF32);
    for (int d = 0; d < depth; ++d) shape = Shape::tuple({shape});
    Module module = text::parse(
        "HloModule m\nENTRY main {\n  ROOT x = f32[] parameter(0)\n}");
    instruction(module, 0).shape = shape;
    EXPECT_EQ(rule_of(module), depth > 200 ? "module.shapes" : "none");
  }
}

/// The error of a program that sends x[2] and then y to the host by channel 1.
std::string rule_of_sends(const std::string& type_of_y) {
  Module module = text::parse(
      "HloModule m\nENTRY main {\n  x = f32[2] parameter(0)\n  y = " +
      type_of_y +
      " parameter(1)\n  t = token[] after-all()\n"
      "  a = (f32[2], u32[], token[]) send(x, t), channel_id=1, "
      "is_host_transfer=true\n"
      "  b = token[] send-done(a), channel_id=1, is_host_transfer=true\n"
      "  c = (" +
      type_of_y +
      ", u32[], token[]) send(y, b), channel_id=1, is_host_transfer=true\n"
      "  ROOT d = token[] send-done(c), channel_id=1, is_host_transfer=true\n"
      "}");
  return rule_of(module);
}

TEST(Verify, TransfersOfOneChannelAreAlikeWhateverIsDynamic) {
  EXPECT_EQ(rule_of_sends("f32[2]"), "none");
  EXPECT_EQ(rule_of_sends("f32[<=2]"), "none");
  EXPECT_EQ(rule_of_sends("f32[3]"), "channel.alike");
}

TEST(Verify, OnlyTheRootMaySendWithoutADone) {
  const std::string begin =
      "HloModule m\nENTRY main {\n  x = f32[2] parameter(0)\n"
      "  t = token[] after-all()\n";
  const std::string send =
      "a = (f32[2], u32[], token[]) send(x, t), channel_id=1\n";
  Module at_end = text::parse(begin + "  ROOT " + send + "}");
  EXPECT_EQ(rule_of(at_end), "none");
  Module unused =
      text::parse(begin + "  " + send + "  ROOT r = f32[2] negate(x)\n}");
  EXPECT_EQ(rule_of(unused), "channel.users");
}

TEST(Verify, AllReductionsConstrainTheirLayoutOrNone) {
  const std::string reduce =
      " all-reduce(x), replica_groups={}, to_apply=add, constrain_layout=";
  for (const auto& [first, second] :
       {std::pair("true", "true"), std::pair("false", "false"),
        std::pair("true", "false"), std::pair("false", "true")}) {
    Module module = text::parse(
        "HloModule m\nadd {\n  a = f32[] parameter(0)\n"
        "  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n"
        "ENTRY main {\n  x = f32[2] parameter(0)\n  y = f32[2]" +
        reduce + first + "\n  ROOT z = f32[2]" + reduce + second + "\n}");
    EXPECT_EQ(rule_of(module), std::string_view(first) == second
                                   ? "none"
                                   : "collective.constrain-layout");
  }
}

TEST(Verbatim, ReadsAliases) {
  const auto aliases =
      read_aliases("{ {}: (1, {2,3}, must-alias), {0, 1}: (0, {}) }");
  ASSERT_TRUE(aliases);
  ASSERT_EQ(aliases->size(), 2);
  EXPECT_EQ((*aliases)[0].operand, 1);
  EXPECT_EQ((*aliases)[0].operand_index, (Index{2, 3}));
  EXPECT_TRUE((*aliases)[0].must_alias);
  EXPECT_EQ((*aliases)[1].output, (Index{0, 1}));
}

TEST(Verbatim, ReadsNumbersBehindSpace) {
  const auto aliases = read_aliases("{ { 0 }: ( 1, { /*one*/ 2 }) }");
  ASSERT_TRUE(aliases);
  ASSERT_EQ(aliases->size(), 1);
  EXPECT_EQ((*aliases)[0].output, (Index{0}));
  EXPECT_EQ((*aliases)[0].operand, 1);
  EXPECT_EQ((*aliases)[0].operand_index, (Index{2}));
}

TEST(Verbatim, ReadsNothingFromAnUnfinishedText) {
  EXPECT_FALSE(read_aliases("{ {0}: (1, {2}"));
  EXPECT_FALSE(read_donors("{ (0, {})"));
  EXPECT_FALSE(read_sharding("{devices=[2,"));
  EXPECT_FALSE(read_sharding(std::string(100'000, '{')));
  EXPECT_FALSE(read_origin(std::string(100'000, '(')));
}

TEST(Verbatim, ReadsTiledShardings) {
  const auto sharding =
      read_sharding("{devices=[2,1,4]<=[8]T(0) last_tile_dims={manual}}");
  ASSERT_TRUE(sharding);
  EXPECT_EQ(sharding->kind, Sharding::Kind::kTiled);
  EXPECT_EQ(sharding->tiles, (std::vector<int64_t>{2, 1, 4}));
  EXPECT_EQ(sharding->subgroup_dims, 1);
}

TEST(Verbatim, ReadsTuplesOfShardings) {
  const auto sharding = read_sharding(
      R"({{replicated}, {devices=[2]0,1 metadata={op_name="}"}}, /*i*/{manual}})");
  ASSERT_TRUE(sharding);
  ASSERT_EQ(sharding->elements.size(), 3);
  EXPECT_EQ(sharding->elements[1].devices, (std::vector<int64_t>{0, 1}));
}

TEST(Verbatim, CountsTheDimensionsOfMeshShardings) {
  const auto sharding =
      read_sharding("{mesh['x'=2,'y'=4] [{'x'}, {}, {'y'}], replicated={}}");
  ASSERT_TRUE(sharding);
  EXPECT_EQ(sharding->kind, Sharding::Kind::kMesh);
  EXPECT_EQ(sharding->mesh_dims, 3);
}

TEST(Verbatim, ReadsSparseSides) {
  const auto sides = read_sparsity(
      "{lhs={sparsity=1x2 dimension=1 stride=1 idx=2}, rhs={sparsity=2x4}}");
  ASSERT_EQ(sides.size(), 2);
  EXPECT_FALSE(sides[0].is_rhs);
  EXPECT_EQ(sides[0].dimension, 1);
  EXPECT_EQ(sides[0].operand, 2);
  EXPECT_EQ(sides[1].kept, 2);
  EXPECT_EQ(sides[1].of, 4);
  EXPECT_TRUE(read_sparsity("{lhs-={-x-").size() <= 1);
}

TEST(Verbatim, ReadsTheNestingOfOrigins) {
  const auto origin = read_origin(R"({({"a"}, ({"b" {0}}, {}))})");
  ASSERT_TRUE(origin);
  ASSERT_EQ(origin->elements.size(), 2);
  EXPECT_TRUE(origin->elements[0].is_leaf);
  EXPECT_EQ(origin->elements[1].elements.size(), 2);
}

TEST(Verbatim, FindsPartsOfShapes) {
  const Shape shape = text::parse_shape("(f32[2], (s32[], pred[3]))");
  ASSERT_NE(find_subshape(shape, {1, 1}), nullptr);
  EXPECT_EQ(to_string(*find_subshape(shape, {1, 1})), "pred[3]");
  EXPECT_EQ(find_subshape(shape, {2}), nullptr);
  EXPECT_EQ(find_subshape(shape, {0, 0}), nullptr);
  EXPECT_EQ(find_subshape(shape, {-1}), nullptr);
}

struct ModeCase {
  std::string_view attributes;
  GroupMode mode;
};

class GroupModeTest : public testing::TestWithParam<ModeCase> {};

TEST_P(GroupModeTest, FollowsFromTheAttributes) {
  const Module module = text::parse(
      "HloModule m\nENTRY main {\n  x = f32[4] parameter(0)\n  ROOT r = "
      "f32[4] " +
      std::string(GetParam().attributes) + "\n}");
  EXPECT_EQ(group_mode(*module.entry->root), GetParam().mode);
}

INSTANTIATE_TEST_SUITE_P(
    Collective, GroupModeTest,
    testing::Values(
        ModeCase{"all-gather(x), dimensions={0}", GroupMode::kCrossReplica},
        ModeCase{"all-gather(x), dimensions={0}, channel_id=1",
                 GroupMode::kCrossReplicaAndPartition},
        ModeCase{"all-gather(x), dimensions={0}, channel_id=1, "
                 "use_global_device_ids=true",
                 GroupMode::kFlattenedId},
        ModeCase{"all-to-all(x), dimensions={0}, channel_id=1",
                 GroupMode::kCrossPartition},
        ModeCase{"collective-broadcast(x)", GroupMode::kCrossReplica}));

}  // namespace
}  // namespace hlo
