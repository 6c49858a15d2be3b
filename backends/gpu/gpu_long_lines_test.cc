#include <gtest/gtest.h>

#include <bit>

#include "backends/gpu/testing/long_lines.h"

// Lines of so many elements that they are folded in parts, and that updates are
// put in order before they are scattered. What is expected is computed here, by
// integers.

namespace hlo::gpu {
namespace {

/// The folds of `terms`, which the operand's text names, up to each element or
/// from it on.
std::string running_text(const std::string& type, const std::string& op,
                         const std::string& operand, const std::string& init,
                         int64_t count, bool is_backward) {
  return fmt::format(R"(
    f {{ a = {0}[] parameter(0)  b = {0}[] parameter(1)
         ROOT r = {0}[] {1}(a, b) }}
    ENTRY main {{
      {2}
      i = {0}[] constant({3})
      ROOT r = {0}[{4}] reduce-window(terms, i),
        window={{size={4} pad={5}_{6}}}, to_apply=f }})",
                     type, op, operand, init, count,
                     is_backward ? 0 : count - 1, is_backward ? count - 1 : 0);
}

// 2^24 and ones: each sum is rounded once, in both directions; parts have 64
// elements or more.
TEST(GpuLongLines, HaveRunningSumsThatAreRoundedOnce) {
  for (const int64_t count : {16, 64, 65, 1000}) {
    const std::string shape = "f32[" + std::to_string(count) + "]";
    const std::string ones = "o = f32[] constant(1)\nterms = " + shape +
                             " broadcast(o), dimensions={}\n";
    Bits forward;
    for (int64_t k = 1; k <= count; ++k) {
      forward.push_back(
          std::bit_cast<uint32_t>(static_cast<float>((1 << 24) + k)));
    }
    const Bits backward(forward.rbegin(), forward.rend());
    for (const auto& backend : backends_here()) {
      for (const bool is_backward : {false, true}) {
        EXPECT_EQ(bits_of(*backend, running_text("f32", "add", ones, "16777216",
                                                 count, is_backward)),
                  is_backward ? backward : forward)
            << backend->name() << ", " << count;
      }
    }
  }
}

// Negative sums stay what they are when they have been rounded.
TEST(GpuLongLines, HaveRunningSumsOfBothSigns) {
  Bits expected;
  int64_t sum = 0;
  for (const int64_t x : spread_numbers(300, 201)) {
    sum += x - 100;
    expected.push_back(std::bit_cast<uint64_t>(static_cast<double>(sum)));
  }
  const std::string numbers = spread_text(300, 201) + R"(
    h = s32[] constant(100)
    hs = s32[300] broadcast(h), dimensions={}
    d = s32[300] subtract(x, hs)
    terms = f64[300] convert(d)
  )";
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend,
                      running_text("f64", "add", numbers, "-0", 300, false)),
              expected)
        << backend->name();
  }
}

// 2^40 and -2^40 leave digits that are 0 above those of -1; what is infinite
// stays so in the parts behind.
TEST(GpuLongLines, HaveRunningSumsThatCancelOrAreInfinite) {
  std::string cancels = "1099511627776, -1099511627776, -1";
  Bits small = {std::bit_cast<uint64_t>(1099511627776.0), 0};
  std::string infinite = "inf";
  for (int k = 0; k < 14; ++k) {
    if (k < 13) cancels += ", 0";
    small.push_back(std::bit_cast<uint64_t>(-1.0));
  }
  for (int k = 1; k < 200; ++k) infinite += ", 1";
  const auto text = [](const std::string& elements, int64_t count) {
    return running_text(
        "f64", "add",
        fmt::format("terms = f64[{}] constant({{{}}})", count, elements), "0",
        count, false);
  };
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, text(cancels, 16)), small) << backend->name();
    EXPECT_EQ(bits_of(*backend, text(infinite, 200)),
              Bits(200, 0x7ff0000000000000))
        << backend->name();
  }
}

// 3^k, up to 3^40 beyond 53 bits: products are rounded once. Differences are
// taken from the first to the last, which no part can do alone.
TEST(GpuLongLines, HaveRunningProductsAndDifferences) {
  const std::string threes =
      "t = f64[] constant(3)\nterms = f64[40] broadcast(t), dimensions={}\n";
  Bits powers;
  Bits differences;
  uint64_t power = 1;
  for (int64_t k = 1; k <= 40; ++k) {
    power *= 3;
    powers.push_back(std::bit_cast<uint64_t>(static_cast<double>(power)));
    differences.push_back(
        std::bit_cast<uint64_t>(static_cast<double>(10 - 3 * k)));
  }
  const Bits backward(powers.rbegin(), powers.rend());
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend,
                      running_text("f64", "multiply", threes, "1", 40, false)),
              powers)
        << backend->name();
    EXPECT_EQ(bits_of(*backend,
                      running_text("f64", "multiply", threes, "1", 40, true)),
              backward)
        << backend->name();
    EXPECT_EQ(bits_of(*backend,
                      running_text("f64", "subtract", threes, "10", 40, false)),
              differences)
        << backend->name();
  }
}

