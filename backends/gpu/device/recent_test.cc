#include "backends/gpu/device/recent.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace hlo::gpu {
namespace {

std::vector<std::string> texts_of(Recent<int>& recent) {
  std::vector<std::string> texts;
  for (const auto& [text, value] : recent) texts.push_back(text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(GpuRecent, ForgetsWhatHasNotBeenUsedForLongest) {
  Recent<int> recent(3);
  recent.keep("a", 1);
  recent.keep("b", 2);
  recent.keep("c", 3);
  EXPECT_EQ(*recent.use("a"), 1);
  recent.keep("d", 4);
  EXPECT_EQ(texts_of(recent), (Texts{"d", "a", "c"}));
  EXPECT_EQ(recent.use("b"), nullptr);
  EXPECT_EQ(*recent.use("c"), 3);
  recent.keep("e", 5);
  EXPECT_EQ(texts_of(recent), (Texts{"e", "c", "d"}));
}

TEST(GpuRecent, TakesBackWhatItHasForgotten) {
  Recent<int> recent(1);
  recent.keep("a", 1);
  recent.keep("b", 2);
  recent.keep("a", 3);
  EXPECT_EQ(*recent.use("a"), 3);
  EXPECT_EQ(recent.size(), 1U);
}

// What stands for a text can be changed, and stays there for as long.
TEST(GpuRecent, GivesThePlaceOfWhatItKeeps) {
  Recent<int> recent(2);
  int& one = recent.keep("a", 1);
  recent.keep("b", 2);
  one = 7;
  EXPECT_EQ(recent.use("a"), &one);
  EXPECT_EQ(*recent.use("a"), 7);
}

TEST(GpuRecent, ReleasesWhatSeveralShareWithTheLastOfThem) {
  Recent<std::shared_ptr<int>> recent(2);
  auto shared = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = shared;
  recent.keep("a", shared);
  recent.keep("b", std::move(shared));
  recent.keep("c", nullptr);
  EXPECT_FALSE(watched.expired());
  recent.keep("d", nullptr);
  EXPECT_TRUE(watched.expired());
}

TEST(GpuRecent, KeepsAtLeastOneAndNothingOnceItIsCleared) {
  Recent<int> recent(0);
  recent.keep("a", 1);
  EXPECT_EQ(*recent.use("a"), 1);
  recent.clear();
  EXPECT_EQ(recent.use("a"), nullptr);
  EXPECT_EQ(recent.size(), 0U);
  recent.keep("a", 2);
  EXPECT_EQ(texts_of(recent), Texts{"a"});
}

}  // namespace
}  // namespace hlo::gpu
