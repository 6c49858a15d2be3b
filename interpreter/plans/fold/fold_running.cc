#include "interpreter/plans/fold/fold_running.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "interpreter/numeric/exact/exact_sum.h"
#include "interpreter/plans/fold/long_product.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

/// Windows of fewer cells are summed one by one.
constexpr int64_t kWideWindow = 128;

/// The components that lie under the windows of one line.
struct Row {
  const double* first;
  int64_t stride;

  double operator[](int64_t i) const { return first[i * stride]; }
};

/// The exact sum of the terms that have entered and not left.
class RunningSum {
 public:
  RunningSum(Row row, double init) : row_(row) { enter(init); }

  /// Goes on to the terms [first, last), neither of which goes back.
  void move_to(int64_t first, int64_t last) {
    for (; end_ < last; ++end_) enter(row_[end_]);
    for (; begin_ < first; ++begin_) leave(row_[begin_]);
  }

  uint64_t round(const numeric::FloatFormat& format) const {
    const double infinity = std::numeric_limits<double>::infinity();
    const auto [nans, above, below, positive_zeros, negative_zeros] = counts_;
    if (nans > 0 || (above > 0 && below > 0)) {
      return numeric::encode(std::numeric_limits<double>::quiet_NaN(), format);
    }
    if (above > 0) return numeric::encode(infinity, format);
    if (below > 0) return numeric::encode(-infinity, format);
    if (terms_ == 0 && positive_zeros == 0 && negative_zeros > 0) {
      return numeric::encode(-0.0, format);
    }
    return finite_.round(format).bits;
  }

 private:
  void enter(double term) {
    if (const int kind = special(term); kind >= 0) {
      ++counts_[static_cast<size_t>(kind)];
    } else {
      finite_.add(term);
      ++terms_;
    }
  }

  void leave(double term) {
    if (const int kind = special(term); kind >= 0) {
      --counts_[static_cast<size_t>(kind)];
    } else {
      finite_.add(-term);
      --terms_;
    }
  }

  /// Which of counts_ counts the term; -1 for finite ones that are not zero.
  static int special(double term) {
    if (term == 0) return std::signbit(term) ? 4 : 3;
    if (std::isnan(term)) return 0;
    if (std::isinf(term)) return term > 0 ? 1 : 2;
    return -1;
  }

  Row row_;
  int64_t begin_ = 0;
  int64_t end_ = 0;
  numeric::ExactSum finite_;
  int64_t terms_ = 0;
  std::array<int64_t, 5> counts_{};  // NaN, +inf, -inf, +0, -0
};

/// The product of the factors that have entered and not left. None can be taken
/// off: there is a product of those from a middle on, and before the middle one
/// for each number of factors that have left.
class RunningProduct {
 public:
  RunningProduct(Row row, double init) : row_(row), init_(init) {}

  /// Goes on to the factors [first, last), neither of which goes back.
  void move_to(int64_t first, int64_t last) {
    begin_ = first;
    for (; end_ < last; ++end_) behind_.multiply(row_[end_]);
    if (begin_ > middle_) advance_middle();
  }

  uint64_t round(const numeric::FloatFormat& format) const {
    LongProduct product = behind_;
    if (begin_ < middle_) {
      product.multiply(before_[static_cast<size_t>(middle_ - 1 - begin_)]);
    }
    product.multiply(init_);
    const auto code = product.round(format);
    return code ? *code : round_exactly(format);
  }

 private:
  void advance_middle() {
    middle_ = end_;
    behind_ = {};
    before_.clear();
    LongProduct product;
    for (int64_t i = middle_; i-- > begin_;) {
      product.multiply(row_[i]);
      before_.push_back(product);
    }
  }

  uint64_t round_exactly(const numeric::FloatFormat& format) const {
    std::vector<double> factors = {init_};
    for (int64_t i = begin_; i < end_; ++i) factors.push_back(row_[i]);
    return round_product(factors, format);
  }

