#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <utility>

#include "conformance/literals/literal_bits.h"
#include "conformance/shrink/candidates.h"
#include "interpreter/error.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

/// The scalar that the text spells, where the type has it.
std::optional<Scalar> scalar_of(ElementType type, const std::string& number) {
  try {
    const std::string text = is_complex(type) ? "(" + number + ", 0)" : number;
    return text::parse_literal(text, Shape::scalar(type)).scalar();
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// 0, 1, 2 and -1, as far as the type has them, the simplest first.
std::vector<Scalar> small_numbers(ElementType type) {
  std::vector<Scalar> found;
  const bool is_pred = type_class(type) == TypeClass::kPred;
  for (const char* const number : {"0", "1", "2", "-1"}) {
    if (is_pred && found.size() == 2) break;
    if (const auto scalar = scalar_of(type, number)) found.push_back(*scalar);
  }
  return found;
}

/// Smaller for simpler values.
int64_t complexity(const Scalar& value, const std::vector<Scalar>& small) {
  const auto found = std::ranges::find(small, value);
  if (found != small.end()) return found - small.begin();
  return std::ssize(small) + std::popcount(value.bits[0]) +
         std::popcount(value.bits[1]);
}

/// Values that are simpler than this one: numbers, and its bits without some.
std::vector<Scalar> simpler(const Scalar& value,
                            const std::vector<Scalar>& small) {
  std::vector<Scalar> found;
  const auto add = [&](const Scalar& other) {
    if (complexity(other, small) < complexity(value, small) &&
        std::ranges::find(found, other) == found.end()) {
      found.push_back(other);
    }
  };
  for (const Scalar& number : small) add(number);
  const int width = bits(component_type(value.type));
  for (size_t part = 0; part < value.bits.size(); ++part) {
    for (const int kept : {width / 4, width / 2, width - width / 4,
                           width - width / 8, width - 1}) {
      Scalar other = value;
      const auto low = static_cast<unsigned>(width - kept);
      if (low < 64) other.bits.at(part) &= ~uint64_t{0} << low;
      add(other);
    }
    Scalar other = value;
    other.bits.at(part) &= other.bits.at(part) - 1;
    add(other);
    if (!is_integer(value.type)) continue;
    other = value;
    other.bits.at(part) &=
        (uint64_t{1} << static_cast<unsigned>(width / 2)) - 1;
    add(other);
  }
  return found;
}

/// Where an array stands: a leaf of a parameter, or a constant.
struct Array {
  size_t instruction;  // of the entry computation
  size_t leaf;
  bool is_constant;
};

using Change = std::function<void(Literal&)>;

Candidate changed(std::shared_ptr<const Program> program, Array array,
                  Change change) {
  return [program = std::move(program), array, change = std::move(change)] {
    Edit edit(*program);
    Instruction& instruction = *edit.entry().instructions.at(array.instruction);
    if (array.is_constant) {
      Literal copy = *instruction.literal;
      change(copy);
      instruction.literal = std::make_shared<Literal>(std::move(copy));
    } else {
      change(edit.leaves(instruction).at(array.leaf));
    }
    return edit.finish();
  };
}

/// Stretches of the array become zero: halves, quarters, ...
void add_stretches(const Literal& value, const Scalar& zero,
                   const std::function<void(Change)>& add) {
  constexpr int64_t kLeast = 16;
  const int64_t count = value.element_count();
  for (int64_t step = count; step >= 1 && count / step <= kLeast; step /= 2) {
    for (int64_t begin = 0; begin < count; begin += step) {
      const int64_t end = std::min(count, begin + step);
      bool is_changed = false;
      for (int64_t i = begin; i < end && !is_changed; ++i) {
        is_changed = value.at(i) != zero;
      }
      if (!is_changed) continue;
      add([begin, end, zero](Literal& array) {
        for (int64_t i = begin; i < end; ++i) array.set(i, zero);
      });
    }
  }
}

void add_elements(const Literal& value, const std::vector<Scalar>& small,
                  const std::function<void(Change)>& add) {
  constexpr int64_t kMost = 64;
  const int64_t count = std::min(value.element_count(), kMost);
  for (int64_t i = 0; i < count; ++i) {
    for (const Scalar& other : simpler(value.at(i), small)) {
      add([i, other](Literal& array) { array.set(i, other); });
    }
  }
}

void add_array(const Literal& value, const Array& array,
               const std::shared_ptr<const Program>& program,
               Candidates& candidates) {
  if (!value.shape().is_array() || value.element_count() == 0) return;
  const std::vector<Scalar> small = small_numbers(value.type());
  const auto add = [&](Change change) {
    candidates.push_back(changed(program, array, std::move(change)));
  };
  if (!small.empty() && small[0].bits == std::array<uint64_t, 2>{}) {
    add_stretches(value, small[0], add);
  }
  add_elements(value, small, add);
}

}  // namespace

Candidates simpler_values(const Failing& failing) {
  Candidates candidates;
  const auto program = std::make_shared<const Program>(failing.program);
  Edit edit(failing.program);
  const auto& instructions = edit.entry().instructions;
  for (size_t i = 0; i < instructions.size(); ++i) {
    const Instruction& instruction = *instructions[i];
    if (instruction.literal != nullptr) {
      add_array(*instruction.literal, {i, 0, true}, program, candidates);
    }
    if (instruction.parameter_number < 0) continue;
    const std::vector<Literal>& leaves = edit.leaves(instruction);
    for (size_t k = 0; k < leaves.size(); ++k) {
      add_array(leaves[k], {i, k, false}, program, candidates);
    }
  }
  return candidates;
}

const std::vector<Reduction>& reductions() {
  static const std::vector<Reduction> all = {
      {"devices", fewer_devices},
      {"instructions", single_instructions},
      {"instructions", fewer_instructions},
      {"instructions", simpler_computations},
      {"dimensions", smaller_arrays},
      {"layouts", plain_layouts},
      {"attributes", simpler_attributes},
      {"types", plain_types},
      {"values", simpler_values},
      {"dimensions", few_elements},
  };
  return all;
}

}  // namespace hlo::conformance
