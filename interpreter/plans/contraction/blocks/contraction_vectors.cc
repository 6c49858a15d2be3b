#include "interpreter/plans/contraction/blocks/contraction_vectors.h"

#include <algorithm>
#include <cmath>

#include "interpreter/numeric/exact/exact_block.h"
#include "interpreter/numeric/exact/summation.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/contraction/blocks/contraction_exact.h"
#include "interpreter/run/parallel_for.h"

namespace hlo {
namespace {

using numeric::ExactSum;
using numeric::RoughDot;

/// Elements worth a thread.
constexpr int64_t kGrain = int64_t{1} << 14;
/// Sums of parts err less than one long sum.
constexpr int64_t kPart = 4096;

void store_code(std::byte* data, int bytes, int64_t position, uint64_t code) {
  // Storage is little-endian, as the types that are read from it are.
  switch (bytes) {
    case 1:
      reinterpret_cast<uint8_t*>(data)[position] = static_cast<uint8_t>(code);
      return;
    case 2:
      reinterpret_cast<uint16_t*>(data)[position] = static_cast<uint16_t>(code);
      return;
    case 4:
      reinterpret_cast<uint32_t*>(data)[position] = static_cast<uint32_t>(code);
      return;
    default:
      reinterpret_cast<uint64_t*>(data)[position] = code;
  }
}

/// Products of single rows and columns: the few ones are those of the job's
/// rows, or of its columns where that is the shorter side.
class VectorProducts {
 public:
  explicit VectorProducts(const Job& job)
      : job_(job),
        format_(numeric::format(job.type)),
        length_(job.length()),
        row_reader_(job.row_reader()),
        panel_reader_(job.panel_reader()) {}

  void run(int64_t g, int64_t row, int64_t column) {
    store_code(job_.result, storage_bytes(job_.type),
               job_.row_place(g, row) + job_.column_place(g, column),
               code(g, row, column));
  }

 private:
  uint64_t code(int64_t g, int64_t row, int64_t column) {
    if (format_.type == ElementType::kF64) {
      load(doubles_row_, row_reader_, g, row, at_row_);
      load(doubles_column_, panel_reader_, g, column, at_column_);
      return exact(g, row, column);
    }
    if (at_row_ != Place{g, row}) {
      floats_row_ = row_reader_.floats(g, row, row_);
      at_row_ = {g, row};
    }
    if (at_column_ != Place{g, column}) {
      floats_column_ = panel_reader_.floats(g, column, column_);
      at_column_ = {g, column};
    }
    const RoughDot dot = rough();
    // Each product meets so many additions at most; 2^-20 covers the rounding
    // of this.
    const int64_t steps = std::min(length_, kPart) + length_ / kPart + 2;
    const double bound =
        static_cast<double>(steps) * 0x1p-53 * dot.magnitude * (1 + 0x1p-20);
    const auto found = round_if_certain(dot.sum, 0.0, bound, format_);
    if (found) return *found;
    doubles_row_.assign(floats_row_, floats_row_ + length_);
    doubles_column_.assign(floats_column_, floats_column_ + length_);
    return exact(g, row, column);
  }

  struct Place {
    int64_t group = -1;
    int64_t index = -1;
    bool operator==(const Place&) const = default;
  };

  void load(std::vector<double>& numbers, VectorReader& reader, int64_t g,
            int64_t index, Place& at) const {
    if (at == Place{g, index}) return;
    numbers.resize(static_cast<size_t>(length_));
    reader.read(g, index, numbers.data());
    at = {g, index};
  }

  RoughDot rough() const {
    RoughDot dot{0, 0};
    for (int64_t k = 0; k < length_; k += kPart) {
      const RoughDot part = numeric::rough_dot(
          floats_row_ + k, floats_column_ + k, std::min(kPart, length_ - k));
      dot.sum += part.sum;
      dot.magnitude += part.magnitude;
    }
    return dot;
  }

  uint64_t exact(int64_t g, int64_t row, int64_t column) {
    sum_.clear();
    sum_.add(0.0);
    sum_.add_products(doubles_row_.data(), doubles_column_.data(), length_);
    // Elements that do not exist are zeros here, and no terms beside
    // infinities.
    if (!sum_.is_finite()) return existing(g, row, column);
    return sum_.round(format_).bits;
  }

  uint64_t existing(int64_t g, int64_t row, int64_t column) const {
    const Contraction& contraction = *job_.contraction;
    std::vector<int64_t> left(static_cast<size_t>(length_));
    std::vector<int64_t> right(left.size());
    contraction.lhs(g, job_.swapped ? column : row, left.data());
    contraction.rhs(g, job_.swapped ? row : column, right.data());
    return sum_products(job_.lhs, left, job_.rhs, right, false)
        .round(format_)
        .bits;
  }

  const Job& job_;
  const numeric::FloatFormat& format_;
  int64_t length_;
  VectorReader row_reader_;
  VectorReader panel_reader_;
  std::vector<float> row_;
  std::vector<float> column_;
  const float* floats_row_ = nullptr;
  const float* floats_column_ = nullptr;
  std::vector<double> doubles_row_;
  std::vector<double> doubles_column_;
  Place at_row_;
  Place at_column_;
  ExactSum sum_;
};

}  // namespace

void run_vectors(const Job& job, int threads) {
  const bool few_rows = job.row_count() <= job.panel_count();
  const int64_t few = few_rows ? job.row_count() : job.panel_count();
  const int64_t many = few_rows ? job.panel_count() : job.row_count();
  const int64_t grain =
      std::max<int64_t>(1, kGrain / std::max<int64_t>(1, job.length() * few));
  const int64_t count = job.contraction->groups * many;
  parallel_for(threads, count, grain, [&](int64_t begin, int64_t end) {
    VectorProducts products(job);
    for (int64_t f = 0; f < few; ++f) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t g = i / many;
        products.run(g, few_rows ? f : i % many, few_rows ? i % many : f);
      }
    }
  });
}

}  // namespace hlo
