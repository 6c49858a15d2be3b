#include "conformance/fingerprint/sum_fingerprint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "backends/registry/make_backend.h"
#include "conformance/fingerprint/fingerprint_report.h"
#include "conformance/fingerprint/model_search.h"
#include "conformance/fingerprint/testing/known_units.h"
#include "conformance/fingerprint/testing/simulated_unit.h"
#include "conformance/fingerprint/tree_families.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo::conformance {
namespace {

using enum ElementType;

SumFingerprint fingerprint(const SimulatedSum& sum, int64_t terms,
                           ElementType operand = kF32,
                           ElementType result = kF32,
                           SumKind kind = SumKind::kDot) {
  const MakeMachine make = [&] { return std::make_shared<SimulatedUnit>(sum); };
  return sum_fingerprint(
      {kind, operand, result, terms}, make,
      {.sums = 4096, .repeats = 3, .probes = 20000, .most = Seconds(1000)});
}

/// What is told of a unit that is explained; why it is not, else.
ModelWords told(const SumFingerprint& found) {
  if (found.explained != Explained::kYes) {
    ModelWords words;
    words.order = "? " + found.message;
    return words;
  }
  return words(*found.found.model);
}

const std::string kBinary32 = "24 bits, to nearest, ties to even";

// ---- What is told of them. ----

struct Known {
  const char* name;
  SimulatedSum sum;
  int64_t terms;
  ElementType operand;
  ElementType result;
  SummationTree tree;
  ModelWords words;  // but for the order, which is the tree's name
};

ModelWords words_of(std::string products, std::string operands,
                    std::string blocks, std::string adds,
                    std::string joins = "", std::string result = "") {
  return {"",
          std::move(products),
          std::move(operands),
          std::move(blocks),
          std::move(adds),
          std::move(joins),
          std::move(result)};
}

void expect_known(const Known& known) {
  SCOPED_TRACE(known.name);
  const SumFingerprint found =
      fingerprint(known.sum, known.terms, known.operand, known.result);
  const ModelWords words = told(found);
  EXPECT_EQ(words.order, tree_name(known.tree));
  ASSERT_TRUE(found.order.tree);
  EXPECT_EQ(found.order.tree->text(), known.tree.text());
  EXPECT_EQ(words.products, known.words.products);
  EXPECT_EQ(words.operands, known.words.operands);
  EXPECT_EQ(words.blocks, known.words.blocks);
  EXPECT_EQ(words.adds, known.words.adds);
  EXPECT_EQ(words.joins, known.words.joins);
  EXPECT_EQ(words.result, known.words.result);
}

const std::string kAs = "as they are";
const std::string kRoundedTo = "rounded to ";
const std::string kFused =
    "fused with the addition; of the two terms that come first the one with "
    "the greater number";

TEST(SumFingerprint, NamesOrders) {
  const ModelWords plain = words_of(kRoundedTo + kBinary32, kAs, "", kBinary32);
  const Known all[] = {
      {"sequential", sequential, 17, kF32, kF32, sequential_tree(17), plain},
      {"reverse", reverse, 13, kF32, kF32, reverse_tree(13), plain},
      {"pairwise", pairwise, 23, kF32, kF32,
       pairwise_tree(23, Halving::kMiddle), plain},
      {"4 lanes", four_lanes, 19, kF32, kF32,
       lane_tree(19, 4, Joining::kSequential), plain},
      {"8 lanes", eight_lanes, 33, kF32, kF32,
       lane_tree(33, 8, Joining::kSequential), plain},
      {"split", split, 32, kF32, kF32, split_tree(32, 16, Joining::kSequential),
       plain},
  };
  for (const Known& one : all) expect_known(one);
}

TEST(SumFingerprint, NamesProductsAndWidths) {
  const std::string binary64 = "53 bits, to nearest, ties to even";
  const std::string bf16 = "8 bits, to nearest, ties to even";
  const std::string f16 = "11 bits, to nearest, ties to even";
  const auto at_end = [](const std::string& bits) {
    return "rounded to " + bits + " bits at the end, to nearest, ties to even";
  };
  const SummationTree tree = sequential_tree(16);
  const Known all[] = {
      {"fused", fused, 16, kF32, kF32, tree,
       words_of(kFused, kAs, "", kBinary32)},
      {"fused lanes", fused_lanes, 32, kF32, kF32,
       lane_tree(32, 8, Joining::kFolded),
       words_of(kFused, kAs, "", kBinary32)},
      {"lanes and rest", lanes_and_rest, 19, kF32, kF32,
       rounds_tree(19, 4, Joining::kNeighbours),
       words_of(kFused + "; where they are added to a sum of sums rounded to " +
                    kBinary32,
                kAs, "", kBinary32)},
      {"pairs and rest", pairs_and_rest, 9, kF32, kF32, swapped_tree(9),
       words_of("fused with the addition; of the two terms that come first the "
                "one with the lesser number; the one that is added last "
                "rounded to " +
                    kBinary32,
                kAs, "", kBinary32)},
      // Products of binary32 are exact there.
      {"wide", wide, 16, kF32, kF32, tree,
       words_of("exact", kAs, "", binary64, "", at_end("24"))},
      {"f64", wide, 16, kF64, kF64, tree,
       words_of(kRoundedTo + binary64, kAs, "", binary64)},
      {"fused f64", fused_double, 16, kF64, kF64, tree,
       words_of(kFused, kAs, "", binary64)},
      {"bf16", chain_of(kBrain), 16, kBF16, kBF16, tree,
       words_of(kRoundedTo + bf16, kAs, "", bf16)},
      {"f16", chain_of(kHalf), 16, kF16, kF16, tree,
       words_of(kRoundedTo + f16, kAs, "", f16)},
      {"f16 in binary32", sequential, 16, kF16, kF16, tree,
       words_of("exact", kAs, "", kBinary32, "", at_end("11"))},
  };
  for (const Known& one : all) expect_known(one);
}

TEST(SumFingerprint, NamesWhatIsDoneToOperands) {
  const SummationTree tree = sequential_tree(12);
  const auto rounded = [](const std::string& how) {
    return words_of(kFused, "rounded to " + how, "", kBinary32);
  };
  const Known all[] = {
      {"TF32", rounded_operands(11, Nearest::kEven), 12, kF32, kF32, tree,
       rounded("11 bits, to nearest, ties to even")},
      {"TF32 cut off", rounded_operands(11, Nearest::kZero), 12, kF32, kF32,
       tree, rounded("11 bits, toward zero")},
      {"TF32 away", rounded_operands(11, Nearest::kAway), 12, kF32, kF32, tree,
       rounded("11 bits, to nearest, ties away from zero")},
      // Products of two such numbers have 16 bits: they are exact.
      {"bf16", rounded_operands(8, Nearest::kEven), 12, kF32, kF32, tree,
       rounded("8 bits, to nearest, ties to even")},
      {"bf16x3", three_products, 12, kF32, kF32, tree,
       words_of(kFused,
                "cut into 2 numbers of 8 bits, to nearest, ties to even; 3 "
                "products",
                "", kBinary32)},
      {"flushing", flushing, 12, kF32, kF32, tree,
       words_of(kRoundedTo + kBinary32 + "; subnormal results become zeros",
                kAs + "; subnormal ones are taken as zeros", "",
                kBinary32 + "; subnormal results become zeros")},
  };
  for (const Known& one : all) expect_known(one);
}

TEST(SumFingerprint, NamesRoundings) {
  const SummationTree tree = sequential_tree(12);
  const std::pair<Nearest, const char*> all[] = {
      {Nearest::kZero, "24 bits, toward zero"},
      {Nearest::kDown, "24 bits, downward"},
      {Nearest::kAway, "24 bits, to nearest, ties away from zero"}};
  for (const auto& [rounding, words] : all) {
    const SimulatedFormat format{24, -126, rounding};
    expect_known({words, chain_of(format), 12, kF32, kF32, tree,
                  words_of(std::string(kRoundedTo) + words, kAs, "", words)});
  }
}

std::string unit_words(int fraction, const std::string& cut, int precision) {
  return "aligned to the largest exponent of the factors, " +
         std::to_string(fraction) + " bits below it kept, the rest cut off " +
         cut + "; the sum has " + std::to_string(precision) +
         " bits, toward zero";
}

TEST(SumFingerprint, NamesMatrixUnits) {
  const std::string cut = "toward zero";
  const auto unit = [](const std::string& words) {
    return words_of("exact", kAs, words, "");
  };
  const Known all[] = {
      {"blocks of 4", blocks({4, 23, 24}), 16, kF16, kF32, block_tree(16, 4),
       unit(unit_words(23, cut, 24))},
      {"blocks of 8", blocks({8, 24, 24}), 24, kF16, kF32, block_tree(24, 8),
       unit(unit_words(24, cut, 24))},
      {"blocks of 16", blocks({16, 25, 24}), 48, kF16, kF32, block_tree(48, 16),
       unit(unit_words(25, cut, 24))},
      {"bf16 blocks of 8", blocks({8, 24, 24}), 24, kBF16, kF32,
       block_tree(24, 8), unit(unit_words(24, cut, 24))},
      {"downward", blocks({8, 24, 24, true}), 24, kF16, kF32, block_tree(24, 8),
       unit(unit_words(24, "downward", 24))},
      {"f8", blocks({16, 13, 14}), 48, kF8E4M3FN, kF32, block_tree(48, 16),
       unit(unit_words(13, cut, 14))},
      {"f8 promoted", promoted, 64, kF8E4M3FN, kF32, promoted_tree(64, 16, 4),
       words_of("exact", kAs, unit_words(13, cut, 14), "", kBinary32)},
  };
  for (const Known& one : all) expect_known(one);
}

// f32 on matrix units as GPUs' libraries may take it (MMA-Sim, arXiv
// 2511.10909): TF32 in blocks of 4 on the first units that have it and of 8
// later, or rounded to bf16.
TEST(SumFingerprint, NamesMatrixUnitsOfRoundedOperands) {
  const auto unit = [](const std::string& operands, int fraction) {
    return words_of("exact", "rounded to " + operands,
                    unit_words(fraction, "toward zero", 24), "");
  };
  const Known all[] = {
      {"TF32 cut off, blocks of 4",
       rounded_blocks(11, Nearest::kZero, {4, 24, 24}), 16, kF32, kF32,
       block_tree(16, 4), unit("11 bits, toward zero", 24)},
      {"TF32, blocks of 8", rounded_blocks(11, Nearest::kEven, {8, 25, 24}), 24,
       kF32, kF32, block_tree(24, 8),
       unit("11 bits, to nearest, ties to even", 25)},
      {"TF32 away, blocks of 4",
       rounded_blocks(11, Nearest::kAway, {4, 24, 24}), 16, kF32, kF32,
       block_tree(16, 4), unit("11 bits, to nearest, ties away from zero", 24)},
      {"bf16 of f32, blocks of 8",
       rounded_blocks(8, Nearest::kEven, {8, 24, 24}), 24, kF32, kF32,
       block_tree(24, 8), unit("8 bits, to nearest, ties to even", 24)},
      {"bf16 of f32, blocks of 16",
       rounded_blocks(8, Nearest::kEven, {16, 25, 24}), 48, kF32, kF32,
       block_tree(48, 16), unit("8 bits, to nearest, ties to even", 25)},
  };
  for (const Known& one : all) expect_known(one);
}

TEST(SumFingerprint, NamesAnExactSum) {
  expect_known({"exact", exact, 9, kF16, kF32, single_node_tree(9),
                words_of("exact", kAs,
                         "added exactly, then rounded to " + kBinary32, "")});
}

TEST(SumFingerprint, TellsOfZerosThatAreSkipped) {
  const SumFingerprint found = fingerprint(skipping_zeros, 8);
  EXPECT_EQ(found.explained, Explained::kYes) << found.message;
  const auto& specials = found.seen.specials;
  const auto skipped =
      std::ranges::find(specials, "NaN * 0 and ones", &SpecialCase::name);
  ASSERT_NE(skipped, specials.end());
  EXPECT_EQ(skipped->found, "7");
  EXPECT_EQ(skipped->wanted, "nan");
}

TEST(SumFingerprint, KnowsReduce) {
  const SumFingerprint found =
      fingerprint(pairwise, 16, kF32, kF32, SumKind::kReduce);
  EXPECT_EQ(told(found).order, "pairwise, neighbours first");
  EXPECT_EQ(told(found).products, "");
}

// Only with a subnormal e is M far enough from it for sums of 24 bits.
TEST(SumFingerprint, KnowsNarrowNumbersInWideSums) {
  const SumFingerprint found =
      fingerprint(sequential, 33, kF16, kF16, SumKind::kReduce);
  EXPECT_EQ(told(found).order, "sequential");
  EXPECT_EQ(told(found).adds, kBinary32);
  EXPECT_EQ(told(found).result,
            "rounded to 11 bits at the end, to nearest, ties to even");
}

TEST(SumFingerprint, KnowsTheReferenceAndItsMutant) {
  const auto blocks_of = [](const char* uri) {
    const SumFingerprint found = sum_fingerprint(
        {SumKind::kReduce, kF32, kF32, 9},
        [&] { return std::shared_ptr<Backend>(make_backend(uri)); },
        {.sums = 2000});
    return told(found).blocks;
  };
  EXPECT_EQ(blocks_of("interpreter:"),
            "added exactly, then rounded to " + kBinary32);
  EXPECT_EQ(blocks_of("mutant:narrow-sum"),
            "added exactly, then rounded to 8 bits, to nearest, ties to even");
}

// ---- What is not understood is not named. ----

TEST(SumFingerprint, DoesNotNameWhatIsNoTree) {
  for (const SimulatedSum& sum :
       {SimulatedSum(compensated), SimulatedSum(sorted)}) {
    const SumFingerprint found = fingerprint(sum, 12);
    EXPECT_EQ(found.explained, Explained::kNo);
    EXPECT_FALSE(found.found.model);
  }
}

TEST(SumFingerprint, DoesNotNameWhatOnlyFitsProbes) {
  for (const SimulatedSum& sum :
       {SimulatedSum(lying), SimulatedSum(rounded_at_times)}) {
    const SumFingerprint found = fingerprint(sum, 12);
    EXPECT_EQ(found.explained, Explained::kNo);
    EXPECT_FALSE(found.found.model);
    EXPECT_FALSE(found.message.empty());
  }
}

// Terms of probes are no zeros, so that they show one order.
TEST(SumFingerprint, DoesNotNameAnOrderThatZerosChange) {
  for (const SumKind kind : {SumKind::kDot, SumKind::kReduce}) {
    const SumFingerprint found =
        fingerprint(pairwise_of_others, 12, kF32, kF32, kind);
    EXPECT_EQ(found.explained, Explained::kNo);
    EXPECT_FALSE(found.found.model);
  }
}

// About one of 64 drawn sums is wrong; terms that show it are kept.
TEST(SumFingerprint, ShowsTheTermsThatRefuteAModel) {
  const SumFingerprint found = fingerprint(rarely_wrong, 12);
  EXPECT_EQ(found.explained, Explained::kNo);
  ASSERT_TRUE(found.found.result.first);
  const Refutation& shown = *found.found.result.first;
  EXPECT_EQ(rarely_wrong(shown.a, shown.b), shown.machine);
  EXPECT_EQ(sequential(shown.a, shown.b), shown.model);
  EXPECT_NE(shown.machine, shown.model);
  EXPECT_LE(std::ranges::count_if(shown.a, [](double x) { return x != 0; }), 2);
}

// Sums of 24 bits in one half of the drawn calls where that makes another bf16
// than one of 53 bits, and of 53 bits in the other half.
TEST(SumFingerprint, AsksAModelAboutAllDrawnSums) {
  const SummedOperation dot = {SumKind::kDot, kBF16, kBF16, 2};
  const SimulatedFormat binary32;
  const auto narrow = [&](Row a, Row b) {
    return simulated_add(a[0] * b[0], a[1] * b[1], binary32);
  };
  const auto wide = [](Row a, Row b) { return a[0] * b[0] + a[1] * b[1]; };
  const auto differs = [&](Row a, Row b) {
    const auto& bf16 = numeric::format(kBF16);
    return numeric::encode(narrow(a, b), bf16) !=
           numeric::encode(wide(a, b), bf16);
  };
  std::set<std::array<double, 4>> early;
  int64_t late = 0;
  for (uint64_t call = 12; call < 391; ++call) {
    const SumRows rows = drawn_rows(dot, call);
    for (int64_t i = 0; i < dot.cells(); ++i) {
      const Row a = rows.row_of_a(i / dot.rows());
      const Row b = rows.row_of_b(i % dot.rows());
      if (!differs(a, b)) continue;
      if (call < 200) early.insert({a[0], a[1], b[0], b[1]});
      late += call < 200 ? 0 : 1;
    }
  }
  ASSERT_FALSE(early.empty());
  ASSERT_GT(late, 0);
  for (const bool narrow_first : {true, false}) {
    const SimulatedSum sum = [&](Row a, Row b) {
      const bool is_early = early.contains({a[0], a[1], b[0], b[1]});
      return is_early == narrow_first ? narrow(a, b) : wide(a, b);
    };
    const MakeMachine make = [&] {
      return std::make_shared<SimulatedUnit>(sum);
    };
    const SumFingerprint found = sum_fingerprint(
        dot, make,
        {.sums = 100000, .repeats = 3, .probes = 20000, .most = Seconds(1000)});
    EXPECT_EQ(found.explained, Explained::kNo) << narrow_first;
  }
}

// Rounding upward nothing is lost beside a large number.
TEST(SumFingerprint, SaysWhereMasksShowNothing) {
  const SumFingerprint found =
      fingerprint(chain_of({24, -126, Nearest::kUp}), 12);
  EXPECT_EQ(found.explained, Explained::kNo);
  EXPECT_NE(found.message.find("masks show no order"), std::string::npos);
}

TEST(SumFingerprint, FindsWhatVariesInTime) {
  int call = 0;
  const SumFingerprint found = fingerprint(
      [&](Row a, Row b) {
        return ++call % 7 == 0 ? reverse(a, b) : sequential(a, b);
      },
      64);
  EXPECT_EQ(found.explained, Explained::kNo);
  EXPECT_FALSE(found.steadiness.in_time);
}

TEST(SumFingerprint, FindsWhatVariesWithThePlace) {
  int cell = 0;
  const SumFingerprint found = fingerprint(
      [&](Row a, Row b) {
        return cell++ % 256 == 37 ? reverse(a, b) : sequential(a, b);
      },
      64);
  EXPECT_TRUE(found.steadiness.in_time);
  EXPECT_FALSE(found.steadiness.in_place);
  EXPECT_EQ(found.explained, Explained::kNo);
}

TEST(SumFingerprint, TellsWhatIsUnsupportedFromWhatFails) {
  const auto of = [](Failure::Kind kind) {
    struct Failing : Backend {
      explicit Failing(Failure::Kind k) : kind(k) {}
      std::string name() const override { return "failing"; }
      Outcome run(const Module&, std::span<const Buffer>) override {
        return Failure{kind, "", "no"};
      }
      Failure::Kind kind;
    };
    return sum_fingerprint({SumKind::kDot, kF32, kF32, 4},
                           [&] { return std::make_shared<Failing>(kind); }, {});
  };
  EXPECT_EQ(of(Failure::Kind::kUnsupported).explained, Explained::kUnsupported);
  EXPECT_EQ(of(Failure::Kind::kCrashed).explained, Explained::kFailed);
}

}  // namespace
}  // namespace hlo::conformance
