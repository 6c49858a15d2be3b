#include "conformance/expect/sums/contraction_lines.h"

#include <gtest/gtest.h>

#include <vector>

namespace hlo::conformance {
namespace {

/// One row of so many columns, which notes the columns that are looked up.
struct Noting {
  explicit Noting(int64_t columns) {
    contraction.columns = columns;
    contraction.lhs.starts = [](int64_t, int64_t, int64_t* positions) {
      positions[0] = 0;
    };
    contraction.rhs.starts = [this](int64_t, int64_t n, int64_t* positions) {
      looked_up.push_back(n);
      positions[0] = n;
    };
    contraction.locate = [](int64_t position, int64_t gmn[3]) {
      gmn[2] = position;
    };
  }

  Contraction contraction;
  std::vector<int64_t> looked_up;
};

using Columns = std::vector<int64_t>;

/// The columns of the factors of those elements.
Columns columns_of(const Contraction& contraction, const Columns& elements) {
  ContractionLines lines(contraction);
  Columns found;
  for (const int64_t element : elements) {
    lines.for_each_term(element, [&](size_t, size_t right) {
      found.push_back(static_cast<int64_t>(right));
    });
  }
  return found;
}

TEST(ContractionLines, AreLookedUpOnce) {
  Noting few(5);
  const Columns elements = {1, 4, 1, 4, 4};
  EXPECT_EQ(columns_of(few.contraction, elements), elements);
  EXPECT_EQ(few.looked_up, (Columns{1, 4}));
}

TEST(ContractionLines, AreNotKeptWhereTheyAreTooMany) {
  constexpr int64_t kMany = (int64_t{1} << 24) + 1;
  Noting many(kMany);
  const Columns elements = {1, kMany - 1, 1, 1};
  EXPECT_EQ(columns_of(many.contraction, elements), elements);
  EXPECT_EQ(many.looked_up, (Columns{1, kMany - 1, 1}));
}

}  // namespace
}  // namespace hlo::conformance
