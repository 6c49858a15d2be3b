#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/model/shape.h"

namespace hlo {

struct Computation;
struct Instruction;

/// One dimension of a window (spec/ops/reduce-window.md).
struct WindowDimension {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t low = 0;   // padding before, may be negative
  int64_t high = 0;  // padding after, may be negative
  int64_t base_dilation = 1;
  int64_t window_dilation = 1;
  bool reversal = false;
  friend bool operator==(const WindowDimension&,
                         const WindowDimension&) = default;
};

struct Window {
  std::vector<WindowDimension> dims;
  friend bool operator==(const Window&, const Window&) = default;
};

/// One dimension of pad's padding.
struct PaddingDimension {
  int64_t low = 0;
  int64_t high = 0;
  int64_t interior = 0;
  friend bool operator==(const PaddingDimension&,
                         const PaddingDimension&) = default;
};

struct PaddingConfig {
  std::vector<PaddingDimension> dims;
  friend bool operator==(const PaddingConfig&, const PaddingConfig&) = default;
};

struct SliceDimension {
  int64_t start = 0;
  int64_t limit = 0;
  int64_t stride = 1;
  friend bool operator==(const SliceDimension&,
                         const SliceDimension&) = default;
};

struct SliceConfig {
  std::vector<SliceDimension> dims;
  friend bool operator==(const SliceConfig&, const SliceConfig&) = default;
};

/// The dimension numbers of one side of a convolution: where batch (or the
/// kernel's input feature), feature (or output feature) and the spatial
/// dimensions lie. `unused` are dimensions written `?`.
struct ConvolutionSide {
  int64_t batch_or_input = 0;
  int64_t feature = 0;
  std::vector<int64_t> spatial;
  std::vector<int64_t> unused;
  friend bool operator==(const ConvolutionSide&,
                         const ConvolutionSide&) = default;
};

/// dim_labels=b01f_01io->b01f.
struct DimLabels {
  ConvolutionSide input;   // batch_or_input: b, feature: f
  ConvolutionSide kernel;  // batch_or_input: i, feature: o
  ConvolutionSide output;  // batch_or_input: b, feature: f
  friend bool operator==(const DimLabels&, const DimLabels&) = default;
};

/// Groups of participants of a collective, and the text they came in, which is
/// printed back ("[2,4]<=[8]" stays so).
struct ReplicaGroups {
  std::vector<std::vector<int64_t>> groups;
  std::string text;  // canonical spelling

  friend bool operator==(const ReplicaGroups& a, const ReplicaGroups& b) {
    return a.text == b.text;
  }
};

/// A word out of a fixed list: direction=LT, kind=kLoop.
struct Word {
  std::string value;
  friend bool operator==(const Word&, const Word&) = default;
};

/// A list of words: operand_precision={highest,default}.
struct Words {
  std::vector<std::string> values;
  friend bool operator==(const Words&, const Words&) = default;
};

/// Text kept as it is, but for white space between its tokens: sharding,
/// metadata, backend_config, ... Its syntax is checked by the parser.
struct Verbatim {
  std::string text;
  friend bool operator==(const Verbatim&, const Verbatim&) = default;
};

/// A number with a fraction (epsilon), with the decimal it came in.
struct Decimal {
  double value = 0;
  std::string text;

  friend bool operator==(const Decimal& a, const Decimal& b) {
    return a.text == b.text;
  }
};

using Ints = std::vector<int64_t>;
using IntPairs = std::vector<std::pair<int64_t, int64_t>>;
using Shapes = std::vector<Shape>;
using Computations = std::vector<Computation*>;

/// The closed set of attribute values.
using AnyAttribute =
    std::variant<bool, int64_t, std::string, Ints, IntPairs, Window,
                 PaddingConfig, SliceConfig, DimLabels, ReplicaGroups, Word,
                 Words, Verbatim, Decimal, Shape, Shapes, Computation*,
                 Computations, std::shared_ptr<const Literal>,
                 std::vector<Instruction*>>;

/// The value of an attribute, asked by std::get, std::get_if and std::visit.
class AttributeValue : public AnyAttribute {
 public:
  using AnyAttribute::variant;
  // Defined in the .cc: in each file that uses them they would be compiled
  // anew.
  AttributeValue();
  AttributeValue(const AttributeValue& other);
  AttributeValue(AttributeValue&& other) noexcept;
  AttributeValue& operator=(const AttributeValue& other);
  AttributeValue& operator=(AttributeValue&& other) noexcept;
  ~AttributeValue();
  friend bool operator==(const AttributeValue& a, const AttributeValue& b);
};

/// The syntax of an attribute: what the parser expects behind `name=`.
enum class AttributeKind : uint8_t {
  kBool,            // bool
  kInt,             // int64_t
  kString,          // std::string, quoted
  kInts,            // Ints {0,1}
  kBools,           // Ints of 0 and 1: {true,false}
  kIntPairs,        // IntPairs {{0,1},{1,2}}
  kWindow,          // Window {size=2x3 stride=..}
  kPadding,         // PaddingConfig 0_1_0x2_-1
  kSlice,           // SliceConfig {[0:4:2], [1:3]}
  kDimLabels,       // DimLabels
  kReplicaGroups,   // ReplicaGroups
  kWord,            // Word
  kWords,           // Words {default,highest}
  kDecimal,         // Decimal
  kShape,           // Shape
  kShapes,          // Shapes {f32[2], f32[3]}
  kComputation,     // Computation*: a name or an inline body
  kComputations,    // Computations {%a, %b}
  kLiteral,         // std::shared_ptr<const Literal> s32[2]{0} {1,2}
  kInstructions,    // std::vector<Instruction*> {%a, %b}
  kSharding,        // Verbatim, syntax of shardings
  kMetadata,        // Verbatim, {op_type="..." ...}
  kDictionary,      // Verbatim, {k="v",j={..}}
  kJson,            // std::string (quoted) or Verbatim (bare braces)
  kResultAccuracy,  // Verbatim, {mode=highest} or {tolerance={..}}
  kAliasing,        // Verbatim, {{0}: (1, {}, may-alias)}
  kDomain,          // Verbatim, {kind="sharding", entry={..}, exit={..}}
  kSparsity,        // Verbatim, {rhs={sparsity=1x4 dimension=0 stride=1}}
  kBraces,          // Verbatim, any balanced braces
};

/// One attribute that an operation takes.
struct AttributeSpec {
  std::string_view name;
  AttributeKind kind;
  bool required = false;
  /// For kWord and kWords: the allowed words, separated by spaces.
  std::string_view words = {};
};

/// The attributes of an instruction, in the order of the printer.
using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

}  // namespace hlo
