#include "backends/cpu/kernels/features/array_features.h"

#include <gtest/gtest.h>

#include <string>

#include "backends/cpu/kernels/testing/everywhere.h"

// Numbers are small and whole, or halves and quarters of such, so that every
// sum and result is exact in any order.

namespace hlo::cpu {
namespace {

using Reals = std::vector<double>;

// Few elements beside each other, and many; a feature, and more than fit a
// block of columns; runs longer than a task.
const std::vector<FeatureOrder>& orders() {
  static const std::vector<FeatureOrder> all = {
      {1, 1, 100000},   {3, 1, 3},          {3, 1, 90003},  {100, 1, 40000},
      {5000, 1, 25000}, {3, 20, 6000},      {7, 63, 882},   {2, 64, 128},
      {3, 65, 390},     {2, 40000, 160000}, {4, 100, 40000}};
  return all;
}

size_t feature_of(const FeatureOrder& order, size_t i) {
  return i / static_cast<size_t>(order.inner) %
         static_cast<size_t>(order.count);
}

template <typename T>
struct Case {
  explicit Case(const FeatureOrder& its_order) : order(its_order) {
    for (int64_t i = 0; i < order.elements; ++i) {
      x.push_back(static_cast<T>(i * 7 % 11 - 5));
      y.push_back(static_cast<T>(i * 3 % 5 - 1));
    }
    for (int64_t f = 0; f < order.count; ++f) {
      mean.push_back(static_cast<double>(f % 7 - 3));
      unit.push_back(f % 2 == 0 ? 0.5 : -2);
    }
  }

  static const std::byte* bytes(const std::vector<T>& numbers) {
    return reinterpret_cast<const std::byte*>(numbers.data());
  }

  /// The sums of f(x, y, mean).
  template <typename F>
  Reals sums(F f) const {
    Reals result(static_cast<size_t>(order.count));
    for (size_t i = 0; i < x.size(); ++i) {
      const size_t own = feature_of(order, i);
      result[own] += f(double{x[i]}, double{y[i]}, mean[own]);
    }
    return result;
  }

  /// f(x, y, mean, unit) of each element.
  template <typename F>
  std::vector<T> mapped(F f) const {
    std::vector<T> result;
    for (size_t i = 0; i < x.size(); ++i) {
      const size_t own = feature_of(order, i);
      result.push_back(
          static_cast<T>(f(double{x[i]}, double{y[i]}, mean[own], unit[own])));
    }
    return result;
  }

  FeatureOrder order;
  std::vector<T> x, y;
  Reals mean, unit;
};

template <typename T>
void expect_sums(const ArrayFeatures& features, const Case<T>& own) {
  const auto* const x = Case<T>::bytes(own.x);
  const auto* const y = Case<T>::bytes(own.y);
  const Reals numbers = own.sums([](double a, double, double) { return a; });
  const Reals squares = own.sums(
      [](double a, double, double mean) { return (a - mean) * (a - mean); });
  const Reals products =
      own.sums([](double a, double b, double mean) { return b * (a - mean); });
  everywhere([&] {
    EXPECT_EQ(features.sums(FeatureTerm::kNumber, x, nullptr, {}), numbers);
    EXPECT_EQ(features.sums(FeatureTerm::kSquare, x, nullptr, own.mean),
              squares);
    EXPECT_EQ(features.sums(FeatureTerm::kProduct, x, y, own.mean), products);
  });
}

template <typename T>
void expect_map(const ArrayFeatures& features, const Case<T>& own,
                FeatureMap map, const std::vector<Reals>& numbers, double n,
                const std::vector<T>& expected) {
  everywhere([&] {
    std::vector<T> to(expected.size());
    features.map(map, Case<T>::bytes(own.x), Case<T>::bytes(own.y), numbers, n,
                 reinterpret_cast<std::byte*>(to.data()));
    EXPECT_EQ(to, expected);
  });
}

template <typename T>
void expect_maps(const ArrayFeatures& features, const Case<T>& own) {
  expect_map(features, own, FeatureMap::kScaled, {own.mean, own.unit, own.mean},
             0, own.mapped([](double x, double, double mean, double unit) {
               return (x - mean) * unit + mean;
             }));
  expect_map(features, own, FeatureMap::kDivided,
             {own.mean, own.unit, own.mean, own.unit}, 0,
             own.mapped([](double x, double, double mean, double unit) {
               return (x - mean) / unit * mean + unit;
             }));
  expect_map(features, own, FeatureMap::kGradient,
             {own.unit, own.mean, own.mean, own.mean, own.unit}, 3,
             own.mapped([](double x, double y, double mean, double unit) {
               return unit * (3 * y - mean - (x - mean) * mean / unit);
             }));
}

template <typename T>
void expect_features(ElementType type) {
  for (const FeatureOrder& order : orders()) {
    SCOPED_TRACE(std::to_string(order.count) + " features, " +
                 std::to_string(order.inner) + " beside each other, " +
                 std::to_string(order.elements) + " elements");
    const ArrayFeatures features(order, type);
    const Case<T> own(order);
    expect_sums(features, own);
    expect_maps(features, own);
  }
}

TEST(ArrayFeatures, SumAndMapElementsOfF32) {
  expect_features<float>(ElementType::kF32);
}

TEST(ArrayFeatures, SumAndMapElementsOfF64) {
  expect_features<double>(ElementType::kF64);
}

TEST(ArrayFeatures, HaveSumsOfNothing) {
  const ArrayFeatures features({3, 0, 0}, ElementType::kF32);
  EXPECT_EQ(features.sums(FeatureTerm::kNumber, nullptr, nullptr, {}),
            Reals(3));
  const ArrayFeatures none({0, 5, 0}, ElementType::kF32);
  EXPECT_EQ(none.sums(FeatureTerm::kNumber, nullptr, nullptr, {}), Reals());
}

}  // namespace
}  // namespace hlo::cpu
