#include "interpreter/model/bytes.h"

#include <gtest/gtest.h>

#include <utility>

namespace hlo {
namespace {

constexpr std::byte kZero{0};
constexpr std::byte kOne{1};
constexpr std::byte kTwo{2};

TEST(Bytes, AreZeroUnlessTheyAreGiven) {
  EXPECT_EQ(Bytes(3), (Bytes{kZero, kZero, kZero}));
  EXPECT_EQ(Bytes(2, kOne), (Bytes{kOne, kOne}));
  EXPECT_EQ(Bytes(0), Bytes());
  EXPECT_EQ(Bytes::any(5).size(), 5);
  EXPECT_TRUE(Bytes::any(0).empty());
}

TEST(Bytes, AreComparedWithTheirNumber) {
  EXPECT_NE(Bytes(2), Bytes(3));
  EXPECT_NE((Bytes{kOne, kTwo}), (Bytes{kOne, kOne}));
}

TEST(Bytes, KeepTheFirstWhenTheirNumberChanges) {
  Bytes bytes{kOne, kTwo};
  bytes.resize(4);
  EXPECT_EQ(bytes, (Bytes{kOne, kTwo, kZero, kZero}));
  bytes.resize(1);
  EXPECT_EQ(bytes, Bytes{kOne});
  bytes.resize(0);
  EXPECT_TRUE(bytes.empty());
}

TEST(Bytes, AreCopiedAndMoved) {
  Bytes first{kOne, kTwo};
  Bytes second = first;
  second[0] = kTwo;
  EXPECT_EQ(first, (Bytes{kOne, kTwo}));
  const auto taken = [](Bytes& bytes) { return Bytes(std::move(bytes)); };
  const Bytes third = taken(second);
  EXPECT_EQ(third, (Bytes{kTwo, kTwo}));
  EXPECT_EQ(second, Bytes());
  first = third;
  EXPECT_EQ(first, third);
}

/// Where memory that was lent came back, and how much of it.
struct Returned {
  std::byte* memory = nullptr;
  size_t size = 0;
  int times = 0;
};

Returned returned;

void take_back(std::byte* memory, size_t size) {
  returned = {memory, size, returned.times + 1};
}

TEST(Bytes, ThatAreLentAreTakenBackOnce) {
  returned = {};
  std::byte memory[] = {kOne, kTwo};
  Bytes copy;
  {
    Bytes lent = Bytes::lent(memory, 2, take_back);
    EXPECT_EQ(lent, (Bytes{kOne, kTwo}));
    EXPECT_EQ(lent.data(), memory);
    const Bytes moved = std::move(lent);
    EXPECT_EQ(moved.data(), memory);
    copy = moved;
    EXPECT_EQ(returned.times, 0);
  }
  EXPECT_EQ(returned.times, 1);
  EXPECT_EQ(returned.memory, memory);
  EXPECT_EQ(returned.size, 2);
  EXPECT_EQ(copy, (Bytes{kOne, kTwo}));
  copy = Bytes::lent(memory, 1, take_back);
  copy = Bytes{kTwo};
  EXPECT_EQ(returned.times, 2);
  EXPECT_EQ(returned.size, 1);
}

TEST(Bytes, DoNotReachBeyondTheirEnd) {
  const Bytes bytes(1);
  EXPECT_EQ(bytes.at(0), kZero);
  EXPECT_THROW(static_cast<void>(bytes.at(1)), std::out_of_range);
  EXPECT_THROW(static_cast<void>(Bytes().at(0)), std::out_of_range);
}

}  // namespace
}  // namespace hlo
