#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "conformance/shrink/candidates.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/parser.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// The type that is the plain one of its class.
ElementType plain(ElementType type) {
  switch (type_class(type)) {
    case TypeClass::kFloat:
      return ElementType::kF32;
    case TypeClass::kSigned:
    case TypeClass::kUnsigned:
      return ElementType::kS32;
    case TypeClass::kComplex:
      return ElementType::kC64;
    default:
      return type;
  }
}

Shape with_type(Shape shape, ElementType from, ElementType to) {
  if (shape.element_type == from) shape.element_type = to;
  for (Shape& element : shape.tuple_shapes) {
    element = with_type(element, from, to);
  }
  return shape;
}

Literal real_parts(const Literal& array) {
  const ElementType type = component_type(array.type());
  Literal parts(with_type(array.shape(), array.type(), type));
  for (int64_t i = 0; i < array.element_count(); ++i) {
    parts.set(i, {.type = type, .bits = {array.at(i).bits[0]}});
  }
  return parts;
}

/// The values in the other type, by the reference's `convert`; of complex ones
/// that become real the first part.
Literal converted(const Literal& array, ElementType from, ElementType to) {
  if (array.type() != from) return array;
  if (is_complex(from) && !is_complex(to)) {
    return converted(real_parts(array), component_type(from), to);
  }
  Shape shape = array.shape();
  shape.layout.reset();
  const Module module = verified_module(
      "HloModule m\n\nENTRY e {\n  p = " + to_string(shape) +
      " parameter(0)\n  ROOT r = " + to_string(with_type(shape, from, to)) +
      " convert(p)\n}\n");
  return evaluate(module, {array});
}

void change_type(Edit& edit, ElementType from, ElementType to) {
  for (const auto& computation : edit.module().computations) {
    for (const auto& instruction : computation->instructions) {
      instruction->shape = with_type(instruction->shape, from, to);
      if (instruction->literal != nullptr) {
        instruction->literal = std::make_shared<Literal>(
            converted(*instruction->literal, from, to));
      }
    }
  }
  if (edit.module().entry_layout) {
    auto* const layout = &*edit.module().entry_layout;
    for (Shape& shape : layout->parameters) shape = with_type(shape, from, to);
    layout->result = with_type(layout->result, from, to);
  }
  for (const Instruction* parameter : edit.entry().parameters) {
    for (Literal& leaf : edit.leaves(*parameter)) {
      leaf = converted(leaf, from, to);
    }
  }
}

bool has_layout(const Shape& shape) {
  return std::ranges::any_of(leaves(shape), [](const Shape* leaf) {
    return leaf->layout && *leaf->layout != default_layout(leaf->rank());
  });
}

Shape plain_shape(Shape shape) {
  shape.layout.reset();
  for (Shape& element : shape.tuple_shapes) element = plain_shape(element);
  return shape;
}

/// Tiles that are shorter in one of their dimensions: fewer elements reach
/// across one.
void add_smaller_tiles(const Shape& shape, size_t c, size_t i,
                       const std::shared_ptr<const Program>& program,
                       Candidates& candidates) {
  if (!shape.is_array() || !shape.layout) return;
  const std::vector<Tile>& tiles = shape.layout->tiles;
  for (size_t t = 0; t < tiles.size(); ++t) {
    for (size_t d = 0; d < tiles[t].dims.size(); ++d) {
      if (tiles[t].dims[d] <= 2) continue;
      candidates.emplace_back([program, c, i, t, d] {
        Edit edit(*program);
        edit.at(c, i).shape.layout->tiles.at(t).dims.at(d) = 2;
        return edit.finish();
      });
    }
  }
}

}  // namespace

Candidates plain_types(const Failing& failing) {
  Candidates candidates;
  const auto program = std::make_shared<const Program>(failing.program);
  std::set<ElementType> types;
  const Module module = text::parse(failing.program.hlo);
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      for (const Shape* leaf : leaves(instruction->shape)) {
        types.insert(leaf->element_type);
      }
    }
  }
  for (const ElementType from : types) {
    std::vector<ElementType> simpler = {plain(from)};
    if (is_complex(from)) simpler.insert(simpler.begin(), ElementType::kF32);
    for (const ElementType to : simpler) {
      if (to == from) continue;
      candidates.emplace_back([program, from, to] {
        Edit edit(*program);
        change_type(edit, from, to);
        return edit.finish();
      });
    }
  }
  return candidates;
}

Candidates plain_layouts(const Failing& failing) {
  Candidates candidates;
  const auto program = std::make_shared<const Program>(failing.program);
  const Module module = text::parse(failing.program.hlo);
  if (module.entry_layout) {
    candidates.emplace_back([program] {
      Edit edit(*program);
      edit.module().entry_layout.reset();
      return edit.finish();
    });
  }
  for (size_t c = 0; c < module.computations.size(); ++c) {
    const auto& instructions = module.computations[c]->instructions;
    for (size_t i = 0; i < instructions.size(); ++i) {
      if (!has_layout(instructions[i]->shape)) continue;
      candidates.emplace_back([program, c, i] {
        Edit edit(*program);
        Shape& shape = edit.at(c, i).shape;
        shape = plain_shape(shape);
        return edit.finish();
      });
      add_smaller_tiles(instructions[i]->shape, c, i, program, candidates);
    }
  }
  return candidates;
}

}  // namespace hlo::conformance
