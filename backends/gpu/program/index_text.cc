#include "backends/gpu/program/index_text.h"

#include <algorithm>
#include <cstdint>

#include "interpreter/model/shape.h"

namespace hlo::gpu {
namespace {

bool are_joined(const Ints& sizes, const Ints& strides, size_t d) {
  return strides[d] == strides[d + 1] * sizes[d + 1];
}

void erase(Ints& list, size_t d) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(d));
}

void erase_dimension(Ints& sizes, std::span<Ints* const> strides, size_t d) {
  for (Ints* const own : strides) erase(*own, d);
  erase(sizes, d);
}

}  // namespace

void join_dimensions(Ints& sizes, std::span<Ints* const> strides) {
  for (size_t d = sizes.size(); d-- > 0;) {
    if (sizes[d] == 1) {
      erase_dimension(sizes, strides, d);
    } else if (d + 1 < sizes.size() &&
               std::ranges::all_of(strides, [&](const Ints* own) {
                 return are_joined(sizes, *own, d);
               })) {
      sizes[d + 1] *= sizes[d];
      erase_dimension(sizes, strides, d);
    }
  }
}

std::string index_text(const Ints& sizes, const std::string& name,
                       const std::string& place) {
  const int64_t count = Shape::array(ElementType::kPred, sizes).element_count();
  // Quotients of 32 bits take a third of the time.
  const std::string type = count <= INT32_MAX ? "u32" : "i64";
  std::string text;
  int64_t below = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    std::string value = "(" + type + ")" + place;
    if (below > 1) value += " / " + std::to_string(below);
    if (d > 0) value = "(" + value + ") % " + std::to_string(sizes[d]);
    text += "const i64 " + name + std::to_string(d) + " = " + value + ";\n";
    below *= sizes[d];
  }
  return text;
}

std::string place_text(const Ints& sizes, const Ints& strides,
                       const std::string& name, const std::string& place) {
  if (strides == row_major_strides(sizes)) {
    return sizes.empty() ? "0" : place;
  }
  std::string sum;
  for (size_t d = 0; d < strides.size(); ++d) {
    if (strides[d] == 0) continue;
    sum += (sum.empty() ? "" : " + ") + name + std::to_string(d);
    if (strides[d] != 1) sum += " * " + std::to_string(strides[d]);
  }
  return sum.empty() ? "0" : sum;
}

}  // namespace hlo::gpu
