#include "backends/gpu/operations/orders/sort_keys.h"

#include <map>
#include <optional>
#include <span>

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

/// An instruction of a tape (kernels/codes.inc).
using Step = std::span<const int64_t>;

class ComparatorTape {
 public:
  ComparatorTape(const Tape& tape, int64_t elements)
      : registers_(kRegisters), steps_(kRegisters) {
    for (int64_t k = 0; k < elements; ++k) {
      at(2 * k) = {number_of({k}), 1};
      at(2 * k + 1) = {number_of({k}), 2};
    }
    const Step words = tape.words;
    for (size_t k = 0; k < words.size(); k += TAPE_WORDS) {
      add(words.subspan(k, TAPE_WORDS));
    }
  }

  /// Appends the keys of an answer; whether it has some.
  bool find_keys(int64_t answer, std::vector<SortKey>& keys) const;

 private:
  /// A key, and how two of them are compared for it.
  struct Found {
    SortKey key;
    int64_t op = 0;
    int64_t number = 0;  // of the expression
  };

  void add(Step step);
  std::optional<Found> key_of(int64_t answer) const;
  bool is_answer(int64_t answer, const Found& found, int64_t direction) const;
  bool find_two(int64_t first, int64_t condition, int64_t direction,
                int64_t rest, std::vector<SortKey>& keys) const;
  bool find_either(int64_t first, int64_t both,
                   std::vector<SortKey>& keys) const;

  Expression& at(int64_t reg) { return registers_[static_cast<size_t>(reg)]; }

  const Expression& at(int64_t reg) const {
    return registers_[static_cast<size_t>(reg)];
  }

  /// What has computed a register; empty for those of elements.
  Step step_of(int64_t reg) const { return steps_[static_cast<size_t>(reg)]; }

  int64_t number_of(const Ints& words) {
    return numbers_.try_emplace(words, std::ssize(numbers_)).first->second;
  }

  std::vector<Expression> registers_;
  std::vector<Step> steps_;
  std::map<Ints, int64_t> numbers_;
};

void ComparatorTape::add(Step step) {
  steps_[static_cast<size_t>(step[3])] = step;
  Expression& result = at(step[3]);
  if (step[0] == OP_CONSTANT) {
    result = {number_of({step[0], step[1], step[4], step[5]}), 0};
    return;
  }
  const Expression a = at(step[4]);
  const Expression b = at(step[5]);
  const Expression c = at(step[6]);
  result = {number_of({step[0], step[1], step[2], a.number, b.number, c.number,
                       step[7]}),
            a.rows | b.rows | c.rows};
}

/// Whether they are the same expression, one of each row.
bool are_both_rows(Expression a, Expression b) {
  return a.number == b.number && a.rows + b.rows == 3;
}

bool is_operation(Step step, int64_t op) {
  return !step.empty() && step[0] == op;
}

bool compares(Step step) {
  return is_operation(step, OP_COMPARE) || is_operation(step, OP_COMPARE_TOTAL);
}

/// The key of LT or GT of the same expression of both rows.
std::optional<ComparatorTape::Found> ComparatorTape::key_of(
    int64_t answer) const {
  const Step step = step_of(answer);
  if (!compares(step) || (step[7] != LESS && step[7] != GREATER)) {
    return std::nullopt;
  }
  const Expression a = at(step[4]);
  const Expression b = at(step[5]);
  const auto type = static_cast<ElementType>(step[2]);
  if (!are_both_rows(a, b) || is_complex(type)) return std::nullopt;
  const bool is_first = a.rows == 1;
  return Found{{is_first ? step[4] : step[5], type,
                step[0] == OP_COMPARE_TOTAL || !is_float(type),
                (step[7] == GREATER) == is_first},
               step[0],
               a.number};
}

/// Whether it compares what the key compares, with that direction.
bool ComparatorTape::is_answer(int64_t answer, const Found& found,
                               int64_t direction) const {
  const Step step = step_of(answer);
  if (!is_operation(step, found.op) || step[7] != direction) return false;
  const Expression a = at(step[4]);
  const Expression b = at(step[5]);
  return are_both_rows(a, b) && a.number == found.number;
}

/// The key of `first`, and where the condition says so the keys of `rest`.
bool ComparatorTape::find_two(int64_t first, int64_t condition,
                              int64_t direction, int64_t rest,
                              std::vector<SortKey>& keys) const {
  const std::optional<Found> found = key_of(first);
  if (!found || !is_answer(condition, *found, direction)) return false;
  const size_t before = keys.size();
  keys.push_back(found->key);
  if (find_keys(rest, keys)) return true;
  keys.resize(before);
  return false;
}

/// first || (equal && rest), whose parts may change places.
bool ComparatorTape::find_either(int64_t first, int64_t both,
                                 std::vector<SortKey>& keys) const {
  const Step step = step_of(both);
  if (!is_operation(step, OP_AND)) return false;
  return find_two(first, step[4], EQUAL, step[5], keys) ||
         find_two(first, step[5], EQUAL, step[4], keys);
}

bool ComparatorTape::find_keys(int64_t answer,
                               std::vector<SortKey>& keys) const {
  if (const std::optional<Found> found = key_of(answer)) {
    keys.push_back(found->key);
    return true;
  }
  const Step step = step_of(answer);
  if (is_operation(step, OP_OR)) {
    return find_either(step[4], step[5], keys) ||
           find_either(step[5], step[4], keys);
  }
  if (!is_operation(step, OP_SELECT)) return false;
  return find_two(step[6], step[4], EQUAL, step[5], keys) ||
         find_two(step[5], step[4], LESS | GREATER | UNORDERED, step[6], keys);
}

}  // namespace

std::vector<SortKey> sort_keys_of(const Tape& comparator, int64_t answer,
                                  int64_t elements) {
  std::vector<SortKey> keys;
  if (!ComparatorTape(comparator, elements).find_keys(answer, keys)) return {};
  return keys;
}

}  // namespace hlo::gpu
