#include "backends/tpu/counts/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "backends/tpu/memory/scratch_registers.h"

namespace hlo::tpu {
namespace {

constexpr int kLeftmost = -6;  // exponents of two, operations a byte
constexpr int kRightmost = 10;
constexpr int kColumns = 3;  // for each power of two
constexpr int kLowest = 0;   // operations a cycle

/// The exponent of the largest power of two that is not above a / b; both are
/// positive.
int exponent_of(int64_t a, int64_t b) {
  const auto wide = [](int64_t n) {
    return static_cast<int>(std::bit_width(static_cast<uint64_t>(n)));
  };
  const int guess = wide(a) - wide(b);
  const auto reaches = [&](int e) {  // whether a >= 2^e * b
    return e >= 0 ? (a >> e) >= b : a >= b >> -e && (a << -e) >= b;
  };
  return reaches(guess) ? guess : guess - 1;
}

class Plot {
 public:
  explicit Plot(const Generation& generation)
      : memory_(exponent_of(generation.bytes_of_cycle, 1)),
        lanes_(exponent_of(kLanes, 1)),
        matrix_(exponent_of(2 * generation.matrix_size * generation.matrix_size,
                            1)),
        rows_(static_cast<size_t>(matrix_ - kLowest + 1),
              std::string((kRightmost - kLeftmost) * kColumns + 1, ' ')) {
    for (int x = kLeftmost; x <= kRightmost; ++x) draw_roofs(x);
  }

  void mark(int x, int y) {
    put(std::clamp(x, kLeftmost, kRightmost), std::clamp(y, kLowest, matrix_),
        'o');
  }

  std::string text() const {
    std::string all = "operations a cycle\n";
    for (size_t row = 0; row < rows_.size(); ++row) {
      const int exponent = matrix_ - static_cast<int>(row);
      std::string line = rows_[row];
      line.erase(line.find_last_not_of(' ') + 1);
      all += fmt::format("{:>6} |{}\n", int64_t{1} << exponent, line);
    }
    all += fmt::format("{:>6} +{}\n", "", std::string(rows_[0].size(), '-'));
    return all + axis();
  }

 private:
  void draw_roofs(int x) {
    const int from_memory = x + memory_;
    if (from_memory <= matrix_) put(x, from_memory, '/');
    if (from_memory > lanes_) put(x, lanes_, '=');
    if (from_memory > matrix_) put(x, matrix_, '-');
  }

  void put(int x, int y, char mark) {
    if (y < kLowest) return;
    rows_[static_cast<size_t>(matrix_ - y)]
         [static_cast<size_t>((x - kLeftmost) * kColumns)] = mark;
  }

  /// A number below every second power of two.
  static std::string axis() {
    std::string line(8, ' ');
    for (int x = kLeftmost; x <= kRightmost; x += 2) {
      line += fmt::format("{:<6}", x < 0 ? fmt::format("1/{}", 1 << -x)
                                         : std::to_string(1 << x));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + " operations a byte\n";
  }

  int memory_;
  int lanes_;
  int matrix_;
  std::vector<std::string> rows_;  // the highest first
};

}  // namespace

std::string roofline(const Work& work, const Generation& generation) {
  if (work.operations <= 0 || work.bytes <= 0 || work.cycles <= 0) return "";
  Plot plot(generation);
  plot.mark(exponent_of(work.operations, work.bytes),
            exponent_of(work.operations, work.cycles));
  return plot.text();
}

}  // namespace hlo::tpu
