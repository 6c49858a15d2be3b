#include "conformance/explain/story/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "conformance/explain/recording/element.h"
#include "conformance/explain/values/number_of.h"
#include "conformance/literals/literal_bits.h"
#include "interpreter/rules/sizes/sizes.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {

std::string value_text(const Scalar& scalar) {
  return text::print(scalar) + " (" + print_bits(scalar) + ")";
}

std::string value_texts(const std::vector<Scalar>& values) {
  std::string text;
  for (const Scalar& value : values) {
    text += (text.empty() ? "" : ", ") + text::print(value);
  }
  return text;
}

std::string index_text(const Index& index) {
  return fmt::format("[{}]", fmt::join(index, ","));
}

std::string Story::operand(size_t k, int64_t position,
                           const Ints& tuple_index) {
  const Literal& array = part_of(point_.run.operands.at(k), tuple_index);
  const Instruction& instruction = *point_.instruction().operands.at(k);
  const Index index = delinearize(position, array.shape().dims);
  use({&instruction, tuple_index, index});
  return element_name(instruction, tuple_index, index) + " = " +
         value_text(array.at(position));
}

void Story::say_words() {
  const auto words = point_.instruction().op->words;
  const Ints& list = point_.tuple_index;
  const size_t k = list.empty() ? 0 : static_cast<size_t>(list[0]);
  if (k < words.size()) say(std::string(words[k]));
}

void Story::say_page() {
  say_words();
  first_operands();
  say(fmt::format("gives {} (the formula: assay spec {})",
                  value_text(point_.result()), point_.instruction().op->name));
}

void Story::first_operands() {
  for (size_t k = 0; k < point_.run.operands.size(); ++k) {
    const Literal& value = point_.run.operands[k];
    if (!value.shape().is_array() || value.element_count() == 0) continue;
    const std::string shape = to_string(value.shape(), false);
    const Ints sizes = sizes_of(value);
    const bool is_dynamic = value.shape().has_dynamic_dimensions();
    const std::string array =
        is_dynamic ? fmt::format("{} of {}", shape, sizes_text(sizes)) : shape;
    if (std::ranges::find(sizes, 0) != sizes.end()) {
      say(fmt::format("operand {}, {}, has no elements", k, array));
      continue;
    }
    const bool has_more = value.element_count() > 1;
    say(fmt::format("operand {}, {}: {}{}", k, array, operand(k, 0),
                    has_more ? ", ..." : ""));
  }
}

void Story::copy(size_t k, int64_t position, const Ints& tuple_index) {
  const Scalar from =
      part_of(point_.run.operands.at(k), tuple_index).at(position);
  copy_of(from, operand(k, position, tuple_index));
}

void Story::copy_of(const Scalar& from, const std::string& where) {
  const Scalar to = point_.result();
  say("a copy of " + where);
  if (from.type == to.type) {
    facts_.copied = Explanation::Copied{from, to};
    return;
  }
  const auto number = number_of(from);
  if (number && is_float(to.type)) {
    round("in the type of the result", RealValue::of(*number));
  } else {
    say("in the type of the result: " + value_text(to));
  }
}

void Story::round(const std::string& formula, const RealValue& value, int part,
                  std::optional<ElementType> by_way_of) {
  const Scalar result = point_.result();
  if (by_way_of && component_type(*by_way_of) != component_type(result.type)) {
    const numeric::FloatFormat& wide =
        numeric::format(component_type(*by_way_of));
    say(formula + " = " + to_text(value));
    say(describe_rounding(value, wide));
    const double first = numeric::decode(rounded_code(value, wide), wide);
    if (!std::isfinite(first)) return say("then " + value_text(result));
    return round("then in the type of the result",
                 RealValue::of(Fraction(first)), part);
  }
  const numeric::FloatFormat& format =
      numeric::format(component_type(result.type));
  const uint64_t code = result.bits[static_cast<size_t>(part)];
  say(formula + " = " + to_text(value));
  const uint64_t stated = rounded_code(value, format);
  say(describe_rounding(value, format));
  // An exact zero may have either sign.
  const bool zero = value.is_known() && value.low.sign() == 0;
  if (zero && numeric::decode(code, format) == 0) {
    facts_.computed.push_back({code, code});
    return;
  }
  facts_.computed.push_back({stated, code});
}

void Story::adopt(
    const Story& other,
    const std::function<const Instruction*(const Instruction*)>& original) {
  lines_.insert(lines_.end(), other.lines_.begin(), other.lines_.end());
  facts_ = other.facts_;
  for (Use each : other.uses_) {
    each.instruction = original(each.instruction);
    use(std::move(each));
  }
}

void Story::use(Use use) {
  const auto same = [&](const Use& other) {
    return other.instruction == use.instruction &&
           other.tuple_index == use.tuple_index && other.index == use.index;
  };
  if (std::ranges::none_of(uses_, same)) uses_.push_back(std::move(use));
}

}  // namespace hlo::conformance