/// A window along a line of the spread numbers.
struct LineWindow {
  const char* text;
  int64_t size;
  int64_t low;
  int64_t high;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t base_dilation = 1;
};

/// The folds of all windows over the numbers, from each first tap to its last.
std::vector<int64_t> folded(const std::vector<int64_t>& numbers,
                            const LineWindow& window, bool subtracts) {
  const int64_t line = (std::ssize(numbers) - 1) * window.base_dilation + 1;
  const int64_t reach = (window.size - 1) * window.dilation + 1;
  std::vector<int64_t> results;
  for (int64_t first = -window.low; first + reach <= line + window.high;
       first += window.stride) {
    int64_t result = 7;
    for (int64_t tap = 0; tap < window.size; ++tap) {
      const int64_t at = first + tap * window.dilation;
      const bool is_there =
          at >= 0 && at < line && at % window.base_dilation == 0;
      if (!is_there) continue;
      const int64_t x = numbers[static_cast<size_t>(at / window.base_dilation)];
      result = subtracts ? x - result : result + x;
    }
    results.push_back(result);
  }
  return results;
}

// Windows that hold all elements up to each or from it on, and such that nearly
// do; x - result turns on the order, and has no parts.
TEST(GpuLongLines, AreFoldedAsTheirWindowsSay) {
  constexpr LineWindow kWindows[] = {
      {"size=200 pad=199_0", 200, 199, 0},
      {"size=200 pad=0_199", 200, 0, 199},
      {"size=200 pad=199_0 rhs_reversal=1", 200, 199, 0},
      {"size=230 pad=229_0", 230, 229, 0},
      {"size=199 pad=198_0", 199, 198, 0},
      {"size=199 pad=0_198", 199, 0, 198},
      {"size=200 pad=199_3", 200, 199, 3},
      {"size=200 pad=3_199", 200, 3, 199},
      {"size=200 pad=199_-1", 200, 199, -1},
      {"size=200 pad=199_0 stride=2", 200, 199, 0, 2},
      {"size=200 pad=199_0 rhs_dilate=2", 200, 199, 0, 1, 2},
      {"size=200 pad=199_0 lhs_dilate=2", 200, 199, 0, 1, 1, 2}};
  const std::vector<int64_t> numbers = spread_numbers(200, 97);
  for (const LineWindow& window : kWindows) {
    for (const bool subtracts : {false, true}) {
      const std::vector<int64_t> expected = folded(numbers, window, subtracts);
      const std::string program = fmt::format(
          R"(
        f {{ a = s32[] parameter(0)  b = s32[] parameter(1)
             ROOT r = s32[] {} }}
        ENTRY main {{ {}
          i = s32[] constant(7)
          ROOT r = s32[{}] reduce-window(x, i), window={{{}}}, to_apply=f }})",
          subtracts ? "subtract(b, a)" : "add(a, b)", spread_text(200, 97),
          expected.size(), window.text);
      for (const auto& backend : backends_here()) {
        EXPECT_EQ(bits_of(*backend, program), as_bits(expected))
            << backend->name() << ": " << window.text << subtracts;
      }
    }
  }
}

// Windows that hold all elements of two dimensions are no line's.
TEST(GpuLongLines, AreNotTheRowsOfAMatrix) {
  std::vector<int64_t> expected;
  const std::vector<int64_t> numbers = spread_numbers(400, 97);
  for (int64_t i = 0; i < 20; ++i) {
    for (int64_t j = 0; j < 20; ++j) {
      int64_t sum = 0;
      for (int64_t k = 0; k < 400; ++k) {
        const bool is_there = k / 20 <= i && k % 20 <= j;
        if (is_there) sum += numbers[static_cast<size_t>(k)];
      }
      expected.insert(expected.end(), sum);
    }
  }
  const std::string program =
      "f { a = s32[] parameter(0)  b = s32[] parameter(1)\n"
      "ROOT r = s32[] add(a, b) }\nENTRY main {" +
      spread_text(400, 97) + R"(
        y = s32[20,20] reshape(x)
        i = s32[] constant(0)
        ROOT r = s32[20,20] reduce-window(y, i),
          window={size=20x20 pad=19_0x19_0}, to_apply=f })";
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, program), as_bits(expected)) << backend->name();
  }
}

/// A scatter of rows k of the updates to elements of u32 that begin as 1, each
/// of which becomes 3 times itself and the update; indices are those of x less
/// `below`.
std::string scatter_text(int64_t modulus, int64_t below,
                         const std::string& operand, const std::string& updates,
                         const std::string& dimensions) {
  return fmt::format(R"(
    f {{ a = u32[] parameter(0)  b = u32[] parameter(1)
         t = u32[] constant(3)
         m = u32[] multiply(a, t)
         ROOT r = u32[] add(m, b) }}
    ENTRY main {{ {}
      h = s32[] constant({})
      hs = s32[2000] broadcast(h), dimensions={{}}
      i = s32[2000] subtract(x, hs)
      o = u32[] constant(1)
      os = u32{} broadcast(o), dimensions={{}}
      v = u32[2000] convert(k)
      u = u32{} broadcast(v), dimensions={{0}}
      ROOT r = u32{} scatter(os, i, u), {},
        scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=f }})",
                     spread_text(kCount, modulus), below, operand, updates,
                     operand, dimensions);
}

