#include "conformance/literals/inputs.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

#include "conformance/files/read_file.h"
#include "conformance/literals/live.h"
#include "conformance/literals/npy.h"
#include "conformance/literals/random_inputs.h"
#include "interpreter/counted.h"
#include "interpreter/devices/devices.h"
#include "interpreter/error.h"
#include "interpreter/shortened.h"
#include "interpreter/stablehlo/read/parse.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kRandom = "random:";
constexpr std::string_view kSpaces = " \t\r\n";

[[noreturn]] void fail(std::string_view rule, const std::string& message) {
  throw Error(Phase::kEvaluate, rule, message);
}

std::string shape_text(const Shape& shape) {
  return to_string(shape, /*with_layout=*/false);
}

/// What `body` returns; errors of the format name the file.
template <typename Body>
auto in_file(const std::string& file, const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    if (error.rule().starts_with("file.")) throw;
    throw Error(error.phase(), error.rule(),
                shortened(file) + ": " + error.message());
  }
}

/// The beginning of a text, for messages.
std::string excerpt(std::string_view text) {
  constexpr size_t kLength = 40;
  return "\"" + shortened(text, kLength) + "\"";
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The type and sizes before the = of "2x3xf32=...".
struct SizedType {
  std::vector<int64_t> dims;
  std::string_view type;
};

/// Nothing where the text before the first = is not of this form.
std::optional<SizedType> read_sized_type(std::string_view text) {
  SizedType found;
  while (!text.empty() && is_digit(text.front())) {
    int64_t size = 0;
    const char* end = text.data() + text.size();
    const auto [next, error] = std::from_chars(text.data(), end, size);
    if (error != std::errc() || next == end || *next != 'x') return {};
    text.remove_prefix(static_cast<size_t>(next - text.data()) + 1);
    found.dims.push_back(size);
  }
  const auto is_name = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z');
  };
  if (text.empty() || !std::ranges::all_of(text, is_name)) return {};
  found.type = text;
  return found;
}

/// Whether IREE's name of a type (i32, si32, ui32, f32) means `type`; those of
/// HLO do too.
bool names(std::string_view word, ElementType type) {
  if (find_type(word) == type) return true;
  if (word == "i1" && type == ElementType::kPred) return true;
  if (!is_integer(type)) return false;
  const std::string width = std::to_string(bits(type));
  return word == "i" + width || word == (is_signed(type) ? "si" : "ui") + width;
}

void check_brackets(std::string_view text) {
  int64_t open = 0;
  for (const char c : text) {
    if (c == '[') ++open;
    if (c == ']' && --open < 0) break;
  }
  if (open != 0) {
    fail("input.value", "brackets do not match in " + excerpt(text));
  }
}

/// Cuts the elements apart at spaces, commas and brackets; parentheses hold
/// the parts of a complex one together.
std::vector<std::string_view> split_elements(std::string_view text) {
  constexpr std::string_view kSeparators = " \t\r\n,[]";
  check_brackets(text);
  std::vector<std::string_view> elements;
  size_t begin = text.find_first_not_of(kSeparators);
  while (begin < text.size()) {
    const size_t close = text[begin] == '(' ? text.find(')', begin) : begin;
    const size_t end =
        std::min(text.find_first_of(kSeparators, close), text.size());
    elements.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kSeparators, end);
  }
  return elements;
}

/// The element that a hexadecimal number gives as bits.
Scalar parse_bits_of(std::string_view text, ElementType type) {
  uint64_t value = 0;
  const std::string_view digits = text.substr(2);
  const char* end = digits.data() + digits.size();
  const auto [next, error] = std::from_chars(digits.data(), end, value, 16);
  const bool fits = bits(type) >= 64 || value >> bits(type) == 0;
  if (error != std::errc() || next != end || !fits || is_complex(type)) {
    fail("input.value", excerpt(text) + " is not the bits of a value of type " +
                            std::string(name(type)));
  }
  return {type, {value, 0}};
}

Scalar parse_element(std::string_view text, ElementType type) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    return parse_bits_of(text, type);
  }
  try {
    return text::parse_literal(text, Shape::scalar(type)).scalar();
  } catch (const Error& error) {
    fail("input.value", excerpt(text) + " is not a value of type " +
                            std::string(name(type)) + ": " + error.message());
  }
}

