#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "backends/gpu/testing/long_lines.h"

// Lines of so many elements that they are sorted by keys, where the comparator
// compares some. The standard library says what is expected.

namespace hlo::gpu {
namespace {

/// A comparator on elements of `type` and s32.
std::string comparator_text(const std::string& type, const std::string& how) {
  return fmt::format(R"(
    less {{ a = {0}[] parameter(0)  b = {0}[] parameter(1)
            c = s32[] parameter(2)  d = s32[] parameter(3)
            ROOT r = pred[] compare{1} }}
  )",
                     type, how);
}

/// The places of the numbers from the least to the greatest, or the other way
/// round; equal ones stay as they are.
std::vector<int64_t> places_in_order(const std::vector<int64_t>& numbers,
                                     bool descends) {
  std::vector<int64_t> places(numbers.size());
  std::iota(places.begin(), places.end(), 0);
  std::ranges::stable_sort(places, [&](int64_t a, int64_t b) {
    const int64_t x = numbers[static_cast<size_t>(a)];
    const int64_t y = numbers[static_cast<size_t>(b)];
    return descends ? x > y : x < y;
  });
  return places;
}

/// The places as the merges of runs of 1, 2, 4, ... leave them
/// (spec/ops/sort.md), whatever the comparator on places says.
template <typename Before>
std::vector<int64_t> merged_places(Before before) {
  std::vector<int64_t> places(kCount);
  std::iota(places.begin(), places.end(), 0);
  for (int64_t width = 1; width < kCount; width *= 2) {
    for (int64_t first = 0; first < kCount; first += 2 * width) {
      const auto begin = places.begin() + first;
      const auto middle = places.begin() + std::min(first + width, kCount);
      const auto end = places.begin() + std::min(first + 2 * width, kCount);
      std::vector<int64_t> both;
      std::merge(begin, middle, middle, end, std::back_inserter(both), before);
      std::ranges::copy(both, begin);
    }
  }
  return places;
}

// Keys repeat, so that what is not stable shows.
TEST(GpuLongSorts, AreByKeys) {
  const std::vector<int64_t> numbers = spread_numbers(kCount, 97);
  for (const auto& [how, descends] :
       {std::pair("(a, b), direction=LT", false),
        std::pair("(b, a), direction=LT", true),
        std::pair("(a, b), direction=GT", true),
        std::pair("(b, a), direction=GT", false)}) {
    const Bits expected = as_bits(places_in_order(numbers, descends));
    for (const std::string type : {"s32", "u64", "f32", "f64", "bf16"}) {
      const std::string program = comparator_text(type, how) +
                                  "ENTRY main {\n" + spread_text(kCount, 97) +
                                  fmt::format(R"(
            y = {0}[2000] convert(x)
            s = ({0}[2000], s32[2000]) sort(y, k), dimensions={{0}},
              to_apply=less
            ROOT r = s32[2000] get-tuple-element(s), index=1 }})",
                                              type);
      for (const auto& backend : backends_here()) {
        EXPECT_EQ(bits_of(*backend, program), expected)
            << backend->name() << ": " << type << how;
      }
    }
  }
}

// By the first of two keys from the greatest to the least, and where they are
// equal by the second one; three ways to say so.
TEST(GpuLongSorts, AreByTwoKeys) {
  const std::vector<int64_t> first = spread_numbers(kCount, 13);
  const std::vector<int64_t> second = spread_numbers(kCount, 97);
  std::vector<int64_t> both = second;
  for (size_t k = 0; k < first.size(); ++k) both[k] += 100 * (12 - first[k]);
  const Bits expected = as_bits(places_in_order(both, false));
  for (const char* const answer :
       {"t = pred[] and(e, l)\nROOT r = pred[] or(g, t)",
        "t = pred[] and(l, e)\nROOT r = pred[] or(t, g)",
        "ROOT r = pred[] select(e, l, g)", "ROOT r = pred[] select(n, g, l)"}) {
    const std::string program = fmt::format(R"(
      less {{ a = f32[] parameter(0)  b = f32[] parameter(1)
              c = s32[] parameter(2)  d = s32[] parameter(3)
              p = s32[] parameter(4)  q = s32[] parameter(5)
              g = pred[] compare(a, b), direction=GT
              e = pred[] compare(a, b), direction=EQ
              n = pred[] compare(a, b), direction=NE
              l = pred[] compare(c, d), direction=LT
              {} }}
      ENTRY main {{ {}
        o = s32[] constant(13)
        os = s32[2000] broadcast(o), dimensions={{}}
        y = s32[2000] remainder(p, os)
        z = f32[2000] convert(y)
        s = (f32[2000], s32[2000], s32[2000]) sort(z, x, k), dimensions={{0}},
          to_apply=less
        ROOT r = s32[2000] get-tuple-element(s), index=2 }})",
                                            answer, spread_text(kCount, 97));
    for (const auto& backend : backends_here()) {
      EXPECT_EQ(bits_of(*backend, program), expected)
          << backend->name() << ": " << answer;
    }
  }
}

