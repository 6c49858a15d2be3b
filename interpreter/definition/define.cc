#include "interpreter/definition/define.h"

#include <map>
#include <stdexcept>
#include <utility>

#include "interpreter/definition/fold_terms.h"
#include "interpreter/definition/generate.h"
#include "interpreter/definition/numbers/element_conversion.h"
#include "interpreter/definition/sum_of_products.h"
#include "interpreter/rules/dimensions/updates_rule.h"
#include "interpreter/rules/work.h"
#include "interpreter/run/evaluator.h"

namespace hlo::definition {
namespace {

/// A literal for each result, as one value.
Literal as_value(std::vector<Literal> results, const Shape& shape) {
  return shape.is_tuple() ? Literal::tuple(std::move(results)) : results[0];
}

/// The element of each of the arrays.
Scalars at(Operands arrays, const Index& index) {
  Scalars scalars;
  for (const Literal& array : arrays) scalars.push_back(array.at(index));
  return scalars;
}

/// Operands of other dimensions than the result's are scalars.
Literal by_element(const Instruction& instruction, Operands operands) {
  return generate(instruction.shape, [&](const Index& index) {
    Scalars scalars;
    for (const Literal& operand : operands) {
      const bool is_array = same_dims(operand.shape(), instruction.shape);
      scalars.push_back(is_array ? operand.at(index) : operand.scalar());
    }
    return instruction.op->element(instruction, scalars);
  });
}

Literal by_source(const Instruction& instruction, Operands operands) {
  return generate(instruction.shape, [&](const Index& index) {
    const Origin origin = instruction.op->source(instruction, operands, index);
    if (origin.operand == Origin::kZero) {
      return Scalar{instruction.shape.element_type, {}};
    }
    return operands[static_cast<size_t>(origin.operand)].at(origin.index);
  });
}

Literal by_terms(const Instruction& instruction, Operands operands) {
  return generate(instruction.shape, [&](const Index& index) {
    const auto terms = [&](const VisitTerm& visit) {
      instruction.op->terms(instruction, operands, index, visit);
    };
    return sum_of_products(operands, terms, instruction.shape.element_type);
  });
}

/// Arrays for the results, zeros at first.
std::vector<Literal> empty_results(const Shape& shape) {
  std::vector<Literal> results;
  for (const Shape* leaf : leaves(shape)) results.emplace_back(*leaf);
  return results;
}

void set(std::vector<Literal>& results, int64_t position,
         const Scalars& values) {
  for (size_t k = 0; k < results.size(); ++k) {
    results[k].set(position, convert(values[k], results[k].type()));
  }
}

Literal by_cells(const Instruction& fold, Operands operands,
                 Evaluator& evaluator) {
  const Computation& region = *fold.get<Computation*>("to_apply");
  const size_t inputs = operands.size() / 2;
  std::vector<Literal> results = empty_results(fold.shape);
  for (int64_t i = 0; i < results[0].element_count(); ++i) {
    const Index index = delinearize(i, results[0].shape().dims);
    const auto terms = [&](const VisitScalars& visit) {
      fold.op->cells(fold, index, [&](const Index& cell) {
        visit(at(operands.first(inputs), cell));
      });
    };
    set(results, i,
        fold_terms(region, at(operands.subspan(inputs), {}), terms,
                   ExactFolds::kSumsAndProducts, evaluator));
  }
  return as_value(std::move(results), fold.shape);
}

/// Elements that nothing updates keep their bits. Of what updates do only sums
/// have no order (spec/ops/scatter.md).
Literal by_updates(const Instruction& instruction, Operands operands,
                   Evaluator& evaluator) {
  Updates updates = instruction.op->updates(instruction, operands, evaluator);
  std::vector<Literal>& results = updates.initial;
  std::map<int64_t, std::vector<Scalars>> terms;  // by position in the result
  for (const auto& [target, source] : in_order(updates)) {
    const Index index = delinearize(source, updates.sources[0].shape().dims);
    terms[target].push_back(at(updates.sources, index));
  }
  for (const auto& [position, own] : terms) {
    const Index index = delinearize(position, results[0].shape().dims);
    const auto each = [&own = own](const VisitScalars& visit) {
      for (const Scalars& term : own) visit(term);
    };
    set(results, position,
        fold_terms(*updates.region, at(results, index), each, ExactFolds::kSums,
                   evaluator));
  }
  return as_value(std::move(results), instruction.shape);
}

}  // namespace

Literal define(const Instruction& instruction, Operands operands,
               Evaluator& evaluator) {
  const Op& op = *instruction.op;
  evaluator.budget().spend(work_by_definition(instruction));
  if (op.element != nullptr) return by_element(instruction, operands);
  if (op.source != nullptr) return by_source(instruction, operands);
  if (op.cells != nullptr) return by_cells(instruction, operands, evaluator);
  if (op.terms != nullptr) return by_terms(instruction, operands);
  if (op.updates != nullptr) {
    return by_updates(instruction, operands, evaluator);
  }
  if (op.value != nullptr) return op.value(instruction, operands, evaluator);
  throw std::logic_error("an operation without a definition is evaluated");
}

}  // namespace hlo::definition
