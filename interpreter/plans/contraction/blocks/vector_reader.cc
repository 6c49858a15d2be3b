#include "interpreter/plans/contraction/blocks/vector_reader.h"

#include <algorithm>
#include <type_traits>

#include "interpreter/numeric/exact/exact_block.h"
#include "interpreter/numeric/format/float_codes.h"

namespace hlo {

VectorReader::VectorReader(const Literal& literal, const Runs& runs)
    : data_(literal.bytes().data()),
      runs_(&runs),
      component_(component_type(literal.type())),
      parts_(is_complex(literal.type()) ? 2 : 1),
      starts_(static_cast<size_t>(runs.count)),
      other_starts_(starts_.size()) {}

template <typename S, typename T>
void VectorReader::gather(T* vector) const {
  const auto* const data = reinterpret_cast<const S*>(data_);
  const int64_t numbers = runs_->length * parts_;
  const int64_t step = runs_->stride * parts_;
  for (const int64_t start : starts_) {
    const S* const source = data + std::max<int64_t>(start, 0) * parts_;
    if (start < 0) {
      std::fill_n(vector, numbers, T{0});
    } else if (runs_->stride == 1) {
      for (int64_t k = 0; k < numbers; ++k) {
        vector[k] = static_cast<T>(source[k]);
      }
    } else if (parts_ == 1) {
      for (int64_t k = 0; k < numbers; ++k) {
        vector[k] = static_cast<T>(source[k * step]);
      }
    } else {
      for (int64_t k = 0; k < runs_->length; ++k) {
        vector[2 * k] = static_cast<T>(source[k * step]);
        vector[2 * k + 1] = static_cast<T>(source[k * step + 1]);
      }
    }
    vector += numbers;
  }
}

template <typename S>
void VectorReader::spread(int64_t count, int64_t lanes, double* tile) const {
  const auto* const data = reinterpret_cast<const S*>(data_);
  for (const int64_t start : starts_) {
    for (int64_t k = 0; k < runs_->length; ++k, tile += lanes) {
      const S* const source = data + start + k * runs_->stride;
      if constexpr (std::is_same_v<S, float>) {
        numeric::widen(source, tile, count);
      } else {
        std::copy_n(source, count, tile);
      }
    }
  }
}

void VectorReader::decode_narrow(double* vector) {
  const int width = storage_bytes(component_);
  codes_.resize(static_cast<size_t>(length() * width));
  if (width == 1) {
    gather<uint8_t>(reinterpret_cast<uint8_t*>(codes_.data()));
  } else {
    gather<uint16_t>(reinterpret_cast<uint16_t*>(codes_.data()));
  }
  numeric::decode_array(codes_.data(), vector, length(),
                        numeric::format(component_));
  if (component_ != ElementType::kF8E8M0FNU) return;
  // Code 0 of this format is 2^-127.
  for (size_t i = 0; i < starts_.size(); ++i) {
    double* const run = vector + static_cast<int64_t>(i) * runs_->length;
    if (starts_[i] < 0) std::fill_n(run, runs_->length, 0.0);
  }
}

void VectorReader::read(int64_t g, int64_t index, double* vector) {
  runs_->starts(g, index, starts_.data());
  switch (component_) {
    case ElementType::kF32:
      return gather<float>(vector);
    case ElementType::kF64:
      return gather<double>(vector);
    default:
      return decode_narrow(vector);
  }
}

const float* VectorReader::floats(int64_t g, int64_t index,
                                  std::vector<float>& buffer) {
  const auto n = static_cast<size_t>(length());
  if (component_ != ElementType::kF32) {
    buffer.resize(n);
    numbers_.resize(n);
    read(g, index, numbers_.data());
    std::ranges::transform(numbers_, buffer.begin(),
                           [](double x) { return static_cast<float>(x); });
    return buffer.data();
  }
  runs_->starts(g, index, starts_.data());
  if (starts_.size() == 1 && starts_[0] >= 0 && runs_->stride == 1) {
    return reinterpret_cast<const float*>(data_) + starts_[0] * parts_;
  }
  buffer.resize(n);
  gather<float>(buffer.data());
  return buffer.data();
}

template <typename T>
void VectorReader::read_codes(int64_t g, int64_t index, T* vector) {
  runs_->starts(g, index, starts_.data());
  switch (storage_bytes(component_)) {
    case 1:
      return gather<uint8_t>(vector);
    case 2:
      return gather<uint16_t>(vector);
    case 4:
      return gather<uint32_t>(vector);
    default:
      return gather<uint64_t>(vector);
  }
}

void VectorReader::read(int64_t g, int64_t index, uint32_t* vector) {
  read_codes(g, index, vector);
}

void VectorReader::read(int64_t g, int64_t index, uint64_t* vector) {
  read_codes(g, index, vector);
}

bool VectorReader::adjacent(int64_t g, int64_t index, int64_t count) {
  runs_->starts(g, index, starts_.data());
  if (std::ranges::find(starts_, -1) != starts_.end()) return false;
  for (int64_t v = 1; v < count; ++v) {
    runs_->starts(g, index + v, other_starts_.data());
    const bool beside =
        std::ranges::equal(starts_, other_starts_,
                           [&](int64_t a, int64_t b) { return a + v == b; });
    if (!beside) return false;
  }
  return true;
}

bool VectorReader::read_tile(int64_t g, int64_t index, int64_t count,
                             int64_t lanes, double* tile) {
  if (parts_ != 1 || !adjacent(g, index, count)) return false;
  if (component_ == ElementType::kF32) {
    spread<float>(count, lanes, tile);
    return true;
  }
  if (component_ != ElementType::kF64) return false;
  spread<double>(count, lanes, tile);
  return true;
}

}  // namespace hlo