// Rows of 2 that many updates meet; indices from -3 on and to 93 meet none
// outside. What an element becomes turns on the order.
TEST(GpuLongLines, OfUpdatesMeetTheirRowsInOrder) {
  constexpr int64_t kRows = 90;
  std::vector<uint32_t> rows(kRows, 1);
  const std::vector<int64_t> numbers = spread_numbers(kCount, 97);
  for (size_t k = 0; k < numbers.size(); ++k) {
    const int64_t row = numbers[k] - 3;
    if (row < 0 || row >= kRows) continue;
    uint32_t& own = rows[static_cast<size_t>(row)];
    own = 3 * own + static_cast<uint32_t>(k);
  }
  Bits expected;
  for (const uint32_t x : rows) expected.insert(expected.end(), 2, x);
  const std::string program =
      scatter_text(97, 3, "[90,2]", "[2000,2]",
                   "update_window_dims={1}, inserted_window_dims={0}");
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, program), expected) << backend->name();
  }
}

// Elements of a matrix by two indices, and of each of its rows by one.
TEST(GpuLongLines, OfUpdatesMeetElementsOfAMatrix) {
  const std::vector<int64_t> numbers = spread_numbers(kCount, 97);
  std::vector<int64_t> by_two(40, 0);
  std::vector<int64_t> by_row(40, 0);
  for (size_t k = 0; k < numbers.size(); ++k) {
    const size_t row = k % 4;
    const int64_t column = numbers[k] % 13;
    const auto own = static_cast<int64_t>(k);
    if (column < 10) by_two[row * 10 + static_cast<size_t>(column)] += own;
    // The updates of row j are those from 500 j on.
    if (column < 10) {
      by_row[k / 500 * 10 + static_cast<size_t>(column)] += own;
    }
  }
  const std::string begin =
      "f { a = s32[] parameter(0)  b = s32[] parameter(1)\n"
      "ROOT r = s32[] add(a, b) }\nENTRY main {" +
      spread_text(kCount, 97) + R"(
        t = s32[] constant(13)
        ts = s32[2000] broadcast(t), dimensions={}
        c = s32[2000] remainder(x, ts)
        q = s32[] constant(4)
        qs = s32[2000] broadcast(q), dimensions={}
        d = s32[2000] remainder(k, qs)
        z = s32[] constant(0)
        o = s32[4,10] broadcast(z), dimensions={}
      )";
  const std::string two = begin + R"(
        e = s32[2000,1] reshape(d)
        g = s32[2000,1] reshape(c)
        i = s32[2000,2] concatenate(e, g), dimensions={1}
        ROOT r = s32[4,10] scatter(o, i, k), update_window_dims={},
          inserted_window_dims={0,1}, scatter_dims_to_operand_dims={0,1},
          index_vector_dim=1, to_apply=f })";
  const std::string rows = begin + R"(
        i = s32[4,500] reshape(c)
        u = s32[4,500] reshape(k)
        ROOT r = s32[4,10] scatter(o, i, u), update_window_dims={},
          inserted_window_dims={1}, scatter_dims_to_operand_dims={1},
          input_batching_dims={0}, scatter_indices_batching_dims={0},
          index_vector_dim=2, to_apply=f })";
  for (const auto& backend : backends_here()) {
    EXPECT_EQ(bits_of(*backend, two), as_bits(by_two)) << backend->name();
    EXPECT_EQ(bits_of(*backend, rows), as_bits(by_row)) << backend->name();
  }
}

// Windows that cover each other in part, of which some lie outside.
TEST(GpuLongLines, OfWindowsMeetTheirElementsInOrder) {
  constexpr int64_t kSize = 40;
  const std::vector<int64_t> numbers = spread_numbers(kCount, 43);
  for (const int64_t width : {2, 3}) {
    std::vector<uint32_t> elements(kSize, 1);
    for (size_t k = 0; k < numbers.size(); ++k) {
      const int64_t start = numbers[k] - 2;
      if (start < 0 || start > kSize - width) continue;
      for (int64_t j = 0; j < width; ++j) {
        uint32_t& own = elements[static_cast<size_t>(start + j)];
        own = 3 * own + static_cast<uint32_t>(k);
      }
    }
    const std::string program =
        scatter_text(43, 2, "[40]", fmt::format("[2000,{}]", width),
                     "update_window_dims={1}, inserted_window_dims={}");
    for (const auto& backend : backends_here()) {
      EXPECT_EQ(bits_of(*backend, program),
                Bits(elements.begin(), elements.end()))
          << backend->name() << ", " << width;
    }
  }
}

}  // namespace
}  // namespace hlo::gpu
