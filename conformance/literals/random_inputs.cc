#include "conformance/literals/random_inputs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/numeric/random/random.h"
#include "interpreter/rules/callee.h"

namespace hlo::conformance {
namespace {

using Users = std::map<const Instruction*, std::vector<const Instruction*>>;

Users users_of(const Module& module) {
  Users users;
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      for (const Instruction* operand : instruction->operands) {
        users[operand].push_back(instruction.get());
      }
    }
  }
  return users;
}

/// Whether each element of the result is an element of the operand, perhaps
/// of another type.
bool moves(const Instruction& instruction) {
  const Op& op = *instruction.op;
  if (op.form == Form::kIdentity || op.form == Form::kMovement) return true;
  if (op.moving.is_affine || op.facts.arithmetic == Arithmetic::kCopy) {
    return true;
  }
  return op.takes("custom_call_target") && instruction.operands.size() == 1;
}

/// The parameters of called computations that get this operand.
std::vector<const Instruction*> callees(const Instruction& user,
                                        const Instruction& operand) {
  std::vector<const Instruction*> found;
  if (user.op->form != Form::kCall) return found;
  const Computation& computation = callee_of(user);
  for (size_t i = 0; i < user.operands.size(); ++i) {
    if (user.operands[i] == &operand && i < computation.parameters.size()) {
      found.push_back(computation.parameters[i]);
    }
  }
  return found;
}

int64_t size_of(const Shape& shape, const Ints& dimensions) {
  int64_t size = 1;
  for (const int64_t d : dimensions)
    size *= shape.dims.at(static_cast<size_t>(d));
  return size;
}

/// The products in one sum of `user`, which `operand` enters.
int64_t products(const Instruction& user, const Instruction& operand) {
  // Sums of groups, and of scaled products, have no one size.
  if (user.op->accuracy.kind != Accuracy::Kind::kSum) return 1;
  if (user.op->takes("lhs_contracting_dims")) {
    return size_of(user.operand_shape(0),
                   user.get_or<Ints>("lhs_contracting_dims", {}));
  }
  const bool is_kernel =
      user.op->takes("dim_labels") && user.operands[1] == &operand;
  if (!is_kernel) return 1;
  const Shape& kernel = user.operand_shape(1);
  const auto& labels = user.get<DimLabels>("dim_labels");
  return size_of(kernel, labels.kernel.spatial) *
         size_of(kernel, {labels.kernel.batch_or_input});
}

/// Follows a parameter to the sums that its elements enter.
int64_t fan_in(const Users& users, const Instruction& parameter) {
  std::set<const Instruction*> reached = {&parameter};
  std::vector<const Instruction*> pending = {&parameter};
  const auto reach = [&](const Instruction* instruction) {
    if (reached.insert(instruction).second) pending.push_back(instruction);
  };
  int64_t largest = 1;
  while (!pending.empty()) {
    const Instruction& operand = *pending.back();
    pending.pop_back();
    const auto found = users.find(&operand);
    if (found == users.end()) continue;
    for (const Instruction* user : found->second) {
      largest = std::max(largest, products(*user, operand));
      if (moves(*user)) reach(user);
      std::ranges::for_each(callees(*user, operand), reach);
    }
  }
  return largest;
}

/// The values of one array, element by element.
class Generator {
 public:
  Generator(uint64_t seed, int64_t parameter, int64_t leaf)
      : key_{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32U)},
        parameter_(static_cast<uint32_t>(parameter)),
        leaf_(static_cast<uint32_t>(leaf)) {}

  /// 64 random bits of a place.
  uint64_t word(int64_t place) {
    const auto block = static_cast<uint64_t>(place) / 2;
    if (block != block_) {
      block_ = block;
      words_ = numeric::philox4x32(
          {static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32U),
           parameter_, leaf_},
          key_);
    }
    const size_t half = place % 2 == 0 ? 0 : 2;
    return words_[half] | uint64_t{words_[half + 1]} << 32U;
  }

 private:
  std::array<uint32_t, 2> key_;
  uint32_t parameter_;
  uint32_t leaf_;
  uint64_t block_ = ~uint64_t{0};
  std::array<uint32_t, 4> words_{};
};

/// A positive number around 1 / fan_in: near it for what is not summed, else
/// mostly small and seldom large, so that sums differ.
uint64_t random_float(uint64_t word, int64_t fan_in,
                      const numeric::FloatFormat& format) {
  const double unit = std::ldexp(static_cast<double>(word >> 12U), -52);
  double value = 0.5 + unit;
  if (fan_in > 1) {
    value = unit;
    for (int k = 0; k < 4; ++k) value *= value;
    value = 17 * value / static_cast<double>(fan_in);
  }
  const double least = std::ldexp(1.0, format.min_exponent());
  return numeric::encode(std::max(value, least), format);
}

/// A number from 0 to 7, or to the largest value of the type.
uint64_t random_integer(uint64_t word, ElementType type) {
  const int digits = bits(type) - (is_signed(type) ? 1 : 0);
  return word % (uint64_t{1} << std::min(digits, 3));
}

Scalar random_scalar(Generator& generator, int64_t place, ElementType type,
                     int64_t fan_in) {
  if (is_complex(type)) {
    const numeric::FloatFormat& format = numeric::format(component_type(type));
    return {type,
            {random_float(generator.word(2 * place), fan_in, format),
             random_float(generator.word(2 * place + 1), fan_in, format)}};
  }
  const uint64_t word = generator.word(place);
  if (is_float(type)) {
    return {type, {random_float(word, fan_in, numeric::format(type)), 0}};
  }
  return {type, {random_integer(word, type), 0}};
}

Literal random_array(Generator generator, const Shape& shape, int64_t fan_in) {
  Literal literal(shape);
  for (int64_t i = 0; i < literal.element_count(); ++i) {
    literal.set(i, random_scalar(generator, i, shape.element_type, fan_in));
  }
  return literal;
}

Literal random_value(uint64_t seed, int64_t parameter, const Shape& shape,
                     int64_t fan_in, int64_t& leaf) {
  if (!shape.is_tuple()) {
    const Generator generator(seed, parameter, leaf++);
    return shape.is_array() ? random_array(generator, shape, fan_in)
                            : Literal(shape);
  }
  std::vector<Literal> elements;
  for (const Shape& element : shape.tuple_shapes) {
    elements.push_back(random_value(seed, parameter, element, fan_in, leaf));
  }
  return Literal::tuple(std::move(elements)).with_shape(shape);
}

}  // namespace

std::vector<int64_t> fan_ins(const Module& module) {
  const Users users = users_of(module);
  std::vector<int64_t> found;
  for (const Instruction* parameter : module.entry->parameters) {
    found.push_back(fan_in(users, *parameter));
  }
  return found;
}

Literal random_input(uint64_t seed, int64_t parameter_number,
                     const Shape& shape, int64_t fan_in) {
  int64_t leaf = 0;
  return random_value(seed, parameter_number, shape, fan_in, leaf);
}

}  // namespace hlo::conformance
