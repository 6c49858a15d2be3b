#include "interpreter/plans/elementwise/elementwise.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "interpreter/error.h"
#include "interpreter/rules/plan.h"
#include "interpreter/run/parallel_for.h"

namespace hlo {
namespace {

constexpr int64_t kPiece = 512;     // elements staged at a time
constexpr size_t kMaxOperands = 3;  // of an element-wise operation
constexpr size_t kMaxBytes = sizeof(loops::Parts);

struct alignas(loops::Parts) Piece {
  std::array<std::byte, kPiece * kMaxBytes> bytes;

  std::byte* data() { return bytes.data(); }
};

bool any_splat(const KernelArguments& arguments, size_t operands) {
  for (size_t k = 0; k < operands; ++k) {
    if (arguments.is_splat[k]) return true;
  }
  return false;
}

/// Repeats the first `width` bytes of `buffer` `count` times.
void repeat(std::byte* buffer, size_t width, int64_t count) {
  const size_t total = width * static_cast<size_t>(count);
  for (size_t filled = width; filled < total; filled *= 2) {
    std::memcpy(buffer + filled, buffer, std::min(filled, total - filled));
  }
}

/// Bytes of an element in staged form.
size_t staged_bytes(ElementType type) {
  if (type == ElementType::kPred) return 1;
  return is_complex(type) ? sizeof(loops::Parts) : sizeof(double);
}

template <typename T>
void load_as(const std::byte* elements, int64_t n, std::byte* staged) {
  const T* source = reinterpret_cast<const T*>(elements);
  auto* target = reinterpret_cast<loops::Wide<T>*>(staged);
  std::copy_n(source, n, target);
}

template <typename T>
void store_as(const std::byte* staged, int64_t n, std::byte* elements) {
  const auto* source = reinterpret_cast<const uint64_t*>(staged);
  T* target = reinterpret_cast<T*>(elements);
  for (int64_t i = 0; i < n; ++i) target[i] = static_cast<T>(source[i]);
}

// Types of less than a byte: the sign is repeated in the unused bits.
void store_narrow_integers(const TypeInfo& type, const std::byte* staged,
                           int64_t n, std::byte* elements) {
  const auto* source = reinterpret_cast<const uint64_t*>(staged);
  auto* target = reinterpret_cast<uint8_t*>(elements);
  const int unused = 64 - type.bits;
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t top = source[i] << unused;
    const uint64_t value =
        type.type_class == TypeClass::kSigned
            ? static_cast<uint64_t>(static_cast<int64_t>(top) >> unused)
            : top >> unused;
    target[i] = static_cast<uint8_t>(value);
  }
}

void load_integers(const TypeInfo& type, const std::byte* elements, int64_t n,
                   std::byte* staged) {
  const bool has_sign = type.type_class == TypeClass::kSigned;
  switch (type.storage_bytes) {
    case 1:
      return has_sign ? load_as<int8_t>(elements, n, staged)
                      : load_as<uint8_t>(elements, n, staged);
    case 2:
      return has_sign ? load_as<int16_t>(elements, n, staged)
                      : load_as<uint16_t>(elements, n, staged);
    case 4:
      return has_sign ? load_as<int32_t>(elements, n, staged)
                      : load_as<uint32_t>(elements, n, staged);
    default:
      std::memcpy(staged, elements, static_cast<size_t>(n) * sizeof(int64_t));
  }
}

void store_integers(const TypeInfo& type, const std::byte* staged, int64_t n,
                    std::byte* elements) {
  if (type.bits < 8) return store_narrow_integers(type, staged, n, elements);
  switch (type.storage_bytes) {
    case 1:
      return store_as<uint8_t>(staged, n, elements);
    case 2:
      return store_as<uint16_t>(staged, n, elements);
    case 4:
      return store_as<uint32_t>(staged, n, elements);
    default:
      std::memcpy(elements, staged, static_cast<size_t>(n) * sizeof(int64_t));
  }
}

/// The widest range first, then the most digits.
int exponent_bits(ElementType type) {
  return numeric::format(type).exponent_bits;
}

bool is_mixed_float(const Instruction& instruction) {
  const ElementType first = instruction.operands[0]->shape.element_type;
  return is_float(first) && has_mixed_types(instruction);
}

void require_same_dims(const Instruction& instruction) {
  const Shape& first = instruction.operands[0]->shape;
  const bool agree =
      std::ranges::all_of(instruction.operands, [&](const Instruction* other) {
        const Shape& shape = other->shape;
        return shape.dims == first.dims &&
               (shape.element_type == first.element_type ||
                (is_float(shape.element_type) && is_float(first.element_type)));
      });
  require(agree, rule_label(instruction, 1),
          {"the operands are ", OperandShapes{instruction}},
          "they must have the same dimensions and element type (two float "
          "types may differ)");
}

}  // namespace

