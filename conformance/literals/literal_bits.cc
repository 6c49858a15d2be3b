#include "conformance/literals/literal_bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "conformance/literals/live.h"
#include "interpreter/counted.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

/// A piece of the literal's text, and what is wrong with it.
struct WrongWord {
  std::string_view word;
  std::string message;
};

[[noreturn]] void fail(std::string_view word, const std::string& message) {
  throw WrongWord{word, message};
}

int digits(ElementType component) {
  const int width = bits(component);
  return width <= 4 ? 1 : width <= 8 ? 2 : width / 4;
}

std::optional<unsigned> digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  return std::nullopt;
}

uint64_t parse_component(std::string_view text, ElementType component) {
  if (text.size() != static_cast<size_t>(digits(component))) {
    fail(text, "\"" + shortened(text) + "\" has not " +
                   counted(digits(component), "hexadecimal digit") + ", as " +
                   std::string(name(component)) + " has");
  }
  uint64_t value = 0;
  for (const char c : text) {
    const auto d = digit(c);
    if (!d) fail(text, "\"" + shortened(text) + "\" is not hexadecimal");
    value = value << 4U | *d;
  }
  const int width = bits(component);
  if (width < 64 && value >> static_cast<unsigned>(width) != 0) {
    fail(text, "\"" + shortened(text) + "\" has more bits than " +
                   std::string(name(component)));
  }
  return value;
}

Scalar parse_element(std::string_view text, ElementType type) {
  Scalar scalar{.type = type};
  const size_t colon = text.find(':');
  if (is_complex(type) != (colon != std::string_view::npos)) {
    fail(text, "\"" + shortened(text) + "\" is not an element of " +
                   std::string(name(type)));
  }
  const ElementType part = component_type(type);
  scalar.bits[0] = parse_component(text.substr(0, colon), part);
  if (is_complex(type)) {
    scalar.bits[1] = parse_component(text.substr(colon + 1), part);
  }
  return scalar;
}

int64_t parse_number(std::string_view text, const char* what) {
  if (text.empty())
    fail(text, std::string("there is no number: it must be ") + what);
  int64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || number > Literal::kMaxBytes) {
      fail(text, "\"" + shortened(text) + "\" is not " + what);
    }
    number = number * 10 + (c - '0');
  }
  return number;
}

int64_t parse_count(std::string_view text) {
  const int64_t count = parse_number(text, "a count of elements");
  if (count == 0)
    fail(text, "the count of elements is 0, but must be at least one");
  return count;
}

struct Run {
  Scalar value;
  int64_t count = 1;
};

Run parse_run(std::string_view text, ElementType type) {
  const size_t star = text.find('*');
  Run run{.value = parse_element(text.substr(0, star), type)};
  if (star != std::string_view::npos) {
    run.count = parse_count(text.substr(star + 1));
  }
  return run;
}

/// The next word behind `text`'s blanks, cut off from it.
std::string_view next_word(std::string_view& text) {
  const size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const size_t end = std::min(text.find(' ', begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

// Runs could spell arrays of any size in a few characters.
constexpr int64_t kMaxElements = int64_t{1} << 24;

std::vector<Run> parse_runs(std::string_view text, const Shape& shape) {
  std::vector<Run> runs;
  int64_t count = 0;
  std::string_view word = next_word(text);
  for (; !word.empty(); word = next_word(text)) {
    runs.push_back(parse_run(word, shape.element_type));
    count += runs.back().count;
    if (count > shape.element_count()) break;
  }
  if (count != shape.element_count()) {
    fail(word,
         to_string(shape) + " has " +
             counted(shape.element_count(), "element") + ", the literal " +
             (count > shape.element_count() ? "more" : std::to_string(count)));
  }
  return runs;
}

/// "2,3)", which stands behind the shape of an array that has fewer elements at
/// run time, and a bracket.
std::vector<int64_t> parse_sizes(std::string_view text, const Shape& shape) {
  std::vector<int64_t> sizes;
  std::string_view rest = text;
  for (bool goes_on = true; goes_on;) {
    const size_t stop = std::min(rest.find_first_of(",)"), rest.size());
    sizes.push_back(parse_number(rest.substr(0, stop), "a size"));
    goes_on = stop < rest.size() && rest[stop] == ',';
    rest.remove_prefix(goes_on ? stop + 1 : stop);
  }
  if (rest != ")" || !has_room(shape, sizes)) {
    fail(text, "\"(" + shortened(text) + "\" are no sizes of " +
                   to_string(shape) +
                   ": there must be one for each dimension, and none above its "
                   "bound");
  }
  return sizes;
}

Shape parse_array_shape(std::string_view text) {
  Shape shape;
  try {
    shape = text::parse_shape(text);
  } catch (const Error& error) {
    const auto column = static_cast<size_t>(error.location().column);
    fail(text.substr(std::clamp(column, size_t{1}, text.size() + 1) - 1),
         "\"" + shortened(text) + "\": " + error.message());
  }
  if (!shape.is_array()) {
    fail(text, "the literal has another shape: it must be that of an array");
  }
  if (shape.element_count() > kMaxElements) {
    fail(text, "the literal has " + counted(shape.element_count(), "element") +
                   ", but can have at most 2^24");
  }
  return shape;
}

Literal parse_literal(std::string_view text) {
  const std::string_view head = next_word(text);
  const size_t sizes = head.find("](");
  const Shape shape = parse_array_shape(
      sizes == std::string_view::npos ? head : head.substr(0, sizes + 1));
  Literal literal(shape);
  if (sizes != std::string_view::npos) {
    literal.set_dynamic_sizes(parse_sizes(head.substr(sizes + 2), shape));
  }
  const std::vector<Run> runs = parse_runs(text, shape);
  int64_t position = 0;
  for (const Run& run : runs) {
    for (int64_t i = 0; i < run.count; ++i) literal.set(position++, run.value);
  }
  return literal;
}

std::string print_component(uint64_t value, ElementType component) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(static_cast<size_t>(digits(component)), '0');
  for (size_t i = text.size(); i-- > 0; value >>= 4U) {
    text[i] = kDigits[value & 15U];
  }
  return text;
}

void append_run(std::string& text, const Scalar& value, int64_t count) {
  const std::string element = print_bits(value);
  if (count > 1) {
    text += " " + element + "*" + std::to_string(count);
    return;
  }
  text += " " + element;
}

}  // namespace

Literal parse_bits(std::string_view text) {
  try {
    return parse_literal(text);
  } catch (const WrongWord& wrong) {
    throw Error(Phase::kParse, "vectors.literal", wrong.message,
                {1, static_cast<int>(wrong.word.data() - text.data()) + 1});
  }
}

std::string print_bits(const Scalar& scalar) {
  const ElementType part = component_type(scalar.type);
  std::string text = print_component(scalar.bits[0], part);
  if (is_complex(scalar.type)) {
    text += ":" + print_component(scalar.bits[1], part);
  }
  return text;
}

std::string print_bits(const Literal& literal) {
  std::string text = to_string(literal.shape(), /*with_layout=*/false);
  if (!literal.dynamic_sizes().empty()) {
    text += fmt::format("({})", fmt::join(literal.dynamic_sizes(), ","));
  }
  const int64_t n = literal.element_count();
  for (int64_t begin = 0; begin < n;) {
    const Scalar value = literal.at(begin);
    int64_t end = begin + 1;
    while (end < n && literal.at(end) == value) ++end;
    append_run(text, value, end - begin);
    begin = end;
  }
  return text;
}

}  // namespace hlo::conformance
