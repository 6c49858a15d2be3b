#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace hlo::stablehlo {

/// How the value behind `keyword =` is written, and what it becomes.
enum class Item : uint8_t {
  kInteger,    // dim = 0
  kIntegers,   // dims = [0, 1]
  kBoolean,    // lower = true
  kString,     // config = "ab,bc->ac"
  kFloat,      // tolerance = 0.001
  kWord,       // type = FFT: a word of the list `attribute` is named after
  kWords,      // precision = [DEFAULT, HIGH]
  kPairs,      // contracting_dims = [1] x [0]
  kAlgorithm,  // algorithm = <lhs_precision_type = tf32, ...>
  kFormat,     // format = e5m10
};

struct Keyword {
  std::string_view word;
  std::string_view attribute;
  Item item = Item::kInteger;
  bool is_optional = false;
};

/// What the types behind the colon say, where they are not a function type.
enum class Types : uint8_t {
  kFunction,  // always a function type
  kSame,      // one: of all operands and of the result
  kSelect,    // two: of the first operand; of the others and of the result
  kResult,    // one: of the result
  kEach,      // of each operand, and of the result in its place
  kOperands,  // of each operand, or one for all; there is no result
  kLists,     // of each operand, `->`, of each result, without brackets
};

/// What stands between the name and the operands, or that the operation is
/// read by a function of its own.
enum class Start : uint8_t {
  kNone,
  kDirection,  // compare LT, %a, %b
  kTarget,     // custom_call @name(%a)
  kCallee,     // call @name(%a)
  kName,       // composite "name" %a
  kRanges,     // slice %a [0:1]
  kPosition,   // get_tuple_element %a[0]
  kSharding,   // sharding_constraint %a <@mesh, [{}]>
  kConstant,
  kConvolution,
  kReduce,
  kWhile,
  kScan,
  kManual,  // manual_computation(%a) in_shardings=[] ...
};

constexpr int kAnyCount = -1;

/// One pretty form: name, operands, keywords between commas, types.
struct Form {
  int operands = kAnyCount;
  Types types = Types::kFunction;
  Start start = Start::kNone;
  std::array<Keyword, 4> keywords = {};
};

/// The form of an operation with its dialect; null where there is none.
const Form* find_form(std::string_view name);

}  // namespace hlo::stablehlo