void append_words(std::string& text, const Classes& classes) {
  std::vector<std::string_view> words;
  if (classes.pred) words.emplace_back("pred");
  if (classes.is_signed && classes.is_unsigned) {
    words.emplace_back("an integer");
  } else if (classes.is_signed) {
    words.emplace_back("a signed integer");
  } else if (classes.is_unsigned) {
    words.emplace_back("an unsigned integer");
  }
  if (classes.real) words.emplace_back("a float");
  if (classes.complex) words.emplace_back("complex");
  text += "the element type must be ";
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 < words.size() ? ", " : " or ";
    text += words[i];
  }
}

std::string rule_label(const Instruction& instruction, int number) {
  return std::string(instruction.op->name) + ".C" + std::to_string(number);
}

void add_dynamic_marks(Shape& result, const Shape& operand) {
  for (int64_t d = 0; d < operand.rank() && d < result.rank(); ++d) {
    if (operand.is_dynamic(d)) result.set_dynamic(d, true);
  }
}

ElementType wider_float(ElementType a, ElementType b) {
  if (bits(a) != bits(b)) return bits(a) > bits(b) ? a : b;
  return exponent_bits(a) >= exponent_bits(b) ? a : b;
}

bool has_mixed_types(const Instruction& instruction) {
  const ElementType first = instruction.operands[0]->shape.element_type;
  const ElementType result = instruction.shape.element_type;
  return std::ranges::any_of(instruction.operands,
                             [&](const Instruction* operand) {
                               return operand->shape.element_type != first;
                             }) ||
         (result != first && is_float(result));
}

Shape unary_shape(const Instruction& instruction, const Signature& signature) {
  const Shape& operand = instruction.operands[0]->shape;
  const auto type = signature.result_type(operand.element_type);
  require(type.has_value(), rule_label(instruction, 1),
          {"the operand is ", operand}, signature.classes);
  Shape result = Shape::array(*type, operand.dims);
  result.dynamic = operand.dynamic;
  return result;
}

Shape same_shape(const Instruction& instruction, const Signature& signature) {
  require_same_dims(instruction);
  const Shape& first = instruction.operands[0]->shape;
  ElementType type = first.element_type;
  require(signature.classes.contains(type), rule_label(instruction, 2),
          {"the operands are ", OperandShapes{instruction}}, signature.classes);
  Shape result = Shape::array(type, first.dims);
  for (const Instruction* operand : instruction.operands) {
    add_dynamic_marks(result, operand->shape);
    if (is_float(type)) type = wider_float(type, operand->shape.element_type);
  }
  const bool chosen = instruction.has_shape && is_mixed_float(instruction) &&
                      is_float(instruction.shape.element_type);
  if (chosen) type = instruction.shape.element_type;
  result.element_type = *signature.result_type(type);
  return result;
}

