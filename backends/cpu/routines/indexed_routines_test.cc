#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/routines/make_routine.h"
#include "backends/cpu/threads/share_loop.h"
#include "interpreter/verify/verify.h"

// What is expected is written as a loop over elements.

namespace hlo::cpu {
namespace {

using Numbers = std::vector<int32_t>;

Numbers run(const std::string& text, const std::vector<Numbers>& operands,
            size_t count) {
  const Module module = verified_module(text);
  Numbers result(count);
  std::vector<const std::byte*> from;
  for (const Numbers& operand : operands) {
    from.push_back(reinterpret_cast<const std::byte*>(operand.data()));
  }
  std::byte* const to[] = {reinterpret_cast<std::byte*>(result.data())};
  make_routine(*module.entry->root)->run(from, to);
  return result;
}

Numbers counted(int64_t count) {
  Numbers numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

/// Indices that also lie before and behind an array of `size`.
Numbers indices_of(int64_t count, int32_t size) {
  std::mt19937 engine(static_cast<unsigned>(count));
  std::uniform_int_distribution<int32_t> some(-2, size + 1);
  Numbers numbers(static_cast<size_t>(count));
  for (int32_t& number : numbers) number = some(engine);
  return numbers;
}

size_t kept_inside(int32_t index, int32_t last) {
  return static_cast<size_t>(std::clamp(index, 0, last));
}

TEST(GatherRoutine, TakesRows) {
  const Numbers indices = indices_of(3000, 40);
  const Numbers rows =
      run("ENTRY e { x = s32[40,24] parameter(0)\n"
          "  i = s32[3000,1] parameter(1)\n"
          "  ROOT r = s32[3000,24] gather(x, i), offset_dims={1}, "
          "collapsed_slice_dims={0}, start_index_map={0}, "
          "index_vector_dim=1, slice_sizes={1,24} }\n",
          {counted(960), indices}, 72'000);
  for (size_t i = 0; i < rows.size(); ++i) {
    const size_t row = kept_inside(indices[i / 24], 39);
    ASSERT_EQ(rows[i], static_cast<int32_t>(row * 24 + i % 24 + 1));
  }
}

TEST(GatherRoutine, TakesFirstElementsOfRows) {
  const Numbers indices = indices_of(70'000, 30);
  const Numbers elements =
      run("ENTRY e { x = s32[30,4] parameter(0)\n"
          "  i = s32[70000,1] parameter(1)\n"
          "  ROOT r = s32[70000,1] gather(x, i), offset_dims={1}, "
          "collapsed_slice_dims={0}, start_index_map={0}, "
          "index_vector_dim=1, slice_sizes={1,1} }\n",
          {counted(120), indices}, 70'000);
  for (size_t i = 0; i < elements.size(); ++i) {
    ASSERT_EQ(elements[i],
              static_cast<int32_t>(4 * kept_inside(indices[i], 29)) + 1);
  }
}

TEST(GatherRoutine, TakesElements) {
  const Numbers indices = indices_of(5000, 700);
  const Numbers elements =
      run("ENTRY e { x = s32[700] parameter(0)\n"
          "  i = s32[50,100] parameter(1)\n"
          "  ROOT r = s32[50,100] gather(x, i), offset_dims={}, "
          "collapsed_slice_dims={0}, start_index_map={0}, "
          "index_vector_dim=2, slice_sizes={1} }\n",
          {counted(700), indices}, 5000);
  for (size_t i = 0; i < elements.size(); ++i) {
    ASSERT_EQ(elements[i],
              static_cast<int32_t>(kept_inside(indices[i], 699)) + 1);
  }
}

// The list is written past the caches.
TEST(GatherRoutine, TakesManyRows) {
  constexpr size_t kRows = 17'000;
  const Numbers indices = indices_of(kRows, 40);
  const Numbers table = counted(40 * 256);
  const Module module = verified_module(
      "ENTRY e { x = s32[40,256] parameter(0)\n"
      "  i = s32[17000,1] parameter(1)\n"
      "  ROOT r = s32[17000,256] gather(x, i), offset_dims={1}, "
      "collapsed_slice_dims={0}, start_index_map={0}, "
      "index_vector_dim=1, slice_sizes={1,256} }\n");
  const AlignedBytes bytes = aligned_bytes(kRows * 1024);
  const std::byte* const from[] = {
      reinterpret_cast<const std::byte*>(table.data()),
      reinterpret_cast<const std::byte*>(indices.data())};
  std::byte* const to[] = {bytes.get()};
  make_routine(*module.entry->root)->run(from, to);
  for (size_t i = 0; i < kRows; ++i) {
    ASSERT_EQ(
        std::memcmp(bytes.get() + i * 1024,
                    table.data() + kept_inside(indices[i], 39) * 256, 1024),
        0);
  }
}

// The list has the numbers of the windows inside.
TEST(GatherRoutine, TakesPartsOfColumns) {
  const Numbers indices = indices_of(70, 20);
  const Numbers columns =
      run("ENTRY e { x = s32[30,20] parameter(0)\n"
          "  i = s32[70] parameter(1)\n"
          "  ROOT r = s32[25,2,70] gather(x, i), offset_dims={0,1}, "
          "collapsed_slice_dims={}, start_index_map={1}, "
          "index_vector_dim=1, slice_sizes={25,2} }\n",
          {counted(600), indices}, 3500);
  for (size_t i = 0; i < columns.size(); ++i) {
    const size_t column = kept_inside(indices[i % 70], 18) + i / 70 % 2;
    ASSERT_EQ(columns[i], static_cast<int32_t>(i / 140 * 20 + column + 1));
  }
}

std::string scatter_text(const std::string& region, int64_t count,
                         const std::string& row, const std::string& dims) {
  const std::string updates = "s32[" + std::to_string(count) + row + "]";
  return "s { a = s32[] parameter(0)\n  b = s32[] parameter(1)\n  " + region +
         " }\nENTRY e { x = s32[50" + row + "] parameter(0)\n  i = s32[" +
         std::to_string(count) + ",1] parameter(1)\n  u = " + updates +
         " parameter(2)\n  ROOT r = s32[50" + row + "] scatter(x, i, u), " +
         "update_window_dims={" + dims +
         "}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
         "index_vector_dim=1, to_apply=s }\n";
}

constexpr const char* kAdd = "ROOT r = s32[] add(a, b)";
constexpr const char* kAssign = "ROOT c = s32[] copy(b)";
constexpr const char* kSecond = "q = s32[] copy(a)\n  ROOT t = s32[] add(b, q)";

TEST(ScatterRoutine, AddsWhatManyUpdatesSay) {
  // Many enough for several threads.
  constexpr int64_t kCount = 40'000;
  const Numbers indices = indices_of(kCount, 50);
  const Numbers updates = counted(2 * kCount);
  Numbers expected = counted(100);
  for (size_t i = 0; i < updates.size(); ++i) {
    const int32_t row = indices[i / 2];
    if (row < 0 || row >= 50) continue;
    expected[static_cast<size_t>(row) * 2 + i % 2] += updates[i];
  }
  const std::string text = scatter_text(kAdd, kCount, ",2", "1");
  for (const int64_t count : {1, 2, 8}) {
    const ThreadCount threads(count);
    EXPECT_EQ(run(text, {counted(100), indices, updates}, 100), expected);
  }
}

TEST(ScatterRoutine, AddsRowsOfVectorsAndTails) {
  constexpr size_t kRow = 39;
  const Numbers indices = indices_of(300, 50);
  const Numbers updates = counted(300 * kRow);
  Numbers expected = counted(50 * kRow);
  for (size_t i = 0; i < updates.size(); ++i) {
    const int32_t row = indices[i / kRow];
    if (row < 0 || row >= 50) continue;
    expected[static_cast<size_t>(row) * kRow + i % kRow] += updates[i];
  }
  EXPECT_EQ(run(scatter_text(kAdd, 300, ",39", "1"),
                {counted(50 * kRow), indices, updates}, 50 * kRow),
            expected);
}

std::string assignment(int64_t count) {
  std::string text = scatter_text(kAdd, count, "", "");
  return text.replace(text.find(kAdd), std::strlen(kAdd), "")
      .replace(text.find("b = s32[] parameter(1)"), 22,
               "ROOT b = s32[] parameter(1)");
}

TEST(ScatterRoutine, LeavesTheLastUpdate) {
  constexpr int64_t kCount = 50'000;
  const Numbers indices = indices_of(kCount, 50);
  const Numbers updates = counted(kCount);
  Numbers expected = counted(50);
  for (size_t i = 0; i < updates.size(); ++i) {
    if (indices[i] < 0 || indices[i] >= 50) continue;
    expected[static_cast<size_t>(indices[i])] = updates[i];
  }
  EXPECT_EQ(run(assignment(kCount), {counted(50), indices, updates}, 50),
            expected);
}

// One index below 0 may be made up for by the other one.
TEST(ScatterRoutine, LeavesOutWhatBeginsOutsideByAnyIndex) {
  constexpr int64_t kCount = 500;
  const Numbers indices = indices_of(2 * kCount, 4);
  const Numbers updates = counted(kCount);
  Numbers expected = counted(20);
  for (size_t i = 0; i < updates.size(); ++i) {
    const int32_t row = indices[2 * i];
    const int32_t column = indices[2 * i + 1];
    if (row < 0 || row >= 4 || column < 0 || column >= 5) continue;
    expected[static_cast<size_t>(row * 5 + column)] += updates[i];
  }
  EXPECT_EQ(run("s { a = s32[] parameter(0)\n  b = s32[] parameter(1)\n"
                "  ROOT r = s32[] add(a, b) }\n"
                "ENTRY e { x = s32[4,5] parameter(0)\n"
                "  i = s32[500,2] parameter(1)\n"
                "  u = s32[500] parameter(2)\n"
                "  ROOT r = s32[4,5] scatter(x, i, u), update_window_dims={}, "
                "inserted_window_dims={0,1}, "
                "scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, "
                "to_apply=s }\n",
                {counted(20), indices, updates}, 20),
            expected);
}

TEST(ScatterRoutine, LeavesOtherRegionsToTheFunction) {
  for (const char* region : {kAssign, kSecond}) {
    const Module module = verified_module(scatter_text(region, 3, "", ""));
    EXPECT_FALSE(make_routine(*module.entry->root)) << region;
  }
}

}  // namespace
}  // namespace hlo::cpu
