#include "backends/cpu/routines/fft_routine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "backends/cpu/kernels/testing/everywhere.h"
#include "interpreter/verify/verify.h"

// Expected are the sums of the definition, in long double.

namespace hlo::cpu {
namespace {

using Complex = std::complex<long double>;
using Complexes = std::vector<Complex>;
using Ints = std::vector<int64_t>;

struct Kind {
  const char* name;
  bool takes_reals, gives_reals, is_inverse;
};

constexpr Kind kKinds[] = {{"FFT", false, false, false},
                           {"IFFT", false, false, true},
                           {"RFFT", true, false, false},
                           {"IRFFT", false, true, true}};

int64_t product(const Ints& sizes) {
  int64_t all = 1;
  for (const int64_t size : sizes) all *= size;
  return all;
}

Ints with_half(Ints lengths) {
  lengths.back() = lengths.back() / 2 + 1;
  return lengths;
}

/// So many arrays of the lengths.
struct Problem {
  Kind kind;
  int64_t arrays;
  Ints lengths;

  Ints given() const { return kind.gives_reals ? with_half(lengths) : lengths; }

  Ints wanted() const {
    return kind.takes_reals ? with_half(lengths) : lengths;
  }

  std::string text() const {
    return fmt::format(
        "HloModule m\n\nENTRY main {{\n  x = {}[{},{}] parameter(0)\n"
        "  ROOT r = {}[{},{}] fft(x), fft_type={}, fft_length={{{}}}\n}}\n",
        kind.takes_reals ? "f32" : "c64", arrays, fmt::join(given(), ","),
        kind.gives_reals ? "f32" : "c64", arrays, fmt::join(wanted(), ","),
        kind.name, fmt::join(lengths, ","));
  }
};

/// The transform of lines of one dimension.
void transform(Complexes& numbers, int64_t length, int64_t stride, int sign) {
  const Complexes given = numbers;
  for (int64_t i = 0; i < std::ssize(numbers); ++i) {
    const int64_t k = i / stride % length;
    const int64_t first = i - k * stride;
    Complex sum;
    for (int64_t t = 0; t < length; ++t) {
      const auto turns = static_cast<long double>(k * t % length);
      const long double angle = sign * 2 * std::numbers::pi_v<long double> *
                                turns / static_cast<long double>(length);
      sum += given[static_cast<size_t>(first + t * stride)] *
             std::polar(1.0L, angle);
    }
    numbers[static_cast<size_t>(i)] = sum;
  }
}

/// All numbers that are transformed: of half a spectrum the other half, too.
Complexes whole(const Problem& problem, const std::vector<float>& given) {
  Complexes numbers;
  const int64_t length = problem.lengths.back();
  const int64_t own = problem.given().back();
  const auto at = [&](int64_t i) -> Complex {
    const auto word = static_cast<size_t>(i);
    if (problem.kind.takes_reals) return given[word];
    return {given[2 * word], given[2 * word + 1]};
  };
  for (int64_t i = 0; i < problem.arrays * product(problem.lengths); ++i) {
    const int64_t line = i / length;
    const int64_t k = i % length;
    numbers.push_back(k < own ? at(line * own + k)
                              : std::conj(at(line * own + length - k)));
  }
  return numbers;
}

std::vector<float> expected(const Problem& problem,
                            const std::vector<float>& given) {
  Complexes numbers = whole(problem, given);
  int64_t stride = 1;
  for (size_t d = problem.lengths.size(); d-- > 0;) {
    const int sign = problem.kind.is_inverse ? 1 : -1;
    transform(numbers, problem.lengths[d], stride, sign);
    stride *= problem.lengths[d];
  }
  std::vector<float> result;
  for (int64_t i = 0; i < std::ssize(numbers); ++i) {
    if (i % problem.lengths.back() >= problem.wanted().back()) continue;
    Complex own = numbers[static_cast<size_t>(i)];
    if (problem.kind.is_inverse) own /= static_cast<long double>(stride);
    result.push_back(static_cast<float>(own.real()));
    if (problem.kind.gives_reals) continue;
    result.push_back(static_cast<float>(own.imag()));
  }
  return result;
}

std::vector<float> drawn(size_t count) {
  std::mt19937 engine(static_cast<unsigned>(count));
  std::normal_distribution<float> normal;
  std::vector<float> numbers(count);
  for (float& number : numbers) number = normal(engine);
  return numbers;
}

void expect_transformed(const Problem& problem) {
  const Module module = verified_module(problem.text());
  const auto routine = fft_routine(*module.entry->root);
  ASSERT_TRUE(routine.has_value());
  const auto words = problem.arrays * product(problem.given()) *
                     (problem.kind.takes_reals ? 1 : 2);
  const std::vector<float> given = drawn(static_cast<size_t>(words));
  const std::vector<float> sums = expected(problem, given);
  const auto* const from = reinterpret_cast<const std::byte*>(given.data());
  std::vector<float> first;
  everywhere([&] {
    std::vector<float> result(sums.size());
    auto* const to = reinterpret_cast<std::byte*>(result.data());
    routine->run({&from, 1}, {&to, 1});
    for (size_t i = 0; i < sums.size(); ++i) {
      // Sums of a hundred numbers lose less than an f32 has steps of.
      ASSERT_NEAR(result[i], sums[i], 1e-6F * (1 + std::abs(sums[i]))) << i;
    }
    if (first.empty()) first = result;
    EXPECT_EQ(result, first);
  });
}

// Products of small factors, a prime that is summed and one that is not; single
// lines, groups of eight, and what is left of them; several dimensions.
TEST(FftRoutine, SumsAsTheDefinitionDoes) {
  const std::vector<Ints> lengths = {{1},      {2},     {8},      {15},
                                     {53},     {64},    {100},    {3, 8},
                                     {16, 53}, {9, 20}, {2, 3, 4}};
  for (const Kind& kind : kKinds) {
    for (const Ints& own : lengths) {
      if (kind.gives_reals && own.size() > 1) continue;
      for (const int64_t arrays : {1, 3, 17}) {
        const Problem problem{kind, arrays, own};
        SCOPED_TRACE(problem.text());
        expect_transformed(problem);
      }
    }
  }
}

TEST(FftRoutine, LeavesOthersAlone) {
  for (const char* text :
       {"HloModule m\nENTRY e {\n  x = c128[2,8] parameter(0)\n"
        "  ROOT r = c128[2,8] fft(x), fft_type=FFT, fft_length={8}\n}\n",
        "HloModule m\nENTRY e {\n  x = c64[4,5] parameter(0)\n"
        "  ROOT r = f32[4,8] fft(x), fft_type=IRFFT, fft_length={4,8}\n}\n"}) {
    EXPECT_FALSE(fft_routine(*verified_module(text).entry->root).has_value());
  }
}

}  // namespace
}  // namespace hlo::cpu
