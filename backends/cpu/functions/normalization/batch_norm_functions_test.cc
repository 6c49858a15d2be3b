#include "backends/cpu/functions/normalization/batch_norm_functions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backends/cpu/threads/share_loop.h"
#include "interpreter/verify/verify.h"

// Elements of a feature are one below and one above a whole mean in turn, so
// that all sums, the variance of 1 and every result are exact.

namespace hlo::cpu {
namespace {

struct Batch {
  std::string dims;
  int64_t features;
  int64_t inner;  // elements that lie beside each other
  int64_t count;  // elements
  int feature_index;

  int64_t feature_of(int64_t i) const { return i / inner % features; }

  /// How many elements of its feature come before.
  int64_t rank_of(int64_t i) const {
    return i / (inner * features) * inner + i % inner;
  }

  int64_t elements() const { return count / features; }
};

// Longer than a chunk, or than what a thread is given, in each direction.
const std::vector<Batch>& batches() {
  static const std::vector<Batch> all = {{"[4,3]", 3, 1, 12, 1},
                                         {"[400,100]", 100, 1, 40000, 1},
                                         {"[2,3,20000]", 3, 20000, 120000, 1},
                                         {"[100000,1]", 1, 1, 100000, 1},
                                         {"[4,40000]", 40000, 1, 160000, 1},
                                         {"[700,3,32]", 3, 32, 67200, 1},
                                         {"[600,1000]", 600, 1000, 600000, 0}};
  return all;
}

float mean_of(int64_t f) { return static_cast<float>(f % 7 - 3); }

float scale_of(int64_t f) { return static_cast<float>(f % 5 - 2); }

float offset_of(int64_t f) { return static_cast<float>(f % 3); }

float sign_of(int64_t rank) { return rank % 2 == 0 ? 1 : -1; }

template <typename F>
std::vector<float> listed(int64_t count, F f) {
  std::vector<float> values;
  for (int64_t i = 0; i < count; ++i) values.push_back(f(i));
  return values;
}

Array array_of(const std::string& dims, const std::vector<float>& values) {
  return store<float>(verified_module("HloModule m\nENTRY e { ROOT p = f32" +
                                      dims + " parameter(0) }")
                          .entry->root->shape,
                      values);
}

/// What the operation makes of these, on so many threads.
Array computed(const std::string& operation, const Batch& batch,
               const std::vector<std::vector<float>>& values, int64_t threads) {
  const std::string array = "f32" + batch.dims;
  const std::string vector = "[" + std::to_string(batch.features) + "]";
  std::string text = "HloModule m\nENTRY e {\n";
  std::string names;
  std::vector<Array> arrays;
  for (size_t k = 0; k < values.size(); ++k) {
    const bool is_array = std::ssize(values[k]) == batch.count && k % 4 == 0;
    const std::string dims = is_array ? batch.dims : vector;
    const std::string name = "p" + std::to_string(k);
    text += fmt::format("  {} = f32{} parameter({})\n", name, dims, k);
    names += (k == 0 ? "" : ", ") + name;
    arrays.push_back(array_of(dims, values[k]));
  }
  text += "  ROOT r = (" + array + ", f32" + vector + ", f32" + vector + ") " +
          operation + "(" + names +
          "), epsilon=0, feature_index=" + std::to_string(batch.feature_index) +
          "\n}\n";
  const Module module = verified_module(text);
  std::vector<const Array*> operands;
  operands.reserve(arrays.size());
  for (const Array& each : arrays) operands.push_back(&each);
  const ThreadCount shared(threads);
  for (const auto& [name, run] : batch_norm_functions()) {
    if (name == operation) return run(*module.entry->root, operands);
  }
  return {};
}

TEST(BatchNorm, TrainsOnLongBatches) {
  for (const Batch& batch : batches()) {
    SCOPED_TRACE(batch.dims);
    const auto feature = [&](int64_t i) { return batch.feature_of(i); };
    const auto sign = [&](int64_t i) { return sign_of(batch.rank_of(i)); };
    for (const int threads : {1, 3}) {
      const Array result = computed(
          "batch-norm-training", batch,
          {listed(batch.count,
                  [&](int64_t i) { return mean_of(feature(i)) + sign(i); }),
           listed(batch.features, scale_of), listed(batch.features, offset_of)},
          threads);
      EXPECT_EQ(load<float>(result.elements.at(0)),
                listed(batch.count, [&](int64_t i) {
                  return sign(i) * scale_of(feature(i)) + offset_of(feature(i));
                }));
      EXPECT_EQ(load<float>(result.elements.at(1)),
                listed(batch.features, mean_of));
      EXPECT_EQ(load<float>(result.elements.at(2)),
                std::vector<float>(static_cast<size_t>(batch.features), 1));
    }
  }
}

// Gradients of 2, 1, 0 and 1 have a mean of 1, and nothing in common with the
// signs.
TEST(BatchNorm, GivesGradientsOfLongBatches) {
  for (const Batch& batch : batches()) {
    SCOPED_TRACE(batch.dims);
    const auto feature = [&](int64_t i) { return batch.feature_of(i); };
    const auto excess = [&](int64_t i) {
      const int64_t rank = batch.rank_of(i) % 4;
      return rank == 0 ? 1.0F : rank == 2 ? -1.0F : 0.0F;
    };
    const auto n = static_cast<float>(batch.elements());
    const std::vector<float> ones(static_cast<size_t>(batch.features), 1);
    for (const int threads : {1, 3}) {
      const Array result = computed(
          "batch-norm-grad", batch,
          {listed(batch.count,
                  [&](int64_t i) {
                    return mean_of(feature(i)) + sign_of(batch.rank_of(i));
                  }),
           listed(batch.features, scale_of), listed(batch.features, mean_of),
           ones, listed(batch.count, [&](int64_t i) { return 1 + excess(i); })},
          threads);
      EXPECT_EQ(load<float>(result.elements.at(0)),
                listed(batch.count, [&](int64_t i) {
                  return scale_of(feature(i)) * excess(i);
                }));
      EXPECT_EQ(load<float>(result.elements.at(1)),
                std::vector<float>(static_cast<size_t>(batch.features), 0));
      EXPECT_EQ(load<float>(result.elements.at(2)),
                std::vector<float>(static_cast<size_t>(batch.features), n));
    }
  }
}

}  // namespace
}  // namespace hlo::cpu
