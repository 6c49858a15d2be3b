#include "backends/gpu/operations/orders/sort_keys.h"

#include <map>
#include <span>
#include <vector>

#include "backends/gpu/program/kernel_codes.h"

namespace hlo::gpu {
namespace {

/// Bits: the first row's elements are read, the second one's.
using Rows = unsigned;

/// What a register holds: expressions of the same number are the same one, but
/// for the row whose elements they read.
struct Expression {
  int64_t number = 0;
  Rows rows = 0;
};

class Expressions {
 public:
  explicit Expressions(int64_t elements) : registers_(kRegisters) {
    for (int64_t k = 0; k < elements; ++k) {
      at(2 * k) = {number_of({k}), 1};
      at(2 * k + 1) = {number_of({k}), 2};
    }
  }

  void add(std::span<const int64_t> step) {
    Expression& result = at(step[3]);
    if (step[0] == OP_CONSTANT) {
      result = {number_of({step[0], step[1], step[4], step[5]}), 0};
      return;
    }
    const Expression a = at(step[4]);
    const Expression b = at(step[5]);
    const Expression c = at(step[6]);
    result = {number_of({step[0], step[1], step[2], a.number, b.number,
                         c.number, step[7]}),
              a.rows | b.rows | c.rows};
  }

  Expression& at(int64_t reg) { return registers_[static_cast<size_t>(reg)]; }

 private:
  int64_t number_of(const Ints& words) {
    return numbers_.try_emplace(words, std::ssize(numbers_)).first->second;
  }

  std::vector<Expression> registers_;
  std::map<Ints, int64_t> numbers_;
};

}  // namespace

std::optional<SortKey> sort_key_of(const Tape& comparator, int64_t answer,
                                   int64_t elements) {
  Expressions expressions(elements);
  for (int64_t k = 0; k < comparator.length(); ++k) {
    const auto step =
        std::span(comparator.words)
            .subspan(static_cast<size_t>(k * TAPE_WORDS), TAPE_WORDS);
    const bool compares = step[0] == OP_COMPARE || step[0] == OP_COMPARE_TOTAL;
    const bool is_strict = step[7] == LESS || step[7] == GREATER;
    if (step[3] == answer && compares && is_strict) {
      const Expression a = expressions.at(step[4]);
      const Expression b = expressions.at(step[5]);
      const auto type = static_cast<ElementType>(step[2]);
      const bool is_key = a.number == b.number && a.rows != b.rows &&
                          a.rows + b.rows == 3 && !is_complex(type);
      if (!is_key) return std::nullopt;
      const bool is_first = a.rows == 1;
      return SortKey{is_first ? step[4] : step[5], type,
                     step[0] == OP_COMPARE_TOTAL || !is_float(type),
                     (step[7] == GREATER) == is_first};
    }
    expressions.add(step);
  }
  return std::nullopt;
}

}  // namespace hlo::gpu
