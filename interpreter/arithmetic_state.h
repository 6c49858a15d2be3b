#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What the results of a thread depend on beside their operands: how the
// processor rounds, whether it takes subnormal numbers for zeros, and which
// exponents MPFR knows. Each thread has its own, and any code in the process
// can change it.

namespace hlo {

/// What a thread computes under.
struct ArithmeticState {
  /// The processor's control bits, without what it has noted of exceptions.
  uint64_t control = 0;
  int64_t least_exponent = 0;  // of MPFR
  int64_t most_exponent = 0;
  friend bool operator==(const ArithmeticState&,
                         const ArithmeticState&) = default;
};

/// What the reference computes under: results are rounded to the nearest,
/// subnormal numbers are numbers, nothing traps, and MPFR has the exponents
/// that it begins with.
ArithmeticState reference_arithmetic();
/// What the calling thread computes under.
ArithmeticState current_arithmetic();
/// Has the calling thread compute under `state`.
void set_arithmetic(const ArithmeticState& state);

/// How a state differs from the reference's: "rounds upward, takes subnormal
/// results for zeros (FTZ)". Empty where it does not.
std::string describe(const ArithmeticState& state);

/// While it lives, the calling thread computes as the reference does; then as
/// it did before.
class ReferenceArithmetic {
 public:
  ReferenceArithmetic();
  ~ReferenceArithmetic();
  ReferenceArithmetic(const ReferenceArithmetic&) = delete;
  ReferenceArithmetic& operator=(const ReferenceArithmetic&) = delete;

  /// What it found.
  const ArithmeticState& found() const { return found_; }

 private:
  ArithmeticState found_;
};

/// Around a call of code of others: behind it the calling thread computes as
/// the reference does again, and who had changed that is noted.
class ForeignCode {
 public:
  /// "the function" "myfunc". Both must outlive it.
  ForeignCode(std::string_view culprit, std::string_view name)
      : culprit_(culprit), name_(name) {}

  ~ForeignCode();
  ForeignCode(const ForeignCode&) = delete;
  ForeignCode& operator=(const ForeignCode&) = delete;

 private:
  std::string_view culprit_;
  std::string_view name_;
};

/// Notes who changed what threads compute under to `state`, where that is not
/// the reference's.
void note_arithmetic(const ArithmeticState& state, std::string_view culprit,
                     std::string_view name = {});
/// What has been noted in this process so far: sentences, each once.
std::vector<std::string> arithmetic_notes();

}  // namespace hlo