  Row row_;
  double init_;
  int64_t begin_ = 0;
  int64_t middle_ = 0;
  int64_t end_ = 0;
  LongProduct behind_;               // of [middle, end)
  std::vector<LongProduct> before_;  // of [middle - 1 - i, middle)
};

/// The axis along which wide windows slide; none where cells are skipped, or
/// where windows extend along several axes.
size_t sliding_axis(const Fold& fold) {
  size_t found = fold.axes.size();
  for (size_t a = 0; a < fold.axes.size(); ++a) {
    const FoldAxis& axis = fold.axes[a];
    if (axis.cells == 1) continue;
    const bool slides = axis.cells >= kWideWindow && axis.cell_step == 1 &&
                        axis.base_dilation == 1 && axis.result_size > 1 &&
                        axis.result_step < axis.cells;
    if (!slides || found < fold.axes.size()) return fold.axes.size();
    found = a;
  }
  return found;
}

/// One component of all sums, or products, of a literal's elements under
/// sliding windows.
class Lines {
 public:
  Lines(const Fold& fold, size_t axis, const SlidingTerms& terms)
      : fold_(fold), axis_(fold.axes[axis]), skipped_(axis), terms_(terms) {
    for (size_t a = 0; a < fold.axes.size(); ++a) {
      if (a != axis) count_ *= fold.axes[a].result_size;
    }
  }

  int64_t count() const { return count_; }

  template <typename Running>
  void run(int64_t line,
           const std::function<void(int64_t, uint64_t)>& store) const {
    int64_t source = 0;
    int64_t target = 0;
    const bool exists = locate(line, source, target);
    const int64_t size = exists ? axis_.operand_size : 0;
    Running running({terms_.numbers + source, axis_.operand_stride},
                    terms_.init);
    for (int64_t o = 0; o < axis_.result_size; ++o) {
      const int64_t start = o * axis_.result_step + axis_.offset;
      running.move_to(std::clamp<int64_t>(start, 0, size),
                      std::clamp<int64_t>(start + axis_.cells, 0, size));
      store(target + o * axis_.result_stride, running.round(terms_.format));
    }
  }

 private:
  /// Where the line begins in the operand and in the result; whether it is of
  /// elements and not of padding.
  bool locate(int64_t line, int64_t& source, int64_t& target) const {
    bool exists = true;
    for (size_t a = fold_.axes.size(); a-- > 0;) {
      if (a == skipped_) continue;
      const FoldAxis& axis = fold_.axes[a];
      const int64_t place = line % axis.result_size;
      line /= axis.result_size;
      const int64_t position = axis.position(place, 0);
      exists = exists && position >= 0;
      source += position * axis.operand_stride;
      target += place * axis.result_stride;
    }
    return exists;
  }

  const Fold& fold_;
  const FoldAxis& axis_;
  size_t skipped_;
  const SlidingTerms& terms_;
  int64_t count_ = 1;
};

template <typename Running>
void slide(const Fold& fold, const SlidingTerms& terms,
           const std::function<void(int64_t, uint64_t)>& store,
           const Evaluator& evaluator) {
  const Lines lines(fold, sliding_axis(fold), terms);
  evaluator.parallel_for(lines.count(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      lines.run<Running>(line, store);
    }
  });
}

}  // namespace

bool slides(const Fold& fold) { return sliding_axis(fold) < fold.axes.size(); }

void sum_sliding(const Fold& fold, const SlidingTerms& terms,
                 const std::function<void(int64_t, uint64_t)>& store,
                 const Evaluator& evaluator) {
  slide<RunningSum>(fold, terms, store, evaluator);
}

void multiply_sliding(const Fold& fold, const SlidingTerms& factors,
                      const std::function<void(int64_t, uint64_t)>& store,
                      const Evaluator& evaluator) {
  slide<RunningProduct>(fold, factors, store, evaluator);
}

}  // namespace hlo
