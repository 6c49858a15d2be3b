#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/model/module.h"
#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/rules/op.h"
#include "interpreter/verify/verify.h"

// What the tests of sums and folds share; no program includes it.
namespace hlo::testing {

/// A stream of random numbers and of awkward elements.
class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  uint64_t bits() { return engine_(); }

  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine_() %
                                      static_cast<uint64_t>(high - low + 1));
  }

  bool one_in(int64_t n) { return between(1, n) == 1; }

  template <typename T>
  void shuffle(std::vector<T>& values) {
    std::ranges::shuffle(values, engine_);
  }

  /// Elements of one style: small integers, any bit patterns (with or without
  /// infinities and NaNs), a few magnitudes that cancel, subnormals, zeros.
  Literal literal(const Shape& shape) {
    Literal result(shape);
    const int64_t style = between(0, 5);
    for (int64_t i = 0; i < result.element_count(); ++i) {
      Scalar scalar{shape.element_type, {}};
      for (uint64_t& code : scalar.bits) {
        code = element(component_type(shape.element_type), style);
      }
      if (!is_complex(shape.element_type)) scalar.bits[1] = 0;
      result.set(i, scalar);
    }
    return result;
  }

 private:
  uint64_t element(ElementType type, int64_t style) {
    const uint64_t mask = ~uint64_t{0} >> (64 - hlo::bits(type));
    if (!is_float(type)) return engine_() & mask;
    const numeric::FloatFormat& format = numeric::format(type);
    if (style == 0) {
      return numeric::encode(static_cast<double>(between(-4, 4)), format);
    }
    if (style == 1) return engine_() & mask;
    if (style == 5) {
      return numeric::encode(one_in(5) ? 0.0 : -0.0, format);
    }
    uint64_t code = engine_() & mask;
    if (style == 2) code &= (uint64_t{1} << format.mantissa_bits) - 1;
    if (style == 3) {
      code =
          numeric::encode(1.0, format) + static_cast<uint64_t>(between(0, 2));
      if (one_in(2)) code |= format.sign_mask();
    }
    const bool special =
        numeric::is_nan(code, format) || numeric::is_infinity(code, format);
    return special ? numeric::encode(1.0, format) : code;
  }

  std::mt19937_64 engine_;
};

/// An instruction with operands of its own and the shape that it infers.
struct Owned {
  std::vector<std::unique_ptr<Instruction>> operands;
  Instruction instruction;
};

inline std::unique_ptr<Owned> make_instruction(
    std::string_view op, const std::vector<Shape>& operands,
    Attributes attributes, ElementType type = ElementType::kTuple) {
  auto owned = std::make_unique<Owned>();
  Instruction& instruction = owned->instruction;
  instruction.op = find_op(op);
  instruction.attributes = std::move(attributes);
  for (const Shape& shape : operands) {
    owned->operands.push_back(std::make_unique<Instruction>());
    owned->operands.back()->shape = shape;
    instruction.operands.push_back(owned->operands.back().get());
  }
  if (type != ElementType::kTuple) {
    instruction.has_shape = true;
    instruction.shape.element_type = type;
  }
  instruction.shape = instruction.op->infer(instruction);
  return owned;
}

/// A module whose first computation is a region on two scalars a, b of `type`.
inline Module region(ElementType type, const std::string& body) {
  const std::string scalar = std::string(name(type)) + "[]";
  std::string text = "HloModule m\nregion {\n  a = T parameter(0)\n" +
                     std::string("  b = T parameter(1)\n") + body +
                     "}\nENTRY e { ROOT p = T parameter(0) }\n";
  for (size_t at = text.find("T "); at != std::string::npos;
       at = text.find("T ", at)) {
    // ROOT ends in T too.
    if (text[at - 1] == 'O') {
      at += 2;
    } else {
      text.replace(at, 1, scalar);
    }
  }
  return verified_module(text);
}

inline Computation* region_of(const Module& module) {
  return module.computations[0].get();
}

/// A permutation of the integers [0, n).
inline Ints permutation(Random& random, int64_t n) {
  Ints result;
  for (int64_t i = 0; i < n; ++i) result.push_back(i);
  random.shuffle(result);
  return result;
}

}  // namespace hlo::testing
