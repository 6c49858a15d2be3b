#include "interpreter/text/grammar/read_value.h"

#include "interpreter/shortened.h"
#include "interpreter/text/grammar/read_list.h"
#include "interpreter/text/grammar/read_literal.h"
#include "interpreter/text/grammar/read_replica_groups.h"
#include "interpreter/text/grammar/read_shape.h"
#include "interpreter/text/grammar/read_sharding.h"
#include "interpreter/text/grammar/read_verbatim.h"
#include "interpreter/text/grammar/read_window.h"
#include "interpreter/text/scan/quote.h"

namespace hlo::text {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](char x, char y) { return lower(x) == lower(y); });
}

/// The word's spelling in `words`; nothing where it is not among them. Lists
/// of words (precisions) are read in any case, as XLA prints some in capitals.
std::string find_word(std::string_view words, std::string_view word,
                      bool any_case) {
  if (words.empty()) return std::string(word);
  while (!words.empty()) {
    const std::string_view next = words.substr(0, words.find(' '));
    const bool found =
        any_case ? equal_ignoring_case(next, word) : next == word;
    if (found) return std::string(next);
    words.remove_prefix(std::min(next.size() + 1, words.size()));
  }
  return {};
}

std::string read_word(Scanner& in, const AttributeSpec& spec, bool any_case) {
  const size_t start = in.position();
  const std::string_view word = in.word("a word");
  std::string found = find_word(spec.words, word, any_case);
  if (found.empty()) {
    in.fail_at(start, "text.word",
               std::string(spec.name) + " is " + shortened(word) +
                   ", but must be one of: " + std::string(spec.words));
  }
  return found;
}

Words read_words(Scanner& in, const AttributeSpec& spec) {
  Words words;
  read_list(in, '{', '}', [&] {
    words.values.push_back(read_word(in, spec, /*any_case=*/true));
  });
  return words;
}

Ints read_bools(Scanner& in) {
  if (in.peek() != '{') return {in.boolean() ? 1 : 0};
  Ints values;
  read_list(in, '{', '}', [&] { values.push_back(in.boolean() ? 1 : 0); });
  return values;
}

IntPairs read_pairs(Scanner& in) {
  IntPairs pairs;
  read_list(in, '{', '}', [&] {
    in.expect('{', "before a pair");
    const int64_t first = in.integer("an integer");
    in.expect(',', "between the numbers of a pair");
    pairs.emplace_back(first, in.integer("an integer"));
    in.expect('}', "behind a pair");
  });
  return pairs;
}

Shapes read_shapes(Scanner& in) {
  Shapes shapes;
  read_list(in, '{', '}', [&] { shapes.push_back(read_shape(in)); });
  return shapes;
}

AttributeValue read_json(Scanner& in) {
  if (in.peek() != '{') return in.string();
  return Verbatim{squeeze(in.braces(/*with_comments=*/false),
                          /*with_comments=*/false)};
}

AttributeValue read_text(Scanner& in, AttributeKind kind) {
  using enum AttributeKind;
  switch (kind) {
    case kSharding:
      return Verbatim{read_sharding(in)};
    case kMetadata:
      return Verbatim{read_metadata(in)};
    case kDictionary:
      return Verbatim{read_dictionary(in)};
    case kResultAccuracy:
      return Verbatim{read_result_accuracy(in)};
    case kAliasing:
      return Verbatim{read_aliasing(in)};
    case kDomain:
      return Verbatim{read_domain(in)};
    case kSparsity:
      return Verbatim{read_sparsity(in)};
    default:
      return Verbatim{squeeze(in.braces(/*with_comments=*/true),
                              /*with_comments=*/true)};
  }
}

}  // namespace

AttributeValue read_value(Scanner& in, const AttributeSpec& spec) {
  using enum AttributeKind;
  switch (spec.kind) {
    case kBool:
      return in.boolean();
    case kInt:
      return in.integer("an integer");
    case kString:
      return in.string();
    case kInts:
      return read_ints(in);
    case kBools:
      return read_bools(in);
    case kIntPairs:
      return read_pairs(in);
    case kWindow:
      return read_window(in);
    case kPadding:
      return read_padding(in);
    case kSlice:
      return read_slice(in);
    case kDimLabels:
      return read_dim_labels(in);
    case kReplicaGroups:
      return read_replica_groups(in);
    case kWord:
      return Word{read_word(in, spec, /*any_case=*/false)};
    case kWords:
      return read_words(in, spec);
    case kDecimal:
      return read_decimal(in);
    case kShape:
      return read_shape(in);
    case kShapes:
      return read_shapes(in);
    case kLiteral:
      return std::make_shared<const Literal>(read_literal_with_shape(in));
    case kJson:
      return read_json(in);
    default:
      return read_text(in, spec.kind);
  }
}

}  // namespace hlo::text
