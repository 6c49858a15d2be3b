#include "backends/gpu/program/tape.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "backends/gpu/program/kernel_codes.h"
#include "backends/gpu/program/value.h"
#include "interpreter/rules/op.h"

namespace hlo::gpu {
namespace {

struct NamedCode {
  std::string_view name;
  int64_t code;
};

constexpr NamedCode kOperations[] = {
    {"copy", OP_COPY},
    {"convert", OP_CONVERT},
    {"negate", OP_NEGATE},
    {"abs", OP_ABS},
    {"sign", OP_SIGN},
    {"not", OP_NOT},
    {"popcnt", OP_POPCNT},
    {"count-leading-zeros", OP_CLZ},
    {"floor", OP_FLOOR},
    {"ceil", OP_CEIL},
    {"round-nearest-afz", OP_ROUND_AFZ},
    {"round-nearest-even", OP_ROUND_EVEN},
    {"is-finite", OP_IS_FINITE},
    {"real", OP_REAL},
    {"imag", OP_IMAG},
    {"sqrt", OP_SQRT},
    {"reduce-precision", OP_REDUCE_PRECISION},
    {"add", OP_ADD},
    {"subtract", OP_SUBTRACT},
    {"multiply", OP_MULTIPLY},
    {"divide", OP_DIVIDE},
    {"remainder", OP_REMAINDER},
    {"maximum", OP_MAXIMUM},
    {"minimum", OP_MINIMUM},
    {"and", OP_AND},
    {"or", OP_OR},
    {"xor", OP_XOR},
    {"shift-left", OP_SHIFT_LEFT},
    {"shift-right-arithmetic", OP_SHIFT_RIGHT_ARITHMETIC},
    {"shift-right-logical", OP_SHIFT_RIGHT_LOGICAL},
    {"power", OP_POWER},
    {"mulhi", OP_MULHI},
    {"complex", OP_COMPLEX},
    {"compare", OP_COMPARE},
    {"select", OP_SELECT},
    {"clamp", OP_CLAMP},
    {"atan2", OP_ATAN2},
    {"stochastic-convert", OP_STOCHASTIC_CONVERT},
    {"exponential", OP_EXP},
    {"exponential-minus-one", OP_EXPM1},
    {"log", OP_LOG},
    {"log-plus-one", OP_LOG1P},
    {"sine", OP_SIN},
    {"cosine", OP_COS},
    {"tan", OP_TAN},
    {"asin", OP_ASIN},
    {"acos", OP_ACOS},
    {"sinh", OP_SINH},
    {"cosh", OP_COSH},
    {"tanh", OP_TANH},
    {"asinh", OP_ASINH},
    {"acosh", OP_ACOSH},
    {"atanh", OP_ATANH},
    {"logistic", OP_LOGISTIC},
    {"erf", OP_ERF},
    {"rsqrt", OP_RSQRT},
    {"cbrt", OP_CBRT},
    {"stablehlo.cbrt", OP_CBRT},
    {"chlo.atan", OP_ATAN},
    {"chlo._asin_acos_kernel", OP_ARC_KERNEL},
    {"chlo.erfc", OP_ERFC},
    {"chlo.erf_inv", OP_ERF_INV},
    {"chlo.lgamma", OP_LGAMMA},
    {"chlo.digamma", OP_DIGAMMA},
    {"chlo.bessel_i1e", OP_BESSEL_I1E},
    {"chlo.polygamma", OP_POLYGAMMA},
    {"chlo.zeta", OP_ZETA},
    {"chlo.is_inf", OP_IS_INFINITE},
    {"chlo.is_pos_inf", OP_IS_INFINITE},
    {"chlo.is_neg_inf", OP_IS_INFINITE},
    {"chlo.next_after", OP_NEXT}};

/// The mnemonic, or the function that a custom-call names.
std::string_view name_of(const Instruction& instruction) {
  const Op& op = *instruction.op;
  return op.name == "custom-call" ? op.target : op.name;
}

/// The code of an operation; nothing where it has none. Custom-calls name some
/// by other names.
std::optional<int64_t> code_of(std::string_view name) {
  constexpr std::array<std::string_view, 9> kTargets = {
      "acos", "acosh", "asin", "asinh", "atanh", "cosh", "erf", "sinh", "tan"};
  for (const std::string_view dialect : {"chlo.", "mhlo."}) {
    if (!name.starts_with(dialect)) continue;
    const std::string_view rest = name.substr(dialect.size());
    if (std::ranges::find(kTargets, rest) != kTargets.end()) name = rest;
  }
  const auto* const found =
      std::ranges::find(kOperations, name, &NamedCode::name);
  if (found == std::end(kOperations)) return std::nullopt;
  return found->code;
}

int64_t direction_of(const Instruction& compare) {
  static const std::unordered_map<std::string_view, int64_t> by_name = {
      {"EQ", EQUAL},           {"NE", LESS | GREATER | UNORDERED},
      {"GE", GREATER | EQUAL}, {"GT", GREATER},
      {"LE", LESS | EQUAL},    {"LT", LESS}};
  return by_name.at(compare.get<Word>("direction").value);
}

bool is_total(const Instruction& compare) {
  return compare.get_or<Word>("type", {"FLOAT"}).value == "TOTALORDER";
}

/// The number beside an operation: see kernels/scalar.inc.
int64_t extra_of(const Instruction& instruction, int64_t op) {
  if (op == OP_COMPARE) return direction_of(instruction);
  if (op == OP_IS_INFINITE) {
    const std::string_view name = name_of(instruction);
    return name == "chlo.is_inf" ? 3 : name == "chlo.is_pos_inf" ? 1 : 2;
  }
  if (op != OP_REDUCE_PRECISION) return 0;
  constexpr int64_t kMost = 64;
  const int64_t exponent = instruction.get<int64_t>("exponent_bits");
  const int64_t mantissa = instruction.get<int64_t>("mantissa_bits");
  return std::min(exponent, kMost) * 256 + std::min(mantissa, kMost);
}

/// Operations whose operands may be of any type.
bool takes_any(int64_t op) {
  return op == OP_CONVERT || op == OP_IS_FINITE || op == OP_REAL ||
         op == OP_IMAG || op == OP_COMPLEX || op == OP_COMPARE ||
         op == OP_IS_INFINITE;
}

/// Whether operands or the result are floats of several types.
bool is_mixed(const Instruction& instruction) {
  const ElementType type = instruction.operand_shape(0).element_type;
  bool all_floats = true;
  bool differ = is_float(instruction.shape.element_type) &&
                instruction.shape.element_type != type;
  for (const Instruction* operand : instruction.operands) {
    all_floats = all_floats && is_float(operand->shape.element_type);
    differ = differ || operand->shape.element_type != type;
  }
  return all_floats && differ;
}

/// Whether a step takes operands of f64: what it gives of them is exact, or is
/// rounded once to another type.
bool takes_doubles(const Instruction& instruction, int64_t op) {
  if (op == OP_COMPARE) return !is_total(instruction);
  return op == OP_NEGATE || op == OP_SIGN || op == OP_CLAMP ||
         (op >= OP_ADD && op <= OP_MINIMUM);
}

/// The type that the operands of a function of two are taken in, where they
/// have several: each of floats has all numbers of those with fewer bits, but
/// for types of 16 and 8 bits.
ElementType common_type(const Instruction& instruction) {
  const auto is_double = [](const Instruction* operand) {
    return operand->shape.element_type == ElementType::kF64;
  };
  return std::ranges::any_of(instruction.operands, is_double)
             ? ElementType::kF64
             : ElementType::kF32;
}

}  // namespace

int64_t Tape::length() const { return std::ssize(words) / TAPE_WORDS; }

void Tape::take_fast_functions() {
  for (size_t at = 0; at < words.size(); at += TAPE_WORDS) {
    const auto type = static_cast<ElementType>(words[at + 1]);
    const int64_t op = words[at];
    const bool has_fast = (op >= OP_EXP && op <= OP_CBRT) ||
                          op == OP_REAL_POWER || op == OP_ATAN2;
    if (has_fast && is_float(type) && type != ElementType::kF64) {
      words[at] += OP_FAST;
    }
  }
}

bool is_elementwise(const Instruction& instruction) {
  return code_of(name_of(instruction)).has_value();
}

int64_t TapeWriter::new_register() {
  if (next_ >= kRegisters) {
    throw Unsupported("does not run computations of more than " +
                      std::to_string(kRegisters) + " scalars");
  }
  return next_++;
}

int64_t TapeWriter::append(int64_t op, ElementType type, ElementType from,
                           int64_t a, int64_t b, int64_t c, int64_t extra) {
  const int64_t result = new_register();
  const Ints words = {op,   type_code(type), type_code(from), result, a, b, c,
                      extra};
  tape_.words.insert(tape_.words.end(), words.begin(), words.end());
  return result;
}

int64_t TapeWriter::convert(int64_t source, ElementType from, ElementType to) {
  if (from == to) return source;
  return append(OP_CONVERT, to, from, source, source, source, 0);
}

int64_t TapeWriter::negate(int64_t source, ElementType type) {
  return append(OP_NEGATE, type, type, source, source, source, 0);
}

int64_t TapeWriter::index(int64_t dimension, ElementType type) {
  tape_.reads_indices = true;
  return append(OP_INDEX, type, type, 0, 0, 0, dimension);
}

int64_t TapeWriter::part(int64_t source, ElementType from, ElementType to,
                         int64_t shift) {
  return append(OP_PART, to, from, source, source, source, shift);
}

int64_t TapeWriter::join(int64_t whole, ElementType to, int64_t source,
                         ElementType from, int64_t shift) {
  return append(OP_JOIN, to, from, whole, source, whole, shift);
}

int64_t TapeWriter::compare_total(int64_t a, int64_t b, ElementType type,
                                  bool behind) {
  return append(OP_COMPARE_TOTAL, ElementType::kPred, type, a, b, a,
                behind ? GREATER : LESS);
}

int64_t TapeWriter::key(int64_t source, ElementType type, int64_t how) {
  return append(OP_KEY, ElementType::kU64, type, source, source, source, how);
}

int64_t TapeWriter::is_nan(int64_t source, ElementType type) {
  return append(OP_COMPARE, ElementType::kPred, type, source, source, source,
                UNORDERED);
}

int64_t TapeWriter::differ(int64_t a, int64_t b, ElementType own) {
  constexpr ElementType kPred = ElementType::kPred;
  if (is_complex(own)) {
    const ElementType part = component_type(own);
    const int64_t re = differ(append(OP_REAL, part, own, a, a, a, 0),
                              append(OP_REAL, part, own, b, b, b, 0), part);
    const int64_t im = differ(append(OP_IMAG, part, own, a, a, a, 0),
                              append(OP_IMAG, part, own, b, b, b, 0), part);
    return append(OP_OR, kPred, kPred, re, im, re, 0);
  }
  const int64_t numbers =
      append(OP_COMPARE, kPred, own, a, b, a, LESS | GREATER | UNORDERED);
  if (!is_float(own)) return numbers;
  const int64_t codes =
      append(OP_COMPARE_TOTAL, kPred, own, a, b, a, LESS | GREATER);
  return append(OP_AND, kPred, kPred, numbers, codes, numbers, 0);
}

int64_t TapeWriter::negate_truth(int64_t source) {
  return append(OP_NOT, ElementType::kPred, ElementType::kPred, source, source,
                source, 0);
}

int64_t TapeWriter::constant(const Literal& literal) {
  const Scalar scalar = literal.scalar();
  uint64_t bits = scalar.bits[0];
  if (is_signed(scalar.type)) {
    bits = static_cast<uint64_t>(literal.integer(0));
  }
  return append(OP_CONSTANT, scalar.type, scalar.type,
                static_cast<int64_t>(bits),
                static_cast<int64_t>(scalar.bits[1]), 0, 0);
}

int64_t TapeWriter::add_mixed(const Instruction& instruction, int64_t op,
                              std::span<const int64_t> operands) {
  constexpr ElementType kWide = ElementType::kF64;
  const ElementType type = instruction.shape.element_type;
  std::vector<int64_t> sources;
  for (size_t k = 0; k < operands.size(); ++k) {
    sources.push_back(
        convert(operands[k], instruction.operand_shape(k).element_type, kWide));
  }
  sources.resize(3, sources.at(0));
  const bool rounds = op >= OP_ADD && op <= OP_DIVIDE;
  const bool stays = rounds || op == OP_COMPARE;
  const int64_t value =
      append(op, stays ? type : kWide, kWide, sources[0], sources[1],
             sources[2], extra_of(instruction, op));
  return stays ? value : convert(value, kWide, type);
}

int64_t TapeWriter::source_of(const Instruction& instruction, int64_t op,
                              size_t k, int64_t source) {
  const ElementType type = instruction.shape.element_type;
  const ElementType own = instruction.operand_shape(k).element_type;
  if (op == OP_SELECT || op == OP_COPY) {
    return op == OP_SELECT && k == 0 ? source : convert(source, own, type);
  }
  const bool is_own = op == OP_ABS && is_complex(own);
  if (op == OP_STOCHASTIC_CONVERT || is_own) return source;
  if (takes_any(op)) {
    if (own == instruction.operand_shape(0).element_type) return source;
    refuse(instruction, "operands of two types");
  }
  const bool is_common = (op == OP_REAL_POWER || op == OP_ATAN2) &&
                         is_mixed(instruction) &&
                         type == common_type(instruction);
  if (is_common) return convert(source, own, type);
  if (own != type) refuse(instruction, "operands of another type");
  return source;
}

int64_t TapeWriter::add(const Instruction& instruction,
                        std::span<const int64_t> operands) {
  int64_t op = code_of(name_of(instruction)).value();
  if (is_mixed(instruction) && takes_doubles(instruction, op)) {
    return add_mixed(instruction, op, operands);
  }
  const ElementType type = instruction.shape.element_type;
  if (op == OP_POWER && !is_integer(type)) op = OP_REAL_POWER;
  std::vector<int64_t> sources(operands.begin(), operands.end());
  ElementType from = instruction.operand_shape(0).element_type;
  const int64_t extra = extra_of(instruction, op);
  for (size_t k = 0; k < sources.size(); ++k) {
    sources[k] = source_of(instruction, op, k, sources[k]);
  }
  if (op == OP_REAL_POWER || op == OP_ATAN2) from = type;
  if (op == OP_COMPARE && is_total(instruction)) op = OP_COMPARE_TOTAL;
  sources.resize(3, sources.at(0));
  return append(op, type, from, sources[0], sources[1], sources[2], extra);
}

}  // namespace hlo::gpu