Literal parse_elements(std::string_view text, const Shape& shape) {
  const std::vector<std::string_view> elements = split_elements(text);
  if (elements.size() == 1) {
    return Literal::splat(shape,
                          parse_element(elements[0], shape.element_type));
  }
  if (std::ssize(elements) != shape.element_count()) {
    fail("input.value",
         joined({"the text has ", Count{std::ssize(elements), "element"},
                 ", but needs ", shape.element_count(), " or one"}));
  }
  Literal literal = Literal::uninitialized(shape);
  for (size_t i = 0; i < elements.size(); ++i) {
    literal.set(static_cast<int64_t>(i),
                parse_element(elements[i], shape.element_type));
  }
  return literal;
}

/// Nothing where the text is not of the form 2x3xf32=...
std::optional<Literal> parse_sized(std::string_view text, const Shape& shape) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || !shape.is_array()) return {};
  const auto sized = read_sized_type(trimmed(text.substr(0, equals)));
  if (!sized) return {};
  if (!has_room(shape, sized->dims) ||
      !names(sized->type, shape.element_type)) {
    fail("input.shape", "a value for " + excerpt(text.substr(0, equals)) +
                            ", but it is " + shape_text(shape));
  }
  const Shape part = Shape::array(shape.element_type, sized->dims);
  return with_room(parse_elements(text.substr(equals + 1), part), shape);
}

/// Whether a literal stands behind its shape: "f32[2] {1, 2}", or
/// "(f32[2], s32[]) ({1, 2}, 3)".
bool has_shape(std::string_view text) {
  constexpr std::string_view kName = "abcdefghijklmnopqrstuvwxyz0123456789";
  const size_t begin = std::min(text.find_first_not_of("( "), text.size());
  const size_t end = text.find_first_not_of(kName, begin);
  return end != std::string_view::npos && text[end] == '[' &&
         find_type(text.substr(begin, end - begin)).has_value();
}

uint64_t parse_seed(std::string_view text) {
  uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, seed);
  if (error != std::errc() || next != end) {
    fail("input.seed",
         "the seed is " + excerpt(text) + ", but must be a number below 2^64");
  }
  return seed;
}

bool is_random(std::string_view text) { return text.starts_with(kRandom); }

/// One value out of several: "parameter" 2, "infeed value" 0.
struct Ordinal {
  std::string_view kind;
  int64_t number;
};

/// What is wrong with the text of an input is its value, whatever language it
/// is in: the rules of programs say nothing of it.
std::string rule_of_input(const Error& error) {
  for (const std::string_view family :
       {"input.", "npy.", "file.", "literal."}) {
    if (error.rule().starts_with(family)) return error.rule();
  }
  return "input.value";
}

/// "; at column 3 of "{1, x}"", where the error has a place in the text.
std::string in_text(const Error& error, std::string_view text) {
  if (error.location().line == 0) return "";
  const std::string line =
      error.location().line == 1
          ? ""
          : "line " + std::to_string(error.location().line) + ", ";
  return ", at " + line + "column " + std::to_string(error.location().column) +
         " of " + excerpt(trimmed(text));
}

Literal make_value(std::string_view text, const Shape& shape, Ordinal which,
                   int64_t fan_in) {
  try {
    if (!is_random(text)) return parse_input(text, shape);
    const uint64_t seed = parse_seed(text.substr(kRandom.size()));
    return random_input(seed, which.number, shape, fan_in);
  } catch (const Error& error) {
    throw Error(error.phase(), rule_of_input(error),
                joined({which.kind, " ", which.number, ", ", shape, ": "}) +
                    error.message() + in_text(error, text));
  }
}

// NumPy's headers are smaller.
constexpr size_t kMaxHeader = size_t{1} << 20U;

/// More bytes than a file with an array of the shape has.
size_t file_limit(const Shape& shape) {
  const int64_t data =
      shape.element_count() * storage_bytes(shape.element_type);
  return static_cast<size_t>(data) + kMaxHeader;
}

