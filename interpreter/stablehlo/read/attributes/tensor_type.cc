#include "interpreter/stablehlo/read/attributes/tensor_type.h"

namespace hlo::stablehlo {
namespace {

std::optional<ElementType> find_integer_type(std::string_view name) {
  const bool is_unsigned = name.starts_with("ui");
  name.remove_prefix(is_unsigned || name.starts_with("si") ? 2 : 1);
  if (name == "1" && !is_unsigned) return ElementType::kPred;
  return find_type((is_unsigned ? "u" : "s") + std::string(name));
}

}  // namespace

Type make_type(Type::Kind kind, Shape shape) {
  Type type;
  type.kind = kind;
  type.shape = std::move(shape);
  return type;
}

std::optional<ElementType> find_element_type(std::string_view name) {
  const size_t digit = name.find_first_of("0123456789");
  if (digit == std::string_view::npos) {
    if (name == "index") return ElementType::kS64;
    return std::nullopt;
  }
  const std::string_view letters = name.substr(0, digit);
  if (letters == "i" || letters == "si" || letters == "ui") {
    return find_integer_type(name);
  }
  std::string lower(name);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const auto type = find_type(lower);
  return type && is_float(*type) ? type : std::nullopt;
}

Type tensor_type(ElementType type, std::vector<int64_t> dims) {
  return make_type(Type::Kind::kTensor, Shape::array(type, std::move(dims)));
}

std::string to_string(const Type& type) {
  switch (type.kind) {
    case Type::Kind::kTensor:
    case Type::Kind::kElement:
    case Type::Kind::kToken:
      return to_string(type.shape, /*with_layout=*/false) +
             (type.quantization ? " (quantized)" : "");
    case Type::Kind::kUnranked:
      return std::string(name(type.shape.element_type)) + "[*]";
    case Type::Kind::kTuple:
      return "a tuple";
    case Type::Kind::kFunction:
      return "a function";
    case Type::Kind::kNone:
      return "none";
    case Type::Kind::kOther:
      break;
  }
  return type.text;
}

}  // namespace hlo::stablehlo
