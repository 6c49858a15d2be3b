#include "backends/cpu/routines/regions/combining_region.h"

#include <algorithm>
#include <string_view>

#include "backends/cpu/arrays/run_region.h"

namespace hlo::cpu {
namespace {

struct Entry {
  std::string_view name;
  Combine how;
  bool of_floats;
  bool of_complex;
  bool of_preds;
};

constexpr Entry kEntries[] = {
    {"add", Combine::kAdd, true, true, false},
    {"multiply", Combine::kMultiply, true, true, false},
    {"minimum", Combine::kMinimum, true, false, true},
    {"maximum", Combine::kMaximum, true, false, true},
    {"and", Combine::kAnd, false, false, true},
    {"or", Combine::kOr, false, false, true},
};

}  // namespace

ElementType combined_type(ElementType type) {
  const bool is_short = type == ElementType::kBF16 || type == ElementType::kF16;
  return is_short ? ElementType::kF32 : type;
}

std::optional<Combine> combining_region(const Computation& region,
                                        ElementType type) {
  const auto is_other = [&](const Instruction* parameter) {
    return parameter->shape != Shape::scalar(type);
  };
  if (region.parameters.size() != 2 ||
      std::ranges::any_of(region.parameters, is_other) ||
      region.root->shape != Shape::scalar(type)) {
    return std::nullopt;
  }
  if (region.root == region.parameters[1]) return Combine::kSecond;
  if (!with_element(combined_type(type), [](auto) {})) return std::nullopt;
  const std::string_view name = simple_region(region);
  for (const Entry& entry : kEntries) {
    if (entry.name != name) continue;
    const bool fits = is_float(type)               ? entry.of_floats
                      : is_complex(type)           ? entry.of_complex
                      : type == ElementType::kPred ? entry.of_preds
                                                   : true;
    return fits ? std::optional(entry.how) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace hlo::cpu
