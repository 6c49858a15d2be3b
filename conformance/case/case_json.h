#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/json_line.h"
#include "conformance/sets/expectation.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

// Reading and writing parts of a case's JSON; case.cc puts them together.

/// WrongValue of `rule` where the object has a field that is not known.
void check_fields(const Json& object, std::initializer_list<const char*> known,
                  std::string_view rule);
/// The field; WrongValue of `rule` where it is missing.
const Json& field(const Json& object, const char* key, std::string_view rule);
/// The field, a string that is not empty; WrongValue of `rule` where it is not.
std::string text_field(const Json& object, const char* key,
                       std::string_view rule);
/// The array literal that the string spells; WrongValue where it spells none.
Literal literal_of(const Json& text);

/// The sets that `"expect"` lists, or the one rejection. Throws WrongValue.
std::vector<Expectation> parse_expect(const Json& expect);
/// The inverse of parse_expect.
Json expect_to_json(const std::vector<Expectation>& sets);

}  // namespace hlo::conformance