namespace loops {

void load_staged(ElementType type, const std::byte* elements, int64_t n,
                 std::byte* staged) {
  const TypeInfo& row = info(type);
  switch (row.type_class) {
    case TypeClass::kPred:
      std::memcpy(staged, elements, static_cast<size_t>(n));
      break;
    case TypeClass::kSigned:
    case TypeClass::kUnsigned:
      load_integers(row, elements, n, staged);
      break;
    case TypeClass::kFloat:
      numeric::decode_array(elements, reinterpret_cast<double*>(staged), n,
                            numeric::format(type));
      break;
    case TypeClass::kComplex:
      numeric::decode_array(elements, reinterpret_cast<double*>(staged), 2 * n,
                            numeric::format(component_type(type)));
      break;
    case TypeClass::kNone:
      break;
  }
}

void store_staged(ElementType type, const std::byte* staged, int64_t n,
                  std::byte* elements) {
  const TypeInfo& row = info(type);
  switch (row.type_class) {
    case TypeClass::kPred:
      std::memcpy(elements, staged, static_cast<size_t>(n));
      break;
    case TypeClass::kSigned:
    case TypeClass::kUnsigned:
      store_integers(row, staged, n, elements);
      break;
    case TypeClass::kFloat:
      numeric::encode_array(reinterpret_cast<const double*>(staged), elements,
                            n, numeric::format(type));
      break;
    case TypeClass::kComplex:
      numeric::encode_array(reinterpret_cast<const double*>(staged), elements,
                            2 * n, numeric::format(component_type(type)));
      break;
    case TypeClass::kNone:
      break;
  }
}

void run_native(const KernelArguments& arguments, Block block) {
  const auto& operands = arguments.instruction->operands;
  const size_t count = operands.size();
  if (!any_splat(arguments, count)) return block(arguments);
  const auto width = [&](size_t k) {
    return static_cast<size_t>(storage_bytes(operands[k]->shape.element_type));
  };
  const auto result_width = static_cast<size_t>(
      storage_bytes(arguments.instruction->shape.element_type));
  std::array<Piece, kMaxOperands> repeated;
  std::array<const std::byte*, kMaxOperands> sources{};
  static constexpr std::array<bool, kMaxOperands> kNoSplat{};
  for (size_t k = 0; k < count; ++k) {
    sources[k] = arguments.operands[k];
    if (!arguments.is_splat[k]) continue;
    std::memcpy(repeated[k].data(), sources[k], width(k));
    repeat(repeated[k].data(), width(k), std::min(arguments.n, kPiece));
    sources[k] = repeated[k].data();
  }
  KernelArguments piece = arguments;
  piece.operands = sources.data();
  piece.is_splat = kNoSplat.data();
  for (int64_t begin = 0; begin < arguments.n; begin += kPiece) {
    piece.n = std::min(kPiece, arguments.n - begin);
    block(piece);
    piece.result += static_cast<size_t>(piece.n) * result_width;
    for (size_t k = 0; k < count; ++k) {
      if (arguments.is_splat[k]) continue;
      sources[k] += static_cast<size_t>(piece.n) * width(k);
    }
  }
}

void run_staged(const KernelArguments& arguments, Block block) {
  const auto& operands = arguments.instruction->operands;
  const size_t count = operands.size();
  const ElementType result_type = arguments.instruction->shape.element_type;
  std::array<Piece, kMaxOperands> staged;
  Piece result;
  std::array<const std::byte*, kMaxOperands> sources{};
  const auto load = [&](size_t k, int64_t begin, int64_t n) {
    const ElementType type = operands[k]->shape.element_type;
    const int64_t offset = begin * storage_bytes(type);
    load_staged(type, arguments.operands[k] + offset, n, staged[k].data());
  };
  for (size_t k = 0; k < count; ++k) {
    sources[k] = staged[k].data();
    if (!arguments.is_splat[k]) continue;
    load(k, 0, 1);
    repeat(staged[k].data(), staged_bytes(operands[k]->shape.element_type),
           std::min(arguments.n, kPiece));
  }
  static constexpr std::array<bool, kMaxOperands> kNoSplat{};
  KernelArguments piece{arguments.instruction, sources.data(), kNoSplat.data(),
                        result.data(), 0};
  std::byte* target = arguments.result;
  for (int64_t begin = 0; begin < arguments.n; begin += kPiece) {
    piece.n = std::min(kPiece, arguments.n - begin);
    for (size_t k = 0; k < count; ++k) {
      if (!arguments.is_splat[k]) load(k, begin, piece.n);
    }
    block(piece);
    store_staged(result_type, result.data(), piece.n, target);
    target += piece.n * storage_bytes(result_type);
  }
}

}  // namespace loops

Kernel kernel_of(const Instruction& instruction) {
  const Op& op = *instruction.op;
  if (op.kernel != nullptr) return op.kernel(instruction);
  const Plan* const plan = find_plan(op).plan;
  const bool has_kernel = plan != nullptr && plan->kernel != nullptr;
  return has_kernel ? plan->kernel(instruction) : nullptr;
}

Literal run_kernel(Kernel kernel, const Instruction& instruction,
                   Operands operands, int threads) {
  constexpr int64_t kGrain = 65536;
  Literal result = Literal::uninitialized(instruction.shape);
  const std::span<std::byte> target = result.mutable_bytes();
  std::array<bool, kMaxOperands> is_splat{};
  for (size_t k = 0; k < operands.size(); ++k) {
    is_splat[k] = !same_dims(operands[k].shape(), instruction.shape);
  }
  parallel_for(
      threads, result.element_count(), kGrain, [&](int64_t begin, int64_t end) {
        std::array<const std::byte*, kMaxOperands> sources{};
        for (size_t k = 0; k < operands.size(); ++k) {
          const int64_t offset =
              is_splat[k] ? 0 : begin * storage_bytes(operands[k].type());
          sources[k] = operands[k].bytes().data() + offset;
        }
        const int64_t offset = begin * storage_bytes(result.type());
        kernel({&instruction, sources.data(), is_splat.data(),
                target.data() + offset, end - begin});
      });
  return result;
}

}  // namespace hlo
