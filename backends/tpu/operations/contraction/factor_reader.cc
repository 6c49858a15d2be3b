#include "backends/tpu/operations/contraction/factor_reader.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "interpreter/plans/elementwise/converted.h"

namespace hlo::tpu {
namespace {

template <typename T>
T* numbers(Register& lanes) {
  return reinterpret_cast<T*>(lanes.bytes());
}

/// The nearest number of bf16, ties to even, as one of f32. What lies beyond
/// the largest one becomes that, so that nothing finite becomes infinite.
float rounded_to_bf16(float x) {
  if (!std::isfinite(x)) return x;
  constexpr uint32_t kDropped = 16;
  constexpr uint32_t kHalf = 0x7fff;
  constexpr uint32_t kKept = 0xffff0000;
  constexpr uint32_t kLargest = 0x7f7f0000;
  constexpr uint32_t kSign = 0x80000000;
  const auto bits = std::bit_cast<uint32_t>(x);
  const uint32_t odd = (bits >> kDropped) & 1;
  const uint32_t rounded = (bits + kHalf + odd) & kKept;
  const bool overflows = (rounded & ~kSign) > kLargest;
  return std::bit_cast<float>(overflows ? (bits & kSign) | kLargest : rounded);
}

/// The position in the array of scales of the one that an element has.
int64_t position_of_scale(int64_t element, const std::vector<int64_t>& dims,
                          const std::vector<int64_t>& blocks) {
  int64_t position = 0;
  int64_t stride = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    position += element % dims[d] / (dims[d] / blocks[d]) * stride;
    element /= dims[d];
    stride *= blocks[d];
  }
  return position;
}

}  // namespace

FactorReader::FactorReader(Machine& machine, const Instruction& instruction,
                           size_t operand, const Values& operands,
                           const Scheme& scheme, int64_t kept)
    : machine_(machine),
      scheme_(scheme),
      planes_(operand == 0 ? scheme.lhs : scheme.rhs),
      array_(operands[operand]->array),
      gather_(machine, array_, kept) {
  const bool has_scales = instruction.operands.size() == 4;
  if (!has_scales || operands[operand + 2]->shape.is_scalar()) return;
  scales_ = &operands[operand + 2]->array;
  gather_scales_.emplace(machine, *scales_, kept);
}

Register FactorReader::gathered(LaneGather& gather, ElementType type,
                                const LaneElements& elements) const {
  Register lanes(machine_.scratch, type);
  std::memset(lanes.bytes(), 0, static_cast<size_t>(lanes.width() * kLanes));
  gather.gather(elements, lanes);
  return lanes;
}

Register FactorReader::converted(Register from, ElementType to) const {
  if (from.type() == to) return from;
  Register into(machine_.scratch, to);
  convert_elements(from.type(), from.bytes(), kLanes, to, into.bytes());
  into.valid() = from.valid();
  return into;
}

void FactorReader::multiply_by_scales(const LaneElements& elements,
                                      Register& numbers_of_f64) {
  LaneElements positions;
  const bool is_first = machine_.has(Fault::kScaleOfFirstBlock);
  for (size_t k = 0; k < positions.size(); ++k) {
    const int64_t element = elements[k];
    if (element != TileOrder::kPadding && is_first) {
      positions[k] = 0;
      continue;
    }
    positions[k] = element == TileOrder::kPadding
                       ? element
                       : position_of_scale(element, array_.shape.dims,
                                           scales_->shape.dims);
  }
  Register scales = converted(
      gathered(*gather_scales_, scales_->shape.element_type, positions),
      ElementType::kF64);
  for (int64_t k = 0; k < kLanes; ++k) {
    numbers<double>(numbers_of_f64)[k] *= numbers<double>(scales)[k];
  }
}

/// Real and imaginary parts, or the elements as they are.
std::vector<Register> FactorReader::components(Register elements) const {
  std::vector<Register> parts;
  if (planes_.components == 1) {
    parts.push_back(std::move(elements));
    return parts;
  }
  const bool is_c64 = elements.type() == ElementType::kC64;
  const auto width = static_cast<size_t>(elements.width() / 2);
  for (size_t part = 0; part < 2; ++part) {
    Register into(machine_.scratch,
                  is_c64 ? ElementType::kF32 : ElementType::kF64);
    for (int64_t k = 0; k < kLanes; ++k) {
      std::memcpy(into.lane(k), elements.lane(k) + part * width, width);
    }
    into.valid() = elements.valid();
    parts.push_back(std::move(into));
  }
  return parts;
}

void FactorReader::append_pieces(Register rest,
                                 std::vector<Register>& planes) const {
  if (!planes_.is_rounded) {
    planes.push_back(std::move(rest));
    return;
  }
  for (int64_t piece = 0; piece < planes_.pieces; ++piece) {
    Register into(machine_.scratch, ElementType::kF32);
    for (int64_t k = 0; k < kLanes; ++k) {
      float& left = numbers<float>(rest)[k];
      const float rounded = rounded_to_bf16(left);
      numbers<float>(into)[k] = rounded;
      left = std::isfinite(left) ? left - rounded : 0;
    }
    into.valid() = rest.valid();
    planes.push_back(std::move(into));
  }
}

std::vector<Register> FactorReader::read(const LaneElements& elements) {
  Register lanes = gathered(gather_, array_.shape.element_type, elements);
  const ElementType number = number_type(scheme_.sums);
  std::vector<Register> planes;
  if (gather_scales_ || scheme_.is_scaled) {
    planes.push_back(converted(std::move(lanes), number));
    if (gather_scales_) multiply_by_scales(elements, planes[0]);
    return planes;
  }
  std::vector<Register> parts =
      components(converted(std::move(lanes), scheme_.element));
  for (Register& part : parts) {
    append_pieces(converted(std::move(part), number), planes);
  }
  return planes;
}

}  // namespace hlo::tpu
