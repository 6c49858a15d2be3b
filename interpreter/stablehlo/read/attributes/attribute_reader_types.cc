#include <algorithm>
#include <array>
#include <charconv>

#include "interpreter/stablehlo/read/attributes/attribute_reader.h"
#include "interpreter/stablehlo/read/attributes/tensor_type.h"

namespace hlo::stablehlo {
namespace {

/// Types that tensors cannot have here: i3, tf32, vector<...>.
bool is_kept_type(std::string_view word) {
  constexpr std::array<std::string_view, 5> kKept = {"f80", "f128", "tf32",
                                                     "vector", "memref"};
  const size_t digit = word.find_first_of("0123456789");
  const std::string_view letters = word.substr(0, digit);
  const bool is_integer =
      digit != std::string_view::npos &&
      (letters == "i" || letters == "si" || letters == "ui");
  return is_integer || std::ranges::find(kKept, word) != kKept.end();
}

}  // namespace

Type AttributeReader::type() {
  const Nesting nesting(in_);
  count_one();
  if (in_.peek() == '(') return function_type();
  if (in_.peek() == '!') return dialect_type();
  if (in_.peek_word().empty()) in_.expected("a type", "stablehlo.type");
  return named_type();
}

std::vector<Type> AttributeReader::result_types() {
  std::vector<Type> types;
  if (in_.eat('(')) {
    read_items(in_, ')', [&] { types.push_back(type()); });
  } else {
    types.push_back(type());
  }
  return types;
}

Type AttributeReader::function_type() {
  Type function;
  function.kind = Type::Kind::kFunction;
  in_.expect('(', "before the types of the inputs");
  read_items(in_, ')', [&] { function.members.push_back(type()); });
  in_.expect("->", "before the types of the results");
  function.results = result_types();
  return function;
}

Type AttributeReader::named_type() {
  const size_t start = in_.position();
  const std::string_view word = in_.word("a type");
  if (word == "tensor") return tensor_as_written();
  if (word == "none") return {};
  if (word == "tuple") {
    Type tuple = make_type(Type::Kind::kTuple, Shape::tuple({}));
    in_.expect('<', "behind 'tuple'");
    read_items(in_, '>', [&] {
      tuple.members.push_back(type());
      tuple.shape.tuple_shapes.push_back(tuple.members.back().shape);
    });
    return tuple;
  }
  if (word == "complex") {
    in_.seek(start);
    Type type = make_type(Type::Kind::kElement, Shape::scalar({}));
    element_type(type);
    return type;
  }
  if (const auto element = find_element_type(word)) {
    return make_type(Type::Kind::kElement, Shape::scalar(*element));
  }
  if (!is_kept_type(word)) {
    in_.seek(start);
    in_.expected("a type", "stablehlo.type");
  }
  Type type;
  type.kind = Type::Kind::kOther;
  type.text = rest_of(start, /*with_brackets=*/true).text;
  return type;
}

std::vector<int64_t> AttributeReader::dimensions() {
  std::vector<int64_t> dims;
  while (is_digit(in_.peek()) || in_.peek() == '?') {
    dims.push_back(in_.eat('?') ? kUnbounded : in_.integer("a dimension"));
    if (in_.peek() != 'x') {
      in_.expected("'x' behind a dimension", "stablehlo.type");
    }
    in_.advance(1);
  }
  return dims;
}

/// The type that was read for that text before: programs repeat few types
/// often. Those with further brackets, encodings or aliases are read each time.
Type AttributeReader::tensor_as_written() {
  const std::string_view rest = in_.rest();
  size_t length = rest.starts_with('<') ? 1 : 0;
  while (length > 0 && length < rest.size() &&
         (is_letter(rest[length]) || is_digit(rest[length]) ||
          rest[length] == '?' || rest[length] == '*')) {
    ++length;
  }
  const bool is_plain =
      length > 0 && length < rest.size() && rest[length] == '>';
  if (!is_plain) return tensor();
  const std::string_view text = rest.substr(0, length + 1);
  const auto known = tensors_.find(text);
  if (known != tensors_.end()) {
    in_.advance(text.size());
    return known->second;
  }
  return tensors_.emplace(text, tensor()).first->second;
}

Type AttributeReader::tensor() {
  in_.expect('<', "behind 'tensor'");
  Type tensor = make_type(Type::Kind::kTensor, Shape::scalar({}));
  if (in_.eat('*')) {
    tensor.kind = Type::Kind::kUnranked;
    if (in_.peek() != 'x') in_.expected("'x' behind '*'", "stablehlo.type");
    in_.advance(1);
  } else {
    tensor.shape.dims = dimensions();
    for (size_t d = 0; d < tensor.shape.dims.size(); ++d) {
      if (tensor.shape.dims[d] != kUnbounded) continue;
      tensor.shape.set_dynamic(static_cast<int64_t>(d), true);
    }
  }
  element_type(tensor);
  if (in_.eat(',')) encoding(tensor);
  in_.expect('>', "behind a type");
  return tensor;
}

void AttributeReader::element_type(Type& tensor) {
  if (in_.peek() == '!') {
    const size_t start = in_.position();
    const Type element = type();
    if (!element.quantization && element.kind != Type::Kind::kElement) {
      in_.fail_at(start, "stablehlo.type",
                  "the tensor has other elements: they must be numbers or "
                  "quantized numbers");
    }
    tensor.shape.element_type = element.shape.element_type;
    tensor.quantization = element.quantization;
    return;
  }
  const bool is_complex = in_.eat_word("complex");
  if (is_complex) in_.expect('<', "behind 'complex'");
  const size_t start = in_.position();
  auto element = find_element_type(in_.peek_word());
  if (element && is_complex) element = complex_type(*element);
  if (!element) {
    in_.expected(is_complex ? "f32 or f64" : "the type of the elements",
                 "stablehlo.type");
  }
  in_.seek(start);
  in_.word("a type");
  if (is_complex) in_.expect('>', "behind the type of the parts");
  tensor.shape.element_type = *element;
}

void AttributeReader::encoding(Type& tensor) {
  const size_t start = in_.position();
  if (in_.peek() == '#' && in_.peek_word().empty()) {
    in_.suffix("an encoding");
    const std::string_view rest = in_.rest();
    in_.seek(start);
    if (rest.starts_with('<') &&
        (in_.eat("#stablehlo.bounds") || in_.eat("#mhlo.bounds") ||
         in_.eat("#stablehlo.type_extensions") ||
         in_.eat("#mhlo.type_extensions"))) {
      return bounds(tensor);
    }
  }
  const Attribute kept = attribute();
  const auto* opaque = std::get_if<Opaque>(&kept.value);
  if (opaque != nullptr) tensor.text = opaque->text;
}

/// <?, 3> or <bounds = [?, 3]>
void AttributeReader::bounds(Type& tensor) {
  in_.expect('<', "before the bounds");
  const size_t start = in_.position();
  const bool is_named = in_.eat_word("bounds");
  if (is_named) {
    in_.expect('=', "behind 'bounds'");
    in_.expect('[', "before the bounds");
  }
  std::vector<int64_t> bounds;
  read_items(in_, is_named ? ']' : '>', [&] {
    bounds.push_back(in_.eat('?') ? kUnbounded : in_.integer("a bound"));
  });
  if (is_named) in_.expect('>', "behind the bounds");
  bool fits = bounds.size() == tensor.shape.dims.size();
  for (size_t d = 0; fits && d < bounds.size(); ++d) {
    if (bounds[d] == kUnbounded) continue;
    fits = bounds[d] >= 0 && tensor.shape.dims[d] == kUnbounded;
    tensor.shape.dims[d] = bounds[d];
  }
  if (!fits) {
    in_.fail_at(start, "stablehlo.type",
                "the bounds do not fit: there must be a bound or ? for each "
                "dimension, a bound only for ?");
  }
}

Type AttributeReader::dialect_type() {
  const size_t start = in_.position();
  const std::string_view name = in_.suffix("a name behind '!'");
  if (name.find('.') == std::string_view::npos && in_.peek() != '<') {
    in_.seek(start);
    return std::get<Type>(resolve('!').value);
  }
  if (name == "stablehlo.token" || name == "mhlo.token") {
    return make_type(Type::Kind::kToken, Shape::token());
  }
  if (name == "quant.uniform") {
    Type type = make_type(Type::Kind::kElement, Shape::scalar({}));
    quantization(type);
    return type;
  }
  Type type;
  type.kind = Type::Kind::kOther;
  type.text = rest_of(start, /*with_brackets=*/true).text;
  return type;
}

/// i8, u8 or f32, as !quant.uniform has them.
ElementType AttributeReader::stored_type(std::string_view what) {
  const size_t start = in_.position();
  std::string name(in_.word(what));
  if (name.size() > 1 && name[0] == 'u' && is_digit(name[1])) {
    name.insert(name.begin() + 1, 'i');
  }
  const auto type = find_element_type(name);
  if (!type) {
    in_.seek(start);
    in_.expected(what, "stablehlo.type");
  }
  return *type;
}

/// <i8<-127:127>:f32:0, {0.1:-30, 0.5}>
void AttributeReader::quantization(Type& type) {
  Quantization result;
  in_.expect('<', "behind 'quant.uniform'");
  result.storage = stored_type("the stored type");
  if (in_.eat('<')) {
    const int64_t low = in_.integer("the least stored value");
    in_.expect(':', "between the ends of the range");
    result.range = {low, in_.integer("the greatest stored value")};
    in_.expect('>', "behind the range");
  }
  in_.expect(':', "behind the stored type");
  result.expressed = stored_type("the expressed type");
  if (in_.eat(':')) result.axis = in_.integer("the axis of the scales");
  in_.expect(',', "before the scales");
  if (in_.eat('{')) {
    read_items(in_, '}', [&] { scale(result); });
  } else {
    scale(result);
  }
  in_.expect('>', "behind the scales");
  type.shape.element_type = result.storage;
  type.quantization = OptionalQuantization(std::move(result));
}

void AttributeReader::scale(Quantization& quantization) {
  double value = 0;
  const std::string_view rest = in_.rest();
  const auto [stop, error] =
      std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc()) in_.expected("a scale", "stablehlo.number");
  in_.advance(static_cast<size_t>(stop - rest.data()));
  quantization.scales.push_back(value);
  quantization.zero_points.push_back(in_.eat(':') ? in_.integer("a zero point")
                                                  : 0);
}

}  // namespace hlo::stablehlo
