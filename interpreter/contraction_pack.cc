#include "interpreter/contraction_pack.h"

#include "interpreter/numeric/float_format.h"

namespace hlo {
namespace {

template <typename S, typename T>
void gather(const std::byte* data, const std::vector<int64_t>& positions,
            T* result) {
  const auto* source = reinterpret_cast<const S*>(data);
  for (size_t k = 0; k < positions.size(); ++k) {
    const int64_t p = positions[k];
    result[k] = p < 0 ? T{0} : static_cast<T>(source[p]);
  }
}

template <typename T>
void gather_codes(const std::byte* data, int width,
                  const std::vector<int64_t>& positions, T* result) {
  switch (width) {
    case 1:
      return gather<uint8_t>(data, positions, result);
    case 2:
      return gather<uint16_t>(data, positions, result);
    case 4:
      return gather<uint32_t>(data, positions, result);
    default:
      return gather<uint64_t>(data, positions, result);
  }
}

}  // namespace

VectorReader::VectorReader(const Literal& literal,
                           const Contraction::Positions& positions,
                           int64_t depth)
    : data_(literal.bytes().data()),
      locate_(&positions),
      component_(component_type(literal.type())),
      depth_(depth),
      parts_(is_complex(literal.type()) ? 2 : 1),
      positions_(static_cast<size_t>(length())) {}

void VectorReader::locate(int64_t g, int64_t index) {
  (*locate_)(g, index, positions_.data());
  if (parts_ == 1) return;
  // From the back, so that nothing is overwritten before it is read.
  for (auto k = static_cast<size_t>(depth_); k-- > 0;) {
    const int64_t p = positions_[k];
    positions_[2 * k] = p < 0 ? -1 : 2 * p;
    positions_[2 * k + 1] = p < 0 ? -1 : 2 * p + 1;
  }
}

void VectorReader::decode_narrow(double* vector) {
  const int width = storage_bytes(component_);
  codes_.resize(positions_.size() * static_cast<size_t>(width));
  if (width == 1) {
    gather<uint8_t>(data_, positions_,
                    reinterpret_cast<uint8_t*>(codes_.data()));
  } else {
    gather<uint16_t>(data_, positions_,
                     reinterpret_cast<uint16_t*>(codes_.data()));
  }
  numeric::decode_array(codes_.data(), vector, length(),
                        numeric::format(component_));
  if (component_ != ElementType::kF8E8M0FNU) return;
  // Code 0 of this format is 2^-127.
  for (size_t k = 0; k < positions_.size(); ++k) {
    if (positions_[k] < 0) vector[k] = 0;
  }
}

void VectorReader::read(int64_t g, int64_t index, double* vector) {
  locate(g, index);
  switch (component_) {
    case ElementType::kF32:
      return gather<float>(data_, positions_, vector);
    case ElementType::kF64:
      return gather<double>(data_, positions_, vector);
    default:
      return decode_narrow(vector);
  }
}

void VectorReader::read(int64_t g, int64_t index, uint32_t* vector) {
  locate(g, index);
  gather_codes(data_, storage_bytes(component_), positions_, vector);
}

void VectorReader::read(int64_t g, int64_t index, uint64_t* vector) {
  locate(g, index);
  gather_codes(data_, storage_bytes(component_), positions_, vector);
}

double sum_of_squares(const double* numbers, int64_t length, int64_t stride) {
  double sum = 0;
  for (int64_t k = 0; k < length; ++k) {
    sum += numbers[k * stride] * numbers[k * stride];
  }
  return sum;
}

}  // namespace hlo
