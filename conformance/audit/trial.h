#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/shrink/edit.h"
#include "interpreter/model/literal.h"

namespace hlo::conformance {

/// What is other than in the first run, in the order in which it is tried
/// (spec/audit.md, What is tried).
enum class Cause : uint8_t {
  kRun,          // nothing: the same program once more
  kTogether,     // several calls at once
  kCompilation,  // compiled anew
  kStart,        // a backend of its own
  kThreads,      // so many threads or cores
  kSetting,      // another URI of the user's
  kAlignment,    // the arguments begin elsewhere in memory
  kConstants,    // parameters are constants
  kParameters,   // constants are parameters
  kLayout,       // arguments or results in another order
  kRank,         // one more dimension, of one element
  kBatch,        // several times the same values
  kPosition,     // the same values elsewhere in the arrays
  kNeighbours,   // other values beside the same ones
};

inline constexpr size_t kCauseCount = 14;

/// "run", "together", "compilation", ...
std::string_view name(Cause cause);
/// Whether the program, its values and the machine are those of the first run:
/// a backend that varies by it is not deterministic.
bool is_same_program(Cause cause);

using Leaves = std::vector<Literal>;

/// A program with the values of another one: what it returns, cut back, is what
/// the other returns.
struct Variant {
  Cause cause = Cause::kRun;
  std::string what;  // "3 rows, the others reversed"
  Program program;
  /// The results of the other program in those of this one: once, or once for
  /// each place where they are.
  std::function<std::vector<Leaves>(const Leaves&)> back;
};

/// What there is of a program of one device. The reference gives the same bits
/// for each of them. A cause that has none cannot be tried.
std::vector<Variant> variants(const Program& program);

}  // namespace hlo::conformance
