#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/model/shape.h"

// What attributes that are kept as text say (model/attribute.h, Verbatim).

namespace hlo {

/// How deep what is kept as text may be nested: as deep as texts are. What were
/// nested deeper would not be looked at.
inline constexpr int kDeepestVerbatim = 200;

/// Reads tokens of a text from left to right, over white space and comments.
class TextScanner {
 public:
  explicit TextScanner(std::string_view text) : text_(text) {}

  bool at_end();
  /// The next character, or 0 at the end.
  char peek();
  /// Whether the next characters were these; they are then consumed.
  bool accept(std::string_view token);
  std::optional<int64_t> integer();
  /// Letters, digits, `_`, `.` and `-`; empty where there are none.
  std::string_view word();
  /// What stands between quotes; nothing where no quote follows.
  std::optional<std::string_view> quoted();
  /// Consumes one character, or a whole string or bracketed group.
  void skip();

 private:
  void skip_space();
  std::string_view text_;
  size_t at_ = 0;
};

/// One entry of output_to_operand_aliasing or input_output_alias:
/// `{output}: (operand, {operand_index}, must-alias)`.
struct Alias {
  Index output;
  int64_t operand = 0;
  Index operand_index;
  bool must_alias = false;
};

/// Nothing where the text is no list of aliases.
std::optional<std::vector<Alias>> read_aliases(std::string_view text);
/// buffer_donor={(operand, {index}), ...}; `output` is unused.
std::optional<std::vector<Alias>> read_donors(std::string_view text);

/// The value of a key of frontend_attributes, without quotes.
std::optional<std::string_view> find_frontend_attribute(std::string_view text,
                                                        std::string_view key);

/// One side of sparsity_config: of `of` elements along `dimension`, `kept` are
/// stored, and operand `operand` says which.
struct Sparsity {
  bool is_rhs = false;
  int64_t kept = 1;
  int64_t of = 1;
  int64_t dimension = 0;
  int64_t operand = 0;
};

/// {rhs={sparsity=2x4 dimension=0 stride=1 idx=2}}.
std::vector<Sparsity> read_sparsity(std::string_view text);

/// The structure of a tuple of values of which only the nesting is known.
struct Nesting {
  bool is_leaf = true;
  std::vector<Nesting> elements;
};

/// origin={({"a"}, {"b" {0}})}: where each leaf came from.
std::optional<Nesting> read_origin(std::string_view text);

/// The part of a shape at an index, or null where there is none.
const Shape* find_subshape(const Shape& shape, const Index& index);

}  // namespace hlo
