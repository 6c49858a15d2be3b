#pragma once

#include <gmp.h>

namespace hlo::numeric {

/// A GMP integer, 0 at first.
class Integer {
 public:
  Integer() { mpz_init(value_); }

  ~Integer() { mpz_clear(value_); }

  Integer(const Integer&) = delete;
  Integer& operator=(const Integer&) = delete;

  mpz_ptr get() { return value_; }

 private:
  mpz_t value_;
};

}  // namespace hlo::numeric