// -3 to 3 and both zeros: equal as numbers, and apart in total order.
TEST(GpuLongSorts, AreByNumbersOrInTotalOrder) {
  std::vector<int64_t> numbers = spread_numbers(kCount, 8);
  const auto expected = [&](bool is_total) {
    // 7 stands for -0, the others for x - 3.
    std::vector<int64_t> keys = numbers;
    for (int64_t& x : keys) x = x == 7 ? 6 - (is_total ? 1 : 0) : 2 * x;
    return as_bits(places_in_order(keys, false));
  };
  for (const bool is_total : {false, true}) {
    const std::string program =
        comparator_text("f8e4m3fn", std::string("(a, b), direction=LT") +
                                        (is_total ? ", type=TOTALORDER" : "")) +
        "ENTRY main {\n" + spread_text(kCount, 8) + R"(
          y = f32[2000] convert(x)
          t = f32[] constant(3)
          ts = f32[2000] broadcast(t), dimensions={}
          z = f32[2000] subtract(y, ts)
          s = f32[] constant(4)
          ss = f32[2000] broadcast(s), dimensions={}
          is = pred[2000] compare(z, ss), direction=EQ
          n = f32[] constant(-0)
          ns = f32[2000] broadcast(n), dimensions={}
          v = f32[2000] select(is, ns, z)
          w = f8e4m3fn[2000] convert(v)
          o = (f8e4m3fn[2000], s32[2000]) sort(w, k), dimensions={0},
            to_apply=less
          ROOT r = s32[2000] get-tuple-element(o), index=1 })";
    for (const auto& backend : backends_here()) {
      EXPECT_EQ(bits_of(*backend, program), expected(is_total))
          << backend->name() << ", total: " << is_total;
    }
  }
}

// NaN is before nothing and behind nothing: the rows are merged as those of
// short lines.
TEST(GpuLongSorts, WithNanAreMerged) {
  const std::string program = comparator_text("f32", "(a, b), direction=LT") +
                              "ENTRY main {\n" + spread_text(kCount, 97) + R"(
        z = s32[] constant(50)
        zs = s32[2000] broadcast(z), dimensions={}
        is = pred[2000] compare(x, zs), direction=GT
        n = f32[] constant(nan)
        ns = f32[2000] broadcast(n), dimensions={}
        y = f32[2000] convert(x)
        v = f32[2000] select(is, ns, y)
        s = (f32[2000], s32[2000]) sort(v, k), dimensions={0}, to_apply=less
        ROOT r = s32[2000] get-tuple-element(s), index=1 })";
  const std::vector<int64_t> numbers = spread_numbers(kCount, 97);
  const Bits expected = as_bits(merged_places([&](int64_t a, int64_t b) {
    const int64_t x = numbers[static_cast<size_t>(a)];
    const int64_t y = numbers[static_cast<size_t>(b)];
    return x <= 50 && y <= 50 && x < y;
  }));
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, program), expected) << backend->name();
  }
}

/// Rows of w: -0 where the first number is 0, else it less 1; x, the second
/// one; and k. The comparator's l, e and m say which is before, or where e
/// holds.
std::string two_numbers_text(const char* l, const char* e, const char* m) {
  return fmt::format(R"(
    less {{ a = f32[] parameter(0)  b = f32[] parameter(1)
            c = s32[] parameter(2)  d = s32[] parameter(3)
            p = s32[] parameter(4)  q = s32[] parameter(5)
            l = pred[] compare{}
            e = pred[] compare{}
            m = pred[] compare{}
            t = pred[] and(e, m)
            ROOT r = pred[] or(l, t) }}
    ENTRY main {{ {}
      o = s32[] constant(5)
      os = s32[2000] broadcast(o), dimensions={{}}
      y = s32[2000] remainder(p, os)
      z = f32[2000] convert(y)
      h = f32[] constant(1)
      hs = f32[2000] broadcast(h), dimensions={{}}
      v = f32[2000] subtract(z, hs)
      n = f32[] constant(-0)
      ns = f32[2000] broadcast(n), dimensions={{}}
      u = f32[] constant(-1)
      us = f32[2000] broadcast(u), dimensions={{}}
      is = pred[2000] compare(v, us), direction=EQ
      w = f32[2000] select(is, ns, v)
      s = (f32[2000], s32[2000], s32[2000]) sort(w, x, k), dimensions={{0}},
        to_apply=less
      ROOT r = s32[2000] get-tuple-element(s), index=2 }})",
                     l, e, m, spread_text(kCount, 97));
}

