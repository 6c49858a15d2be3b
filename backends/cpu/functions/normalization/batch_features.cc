#include "backends/cpu/functions/normalization/batch_features.h"

#include "backends/cpu/kernels/lanes/run_wide_ops.h"

namespace hlo::cpu {

Features::Features(const Instruction& instruction, const Shape& shape) {
  const auto d = static_cast<size_t>(instruction.get<int64_t>("feature_index"));
  count = shape.dims[d];
  elements = count == 0 ? 0 : shape.element_count() / count;
  // All elements of one feature lie beside each other.
  inner = std::max<int64_t>(
      count == 1 ? elements : row_major_strides(shape.dims)[d], 1);
}

Chunk::Chunk()
    : registers_{Register{reinterpret_cast<std::byte*>(narrow_.data())},
                 Register{reinterpret_cast<std::byte*>(values_.data())}} {}

void Chunk::load(const Array& array, int64_t first, int64_t count) {
  const auto n = static_cast<size_t>(count);
  with_host_type(array.shape.element_type, [&](auto tag) {
    using T = decltype(tag);
    if constexpr (std::is_same_v<T, double>) {
      load_some<double>(array, first, std::span(values_).first(n));
    } else if constexpr (std::is_same_v<T, float>) {
      load_some<float>(array, first, std::span(narrow_).first(n));
      run_wide_op({Code::kF32ToF64, 1, {0}}, registers_.data(), n);
    } else {
      throw Unsupported("normalisation of other types than floats");
    }
  });
}

void Chunk::store(Array& array, int64_t first, int64_t count) {
  const auto n = static_cast<size_t>(count);
  if (array.shape.element_type == ElementType::kF32) {
    run_wide_op({Code::kF64ToF32, 0, {1}}, registers_.data(), n);
    store_some<float>(std::span(narrow_).first(n), array, first);
  } else {
    store_some<double>(std::span(values_).first(n), array, first);
  }
}

PartialSums::PartialSums(const Features& features, int64_t first_element,
                         int64_t last) {
  const int64_t touched =
      (last - 1) / features.inner - first_element / features.inner + 1;
  const bool is_all = touched >= features.count;
  first = is_all ? 0 : features.of(first_element);
  sums.resize(static_cast<size_t>(is_all ? features.count : touched));
}

double* PartialSums::of(const Features& features, int64_t feature) {
  const int64_t place = (feature - first + features.count) % features.count;
  return sums.data() + place;
}

std::vector<double> joined(const Features& features,
                           const std::vector<PartialSums>& parts) {
  std::vector<double> result(static_cast<size_t>(features.count));
  for (const PartialSums& part : parts) {
    for (size_t k = 0; k < part.sums.size(); ++k) {
      const auto f = (static_cast<size_t>(part.first) + k) % result.size();
      result[f] += part.sums[k];
    }
  }
  return result;
}

}  // namespace hlo::cpu
