#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backends/backend.h"
#include "backends/registry/make_backend.h"
#include "backends/tpu/tpu_backend.h"
#include "conformance/case/case.h"
#include "conformance/case/case_files.h"
#include "conformance/judge/run_case.h"

namespace hlo::conformance {
namespace {

/// A case that tells a broken machine from "tpu:".
struct Caught {
  std::string_view mutant;
  std::string_view id;
  /// What is said of it: the error at which the machine stops
  /// (spec/commands.md), or what is wrong with the result; none where elements
  /// differ.
  std::string_view message = {};
};

constexpr Caught kCaught[] = {
    {"body-first", "while/s4/trips_0"},
    {"branches-swapped", "conditional/s32/nested_010"},
    {"carry-lost", "scan/bf16/running_sum"},
    {"columns-forgotten", "dot/f32/many_tiles", "tpu.unwritten"},
    {"first-branch-by-default", "conditional/s32/nested_045"},
    {"first-device-for-all", "parameter/f32/devices"},
    {"first-list-for-all", "ragged-dot/f32/batch_059"},
    {"first-member-is-root", "collective-broadcast/c128/random_052"},
    {"first-slice-for-all", "gather/bf16/random_026"},
    {"first-weights-left-out", "ragged-dot/s32/free_048"},
    {"imaginary-products-added", "dot/c128/random_022"},
    {"initial-value-ignored", "reduce/s64/maximum_6"},
    {"integers-of-32-bits", "dot/s64/random_068"},
    {"last-cell-left-out", "reduce/s8/add_0"},
    {"last-lane-not-scattered", "dot/u8/numbers_6", "tpu.unwritten"},
    {"last-member-left-out", "all-reduce/bf16/random_035"},
    {"last-register-left-out", "abs/c64/values", "tpu.padding"},
    {"last-register-not-brought", "all-gather/bf16/random_058", "tpu.padding"},
    {"last-run-left-unsorted", "large-parts/s32/sort_of_equals"},
    {"last-step-left-out", "scan/bf16/running_sum", "tpu.unwritten"},
    {"last-update-left-out", "scatter/bf16/add_rows"},
    {"later-blocks-left-out", "large-parts/s64/sums_of_updates"},
    {"map-not-put-back", "covering-folds/u2/map_matrix_combining_nested_tail"},
    {"mask-too-long", "add/pred/layout_0", "tpu.padding"},
    {"mask-too-short", "add/u4/values", "tpu.padding"},
    {"members-reversed", "all-gather/bf16/random_058"},
    {"merge-prefers-second", "large-parts/s32/sort_of_equals"},
    {"moved-in-one-piece", "transpose/bf16/layout_2", "tpu.padding"},
    {"one-register-gathered", "bitcast/s8/tile_1"},
    {"order-ignored", "compare/f32/layout_0", "tpu.padding"},
    {"padding-as-zero", "sequences/s8/drawn_059.folded"},
    {"part-of-next-member", "reduce-scatter/bf16/random_024"},
    {"prefix-ignored", "set-dimension-size/u8/result_17"},
    {"products-not-subtracted", "large-parts/f32/solution"},
    {"register-beyond", "add/u4/values", "tpu.bounds"},
    {"replica-for-partition", "partition-id/u32/1x2"},
    {"result-as-it-lies", "add/u4/values", "bytes instead of"},
    {"reversed-nibbles", "copy/s4/packed_2"},
    {"row-register-kept", "large-parts/s32/greatest_half"},
    {"scalar-from-lane-one", "select/s4/scalar_pred_4"},
    {"scale-of-first-block", "scaled-dot/f32/by_f8e4m3"},
    {"scan-forward", "scan/s2/sums"},
    {"scratch-not-given-back",
     "covering-elementwise/u32/and_t8_128_permuted_grain_bits", "tpu.scratch"},
    {"scratch-overrun", "scaled-dot/f32/by_f8e4m3"},
    {"shift-too-far", "reverse/f32/layout_0", "tpu.padding"},
    {"sizes-not-written", "set-dimension-size/u8/result_17", "literal.prefix"},
    {"slice-a-tile-early", "collective-permute/bf16/buffers_030"},
    {"stale-padding", "sequences/f32/greatest_of_pad.folded"},
    {"swapped-second-tile", "transpose/bf16/layout_2"},
    {"turns-left-out", "large-parts/c64/spectrum"},
    {"unsigned-nibbles", "abs/s2/values"},
    {"unsigned-wide-slots", "copy/s8/wide_0"},
    {"variance-about-zero", "large-parts/f32/normal_features"},
    {"vector-mask-too-short", "add/u4/values"},
    {"weights-stay", "ragged-dot/s32/free_048"},
    {"weights-transposed", "ragged-dot/s2/free_every"},
    {"whole-registers-scattered", "scan/bf16/running_sum"},
    {"wide-slots-from-the-top", "copy/s8/wide_2"},
    {"window-padding-as-term", "reduce-window/s1/maximum_3"},
    {"windows-moved-in", "scatter/bf16/minimum_scalars"},
};

using CasesById = std::map<std::string, Case>;

CasesById cases_of_table() {
  std::string filter;
  for (const Caught& row : kCaught) {
    filter += (filter.empty() ? "" : ":") + std::string(row.id);
  }
  const std::string root = ASSAY_SOURCE_DIR;
  CasesById cases;
  for (Case& c :
       load_all(case_files({root + "/conformance/vectors"}), filter)) {
    const std::string id = c.id;
    cases.emplace(id, std::move(c));
  }
  return cases;
}

Judgement judgement_of(const Case& c, const std::string& uri) {
  const std::unique_ptr<Backend> backend = make_backend(uri);
  return run_case(c, *backend, {.raw = true});
}

TEST(TiledMutants, AreAllInTheTable) {
  std::set<std::string> known;
  for (const std::string& uri : known_tpu_backends()) {
    if (uri.starts_with("tpu-mutant:")) known.insert(uri);
  }
  std::set<std::string> caught;
  for (const Caught& row : kCaught) {
    caught.insert("tpu-mutant:" + std::string(row.mutant));
  }
  EXPECT_EQ(caught, known);
}

TEST(TiledMutants, AreAllCaught) {
  const CasesById cases = cases_of_table();
  for (const Caught& row : kCaught) {
    SCOPED_TRACE(std::string(row.mutant) + " by " + std::string(row.id));
    const auto found = cases.find(std::string(row.id));
    ASSERT_NE(found, cases.end());
    const Case& c = found->second;
    EXPECT_EQ(judgement_of(c, "tpu:").verdict, Verdict::kConforms);
    const Judgement broken =
        judgement_of(c, "tpu-mutant:" + std::string(row.mutant));
    EXPECT_EQ(broken.verdict == Verdict::kDiffers, row.message.empty())
        << broken.message;
    EXPECT_TRUE(is_failure(broken.verdict) || is_broken(broken.verdict));
    EXPECT_NE(broken.message.find(row.message), std::string::npos)
        << broken.message;
  }
}

// The instruction, the place in the array, and its address.
TEST(TiledMutants, AreToldByWhatTheyRead) {
  const Case c = cases_of_table().at("reverse/f32/layout_0");
  const std::string message =
      judgement_of(c, "tpu-mutant:shift-too-far").message;
  EXPECT_TRUE(
      message.starts_with("tpu.padding: %r (reverse) reads lane 30 of "
                          "register 0 of f32[5,6]"))
      << message;
  EXPECT_NE(message.find(", at the address 0x78, which holds no element"),
            std::string::npos)
      << message;
}

}  // namespace
}  // namespace hlo::conformance
