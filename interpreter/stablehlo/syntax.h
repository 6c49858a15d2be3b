#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/model/literal.h"
#include "interpreter/model/shape.h"

/// What a StableHLO text says, before it means anything: types, attributes and
/// operations in the generic form, whatever form they were written in. Names
/// of values are resolved. Knows no operation's rules.
namespace hlo::stablehlo {

/// !quant.uniform<i8:f32:0, {0.1:-30, 0.5:-20}>: real = (stored - zero) scale.
struct Quantization {
  ElementType storage = ElementType::kS8;
  ElementType expressed = ElementType::kF32;
  /// The least and the greatest stored value; those of the type by default.
  std::optional<std::pair<int64_t, int64_t>> range;
  std::optional<int64_t> axis;  // of the scales; none: one scale for all
  std::vector<double> scales;
  std::vector<int64_t> zero_points;  // as many as there are scales
  friend bool operator==(const Quantization&, const Quantization&) = default;
};

/// A quantization or none. Copies share it: few of the many types have one.
class OptionalQuantization {
 public:
  OptionalQuantization() = default;

  explicit OptionalQuantization(Quantization value)
      : value_(std::make_shared<const Quantization>(std::move(value))) {}

  bool has_value() const { return value_ != nullptr; }

  explicit operator bool() const { return has_value(); }

  const Quantization& operator*() const { return *value_; }

  const Quantization* operator->() const { return value_.get(); }

  friend bool operator==(const OptionalQuantization& a,
                         const OptionalQuantization& b) {
    return a.value_ == b.value_ || (a && b && *a == *b);
  }

 private:
  std::shared_ptr<const Quantization> value_;
};

/// The type of a value or of an attribute.
struct Type {
  enum class Kind : uint8_t {
    kTensor,    // `shape`; `?` dimensions are kUnbounded, those with a bound
                // (#stablehlo.bounds) dynamic
    kUnranked,  // tensor<*xf32>: only shape.element_type
    kTuple,     // `members`; `shape` where all of them have one
    kToken,     // `shape`
    kElement,   // i64, f32, index (as s64): `shape` is the scalar
    kFunction,  // `members`, then `results`
    kNone,
    kOther,  // any other type: `text`
  };
  Kind kind = Kind::kNone;
  Shape shape;
  OptionalQuantization quantization;  // of a tensor or an element; shape has
                                      // the storage type
  std::vector<Type> members;          // of a tuple; inputs of a function
  std::vector<Type> results;          // of a function
  std::string text;                   // of kOther, as it stands
  friend bool operator==(const Type&, const Type&) = default;
};

struct NamedAttribute;
/// Names and values, in the order of the text; each name once.
using Dictionary = std::vector<NamedAttribute>;

/// A word of a fixed list, as in #stablehlo<precision HIGHEST>. Pretty forms
/// give the same: `compare LT` has comparison_direction
/// {"comparison_direction", "LT"}.
struct EnumWord {
  std::string kind;
  std::string word;
};

/// #stablehlo.gather<offset_dims = [1], ...>: {"stablehlo.gather", fields}.
/// #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]> has the fields
/// input_batch_dimension, input_feature_dimension, input_spatial_dimensions,
/// kernel_input_feature_dimension, ... as if they were written out. The field
/// sub_axis_info = (2)4 is the list [2, 4].
struct Structure {
  std::string name;
  Dictionary fields;
};

struct Symbol {
  std::string name;  // without @; nested names joined by ::
};

/// Text that is kept as it stands: attributes of dialects that are not read
/// (#sdy.sharding<...>), locations.
struct Opaque {
  std::string text;
};

struct FloatNumber {
  std::string decimal;  // as written, decimal or a bit pattern 0x7FC0
  double value = 0;     // correctly rounded to f64
};

/// The value of an attribute. `type` is the one behind the colon, kNone where
/// there is none. array<i64: 1, 2> and dense<[1, 2]> : tensor<2xi64> are both
/// literals. Integers beyond 64 bits are errors.
struct Attribute {
  std::variant<std::monostate,  // unit: a name without a value
               bool, int64_t, FloatNumber, std::string, Symbol, Type,
               std::vector<Attribute>,  // [a, b]
               Dictionary, Literal, EnumWord, Structure, Opaque>
      value;
  Type type;
  Location location;
};

/// As a pair; clang cannot have a std::pair of it in Attribute itself.
struct NamedAttribute {
  NamedAttribute(std::string_view name, Attribute value)
      : first(name), second(std::move(value)) {}

  std::string first;
  Attribute second;
};

struct Operation;
struct Block;

/// A result of an operation or an argument of a block.
struct Value {
  std::string name;  // without %, for messages: "0#1", "arg0"
  Type type;
  Operation* definition = nullptr;  // null for arguments
  Block* block = nullptr;           // where it is defined
  int64_t index = 0;                // among the results or arguments
};

/// A list of operations; the last returns the block's values.
struct Block {
  std::vector<std::unique_ptr<Value>> arguments;
  std::vector<std::unique_ptr<Operation>> operations;
  Operation* parent = nullptr;  // null for the body of a function
};

/// One operation in the generic form. Regions have one block each.
struct Operation {
  std::string name;  // with its dialect: "stablehlo.add", "func.return"
  std::vector<Value*> operands;
  std::vector<std::unique_ptr<Value>> results;
  Dictionary attributes;  // properties and attributes merged
  std::vector<std::unique_ptr<Block>> regions;
  Block* block = nullptr;  // which it stands in
  Location location;       // in the text

  /// The value of the attribute, or null.
  const Attribute* find(std::string_view attribute) const;
};

struct Function {
  std::string name;  // without @
  bool is_public = true;
  Block body;  // its arguments are the function's
  bool is_declaration = false;
  std::vector<Type> result_types;
  std::vector<Dictionary> argument_attributes;  // one for each argument
  std::vector<Dictionary> result_attributes;    // one for each result
  Dictionary attributes;
  Location location;
};

/// One program: a module, explicit or implied by functions at the top.
struct Program {
  std::string name;
  Dictionary attributes;
  std::vector<std::unique_ptr<Function>> functions;  // by add()
  Location location;

  /// A function whose name no other one has.
  void add(std::unique_ptr<Function> function);
  /// The function of that name, or null.
  const Function* find(std::string_view function) const;

 private:
  std::unordered_map<std::string_view, const Function*> by_name_;
};

}  // namespace hlo::stablehlo
