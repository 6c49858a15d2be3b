#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "interpreter/model/literal.h"
#include "interpreter/model/module.h"
#include "interpreter/numeric/complex/complex_function.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/rules/element_facts.h"

namespace hlo {

class Evaluator;
struct Fitting;
struct Future;
struct Surroundings;
struct Updates;

using Operands = std::span<const Literal>;

/// A loop over n elements: operands and result are dense arrays of the types'
/// storage. An operand of which `stride` is 0 is one element used n times.
struct KernelArguments {
  const Instruction* instruction;
  const std::byte* const* operands;
  const bool* is_splat;  // per operand: one element used n times
  std::byte* result;
  int64_t n;
};

using Kernel = void (*)(const KernelArguments&);

/// Asks the evaluator to run `computation` and to come back with its result.
struct Invoke {
  const Computation* computation;
  std::vector<Literal> arguments;
};

/// What an operation that runs computations remembers between its visits.
struct ControlState {
  int64_t visits = 0;           // how many computations it has run so far
  std::vector<Literal> values;  // the operation's own; `returned` is separate
  Literal returned;             // result of the computation that just ended
};

/// The value of the instruction, or the computation to run next.
using Progress = std::variant<Literal, Invoke>;

/// How close a backend's result has to be (spec/numerics.md).
struct Accuracy {
  enum class Kind : uint8_t {
    kExact,       // one bit pattern (any quiet NaN where the op computes)
    kRounded,     // a real function: within a distance of the rounded value
    kSum,         // an exact sum: any order, any tree
    kRaggedSum,   // the same, over the groups of operand 2
    kScaledSum,   // the same, of factors that may have been rounded
    kTransform,   // a Fourier transform: by the norm of its operand
    kInherit,     // as the computations that the operation applies
    kDrawn,       // a random number of a range
    kFactored,    // the factor of a matrix
    kSolved,      // the solution of triangular systems
    kNormalized,  // by the mean and the variance of each feature
    kOrdered,     // the operands' elements in an order; any that the comparator
                  // allows where is_determined says no
    kFree,        // not judged yet; the page says why
  };

  Kind kind = Kind::kExact;
  bool moves_data = false;  // NaN bits must be preserved
  bool sets_sign = false;   // nothing but the sign of a number is changed
  /// Which function a kRounded operation is, so that it can be asked on which
  /// side of the rounded value the exact one lies.
  std::optional<numeric::Function> function = {};
  std::optional<numeric::Function2> function2 = {};
  /// Which function it is of complex operands.
  std::optional<numeric::ComplexFunction> complex_function = {};
  std::optional<numeric::ComplexFunction2> complex_function2 = {};
  /// The error of a kExact operation's results of complex operands, whose
  /// components are not exact, in units of 2^-p of the modulus; 0 where they
  /// are.
  double complex_units = 0;
};

/// What those who run, compile or recognize computations need to know of an
/// operation that computes no numbers of its own.
enum class Form : uint8_t {
  kPlain,      // none of these
  kIdentity,   // the operand, as it is
  kMovement,   // the operand's elements elsewhere: a scalar stays as it is
  kBits,       // the operand's bits, in row-major order, as another type's
  kConstant,   // its literal
  kParameter,  // an argument of its computation
  kTuple,      // its operands as one value
  kElement,    // one element of a tuple, by attribute "index"
  kResize,     // operand 0, with operand 1 as the size of one of "dimensions"
  kCall,       // runs one computation on its operands
  kMap,        // applies one computation to the elements of its operands
  kBranches,   // runs the computation that operand 0 chooses
  kLoop,       // runs "body" for as long as "condition" is true
  kScan,       // runs one computation for each slice
  kForeign,    // what its custom_call_target names
  kAsync,      // a part of an operation that runs beside others
};

/// Whether an operation runs computations any number of times.
constexpr bool repeats(Form form) {
  return form == Form::kLoop || form == Form::kScan;
}

/// What a reducer computes, where it is one of the known ones.
enum class Reducer : uint8_t {
  kAdd,
  kMultiply,
  kMaximum,
  kMinimum,
  kAnd,
  kOr,
  kXor,
  kOther
};

/// What an operation has to do with random numbers.
enum class Randomness : uint8_t {
  kNone,
  kNumbers,  // draws one for each element of its result from the evaluator's
             // state, which moves on by as many
  kState,    // gives the evaluator's state, which moves on by "delta"
  kBits,     // makes bits and a new state of the state that is operand 0
};

/// Where an element of a result comes from: an element of an operand, or zero.
struct Origin {
  static constexpr int64_t kZero = -1;

  int64_t operand = kZero;
  Index index = {};
};

/// What an operation's source reads of the operands and of the index.
struct Moving {
  static constexpr int64_t kAll = -1;

  /// The operands, from the first on, of which elements are moved; kAll for
  /// every one. Only the values of those behind them say where from. None: any
  /// operand may do both.
  int64_t operands = 0;
  /// Whether all elements come from operand 0, and the row-major position of
  /// the source is an affine function of the index of the result.
  bool is_affine = false;

