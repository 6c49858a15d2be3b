#include "backends/tpu/machine/matrix_unit.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "backends/tpu/machine/matrix_rows.h"

namespace hlo::tpu {
namespace {

/// Whether products with such numbers of 11 bits neither overflow nor lose a
/// bit in f32, so that its own product and sum are the exact ones rounded once.
bool is_tame(float x) {
  constexpr float kLeast = 0x1p-60F;
  constexpr float kMost = 0x1p+62F;
  const float size = std::fabs(x);
  return x == 0 || (size >= kLeast && size <= kMost);
}

template <typename T>
bool is_finite(T x) {
  if constexpr (std::is_floating_point_v<T>) return std::isfinite(x);
  return true;
}

/// x w less its rounded product: by Dekker's halves of 26 and 27 bits where
/// those do not overflow and all that is lost is a number, else as one fused
/// operation rounds it, which gives 0 where less than half the least number is.
double lost_by_product(double x, double w, double product) {
  constexpr double kHalves = 0x1p+27 + 1;
  constexpr double kLeast = 0x1p-910;
  constexpr double kMost = 0x1p+990;
  if (!(std::fabs(product) > kLeast && std::fabs(x) < kMost &&
        std::fabs(w) < kMost)) {
    return std::fma(x, w, -product);
  }
  const double high = x * kHalves - (x * kHalves - x);
  const double top = w * kHalves - (w * kHalves - w);
  const double low = x - high;
  const double rest = w - top;
  return ((high * top - product) + high * rest + low * top) + low * rest;
}

struct AddF64 {
  void operator()(double x, double w, double& sum) const { sum += x * w; }
};

/// Two sums: what additions lose is known by Knuth's six operations.
struct AddCompensated {
  void operator()(double x, double w, double& sum, double& lost) const {
    const double product = x * w;
    const double next = sum + product;
    const double added = next - sum;
    const double error = (sum - (next - added)) + (product - added);
    lost += error + lost_by_product(x, w, product);
    sum = next;
  }
};

/// A product of two numbers of 11 bits is exact in f64. So is the rounding of
/// the sum to f32 by way of f64: f64 has more than twice its bits and two.
struct AddF32 {
  void operator()(float x, float w, float& sum) const {
    sum = static_cast<float>(static_cast<double>(sum) +
                             static_cast<double>(x) * static_cast<double>(w));
  }
};

struct AddIntegers {
  void operator()(uint64_t x, uint64_t w, uint64_t& sum) const { sum += x * w; }
};

}  // namespace

Block::Block(Scratch& scratch, ElementType type, int64_t rows, int64_t parts)
    : parts_(parts) {
  for (int64_t m = 0; m < rows; m += kSublanes) {
    for (int64_t part = 0; part < parts; ++part) {
      registers_.emplace_back(scratch, type);
    }
  }
}

ElementType number_type(Sums sums) {
  switch (sums) {
    case Sums::kF32:
      return ElementType::kF32;
    case Sums::kIntegers:
      return ElementType::kU64;
    default:
      return ElementType::kF64;
  }
}

int64_t parts_of(Sums sums) { return sums == Sums::kCompensated ? 2 : 1; }

Accumulators::Accumulators(Scratch& scratch, Sums sums, int64_t rows,
                           int64_t parts)
    : sums_(sums) {
  for (int64_t k = 0; k < parts_of(sums); ++k) {
    parts_.emplace_back(scratch, number_type(sums), rows, parts);
    for (Register& lanes : parts_.back().registers()) {
      std::memset(lanes.bytes(), 0,
                  static_cast<size_t>(kLanes * lanes.width()));
      lanes.valid().set();
    }
  }
}

void Accumulators::settle() {
  if (sums_ != Sums::kCompensated) return;
  for (size_t k = 0; k < sum().registers().size(); ++k) {
    tpu::settle(sum().registers()[k], lost().registers()[k]);
  }
}

MatrixUnit::MatrixUnit(Machine& machine, Sums sums)
    : machine_(machine),
      size_(machine.generation->matrix_size),
      sums_(sums),
      cells_(static_cast<size_t>(size_ * size_)) {}

template <typename T>
void MatrixUnit::load(const Block& weights) {
  T* const cells = static_cast<T*>(static_cast<void*>(cells_.data()));
  const int64_t first = machine_.has(Fault::kFirstWeightsLeftOut) ? 1 : 0;
  const bool is_transposed = machine_.has(Fault::kWeightsTransposed);
  for (int64_t k = 0; k < depth_; ++k) {
    for (int64_t n = 0; n < size_; ++n) {
      const T weight = n < columns_ ? weights.at<T>(k, n) : T{};
      const bool counts = k >= first && (!finite_ || is_finite(weight));
      const int64_t at = is_transposed ? n * size_ + k : k * size_ + n;
      cells[at] = counts ? weight : T{};
    }
  }
}

void MatrixUnit::load_weights(const Block& weights, int64_t depth,
                              int64_t columns, bool finite) {
  if (machine_.has(Fault::kWeightsStay) && depth_ != 0) return;
  depth_ = depth;
  columns_ = columns;
  finite_ = finite;
  switch (sums_) {
    case Sums::kF32:
      load<float>(weights);
      break;
    case Sums::kIntegers:
      load<uint64_t>(weights);
      break;
    default:
      load<double>(weights);
  }
  if (sums_ != Sums::kF32) return;
  const auto* const cells =
      static_cast<const float*>(static_cast<const void*>(cells_.data()));
  is_tame_ = true;
  for (int64_t k = 0; k < depth && is_tame_; ++k) {
    const float* const row = cells + k * size_;
    is_tame_ = std::all_of(row, row + columns, is_tame);
  }
}

template <typename T, typename Add, typename... Parts>
void MatrixUnit::multiply(const Block& lhs, int64_t rows, const Add& add,
                          Parts&... parts) const {
  const T* const cells =
      static_cast<const T*>(static_cast<const void*>(cells_.data()));
  const auto add_part = [&](T x, const T* weights, int64_t columns,
                            auto*... sums) {
    for (int64_t n = 0; n < columns; ++n) add(x, weights[n], sums[n]...);
  };
  for (int64_t m = 0; m < rows; ++m) {
    for (int64_t k = 0; k < depth_; ++k) {
      const T x = lhs.at<T>(m, k);
      if (!lhs.is_valid(m, k) || (finite_ && !is_finite(x))) continue;
      for (int64_t n = 0; n < columns_; n += kLanesOfSublane) {
        add_part(x, cells + k * size_ + n,
                 std::min(kLanesOfSublane, columns_ - n),
                 parts.template row<T>(m, n / kLanesOfSublane)...);
      }
    }
  }
}

/// Products and sums as the machine rounds them, many rows at a time.
template <typename T>
void MatrixUnit::stream(const Block& lhs, int64_t rows,
                        Accumulators& accumulators) {
  std::vector<T> numbers;
  std::vector<int32_t> depths;
  numbers.reserve(static_cast<size_t>(rows * depth_));
  depths.reserve(numbers.capacity());
  std::vector<MatrixRow<T>> streams;
  for (int64_t m = 0; m < rows; ++m) {
    const size_t first = numbers.size();
    for (int64_t k = 0; k < depth_; ++k) {
      const T x = lhs.at<T>(m, k);
      if (!lhs.is_valid(m, k) || (finite_ && !is_finite(x))) continue;
      numbers.push_back(x);
      depths.push_back(static_cast<int32_t>(k));
    }
    streams.push_back({numbers.data() + first, depths.data() + first,
                       static_cast<int64_t>(numbers.size() - first), nullptr});
  }
  const T* const cells =
      static_cast<const T*>(static_cast<const void*>(cells_.data()));
  for (int64_t n = 0; n < columns_; n += kLanesOfSublane) {
    for (int64_t m = 0; m < rows; ++m) {
      streams[static_cast<size_t>(m)].sums =
          accumulators.sum().row<T>(m, n / kLanesOfSublane);
    }
    pass_rows(std::span<const MatrixRow<T>>(streams), cells + n, size_,
              std::min(kLanesOfSublane, columns_ - n));
  }
}

/// Whether the products of a block lose nothing in f32.
bool MatrixUnit::is_exact_in_f32(const Block& lhs, int64_t rows) const {
  for (int64_t m = 0; m < rows && is_tame_; ++m) {
    for (int64_t k = 0; k < depth_; ++k) {
      if (lhs.is_valid(m, k) && !is_tame(lhs.at<float>(m, k))) return false;
    }
  }
  return is_tame_;
}

void MatrixUnit::pass(const Block& lhs, int64_t rows,
                      Accumulators& accumulators) {
  Block& sum = accumulators.sum();
  Block& lost = accumulators.lost();
  machine_.counters.matrix_passes += 1;
  switch (sums_) {
    case Sums::kF64:
      return stream<double>(lhs, rows, accumulators);
    case Sums::kCompensated:
      return multiply<double>(lhs, rows, AddCompensated{}, sum, lost);
    case Sums::kF32:
      if (is_exact_in_f32(lhs, rows)) {
        return stream<float>(lhs, rows, accumulators);
      }
      return multiply<float>(lhs, rows, AddF32{}, sum);
    case Sums::kIntegers:
      return multiply<uint64_t>(lhs, rows, AddIntegers{}, sum);
  }
}

namespace {

/// The numbers of a register.
template <typename T>
T* numbers(Register& lanes) {
  return reinterpret_cast<T*>(lanes.bytes());
}

template <typename T>
const T* numbers(const Register& lanes) {
  return reinterpret_cast<const T*>(lanes.bytes());
}

/// Calls add(x, w, k) for the lanes k that have a term.
template <typename T, typename Add>
void for_terms(const Register& lhs, const Register& rhs, bool finite,
               const Add& add) {
  const std::bitset<kLanes> valid = lhs.valid() & rhs.valid();
  for (size_t k = 0; k < kLanes; ++k) {
    const T x = numbers<T>(lhs)[k];
    const T w = numbers<T>(rhs)[k];
    if (!valid[k] || (finite && !(is_finite(x) && is_finite(w)))) continue;
    add(x, w, k);
  }
}

}  // namespace

void multiply_add(Machine& machine, Sums sums, const Register& lhs,
                  const Register& rhs, bool finite, Register& sum,
                  Register* lost) {
  machine.counters.vector_operations += 1;
  switch (sums) {
    case Sums::kF64:
      return for_terms<double>(lhs, rhs, finite,
                               [&](double x, double w, size_t k) {
                                 AddF64{}(x, w, numbers<double>(sum)[k]);
                               });
    case Sums::kCompensated:
      return for_terms<double>(lhs, rhs, finite,
                               [&](double x, double w, size_t k) {
                                 AddCompensated{}(x, w, numbers<double>(sum)[k],
                                                  numbers<double>(*lost)[k]);
                               });
    case Sums::kF32:
      return for_terms<float>(lhs, rhs, finite,
                              [&](float x, float w, size_t k) {
                                AddF32{}(x, w, numbers<float>(sum)[k]);
                              });
    case Sums::kIntegers:
      return for_terms<uint64_t>(
          lhs, rhs, finite, [&](uint64_t x, uint64_t w, size_t k) {
            AddIntegers{}(x, w, numbers<uint64_t>(sum)[k]);
          });
  }
}

void settle(Register& sum, const Register& lost) {
  auto* const sums = numbers<double>(sum);
  const auto* const errors = numbers<double>(lost);
  for (int64_t k = 0; k < kLanes; ++k) {
    if (std::isfinite(sums[k]) && std::isfinite(errors[k]))
      sums[k] += errors[k];
  }
}

}  // namespace hlo::tpu