// -0 is before 0 in total order, and the same number.
TEST(GpuLongSorts, AreMergedWhereEqualKeysAreApart) {
  const std::vector<int64_t> first = spread_numbers(kCount, 5);
  const std::vector<int64_t> second = spread_numbers(kCount, 97);
  const Bits expected = as_bits(merged_places([&](int64_t a, int64_t b) {
    const auto i = static_cast<size_t>(a);
    const auto j = static_cast<size_t>(b);
    const bool are_equal =
        std::max<int64_t>(first[i], 1) == std::max<int64_t>(first[j], 1);
    return first[i] < first[j] || (are_equal && second[i] < second[j]);
  }));
  const std::string program =
      two_numbers_text("(a, b), direction=LT, type=TOTALORDER",
                       "(a, b), direction=EQ", "(c, d), direction=LT");
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, program), expected) << backend->name();
  }
}

// What stands behind whether the second numbers are equal is no second key.
TEST(GpuLongSorts, AreMergedWhereOtherKeysAreEqual) {
  const std::vector<int64_t> first = spread_numbers(kCount, 5);
  const std::vector<int64_t> second = spread_numbers(kCount, 97);
  const Bits expected = as_bits(merged_places([&](int64_t a, int64_t b) {
    const auto i = static_cast<size_t>(a);
    const auto j = static_cast<size_t>(b);
    const bool is_less =
        std::max<int64_t>(first[i], 1) < std::max<int64_t>(first[j], 1);
    return is_less || (second[i] == second[j] && a > b);
  }));
  const std::string program = two_numbers_text(
      "(a, b), direction=LT", "(c, d), direction=EQ", "(p, q), direction=GT");
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, program), expected) << backend->name();
  }
}

// The keys of f8e4m3fnuz, whose NaN stands below all numbers, take nine bits:
// 240 is the largest number.
TEST(GpuLongSorts, HaveBothEndsOfATypeInOrder) {
  const Bits expected =
      as_bits(places_in_order(spread_numbers(kCount, 8), false));
  for (const bool is_total : {false, true}) {
    const std::string program =
        comparator_text("f8e4m3fnuz",
                        std::string("(a, b), direction=LT") +
                            (is_total ? ", type=TOTALORDER" : "")) +
        "ENTRY main {\n" + spread_text(kCount, 8) +
        fmt::format(R"(
          y = f32[2000] convert(x)
          q = f32[] constant(7)
          qs = f32[2000] broadcast(q), dimensions={{}}
          is = pred[2000] compare(y, qs), direction=EQ
          l = f32[] constant(240)
          ls = f32[2000] broadcast(l), dimensions={{}}
          z = f32[] constant(0)
          zs = f32[2000] broadcast(z), dimensions={{}}
          js = pred[2000] compare(y, zs), direction=EQ
          n = f32[] constant({})
          ns = f32[2000] broadcast(n), dimensions={{}}
          v = f32[2000] select(is, ls, y)
          u = f32[2000] select(js, ns, v)
          w = f8e4m3fnuz[2000] convert(u)
          o = (f8e4m3fnuz[2000], s32[2000]) sort(w, k), dimensions={{0}},
            to_apply=less
          ROOT r = s32[2000] get-tuple-element(o), index=1 }})",
                    is_total ? "nan" : "-240");
    for (const auto& backend : backends_here()) {
      EXPECT_EQ(bits_of(*backend, program), expected)
          << backend->name() << ", total: " << is_total;
    }
  }
}

// A comparator that fills all registers of a tape has none for its key.
TEST(GpuLongSorts, AreMergedWhereKeysHaveNoRegister) {
  std::string steps;
  for (int k = 0; k < 21; ++k) {
    const std::string before = k == 0 ? "" : std::to_string(k - 1);
    steps += fmt::format(
        "a{0} = s32[] negate(a{1})\nb{0} = s32[] negate(b{1})\n", k, before);
  }
  const std::string program =
      "less { a = s32[] parameter(0)  b = s32[] parameter(1)\n"
      "c = s32[] parameter(2)  d = s32[] parameter(3)\n" +
      steps +
      "z = s32[] negate(c)\nROOT r = pred[] compare(a20, b20), direction=LT "
      "}\nENTRY main {" +
      spread_text(kCount, 97) + R"(
        o = (s32[2000], s32[2000]) sort(x, k), dimensions={0}, to_apply=less
        ROOT r = s32[2000] get-tuple-element(o), index=1 })";
  const Bits expected =
      as_bits(places_in_order(spread_numbers(kCount, 97), true));
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, program), expected) << backend->name();
  }
}

}  // namespace
}  // namespace hlo::gpu
