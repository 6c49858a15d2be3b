#include "interpreter/foreign/foreign_call.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/arithmetic_state.h"
#include "interpreter/error.h"
#include "interpreter/foreign/custom_calls.h"
#include "interpreter/model/buffer.h"
#include "interpreter/model/buffer_layout.h"
#include "interpreter/rules/attributes/verbatim.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

constexpr std::align_val_t kAlignment{64};

/// Bytes at an address that functions may rely on; those of no size have one
/// too.
std::shared_ptr<std::byte> allocate(int64_t size) {
  require_evaluable(size <= Literal::kMaxBytes, "literal.buffer",
                    {"a buffer takes ", Count{size, "byte"}},
                    "it can take at most 16 GiB");
  auto* const bytes = static_cast<std::byte*>(
      ::operator new(static_cast<size_t>(size) + 1, kAlignment));
  return {bytes, [](std::byte* p) { ::operator delete(p, kAlignment); }};
}

/// Where it lies: a tuple is an array of pointers, a token is nowhere.
void* address(CallMemory& memory) {
  if (!memory.shape.is_tuple()) return memory.bytes.get();
  memory.pointers.clear();
  for (CallMemory& element : memory.elements) {
    memory.pointers.push_back(address(element));
  }
  memory.pointers.push_back(nullptr);  // so that the empty tuple has an address
  return memory.pointers.data();
}

CallMemory zeros(const Shape& shape) {
  CallMemory memory{.shape = shape};
  for (const Shape& element : shape.tuple_shapes) {
    memory.elements.push_back(zeros(element));
  }
  if (shape.is_array()) {
    const int64_t size = buffer_bytes(shape);
    memory.bytes = allocate(size);
    std::memset(memory.bytes.get(), 0, static_cast<size_t>(size));
  }
  return memory;
}

/// A copy, so that a function that writes to its operands changes nothing else.
CallMemory copied(const Literal& value, const Shape& shape) {
  CallMemory memory{.shape = shape};
  for (size_t i = 0; i < shape.tuple_shapes.size(); ++i) {
    memory.elements.push_back(
        copied(value.elements()[i], shape.tuple_shapes[i]));
  }
  if (shape.is_array()) {
    const Buffer buffer = store(value, shape, Padding::kZero);
    memory.bytes = allocate(std::ssize(buffer.bytes));
    std::ranges::copy(buffer.bytes, memory.bytes.get());
  }
  return memory;
}

Literal value_of(const CallMemory& memory) {
  if (memory.shape.is_tuple()) {
    std::vector<Literal> elements;
    for (const CallMemory& element : memory.elements) {
      elements.push_back(value_of(element));
    }
    return Literal::tuple(std::move(elements));
  }
  if (!memory.shape.is_array()) return Literal(memory.shape);
  const std::span bytes(memory.bytes.get(),
                        static_cast<size_t>(buffer_bytes(memory.shape)));
  return load({memory.shape, Bytes(bytes)});
}

Shape without_layouts(Shape shape) {
  shape.layout.reset();
  for (Shape& element : shape.tuple_shapes) {
    element = without_layouts(std::move(element));
  }
  return shape;
}

/// With the layouts that the call demands, else row by row.
CallShapes shapes_of(const Instruction& call) {
  const AttributeValue* demanded = call.find("operand_layout_constraints");
  if (demanded != nullptr) return {std::get<Shapes>(*demanded), call.shape};
  CallShapes shapes{.operands = {}, .result = without_layouts(call.shape)};
  for (const Instruction* operand : call.operands) {
    shapes.operands.push_back(without_layouts(operand->shape));
  }
  return shapes;
}

/// Where the value at the end of the path stands, which is known to be there.
CallMemory& part_of(CallMemory& whole, const Index& path) {
  CallMemory* part = &whole;
  for (const int64_t i : path)
    part = &part->elements.at(static_cast<size_t>(i));
  return *part;
}

