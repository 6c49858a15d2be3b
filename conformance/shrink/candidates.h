#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/judge/judge.h"
#include "conformance/shrink/edit.h"

namespace hlo::conformance {

/// A program that fails, and how.
struct Failing {
  Program program;
  Judgement judgement;
};

/// Makes a program that is simpler than another one. Throws the Error that
/// refuses it.
using Candidate = std::function<Program()>;
using Candidates = std::vector<Candidate>;

// Each of these lists simpler programs, the simplest first. A program that is
// one of them has none in which it is listed itself, nor what it came from: the
// number of instructions, of elements, of bits, or the size of a number goes
// down, or a type or a layout becomes the plain one.

/// One device or two.
Candidates fewer_devices(const Failing& failing);
/// Single instructions of the program, by themselves, with the operands that
/// the reference gives them, none where it is such a program; its arrays,
/// handed on by a transpose that moves nothing.
Candidates single_instructions(const Failing& failing);
/// A computation that is called, by itself; another instruction is the result;
/// an instruction is a parameter, or is one of its operands.
Candidates fewer_instructions(const Failing& failing);
/// A loop carries one element of its state; a branch gives its operand; a fold
/// of several arrays folds one; what combines two operands of a computation
/// that is called is a sum; an instruction there is a constant, of the value
/// that it had first.
Candidates simpler_computations(const Failing& failing);
/// Smaller arrays, of fewer dimensions.
Candidates smaller_arrays(const Failing& failing);
/// Attributes are left out, and their numbers are nearer to 0.
Candidates simpler_attributes(const Failing& failing);
/// Arrays in row-major order, without tiles, or with smaller ones.
Candidates plain_layouts(const Failing& failing);
/// Other types are f32, s32 and c64; c64 is f32, too.
Candidates plain_types(const Failing& failing);
/// Values are 0, 1 or have fewer bits.
Candidates simpler_values(const Failing& failing);
/// Where an array has more than eight elements: arrays of at most nine, of any
/// form, for all dimensions at once, with their values or with 1, 2, 3, ...
Candidates few_elements(const Failing& failing);

/// The kinds of candidates, in the order in which they are tried.
struct Reduction {
  std::string_view name;  // what becomes simpler: "instructions"
  Candidates (*candidates)(const Failing&);
};

const std::vector<Reduction>& reductions();

}  // namespace hlo::conformance
