#include "interpreter/plans/sort/sort_key.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "interpreter/plans/region/map_region.h"
#include "interpreter/plans/sort/key_match.h"

namespace hlo {
namespace {

// Matching follows the operands as deep as they go.
constexpr size_t kMostMatched = 256;
constexpr size_t kMostKeys = 5;  // 3^5 ways in which they stand to each other

bool is_comparison(const Instruction& value) {
  return value.op->facts.behaviour.kind == Behaviour::Kind::kCompare;
}

bool is_total(const Instruction& comparison) {
  const AttributeValue* type = comparison.find("type");
  return type != nullptr && std::get<Word>(*type).value == "TOTALORDER";
}

bool holds(int order, const std::string& direction) {
  if (direction == "EQ") return order == 0;
  if (direction == "NE") return order != 0;
  if (direction == "LT") return order < 0;
  if (direction == "LE") return order <= 0;
  return direction == "GT" ? order > 0 : order >= 0;
}

/// How keys stand to each other, by a number below 3^keys: whether key k of
/// side a is less (-1), equal (0) or greater (1).
int order_of(size_t key, size_t way) {
  for (; key > 0; --key) way /= 3;
  return static_cast<int>(way % 3) - 1;
}

/// A comparison of a key, as it is written.
struct KeyComparison {
  size_t key;
  bool left_is_first;
  std::string direction;

  bool in(size_t way) const {
    const int order = order_of(key, way);
    return holds(left_is_first ? order : -order, direction);
  }
};

/// A comparator as a region of the comparisons of keys that it makes.
class Decision {
 public:
  explicit Decision(const Computation& comparator) : comparator_(comparator) {
    region_.root = copy(*comparator.root);
  }

  bool is_known() const { return region_.root != nullptr && !keys_.empty(); }

  std::vector<SortKey>& keys() { return keys_; }

  /// What the comparator returns for each way in which the keys can stand.
  std::vector<bool> try_all(Evaluator& evaluator) const {
    size_t ways = 1;
    for (size_t k = 0; k < keys_.size(); ++k) ways *= 3;
    const Shape shape =
        Shape::array(ElementType::kPred, {static_cast<int64_t>(ways)});
    std::vector<Literal> truths;
    for (const KeyComparison& comparison : comparisons_) {
      Literal& truth = truths.emplace_back(shape);
      for (size_t way = 0; way < ways; ++way) {
        truth.mutable_data<uint8_t>()[way] = comparison.in(way) ? 1 : 0;
      }
    }
    const Literal answers =
        apply_to_elements(region_, truths, shape, evaluator);
    const auto codes = answers.data<uint8_t>();
    return {codes.begin(), codes.end()};
  }

 private:
  /// The value in the region, or null where it is no function of comparisons.
  Instruction* copy(const Instruction& value) {
    const auto known = copies_.find(&value);
    if (known != copies_.end()) return known->second;
    return copies_[&value] = copy_new(value);
  }

  Instruction* copy_new(const Instruction& value) {
    if (!value.shape.is_scalar()) return nullptr;
    if (Instruction* comparison = compare_keys(value)) return comparison;
    const Form form = value.op->form;
    const bool is_step = form == Form::kPlain || form == Form::kIdentity;
    const bool is_constant =
        form == Form::kConstant && value.literal != nullptr;
    if (!is_constant && (!is_step || value.op->element == nullptr)) {
      return nullptr;
    }
    auto step = std::make_unique<Instruction>(value);
    for (Instruction*& operand : step->operands) {
      operand = copy(*operand);
      if (operand == nullptr) return nullptr;
    }
    return append(std::move(step));
  }

  /// A parameter for the value, if it compares keys.
  Instruction* compare_keys(const Instruction& value) {
    if (!is_comparison(value) ||
        is_complex(value.operand_shape(0).element_type)) {
      return nullptr;
    }
    auto matched = match_key(*value.operands[0], *value.operands[1]);
    if (!matched) return nullptr;
    const bool left_is_first = matched->left_is_first;
    const size_t key = number_of(value, std::move(*matched));
    if (key == kMostKeys) return nullptr;
    auto parameter = std::make_unique<Instruction>(*comparator_.parameters[0]);
    parameter->parameter_number = std::ssize(comparisons_);
    parameter->shape = value.shape;
    comparisons_.push_back(
        {key, left_is_first, value.get<Word>("direction").value});
    region_.parameters.push_back(append(std::move(parameter)));
    return region_.parameters.back();
  }

