#pragma once

#include <complex>
#include <cstdint>

#include "interpreter/numeric/float_format.h"
#include "interpreter/numeric/rounded.h"
#include "interpreter/op.h"

namespace hlo {

using Complex = std::complex<double>;

/// What a rule for integers gets to know of their type.
struct IntegerType {
  int bits;
  bool is_signed;
};

// A rule is a struct with static functions, one for each class of types that
// the operation takes. Absent members mean that the class is not allowed.
//
//   struct Add {
//     static bool pred(bool a, bool b) { return a || b; }
//     static uint64_t integer(uint64_t a, uint64_t b, IntegerType) {
//       return a + b;  // wraps when it is stored
//     }
//     static double real(double a, double b) { return a + b; }
//     static Complex complex(Complex a, Complex b, const FloatFormat&);
//   };
//   constinit const Op op_add = elementwise<Add>("add");
//
// integer: operands are sign- or zero-extended to 64 bits; the result is
// truncated to the type. real: operands are exact; the result is rounded once
// to the type, so it must be exact in double or a single IEEE operation
// (+ - * / sqrt), which is innocuous for formats of at most 24 bits and exact
// for f64 itself. bits(uint64_t.., const FloatFormat&): a rule on codes, for
// what is not a function of values (sign bits, NaN payloads, comparisons).
// static constexpr numeric::Function function: a correctly rounded function.

/// The result of an operation with a kernel, of type instruction.shape.
Literal apply_elementwise(const Instruction& instruction, Operands operands,
                          const Evaluator& evaluator);

}  // namespace hlo
