#include "backends/tpu/generations/generation.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "interpreter/model/shape.h"

namespace hlo::tpu {
namespace {

const Generation& named(const std::string& name) {
  for (const Generation& each : generations()) {
    if (each.name == name) return each;
  }
  throw std::out_of_range(name);
}

std::string text_of(const Tiles& tiles) {
  Layout layout;
  layout.tiles = tiles;
  return to_string(layout);
}

std::string scalar_of(const std::string& name, ElementType type) {
  return text_of(named(name).tiles_of(type).scalar);
}

// What a TPU compiler chose for arrays of rank 0 and 1 on v4, v5e and v6e.
TEST(TpuGeneration, HasTheTilesOfTheCompiler) {
  for (const std::string name : {"v4", "v5e", "v6e"}) {
    EXPECT_EQ(scalar_of(name, ElementType::kF32), "{:T(128)}");
    EXPECT_EQ(scalar_of(name, ElementType::kBF16), "{:T(256)}");
    EXPECT_EQ(scalar_of(name, ElementType::kS8), "{:T(512)}");
    EXPECT_EQ(scalar_of(name, ElementType::kPred), "{:T(512)}");
    EXPECT_EQ(scalar_of(name, ElementType::kS4), "{:T(1024)}");
    const auto row = [&](ElementType type) {
      return text_of(named(name).tiles_of(type).row);
    };
    EXPECT_EQ(row(ElementType::kF32), "{:T(256)}");
    EXPECT_EQ(row(ElementType::kBF16), "{:T(256)(128)(2,1)}");
    EXPECT_EQ(row(ElementType::kS8), "{:T(512)(128)(4,1)}");
    EXPECT_EQ(row(ElementType::kPred), "{:T(512)(128)(4,1)}");
    EXPECT_EQ(named(name).least_bytes, 512);
  }
}

TEST(TpuGeneration, HasTheMatrixUnitOfTheProduct) {
  EXPECT_EQ(named("v5e").matrix_size, 128);
  EXPECT_EQ(named("v6e").matrix_size, 256);
}

TEST(TpuGeneration, StoresTypesInTheNarrowestSlots) {
  const auto bits_of = [](const std::string& name, ElementType type) {
    return named(name).tiles_of(type).bits;
  };
  EXPECT_EQ(bits_of("v5e", ElementType::kF4E2M1FN), 4);
  EXPECT_EQ(bits_of("v5e", ElementType::kF8E5M2), 8);
  EXPECT_EQ(bits_of("v5e", ElementType::kC64), 32);  // two of them
  for (const std::string name : {"v2", "v3"}) {
    EXPECT_EQ(bits_of(name, ElementType::kS4), 8);
    EXPECT_EQ(named(name).least_bytes, 1024);
  }
}

constexpr const char* kGood =
    "# a word\nleast 512\nmatrix 384\nmemory 2\ntiles 32 T(128) T(256) "
    "T(8,128) "
    "T(2,128)\n";

TEST(TpuGeneration, ReadsWhatAFileSays) {
  const Generation read = parse_generation("v9", kGood);
  EXPECT_EQ(read.name, "v9");
  EXPECT_EQ(read.matrix_size, 384);
  ASSERT_EQ(read.tiles.size(), 1U);
  ASSERT_EQ(read.tiles[0].matrices.size(), 2U);
  EXPECT_EQ(text_of(read.tiles[0].matrices[1]), "{:T(2,128)}");
}

TEST(TpuGeneration, RefusesWhatContradictsItself) {
  const std::string head = "least 512\nmatrix 384\nmemory 2\n";
  for (const std::string& text :
       {std::string("matrix 384\nmemory 2\ntiles 32 T(128) T(256) T(8,128)\n"),
        std::string("least 512\nmemory 2\ntiles 32 T(128) T(256) T(8,128)\n"),
        std::string("least 512\nmatrix 384\ntiles 32 T(128) T(256) T(8,128)\n"),
        std::string(
            "least 512\nmatrix 0\nmemory 2\ntiles 32 T(128) T(256) T(8,128)\n"),
        std::string("least 512\nmatrix 200\nmemory 2\ntiles 32 T(128) "
                    "T(256) T(8,128)\n"),
        std::string("least 512\nmatrix 1152\nmemory 2\ntiles 32 T(128) "
                    "T(256) T(8,128)\n"),
        head, head + "tiles 32 T(128) T(256)\n",
        head + "tiles 32 T(256) T(256) T(8,128)\n",  // 1024 bytes
        head + "tiles 32 T(128) T(256) T(2,128) T(8,128)\n",
        head + "tiles 32 T(128) T(256) T(128)\n",
        head + "tiles 32 T(128) T(256) T(0,128)\n",
        head + "tiles 32 T(8,16) T(256) T(8,128)\n",
        kGood + head + "colour 1\n",
        head + "tiles 8 T(512) T(512) T(8,128)\n"
               "tiles 32 T(128) T(256) T(8,128)\n"}) {
    EXPECT_THROW(parse_generation("v9", text), std::logic_error) << text;
  }
}

}  // namespace
}  // namespace hlo::tpu
