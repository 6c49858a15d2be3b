#include "backends/cpu/arrays/array.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hlo::cpu {
namespace {

Shape doubles(int64_t count) {
  return Shape::array(ElementType::kF64, {count});
}

TEST(ResultPlaceTest, HasTheFirstResultOfItsSize) {
  std::array<std::byte, 24> memory;
  const ResultPlace place(memory);
  EXPECT_NE(Array::result(doubles(2)).bytes.data(), memory.data());
  EXPECT_NE(Array::unwritten(doubles(3)).bytes.data(), memory.data());
  {
    const Array first = Array::result(doubles(3));
    EXPECT_EQ(first.bytes.data(), memory.data());
    const Array copy = first;
    EXPECT_NE(copy.bytes.data(), memory.data());
  }
  EXPECT_NE(Array::result(doubles(3)).bytes.data(), memory.data());
}

TEST(ResultPlaceTest, IsThereAgainBehindAnother) {
  std::array<std::byte, 24> memory;
  std::array<std::byte, 24> other;
  const ResultPlace place(memory);
  {
    const ResultPlace none({});
    EXPECT_NE(Array::result(doubles(3)).bytes.data(), memory.data());
    const ResultPlace inner(other);
    EXPECT_EQ(Array::result(doubles(3)).bytes.data(), other.data());
  }
  EXPECT_EQ(Array::result(doubles(3)).bytes.data(), memory.data());
}

TEST(ResultPlaceTest, IsGoneBehindItsEnd) {
  std::array<std::byte, 24> memory;
  { const ResultPlace place(memory); }
  EXPECT_NE(Array::result(doubles(3)).bytes.data(), memory.data());
}

TEST(ArrayTest, LoadsAndStoresSomeElementsOfEachKind) {
  for (const ElementType type :
       {ElementType::kS8, ElementType::kU16, ElementType::kS32,
        ElementType::kU64, ElementType::kPred, ElementType::kS4}) {
    Array array(Shape::array(type, {5}));
    store_some<int64_t>(std::vector<int64_t>{1, 0}, array, 2);
    std::vector<int64_t> some(3);
    load_some<int64_t>(array, 1, some);
    EXPECT_EQ(some, (std::vector<int64_t>{0, 1, 0}));
  }
  for (const ElementType type :
       {ElementType::kF64, ElementType::kBF16, ElementType::kF8E4M3FN}) {
    Array array(Shape::array(type, {5}));
    store_some<double>(std::vector<double>{-1.5, 2}, array, 2);
    std::vector<double> some(3);
    load_some<double>(array, 1, some);
    EXPECT_EQ(some, (std::vector<double>{0, -1.5, 2}));
  }
  Array array(Shape::array(ElementType::kF32, {5}));
  store_some<double>(std::vector<double>{0.1, 1e300}, array, 3);
  EXPECT_EQ(load<float>(array)[3], 0.1F);
  EXPECT_EQ(load<float>(array)[2], 0.0F);
}

}  // namespace
}  // namespace hlo::cpu
