#include "interpreter/stablehlo/mlir_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace hlo::stablehlo {
namespace {

std::string quoted_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (c == '"' || c == '\\') return {'\\', c};
  if (byte >= 0x20 && byte < 0x7f) return {c};
  return fmt::format("\\{:02X}", byte);
}

}  // namespace

std::string element_word(ElementType type) {
  std::string known(name(type));
  switch (type_class(type)) {
    case TypeClass::kPred:
      return "i1";
    case TypeClass::kSigned:
      return type == ElementType::kS1 ? "" : "i" + known.substr(1);
    case TypeClass::kUnsigned:
      return type == ElementType::kU1 ? "" : "ui" + known.substr(1);
    case TypeClass::kFloat: {
      if (bits(type) >= 16) return known;
      std::string upper = known;
      std::ranges::transform(upper, upper.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      });
      upper[0] = 'f';
      return upper;
    }
    case TypeClass::kComplex:
      return type == ElementType::kC64 ? "complex<f32>" : "complex<f64>";
    case TypeClass::kNone:
      return "";
  }
  return "";
}

std::string string_text(std::string_view characters) {
  std::string text = "\"";
  for (const char c : characters) text += quoted_byte(c);
  return text + "\"";
}

}  // namespace hlo::stablehlo
