#include "backends/cpu/routines/batch_norm_routine.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>

#include "backends/cpu/kernels/features/array_features.h"
#include "interpreter/rules/op.h"

namespace hlo::cpu {
namespace {

using Reals = std::vector<double>;

/// The f32 nearest to the decimal.
double epsilon_of(const Instruction& instruction) {
  const auto& epsilon = instruction.get<Decimal>("epsilon");
  const char* const end = epsilon.text.data() + epsilon.text.size();
  float value = 0;
  const auto read = std::from_chars(epsilon.text.data(), end, value);
  const bool whole = read.ec == std::errc() && read.ptr == end;
  return whole ? value : static_cast<double>(static_cast<float>(epsilon.value));
}

FeatureOrder order_of(const Instruction& instruction,
                      const std::vector<int64_t>& dims) {
  const auto product = [](auto first, auto last) {
    return std::reduce(first, last, int64_t{1}, std::multiplies<>());
  };
  const auto feature =
      dims.begin() +
      static_cast<std::ptrdiff_t>(instruction.get<int64_t>("feature_index"));
  const int64_t elements = product(dims.begin(), dims.end());
  // All elements of one feature lie beside each other.
  const int64_t inner =
      *feature == 1 ? elements : product(feature + 1, dims.end());
  return {*feature, inner, elements};
}

double elements_of_feature(const FeatureOrder& order) {
  const int64_t elements = order.count == 0 ? 0 : order.elements / order.count;
  return static_cast<double>(elements);
}

template <typename T>
Reals read_as(const std::byte* from, int64_t count) {
  const auto* const numbers = reinterpret_cast<const T*>(from);
  return {numbers, numbers + count};
}

template <typename T>
void write_as(const Reals& values, std::byte* to) {
  std::ranges::transform(values, reinterpret_cast<T*>(to),
                         [](double x) { return static_cast<T>(x); });
}

/// One of the operations.
class BatchNorm {
 public:
  BatchNorm(const Instruction& instruction, const std::vector<int64_t>& dims,
            ElementType type, std::span<const std::byte* const> operands,
            std::span<std::byte* const> results)
      : order_(order_of(instruction, dims)),
        elements_(elements_of_feature(order_)),
        epsilon_(epsilon_of(instruction)),
        type_(type),
        features_(order_, type),
        operands_(operands),
        results_(results) {}

  void train() const {
    const std::byte* const x = operands_[0];
    const Reals mean =
        divided(features_.sums(FeatureTerm::kNumber, x, nullptr, {}));
    const Reals variance =
        divided(features_.sums(FeatureTerm::kSquare, x, nullptr, mean));
    normalize(mean, variance);
    write(mean, 1);
    write(variance, 2);
  }

  void infer() const { normalize(read(3), read(4)); }

  void differentiate() const {
    const std::byte* const x = operands_[0];
    const std::byte* const y = operands_[4];
    const Reals scale = read(1);
    const Reals mean = read(2);
    Reals variance = read(3);
    for (double& value : variance) value += epsilon_;
    const Reals products = features_.sums(FeatureTerm::kProduct, x, y, mean);
    const Reals sums = features_.sums(FeatureTerm::kNumber, y, nullptr, {});
    Reals of_scale(products.size());
    Reals factor(products.size());
    for (size_t f = 0; f < factor.size(); ++f) {
      const double root = std::sqrt(variance[f]);
      of_scale[f] = products[f] / root;
      factor[f] = scale[f] / root / elements_;
    }
    features_.map(FeatureMap::kGradient, x, y,
                  std::vector{factor, sums, mean, products, variance},
                  elements_, results_[0]);
    write(of_scale, 1);
    write(sums, 2);
  }

 private:
  Reals read(size_t operand) const {
    const std::byte* const from = operands_[operand];
    return type_ == ElementType::kF64 ? read_as<double>(from, order_.count)
                                      : read_as<float>(from, order_.count);
  }

  void write(const Reals& values, size_t result) const {
    std::byte* const to = results_[result];
    type_ == ElementType::kF64 ? write_as<double>(values, to)
                               : write_as<float>(values, to);
  }

  Reals divided(Reals sums) const {
    for (double& sum : sums) sum /= elements_;
    return sums;
  }

  /// (x - mean) / sqrt(variance + epsilon) * scale + offset.
  void normalize(const Reals& mean, const Reals& variance) const {
    const Reals scale = read(1);
    const Reals offset = read(2);
    Reals root(variance.size());
    Reals factor(variance.size());
    for (size_t f = 0; f < root.size(); ++f) {
      root[f] = std::sqrt(variance[f] + epsilon_);
      factor[f] = scale[f] / root[f];
    }
    // Factors of numbers of f64 may leave its range, and no others.
    const bool is_wide = type_ == ElementType::kF64;
    features_.map(is_wide ? FeatureMap::kDivided : FeatureMap::kScaled,
                  operands_[0], nullptr,
                  is_wide ? std::vector{mean, root, scale, offset}
                          : std::vector{mean, factor, offset},
                  0, results_[0]);
  }

  FeatureOrder order_;
  double elements_;  // of each feature
  double epsilon_;
  ElementType type_;
  ArrayFeatures features_;
  std::span<const std::byte* const> operands_;
  std::span<std::byte* const> results_;
};

/// Whether f32 has all numbers of the type, and plans know it.
bool is_short(ElementType type) {
  return type == ElementType::kF32 || type == ElementType::kBF16 ||
         type == ElementType::kF16;
}

}  // namespace

void normalize_batch(const Instruction& instruction,
                     const std::vector<int64_t>& dims, ElementType type,
                     std::span<const std::byte* const> operands,
                     std::span<std::byte* const> results) {
  const BatchNorm own(instruction, dims, type, operands, results);
  const std::string_view name = instruction.op->name;
  if (name == "batch-norm-training") return own.train();
  if (name == "batch-norm-inference") return own.infer();
  own.differentiate();
}

std::optional<Routine> batch_norm_routine(const Instruction& instruction) {
  std::vector<ElementType> types;
  for (const Shape* leaf : leaves(instruction.shape)) {
    types.push_back(leaf->element_type);
  }
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    types.push_back(instruction.operand_shape(i).element_type);
  }
  const bool is_wide = types[0] == ElementType::kF64;
  const bool are_alike = std::ranges::all_of(types, [&](ElementType type) {
    return is_wide ? type == ElementType::kF64 : is_short(type);
  });
  if (!are_alike) return std::nullopt;
  const ElementType type = is_wide ? ElementType::kF64 : ElementType::kF32;
  Routine routine{[&instruction, type](auto operands, auto results) {
    normalize_batch(instruction, instruction.operand_shape(0).dims, type,
                    operands, results);
  }};
  routine.in_f32 = !is_wide && !std::ranges::all_of(types, [](ElementType own) {
    return own == ElementType::kF32;
  });
  return routine;
}

}  // namespace hlo::cpu
