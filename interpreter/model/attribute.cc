#include "interpreter/model/attribute.h"

namespace hlo {

AttributeValue::AttributeValue() = default;
AttributeValue::AttributeValue(const AttributeValue& other) = default;
AttributeValue::AttributeValue(AttributeValue&& other) noexcept = default;
AttributeValue& AttributeValue::operator=(const AttributeValue& other) =
    default;
AttributeValue& AttributeValue::operator=(AttributeValue&& other) noexcept =
    default;
AttributeValue::~AttributeValue() = default;

bool operator==(const AttributeValue& a, const AttributeValue& b) {
  return static_cast<const AnyAttribute&>(a) ==
         static_cast<const AnyAttribute&>(b);
}

}  // namespace hlo
