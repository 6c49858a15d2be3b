#include "interpreter/model/element_type.h"

#include <gtest/gtest.h>

namespace hlo {
namespace {

TEST(ElementType, EveryRowStandsAtThePlaceOfItsType) {
  ASSERT_EQ(all_types().size(), 36U);
  for (size_t i = 0; i < all_types().size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(all_types()[i].type), i);
  }
}

TEST(ElementType, EveryNameFindsItsType) {
  for (const TypeInfo& row : all_types()) {
    if (row.name.empty()) continue;
    ASSERT_TRUE(find_type(row.name).has_value()) << row.name;
    EXPECT_EQ(*find_type(row.name), row.type);
  }
}

TEST(ElementType, NamesInUpperCaseAreUnknown) {
  EXPECT_FALSE(find_type("F32").has_value());
  EXPECT_FALSE(find_type("f33").has_value());
}

TEST(ElementType, SubByteTypesTakeOneByteInALiteral) {
  EXPECT_EQ(bits(ElementType::kS4), 4);
  EXPECT_EQ(storage_bytes(ElementType::kS4), 1);
  EXPECT_EQ(bits(ElementType::kPred), 1);
  EXPECT_EQ(storage_bytes(ElementType::kPred), 1);
  EXPECT_EQ(bits(ElementType::kF6E3M2FN), 6);
  EXPECT_EQ(storage_bytes(ElementType::kF6E3M2FN), 1);
}

TEST(ElementType, ClassesAreThoseOfTheNames) {
  EXPECT_TRUE(is_signed(ElementType::kS1));
  EXPECT_TRUE(is_unsigned(ElementType::kU64));
  EXPECT_TRUE(is_integer(ElementType::kU2));
  EXPECT_TRUE(is_float(ElementType::kF8E8M0FNU));
  EXPECT_TRUE(is_complex(ElementType::kC128));
  EXPECT_FALSE(is_integer(ElementType::kPred));
  EXPECT_FALSE(is_array_type(ElementType::kToken));
}

TEST(ElementType, ComplexTypesHaveComponents) {
  EXPECT_EQ(component_type(ElementType::kC64), ElementType::kF32);
  EXPECT_EQ(component_type(ElementType::kC128), ElementType::kF64);
  EXPECT_EQ(component_type(ElementType::kBF16), ElementType::kBF16);
  EXPECT_EQ(complex_type(ElementType::kF64), ElementType::kC128);
  EXPECT_FALSE(complex_type(ElementType::kF16).has_value());
}

}  // namespace
}  // namespace hlo
