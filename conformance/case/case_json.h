#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/sets/expectation.h"

namespace hlo::conformance {

// Reading and writing parts of a case's JSON; case.cc puts them together.

using Json = nlohmann::ordered_json;

/// Throws the parse Error of `rule`.
[[noreturn]] void fail(std::string_view rule, const std::string& message);
/// fail() with the rule "vectors.case".
[[noreturn]] void fail_case(const std::string& message);
/// Error of `rule` where the object has a field that is not known.
void check_fields(const Json& object, std::initializer_list<const char*> known,
                  std::string_view rule);
/// The field; Error of `rule` where it is missing.
const Json& field(const Json& object, const char* key, std::string_view rule);
/// The field, a string that is not empty; Error of `rule` where it is not.
std::string text_field(const Json& object, const char* key,
                       std::string_view rule);

/// The sets that `"expect"` lists, or the one rejection.
std::vector<Expectation> parse_expect(const Json& expect);
/// The inverse of parse_expect.
Json expect_to_json(const std::vector<Expectation>& sets);

}  // namespace hlo::conformance
