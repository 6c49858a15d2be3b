#include "conformance/tiers/laid_out_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "backends/backend.h"
#include "conformance/judge/prepared_case.h"
#include "conformance/literals/content_hash.h"
#include "conformance/random/draw.h"
#include "conformance/tiers/drawn_layout.h"
#include "interpreter/model/element_type.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/printer.h"

namespace hlo::conformance {
namespace {

/// Draws layouts for the arrays of a program.
class Layouts {
 public:
  Layouts(Module& module, uint64_t seed) : module_(module), draw_(seed) {
    for (const auto& computation : module.computations) {
      for (const auto& instruction : computation->instructions) {
        find_fixed(*instruction);
      }
    }
  }

  /// Whether any array lies otherwise then.
  bool draw_ends() {
    EntryLayout ends;
    const std::vector<Shape> arguments = argument_shapes(module_);
    const Shape* next = arguments.data();
    for (const Instruction* parameter : module_.entry->parameters) {
      ends.parameters.push_back(parameter->shape);
      state(ends.parameters.back(), next);
      draw(*parameter, ends.parameters.back());
    }
    const std::vector<Shape> results = result_shapes(module_);
    const Shape* result = results.data();
    ends.result = module_.entry->root->shape;
    state(ends.result, result);
    draw(*module_.entry->root, ends.result);
    module_.entry_layout = std::move(ends);
    return changed_;
  }

  bool draw_instructions() {
    for (const auto& computation : module_.computations) {
      for (const auto& instruction : computation->instructions) {
        const bool is_argument = instruction->parameter_number >= 0 &&
                                 computation.get() == module_.entry;
        if (!is_argument && draw_.one_in(2)) {
          draw(*instruction, instruction->shape);
        }
      }
    }
    return changed_;
  }

 private:
  /// What moves elements, but does not say where each comes from, is a bitcast:
  /// it takes the bits as the layouts of both have them.
  void find_fixed(const Instruction& instruction) {
    const Op& op = *instruction.op;
    if (op.form != Form::kMovement || op.source != nullptr) return;
    fixed_.insert(&instruction);
    fixed_.insert(instruction.operands[0]);
  }

  /// The layouts that the program states for the leaves of a shape.
  static void state(Shape& shape, const Shape*& next) {
    if (shape.is_array()) shape.layout = (next++)->layout;
    for (Shape& part : shape.tuple_shapes) state(part, next);
  }

  void draw(const Instruction& instruction, Shape& shape) {
    if (fixed_.contains(&instruction)) return;
    for (Shape& part : shape.tuple_shapes) draw(instruction, part);
    // Sizes of run time may stand in front of the elements.
    if (!shape.is_array() || shape.has_dynamic_dimensions()) return;
    Shape drawn = Shape::array(shape.element_type, shape.dims);
    draw_layout(draw_, drawn);
    if (!drawn.layout) return;
    drawn.layout->element_size_in_bits = element_size(shape.element_type);
    if (drawn.layout == shape.layout) return;
    shape.layout = std::move(drawn.layout);
    changed_ = true;
  }

  /// Slots of the type's own width, or packed, or of twice the width.
  int64_t element_size(ElementType type) {
    constexpr int kByte = 8;
    const bool is_packed = type != ElementType::kPred && bits(type) < kByte;
    if (is_packed && draw_.one_in(2)) return bits(type);
    const int64_t twice = int64_t{2} * kByte * storage_bytes(type);
    return twice <= 64 && draw_.one_in(8) ? twice : 0;
  }

  Module& module_;
  Draw draw_;
  std::set<const Instruction*> fixed_;
  bool changed_ = false;
};

bool must_be_refused(const Case& c) {
  return std::ranges::any_of(c.expect, [](const Expectation& expectation) {
    return std::holds_alternative<RejectedSet>(expectation);
  });
}

/// The first 64 bits of the hash of what says what is drawn.
uint64_t seed_of(const Case& c, uint32_t seed) {
  constexpr size_t kDigits = 16;
  constexpr int kHexadecimal = 16;
  const std::string hash = sha256(fmt::format("{} {}", seed, c.id));
  return std::stoull(hash.substr(0, kDigits), nullptr, kHexadecimal);
}

/// The case with layouts of the ends of its program, and of instructions;
/// nothing where that is not a program, or the same one.
std::optional<Case> drawn_case(const Case& c, uint32_t seed,
                               bool has_instructions) {
  PreparedCase prepared = prepare(c);
  if (!prepared.is_ready) return std::nullopt;
  Layouts layouts(*prepared.module, seed_of(c, seed));
  bool changed = layouts.draw_ends();
  if (has_instructions) changed = layouts.draw_instructions();
  if (!changed) return std::nullopt;
  Case drawn = c;
  drawn.id = laid_out_id(c, seed);
  drawn.hlo = text::print(*prepared.module);
  drawn.stablehlo.clear();
  return prepare(drawn).is_ready ? std::optional(std::move(drawn))
                                 : std::nullopt;
}

}  // namespace

std::string laid_out_id(const Case& c, uint32_t seed) {
  return fmt::format("{}.layouts-{}", c.id, seed);
}

std::optional<Case> laid_out_again(const Case& c, uint32_t seed) {
  if (must_be_refused(c)) return std::nullopt;
  // Some instructions must have the layouts of others.
  if (auto drawn = drawn_case(c, seed, true)) return drawn;
  return drawn_case(c, seed, false);
}

std::vector<Case> laid_out_cases(const std::vector<Case>& cases, uint32_t seed,
                                 int64_t count) {
  Draw draw(seed);
  std::map<int64_t, Case> chosen;  // by place among the cases
  for (const int64_t k : draw.permutation(std::ssize(cases))) {
    if (std::ssize(chosen) == count) break;
    auto drawn = laid_out_again(cases[static_cast<size_t>(k)], seed);
    if (drawn) chosen.emplace(k, *std::move(drawn));
  }
  std::vector<Case> drawn;
  for (auto& [place, c] : chosen) drawn.push_back(std::move(c));
  return drawn;
}

}  // namespace hlo::conformance