  /// The number of the key that the value compares; kMostKeys: too many.
  size_t number_of(const Instruction& value, MatchedKey matched) {
    const bool in_order = matched.left_is_first;
    const auto [place, is_new] = numbers_.try_emplace(
        {value.operands[in_order ? 0 : 1], value.operands[in_order ? 1 : 0],
         is_total(value)},
        keys_.size());
    if (is_new && keys_.size() < kMostKeys) {
      keys_.push_back(
          {matched.operand, is_total(value), false, std::move(matched.key)});
    }
    return place->second;
  }

  Instruction* append(std::unique_ptr<Instruction> instruction) {
    instruction->parent = &region_;
    instruction->position = std::ssize(region_.instructions);
    region_.instructions.push_back(std::move(instruction));
    return region_.instructions.back().get();
  }

  const Computation& comparator_;
  Computation region_;
  std::map<const Instruction*, Instruction*> copies_;
  std::vector<SortKey> keys_;
  std::map<std::tuple<const Instruction*, const Instruction*, bool>, size_t>
      numbers_;
  std::vector<KeyComparison> comparisons_;
};

/// What a comparator returns, for each way in which its keys can stand.
class Ranking {
 public:
  Ranking(std::vector<bool> answers, size_t keys)
      : answers_(std::move(answers)), open_(keys) {
    std::iota(open_.begin(), open_.end(), 0);
  }

  /// The next key of those that decide, and whether by the greatest.
  std::optional<std::pair<size_t, bool>> next() {
    for (const size_t key : open_) {
      const auto less = answer(key, -1);
      const auto greater = answer(key, 1);
      if (!less || !greater || *less == *greater) continue;
      std::erase(open_, key);
      settled_.push_back(key);
      return std::pair{key, *greater};
    }
    return std::nullopt;
  }

  /// Whether nothing comes before what is equal in the keys so far.
  bool is_complete() const { return answer(settled_.back(), 0) == false; }

 private:
  /// The one answer where this key stands so and all settled ones are equal.
  std::optional<bool> answer(size_t key, int order) const {
    std::optional<bool> found;
    for (size_t way = 0; way < answers_.size(); ++way) {
      const bool counts =
          order_of(key, way) == order &&
          std::ranges::all_of(settled_, [&](size_t settled) {
            return settled == key || order_of(settled, way) == 0;
          });
      if (!counts) continue;
      if (found && *found != answers_[way]) return std::nullopt;
      found = answers_[way];
    }
    return found;
  }

  std::vector<bool> answers_;
  std::vector<size_t> open_;
  std::vector<size_t> settled_;
};

}  // namespace

std::optional<SortKey> find_key(const Computation& comparator) {
  const Instruction& root = *comparator.root;
  if (!is_comparison(root) || comparator.instructions.size() > kMostMatched) {
    return std::nullopt;
  }
  const std::string& direction = root.get<Word>("direction").value;
  if (direction != "LT" && direction != "GT") return std::nullopt;
  auto matched = match_key(*root.operands[0], *root.operands[1]);
  if (!matched) return std::nullopt;
  return SortKey{matched->operand, is_total(root),
                 (direction == "GT") == matched->left_is_first,
                 std::move(matched->key)};
}

std::vector<SortKey> find_keys(const Computation& comparator,
                               Evaluator& evaluator) {
  std::vector<SortKey> found;
  if (auto key = find_key(comparator)) {
    found.push_back(*std::move(key));
    return found;
  }
  if (comparator.instructions.size() > kMostMatched) return {};
  Decision decision(comparator);
  if (!decision.is_known()) return {};
  Ranking ranking(decision.try_all(evaluator), decision.keys().size());
  while (const auto next = ranking.next()) {
    SortKey& key = found.emplace_back(std::move(decision.keys()[next->first]));
    key.descending = next->second;
  }
  if (found.empty() || !ranking.is_complete()) return {};
  return found;
}

}  // namespace hlo
