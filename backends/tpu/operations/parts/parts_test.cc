#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "backends/tpu/testing/run_tpu.h"
#include "backends/tpu/testing/tile_edges.h"

namespace hlo::tpu {
namespace {

/// f32[rows,columns] in that layout.
std::string matrix(int64_t rows, int64_t columns, const std::string& layout) {
  return "f32" + dims(rows, columns) + layout;
}

/// A program whose root is `body`'s last instruction, in default layout.
std::string program(const std::string& body, const std::string& shape) {
  return "HloModule m\n" + std::string(R"(
    less { a = f32[] parameter(0)  b = f32[] parameter(1)
           ROOT r = pred[] compare(a, b), direction=LT })") +
         "\nENTRY main {" + body + "\nROOT root = " + shape + " copy(last) }";
}

/// 100 i - j, which ascends along columns and descends along rows.
std::string numbers(const std::string& shape) {
  return R"(
    i = )" +
         shape + R"( iota(), iota_dimension=0
    j = )" +
         shape + R"( iota(), iota_dimension=1
    hundred = f32[] constant(100)
    hundreds = )" +
         shape + R"( broadcast(hundred), dimensions={}
    scaled = )" +
         shape + R"( multiply(i, hundreds)
    x = )" +
         shape + " subtract(scaled, j)\n";
}

TEST(TpuParts, SortsLinesOfTiles) {
  for (const char* layout : kLayouts) {
    for (const int64_t rows : {7, 8, 9}) {
      for (const int64_t columns : {127, 128, 129, 1023, 1024, 1025}) {
        const std::string shape = matrix(rows, columns, layout);
        const std::vector<float> sorted =
            run_program(program(numbers(shape) + "last = " + shape +
                                    " sort(x), dimensions={1}, to_apply=less",
                                matrix(rows, columns, "")));
        for (int64_t k = 0; k < rows * columns; ++k) {
          const int64_t i = k / columns;
          const int64_t j = columns - 1 - k % columns;
          ASSERT_EQ(sorted.at(static_cast<size_t>(k)),
                    static_cast<float>(100 * i - j))
              << shape << " at " << k;
        }
      }
    }
  }
}

// More lines than are in the scratch memory at a time.
TEST(TpuParts, SortsBlocksOfLines) {
  for (const char* layout : kLayouts) {
    const std::string shape = matrix(97, 1025, layout);
    const std::vector<float> sorted =
        run_program(program(numbers(shape) + "last = " + shape +
                                " sort(x), dimensions={1}, to_apply=less",
                            matrix(97, 1025, "")));
    for (int64_t k = 0; k < 97 * 1025; ++k) {
      ASSERT_EQ(sorted.at(static_cast<size_t>(k)),
                static_cast<float>(100 * (k / 1025) - 1024 + k % 1025))
          << shape << " at " << k;
    }
  }
}

TEST(TpuParts, SortsPairsAlongTheMajorDimension) {
  for (const char* layout : kLayouts) {
    const std::string shape = matrix(9, 129, layout);
    const std::vector<float> places = run_program(
        "HloModule m\n" + std::string(R"(
          more { a = f32[] parameter(0)  b = f32[] parameter(1)
                 c = f32[] parameter(2)  d = f32[] parameter(3)
                 ROOT r = pred[] compare(a, b), direction=GT }
          ENTRY main {)") +
        numbers(shape) + "s = (" + shape + ", " + shape +
        ") sort(x, i), dimensions={0}, to_apply=more\n last = " + shape +
        " get-tuple-element(s), index=1\n ROOT root = " + matrix(9, 129, "") +
        " copy(last) }");
    for (size_t k = 0; k < places.size(); ++k) {
      ASSERT_EQ(places[k], static_cast<float>(8 - k / 129)) << shape;
    }
  }
}

/// Columns of 97 rows that are sorted by i mod 7 descending: column c has
/// 100 i + c at row i, or the same along the last dimension.
std::string wide_sort(int64_t columns, const std::string& shape, int64_t d) {
  std::string regions = "wide {";
  std::string types;
  std::string names;
  std::string body;
  for (int64_t c = 0; c < columns; ++c) {
    const std::string n = std::to_string(c);
    regions += " a" + n + " = f32[] parameter(" + std::to_string(2 * c) +
               ")  b" + n + " = f32[] parameter(" + std::to_string(2 * c + 1) +
               ")";
    types += (c == 0 ? "" : ", ") + shape;
    names += (c == 0 ? "x" : ", x") + n;
    body += "c" + n + " = f32[] constant(" + n + ")\n cs" + n + " = " + shape +
            " broadcast(c" + n + "), dimensions={}\n x" + n + " = " + shape +
            " add(scaled, cs" + n + ")\n";
  }
  const std::string along = std::to_string(d);
  return "HloModule m\n" + regions + R"(
    hundred = f32[] constant(100)
    seven = f32[] constant(7)
    i = f32[] divide(a0, hundred)
    j = f32[] divide(b0, hundred)
    r = f32[] remainder(i, seven)
    s = f32[] remainder(j, seven)
    ROOT more = pred[] compare(r, s), direction=GT }
  ENTRY main {
    i = )" +
         shape + " iota(), iota_dimension=" + along + R"(
    hundred = f32[] constant(100)
    hundreds = )" +
         shape + R"( broadcast(hundred), dimensions={}
    scaled = )" +
         shape + " multiply(i, hundreds)\n" + body + "t = (" + types +
         ") sort(" + names + "), dimensions={" + along +
         "}, to_apply=wide\n last = " + shape +
         " get-tuple-element(t), index=" + std::to_string(columns - 1) +
         "\n ROOT root = f32" + shape.substr(3, shape.find(']') - 2) +
         " copy(last) }";
}