/// Puts parts of the result where the operands lie that they share a buffer
/// with.
void share_buffers(const Instruction& call, std::vector<CallMemory>& operands,
                   CallMemory& result) {
  const AttributeValue* given = call.find("output_to_operand_aliasing");
  if (given == nullptr) return;
  const auto aliases = read_aliases(std::get<Verbatim>(*given).text);
  for (const Alias& alias : aliases.value_or(std::vector<Alias>{})) {
    const CallMemory& from = part_of(
        operands.at(static_cast<size_t>(alias.operand)), alias.operand_index);
    CallMemory& to = part_of(result, alias.output);
    require_evaluable(
        from.shape.is_array() &&
            buffer_bytes(from.shape) == buffer_bytes(to.shape),
        "custom-call.target",
        {"output_to_operand_aliasing pairs ", from.shape, " with ", to.shape},
        "it must pair arrays of one size in memory");
    to.bytes = from.bytes;
  }
}

/// Whether a function can be given such a value: it is told no sizes.
bool is_plain(const Shape& shape) {
  if (shape.is_tuple()) {
    return std::ranges::all_of(shape.tuple_shapes, is_plain);
  }
  return shape.is_token() ||
         (shape.is_array() && !shape.has_dynamic_dimensions());
}

void check_call(const Instruction& call) {
  const Word version =
      call.get_or<Word>("api_version", {"API_VERSION_ORIGINAL"});
  require_evaluable(version.value == "API_VERSION_ORIGINAL",
                    "custom-call.target", {"api_version is ", version.value},
                    "functions can be called by API_VERSION_ORIGINAL only");
  const bool takes_plain = std::ranges::all_of(
      call.operands,
      [](const Instruction* operand) { return is_plain(operand->shape); });
  require_evaluable(takes_plain && is_plain(call.shape), "custom-call.target",
                    {"the operands are ", OperandShapes{call},
                     " and the result is ", call.shape},
                    "those of functions must be arrays of static dimensions, "
                    "tokens, and tuples of these");
}

CustomFunction function_of(const Instruction& call,
                           const Evaluator& evaluator) {
  const CustomCalls* functions = evaluator.options().custom_calls;
  const auto& target = call.get<std::string>("custom_call_target");
  const CustomFunction function =
      functions == nullptr ? nullptr : functions->find(target);
  require_evaluable(function != nullptr, "custom-call.target",
                    {"the target \"", target, "\" is not known"},
                    "it must be, or be defined by a library that is given");
  return function;
}

}  // namespace

bool is_foreign_call(const Instruction& instruction) {
  const Op& op = *instruction.op;
  return op.form == Form::kForeign && op.is_determined != nullptr &&
         !op.is_determined(instruction);
}

CallShapes call_shapes(const Instruction& custom_call,
                       const Evaluator& evaluator) {
  check_call(custom_call);
  function_of(custom_call, evaluator);
  return shapes_of(custom_call);
}

void call_foreign_on(const Instruction& custom_call,
                     std::vector<CallMemory>& operands, CallMemory& result,
                     const Evaluator& evaluator) {
  const CustomFunction function = function_of(custom_call, evaluator);
  share_buffers(custom_call, operands, result);
  std::vector<void*> pointers;
  pointers.reserve(operands.size() + 1);
  for (CallMemory& operand : operands) pointers.push_back(address(operand));
  pointers.push_back(nullptr);  // so that no operands have an address
  const ReferenceArithmetic arithmetic;
  const ForeignCode foreign("the function",
                            custom_call.get<std::string>("custom_call_target"));
  function(address(result), pointers.data());
}

Literal call_foreign(const Instruction& custom_call, Operands operands,
                     const Evaluator& evaluator) {
  const CallShapes shapes = call_shapes(custom_call, evaluator);
  std::vector<CallMemory> in;
  for (size_t i = 0; i < operands.size(); ++i) {
    in.push_back(copied(operands[i], shapes.operands[i]));
  }
  CallMemory out = zeros(shapes.result);
  call_foreign_on(custom_call, in, out, evaluator);
  return value_of(out).with_shape(custom_call.shape);
}

}  // namespace hlo
