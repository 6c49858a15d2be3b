#include "interpreter/plans/region/region.h"

#include <algorithm>
#include <array>
#include <utility>

#include "interpreter/model/storage.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/plans/region/compile_program.h"

namespace hlo {
namespace {

void add_types(const Shape& shape, std::vector<ElementType>& types) {
  for (const Shape* leaf : leaves(shape)) types.push_back(leaf->element_type);
}

/// Element i of arrays, one for each leaf of `shape`, the next of which is
/// *array.
Literal element_of(const Shape& shape, const std::byte* const*& array,
                   int64_t i) {
  if (shape.is_tuple()) {
    std::vector<Literal> elements;
    for (const Shape& element : shape.tuple_shapes) {
      elements.push_back(element_of(element, array, i));
    }
    return Literal::tuple(std::move(elements));
  }
  Literal element = Literal::uninitialized(Shape::scalar(shape.element_type));
  const int64_t width = storage_bytes(shape.element_type);
  std::copy_n(*array++ + i * width, width, element.mutable_bytes().data());
  return element;
}

}  // namespace

Region::Region(const Computation& computation, Evaluator& evaluator, Runs runs,
               const Ints& dims)
    : computation_(computation), evaluator_(evaluator), runs_(runs) {
  if (evaluator.options().plans.contains(PlanFamily::kRegion)) {
    program_ = compile_program(computation, dims, evaluator.budget());
  }
  for (const Instruction* parameter : computation.parameters) {
    add_types(parameter->shape, inputs_);
  }
  add_types(computation.root->shape, outputs_);
}

Region::Scratch::Scratch(const Region& region, int64_t capacity)
    : meter_(region.evaluator_) {
  if (!region.program_) return;
  program_.emplace(*region.program_, capacity, meter_,
                   region.runs_ == Runs::kOneByOne);
}

void Region::run(Scratch& scratch, int64_t n, const std::byte* const* inputs,
                 std::byte* const* outputs) const {
  if (!program_) return run_one_by_one(n, inputs, outputs);
  program_->run(*scratch.program_, n, inputs, outputs);
}

void Region::run_one_by_one(int64_t n, const std::byte* const* inputs,
                            std::byte* const* outputs) const {
  for (int64_t i = 0; i < n; ++i) {
    std::vector<Literal> arguments;
    const std::byte* const* next = inputs;
    for (const Instruction* parameter : computation_.parameters) {
      arguments.push_back(element_of(parameter->shape, next, i));
    }
    const Literal result = evaluator_.call(computation_, std::move(arguments));
    std::byte* const* output = outputs;
    for (const Literal* leaf : leaves(result)) {
      std::ranges::copy(leaf->bytes(),
                        *output++ + i * storage_bytes(leaf->type()));
    }
  }
}

std::vector<Scalar> Region::apply(Scratch& scratch,
                                  std::span<const Scalar> inputs) const {
  struct alignas(16) Element {
    std::array<std::byte, 16> bytes;
  };

  std::vector<Element> elements(inputs.size() + outputs_.size());
  std::vector<const std::byte*> sources(inputs.size());
  for (size_t k = 0; k < inputs.size(); ++k) {
    const ElementType type = inputs_.at(k);
    const bool fits = inputs[k].type == type;
    const Scalar input =
        fits ? inputs[k] : converted(Literal::of(inputs[k]), type).scalar();
    store(type, input.bits, elements[k].bytes.data());
    sources[k] = elements[k].bytes.data();
  }
  std::vector<std::byte*> targets(outputs_.size());
  for (size_t k = 0; k < outputs_.size(); ++k) {
    targets[k] = elements[inputs.size() + k].bytes.data();
  }
  run(scratch, 1, sources.data(), targets.data());
  std::vector<Scalar> scalars;
  scalars.reserve(outputs_.size());
  for (size_t k = 0; k < outputs_.size(); ++k) {
    scalars.push_back({outputs_[k], load(outputs_[k], targets[k])});
  }
  return scalars;
}

void Region::parallel_for(
    int64_t n, int64_t grain,
    const std::function<void(int64_t, int64_t)>& body) const {
  if (is_compiled()) return evaluator_.parallel_for(n, grain, body);
  if (n > 0) body(0, n);
}

}  // namespace hlo