// Registers of 12 arrays of f32 take 6 * 12 * 4096 bytes, more than there are.
TEST(TpuParts, SortsMoreArraysThanItHasRegistersFor) {
  constexpr int64_t kColumns = 12;
  for (const char* layout : kLayouts) {
    for (const int64_t rows : {1, 2, 97}) {
      std::vector<int64_t> order(static_cast<size_t>(rows));
      std::iota(order.begin(), order.end(), 0);
      std::ranges::stable_sort(
          order, [](int64_t a, int64_t b) { return a % 7 > b % 7; });
      const auto along_major =
          run_program(wide_sort(kColumns, matrix(rows, 3, layout), 0),
                      "tpu:?scratch=262144");
      const auto along_minor =
          run_program(wide_sort(kColumns, matrix(3, rows, layout), 1),
                      "tpu:?scratch=262144");
      for (int64_t k = 0; k < rows * 3; ++k) {
        const auto element = [&](int64_t row) {
          return static_cast<float>(100 * order.at(static_cast<size_t>(row)) +
                                    kColumns - 1);
        };
        ASSERT_EQ(along_major.at(static_cast<size_t>(k)), element(k / 3));
        ASSERT_EQ(along_minor.at(static_cast<size_t>(k)), element(k % rows));
      }
    }
  }
}

TEST(TpuParts, FindsTheGreatestOfRows) {
  for (const char* layout : kLayouts) {
    const std::string shape = matrix(9, 129, layout);
    const std::vector<float> greatest = run_program(program(
        numbers(shape) + "t = (f32[9,3], s32[9,3]) topk(x), k=3, "
                         "largest=true\n"
                         "last = f32[9,3] get-tuple-element(t), index=0",
        "f32[9,3]"));
    for (size_t k = 0; k < greatest.size(); ++k) {
      ASSERT_EQ(greatest[k],
                100 * static_cast<float>(k / 3) - static_cast<float>(k % 3))
          << shape;
    }
  }
}

// A constant row has its sum at frequency 0, and nothing else.
TEST(TpuParts, TransformsRows) {
  for (const char* layout : kLayouts) {
    for (const int64_t columns : {127, 128, 129}) {
      const int64_t half = columns / 2 + 1;
      const std::string real = matrix(9, columns, layout);
      const std::string spectrum = matrix(9, half, layout);
      std::string body =
          "i = " + real + " iota(), iota_dimension=0\n c = c64" +
          spectrum.substr(3) + " fft(i), fft_type=RFFT, fft_length={" +
          std::to_string(columns) + "}\n last = " + spectrum + " real(c)";
      const std::vector<float> sums =
          run_program(program(body, matrix(9, half, "")));
      for (int64_t k = 0; k < 9 * half; ++k) {
        const int64_t expected = k % half == 0 ? columns * (k / half) : 0;
        ASSERT_EQ(sums.at(static_cast<size_t>(k)), static_cast<float>(expected))
            << real << " at " << k;
      }
    }
  }
}

// 2 x = b for the right-hand sides b, of one matrix and its 129 columns.
TEST(TpuParts, SolvesSystemsColumnByColumn) {
  for (const char* layout : kLayouts) {
    const std::string square = matrix(9, 9, layout);
    const std::string sides = matrix(9, 129, layout);
    const std::string body = numbers(sides) + R"(
      d = )" + square + R"( iota(), iota_dimension=0
      e = )" + square + R"( iota(), iota_dimension=1
      same = pred[9,9] compare(d, e), direction=EQ
      two = f32[] constant(2)
      twos = )" + square + R"( broadcast(two), dimensions={}
      zero = f32[] constant(0)
      zeros = )" + square + R"( broadcast(zero), dimensions={}
      a = )" + square + R"( select(same, twos, zeros)
      last = )" + sides + " triangular-solve(a, x), left_side=true, " +
                             "lower=true, transpose_a=NO_TRANSPOSE";
    const std::vector<float> halves =
        run_program(program(body, matrix(9, 129, "")));
    for (size_t k = 0; k < halves.size(); ++k) {
      ASSERT_EQ(halves[k], 50 * static_cast<float>(k / 129) -
                               0.5F * static_cast<float>(k % 129))
          << sides;
    }
  }
}

// Each feature has the mean of 0 and 2 i, and that number for its deviation.
TEST(TpuParts, NormalizesFeatures) {
  for (const char* layout : kLayouts) {
    for (const int64_t features : {7, 8, 9, 127, 128, 129}) {
      const std::string shape = matrix(features, 2, layout);
      const std::string vector = "f32[" + std::to_string(features) + "]";
      const std::string body = R"(
        i = )" + shape + R"( iota(), iota_dimension=0
        j = )" + shape + R"( iota(), iota_dimension=1
        half = )" + shape + R"( multiply(i, j)
        x = )" + shape + R"( add(half, half)
        f = )" + vector + R"( iota(), iota_dimension=0
        n = ()" + shape + ", " +
                               vector + ", " + vector +
                               ") batch-norm-training(x, f, f), epsilon=0, "
                               "feature_index=0\n last = " +
                               shape + " get-tuple-element(n), index=0";
      const std::vector<float> normal =
          run_program(program(body, matrix(features, 2, "")));
      for (int64_t i = 1; i < features; ++i) {
        ASSERT_EQ(normal.at(static_cast<size_t>(2 * i)), 0) << shape;
        ASSERT_EQ(normal.at(static_cast<size_t>(2 * i + 1)),
                  static_cast<float>(2 * i))
            << shape;
      }
    }
  }
}

}  // namespace
}  // namespace hlo::tpu
