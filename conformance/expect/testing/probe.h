#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/levels/profile.h"
#include "conformance/sets/expectation.h"
#include "interpreter/model/module.h"

// What tests of sets ask a program: whether the judge takes a result that
// differs from the reference's in one code.
namespace hlo::conformance::testing {

/// Elements of a type that has all these numbers, real parts before imaginary
/// ones.
Literal literal(const Shape& shape, const std::vector<double>& parts);

/// A part of an element of a leaf of a result.
struct Part {
  size_t leaf = 0;
  int64_t element = 0;
  int part = 0;
};

class Probe {
 public:
  /// The entry computation's text: its parameters are f32[2] x0, ... and its
  /// last line the root.
  Probe(const std::string& text, std::vector<Literal> operands,
        const std::string& profile = "tight");

  const Shape& operand_shape(size_t k) const;

  const std::vector<Literal>& reference() const { return reference_; }

  /// The number of the reference's part, and whether it is one.
  mpq_class value(const Part& at) const;
  bool is_number(const Part& at) const;
  ElementType type(const Part& at) const;

  /// Whether the result conforms that has this code in place of the
  /// reference's; the sets that are made without a look at it agree.
  bool admits(const Part& at, uint64_t code) const;

  /// Nothing where a part may be off by `error` from an exact value, up or
  /// down, and no more than by a share of 2^-19 and the least number beside
  /// that; else what is wrong.
  std::string differs_from(const Part& at, const mpq_class& center,
                           const mpq_class& error) const;

  /// Nothing where it may be off by `error` from the number of the reference.
  std::string differs_from(const Part& at, const mpq_class& error) const {
    return differs_from(at, value(at), error);
  }

  /// Nothing where a part may be anything, or what is not.
  std::string differs_from_anything(const Part& at) const;

 private:
  double decoded(const Part& at) const;

  Module module_;
  std::vector<Literal> operands_;
  Profile profile_;
  std::vector<Literal> reference_;
  std::vector<Expectation> sets_;
};

}  // namespace hlo::conformance::testing