/// The sizes that a text without spaces around it says of itself.
std::optional<std::vector<int64_t>> stated_sizes(std::string_view text) {
  if (text.starts_with('@')) {
    const std::string file(text.substr(1));
    return in_file(file,
                   [&] { return npy_dims(read_beginning(file, kMaxHeader)); });
  }
  const auto sized = read_sized_type(trimmed(text.substr(0, text.find('='))));
  if (sized) return sized->dims;
  const bool is_dense = text.starts_with("dense");
  if (!is_dense && !has_shape(text)) return std::nullopt;
  const Shape shape = is_dense ? stablehlo::parse_dense(text).shape()
                               : text::parse_literal_with_shape(text).shape();
  return shape.is_array() ? std::optional(shape.dims) : std::nullopt;
}

}  // namespace

Literal parse_input(std::string_view text, const Shape& shape) {
  text = trimmed(text);
  if (text.starts_with('@')) {
    if (!shape.is_array())
      fail("input.shape",
           "the value is no array, but a file can hold only one");
    const std::string file(text.substr(1));
    return in_file(file, [&] {
      return read_npy(read_file(file, file_limit(shape)), shape);
    });
  }
  if (std::optional<Literal> literal = parse_sized(text, shape)) {
    return *std::move(literal);
  }
  const bool is_dense = text.starts_with("dense");
  if (!is_dense && !has_shape(text)) return text::parse_literal(text, shape);
  const Literal literal = is_dense ? stablehlo::parse_dense(text)
                                   : text::parse_literal_with_shape(text);
  if (!compatible(literal.shape(), shape)) {
    fail("input.shape", "a value of " + shape_text(literal.shape()) +
                            ", but it is " + shape_text(shape));
  }
  return literal.with_shape(shape);
}

std::vector<std::string> input_files(std::span<const std::string> texts) {
  std::vector<std::string> files;
  for (const std::string& text : texts) {
    const std::string_view value = trimmed(text);
    if (value.starts_with('@')) files.emplace_back(value.substr(1));
  }
  return files;
}

std::optional<std::vector<int64_t>> sizes_of_input(std::string_view text) {
  try {
    return stated_sizes(trimmed(text));
  } catch (const Error& error) {
    throw Error(error.phase(), rule_of_input(error),
                error.message() + in_text(error, text));
  }
}

std::vector<Literal> make_inputs(const Module& module,
                                 std::span<const std::string> texts) {
  const std::vector<Instruction*>& parameters = module.entry->parameters;
  const bool one_for_all = texts.size() == 1 && is_random(texts[0]);
  if (!one_for_all && texts.size() != parameters.size()) {
    fail("input.count",
         "the program has " + counted(std::ssize(parameters), "parameter") +
             ", but " + counted(std::ssize(texts), "input is", "inputs are") +
             " given");
  }
  std::vector<int64_t> fans(parameters.size(), 1);
  if (std::ranges::any_of(texts, is_random)) fans = fan_ins(module);
  std::vector<Literal> inputs;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const std::string& text = texts[one_for_all ? 0 : i];
    const Ordinal which{"parameter", parameters[i]->parameter_number};
    inputs.push_back(make_value(text, parameters[i]->shape, which, fans[i]));
  }
  return inputs;
}

std::vector<std::vector<Literal>> make_device_inputs(
    const Module& module, std::span<const std::string> texts) {
  const size_t each = module.entry->parameters.size();
  const auto devices = static_cast<size_t>(device_count(module));
  std::vector<std::vector<Literal>> lists;
  if (each == 0 || texts.size() == each || texts.size() != each * devices) {
    lists.push_back(make_inputs(module, texts));
    return lists;
  }
  for (size_t i = 0; i < devices; ++i) {
    lists.push_back(make_inputs(module, texts.subspan(i * each, each)));
  }
  return lists;
}

std::function<Literal(const Shape&)> make_infeed(
    std::span<const std::string> texts) {
  if (texts.empty()) return {};
  const bool endless = texts.size() == 1 && is_random(texts[0]);
  // All devices have copies of the function, and read from one queue.
  const auto next = std::make_shared<size_t>(0);
  return [texts, endless, next](const Shape& shape) {
    if (*next == texts.size() && !endless) {
      fail("infeed.empty", "the infeed has " +
                               counted(std::ssize(texts), "value") +
                               ", and another one is read");
    }
    const size_t number = (*next)++;
    return make_value(texts[endless ? 0 : number], shape,
                      {"infeed value", static_cast<int64_t>(number)}, 1);
  };
}

}  // namespace hlo::conformance