  /// Whether the values of operand k may say where elements come from.
  bool says_where(size_t k) const {
    return operands != kAll && static_cast<int64_t>(k) >= operands;
  }
};

/// A product of an element of operand 0 and one of operand 1, which are
/// converted to the type of the result first. Where it has scales, elements of
/// further operands, the exact product of all of them, which are not converted.
struct Term {
  Index lhs;
  Index rhs;
  std::vector<Origin> scales = {};
};

/// Is called with each of what an element of a result is made of, in order; the
/// argument lives as long as the call.
using VisitCell = std::function<void(const Index&)>;
using VisitTerm = std::function<void(const Term&)>;

/// An operation: its rules, and what its result is. It is defined by one of
/// `element` to `communicate`; an operation with none is declared only:
/// programs with it are read, verified and printed, and evaluating it is an
/// error that names it. The functions behind these are plans, which compute the
/// same values faster.
struct Op {
  std::string_view name;
  Form form = Form::kPlain;
  int64_t min_operands = 0;
  int64_t max_operands = 0;  // -1: any number
  std::span<const AttributeSpec> attributes = {};
  /// The shape of the result from operands and attributes, or a verify Error
  /// with a label of the operation's page. Operations whose shape the text
  /// must give check `instruction.shape` and return it.
  Shape (*infer)(const Instruction&) = nullptr;

  /// Element-wise: the element from the operands' elements at its index.
  Scalar (*element)(const Instruction&, std::span<const Scalar>) = nullptr;
  /// Data movement: where the element at an index of the result comes from.
  Origin (*source)(const Instruction&, Operands, const Index&) = nullptr;
  Moving moving = {};
  /// Folds by a region, to_apply: the indices of those elements of the first
  /// half of the operands that are folded into the element at an index of the
  /// result, in order. The other half are the initial values.
  void (*cells)(const Instruction&, const Index&, const VisitCell&) = nullptr;
  /// Exact sums of products: the terms of the element at an index.
  void (*terms)(const Instruction&, Operands, const Index&,
                const VisitTerm&) = nullptr;
  /// Updates: what is changed by which elements of what, by a region.
  Updates (*updates)(const Instruction&, Operands, Evaluator&) = nullptr;
  /// Everything else: the whole value.
  Literal (*value)(const Instruction&, Operands, Evaluator&) = nullptr;
  /// Operations that run computations (while, call, ...): visited first with
  /// state.visits == 0 and again each time a computation returns.
  Progress (*control)(const Instruction&, Operands, ControlState&,
                      Evaluator&) = nullptr;
  /// Operations between devices (interpreter/devices/communication.h): the
  /// value, or what it waits for.
  Future (*communicate)(const Instruction&, Operands, Evaluator&) = nullptr;

  /// Element-wise, where a rule in C++ gives both the element and a loop: the
  /// plan that follows from it. The loop for the instruction's types, chosen
  /// once per array; operands have the result's dimensions (or are scalars
  /// where the operation allows it).
  Kernel (*kernel)(const Instruction&) = nullptr;

  /// How many units of work its value takes by a plan, regions aside
  /// (interpreter/rules/work.h), at most INT64_MAX; null: about as many as
  /// operands and result have elements.
  int64_t (*work)(const Instruction&) = nullptr;

  Accuracy accuracy = {};
  /// What a region of this operation alone reduces by.
  Reducer reducer = Reducer::kOther;
  Randomness randomness = Randomness::kNone;
  /// What an element of each array of the result is, in words for those who
  /// read an explanation, where `value` or `communicate` defines it.
  std::span<const std::string_view> words = {};
  /// Whether the instruction has one result; null: always. An unstable sort
  /// has several.
  bool (*is_determined)(const Instruction&) = nullptr;
  /// Element-wise: what is known of it beside `element`.
  ElementFacts facts = {};
  /// Turns the instruction into one on arrays of just the sizes that they have
  /// at run time (interpreter/rules/sizes/fitting.h). An operation that has
  /// none refuses operands that have fewer elements than their bounds say,
  /// unless it is element-wise, runs computations or hands sizes on.
  void (*fit)(const Fitting&) = nullptr;
  /// Whether `value` takes such operands as they are.
  bool takes_sizes = false;
  /// What the rules demand of the instructions around it
  /// (interpreter/rules/surroundings.h).
  void (*check)(const Surroundings&) = nullptr;
  /// Whether its operands and its value may hold buffers.
  bool holds_buffers = false;
  /// Whether its value may be the state of an asynchronous operation.
  bool carries_async = false;
  /// The operation that starts what this one ends: of copy-done, copy-start.
  const Op* start = nullptr;
  /// Whether the shape follows from the operands, and from the data that a recv
  /// is given, whatever else the text says: so does XLA's parser.
  bool derives_shape = false;
  /// A function that custom-calls have as their target, "chlo.lgamma".
  std::string_view target = {};

  /// Whether it is defined by other than its plans.
  bool is_defined() const {
    return element != nullptr || source != nullptr || cells != nullptr ||
           terms != nullptr || updates != nullptr || value != nullptr ||
           control != nullptr || communicate != nullptr;
  }

  /// Whether it takes an attribute of that name.
  bool takes(std::string_view attribute) const {
    return std::ranges::any_of(attributes, [&](const AttributeSpec& spec) {
      return spec.name == attribute;
    });
  }
};

/// Every operation, in the order of its name. Generated by CMake from the names
/// of interpreter/ops/*.cc, each of which defines its operation: `extern
/// constinit const Op op_pad = ...`.
std::span<const Op* const> all_ops();
/// The operation of that mnemonic, or null.
const Op* find_op(std::string_view name);

/// The attributes that every instruction takes: metadata, sharding, ...
std::span<const AttributeSpec> common_attributes();

/// The shape that the text gives. Error "text.shape-needed" where it is left
/// out although the operation's result cannot be derived.
const Shape& given_shape(const Instruction& instruction);

}  // namespace hlo
