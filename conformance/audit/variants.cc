#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "conformance/audit/batched.h"
#include "conformance/audit/trial.h"
#include "conformance/expect/expect_module.h"
#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// More elements than that are not written into a program.
constexpr int64_t kMostConstant = 4096;
/// Arrays of a variant have at most so many elements in all.
constexpr int64_t kMostElements = int64_t{1} << 20;

std::vector<Leaves> as_it_is(const Leaves& results) { return {results}; }

int64_t elements_of(const Leaves& leaves) {
  return std::accumulate(leaves.begin(), leaves.end(), int64_t{0},
                         [](int64_t sum, const Literal& leaf) {
                           return sum + leaf.element_count();
                         });
}

/// The leaves that belong to a parameter: where they begin, and how many.
std::pair<size_t, size_t> leaves_of(const Module& module, int64_t number) {
  std::pair<size_t, size_t> found;
  for (const Instruction* parameter : module.entry->parameters) {
    if (parameter->parameter_number > number) break;
    found.first += found.second;
    found.second = 0;
    for (const Shape* leaf : leaves(parameter->shape)) {
      if (leaf->is_array()) ++found.second;
    }
  }
  return found;
}

/// Collects variants of one program.
class Variants {
 public:
  explicit Variants(const Program& program)
      : program_(program),
        module_(verified_module(program.hlo)),
        result_(run_reference(module_, program.inputs)) {}

  std::vector<Variant> all() {
    add_constants();
    add_parameters();
    if (module_.entry->parameters.empty() && !found_.empty()) {
      const Program given = found_.back().program;
      Variants inner(given);
      inner.add_arranged();
      std::ranges::move(inner.found_, std::back_inserter(found_));
    } else {
      add_arranged();
    }
    return std::move(found_);
  }

 private:
  /// Takes it where the reference returns the same bits.
  void add(Variant variant) {
    try {
      const Module module = verified_module(variant.program.hlo);
      const auto all =
          variant.back(run_reference(module, variant.program.inputs));
      const bool same = std::ranges::all_of(all, [&](const Leaves& leaves) {
        return std::ranges::equal(leaves, result_, identical);
      });
      if (same) found_.push_back(std::move(variant));
    } catch (const Error&) {  // it is no program, or takes too much
    }
  }

  /// Adds the same values in other layouts, shapes and places.
  void add_arranged() {
    add_layouts();
    add_rows();
    add_moved();
  }

  /// Adds what the edit makes of the program.
  template <typename Change>
  void add_edited(Cause cause, std::string what, const Change& change) {
    try {
      Edit edit(program_);
      if (!change(edit)) return;
      add({cause, std::move(what), edit.finish(), as_it_is});
    } catch (const Error&) {  // it has no such form
    }
  }

  void add_constants() {
    add_edited(Cause::kConstants, "parameters as constants", [](Edit& edit) {
      bool any = false;
      const std::vector<Instruction*> parameters = edit.entry().parameters;
      for (Instruction* one : parameters) {
        const auto values = edit.leaves(*one);
        const bool fits = one->shape.is_array() && values.size() == 1 &&
                          values[0].element_count() <= kMostConstant &&
                          !one->shape.has_dynamic_dimensions();
        if (!fits) continue;
        edit.make_constant(*one, values[0]);
        any = true;
      }
      return any;
    });
  }

  void add_parameters() {
    add_edited(Cause::kParameters, "constants as parameters", [](Edit& edit) {
      bool any = false;
      for (const auto& one : edit.entry().instructions) {
        if (one->op->form != Form::kConstant || one->literal == nullptr ||
            !one->shape.is_array()) {
          continue;
        }
        const Literal value = *one->literal;
        edit.make_parameter(*one, value);
        any = true;
      }
      return any;
    });
  }

  void add_layouts() {
    for (const bool of_results : {false, true}) {
      const char* what = of_results ? "results in the reverse order"
                                    : "arguments in the reverse order";
      try {
        Module module = verified_module(program_.hlo);
        if (!reverse(module, of_results)) continue;
        verify(module);
        add({Cause::kLayout,
             what,
             {text::print(module), program_.inputs},
             as_it_is});
      } catch (const Error&) {  // this layout is not allowed
      }
    }
  }

  /// Whether an array has more than one order.
  static bool reverse(Shape& shape) {
    bool any = false;
    for (Shape& element : shape.tuple_shapes) any = reverse(element) || any;
    if (!shape.is_array()) return any;
    Layout layout = shape.layout ? *shape.layout : default_layout(shape.rank());
    std::ranges::reverse(layout.minor_to_major);
    shape.layout = layout;
    return std::ranges::count_if(shape.dims, [](int64_t d) { return d > 1; }) >
           1;
  }

  static bool reverse(Module& module, bool of_results) {
    EntryLayout layout;
    for (const Instruction* parameter : module.entry->parameters) {
      layout.parameters.push_back(parameter->shape);
    }
    layout.result = module.entry->root->shape;
    if (module.entry_layout) layout = *module.entry_layout;
    bool any = false;
    if (of_results) {
      any = reverse(layout.result);
    } else {
      for (Shape& shape : layout.parameters) any = reverse(shape) || any;
    }
    module.entry_layout = layout;
    return any;
  }

  /// Sets of parameters that may have rows: arrays, all, the first array.
  std::vector<std::set<int64_t>> row_parameters() const {
    std::set<int64_t> arrays;
    std::set<int64_t> all;
    for (const Instruction* parameter : module_.entry->parameters) {
      const int64_t number = parameter->parameter_number;
      all.insert(number);
      if (!parameter->shape.is_scalar()) arrays.insert(number);
    }
    std::vector<std::set<int64_t>> sets;
    if (!arrays.empty()) sets.push_back(arrays);
    if (!all.empty() && (arrays.empty() || !batched(program_, 1, arrays))) {
      sets = {all};
    }
    if (arrays.size() > 1) sets.push_back({*arrays.begin()});
    return sets;
  }

  void add_rows() {
    for (const std::set<int64_t>& numbers : row_parameters()) {
      const std::string who =
          numbers.size() < module_.entry->parameters.size()
              ? fmt::format(" of parameter {}",
                            fmt::join(numbers.begin(), numbers.end(), ", "))
              : "";
      for (const int64_t rows : {1, 3, 17}) add_rows(rows, numbers, who);
    }
  }

  void add_rows(int64_t rows, const std::set<int64_t>& numbers,
                const std::string& who) {
    if (rows * (elements_of(program_.inputs) + elements_of(result_)) >
        kMostElements) {
      return;
    }
    const auto program = batched(program_, rows, numbers);
    if (!program) return;
    const auto back = [rows](const Leaves& results) {
      std::vector<Leaves> all;
      for (int64_t row = 0; row < rows; ++row) {
        Leaves& leaves = all.emplace_back();
        for (const Literal& array : results) {
          leaves.push_back(row_of(array, row));
        }
      }
      return all;
    };
    if (rows == 1) {
      add({Cause::kRank, "one row" + who, *program, back});
      return;
    }
    add({Cause::kBatch, fmt::format("{} equal rows{}", rows, who), *program,
         back});
    for (const int64_t row : {int64_t{0}, rows / 2, rows - 1}) {
      add_neighbours(row, rows, numbers, who, *program);
    }
  }

  /// The values in one row only, and those of other elements beside them.
  void add_neighbours(int64_t row, int64_t rows,
                      const std::set<int64_t>& numbers, const std::string& who,
                      Program program) {
    for (const int64_t number : numbers) {
      const auto [first, count] = leaves_of(module_, number);
      for (size_t k = first; k < first + count; ++k) {
        const Literal other = turned(program_.inputs.at(k), 1);
        for (int64_t r = 0; r < rows; ++r) {
          if (r != row) put_row(program.inputs.at(k), r, other);
        }
      }
    }
    add({Cause::kNeighbours,
         fmt::format("row {} of {}, other values beside it{}", row, rows, who),
         std::move(program), [row](const Leaves& results) {
           Leaves leaves;
           for (const Literal& array : results) {
             leaves.push_back(row_of(array, row));
           }
           return std::vector<Leaves>{leaves};
         }});
  }

  /// The elements further on by so many, in row-major order, the last ones in
  /// front.
  static Literal turned(const Literal& array, int64_t by) {
    const int64_t count = array.element_count();
    Literal result(Shape::array(array.type(), array.shape().dims));
    for (int64_t i = 0; i < count; ++i) {
      result.set((i + by) % count, array.at(i));
    }
    return result;
  }

  /// Whether each element of the result is made of those at its place.
  bool goes_by_elements() const {
    return std::ranges::all_of(
        module_.entry->instructions, [&](const auto& one) {
          const Shape& shape = one->shape;
          const bool fits = shape.is_array() &&
                            !shape.has_dynamic_dimensions() &&
                            (shape.is_scalar() ||
                             same_dims(shape, module_.entry->root->shape));
          const bool is_source =
              one->op->form == Form::kParameter ||
              (one->op->form == Form::kConstant && shape.is_scalar());
          const bool spreads = one->operands.size() == 1 &&
                               one->operand_shape(0).is_scalar() &&
                               one->op->moving.is_affine;
          return fits && (is_source || spreads || one->op->element != nullptr);
        });
  }

  void add_moved() {
    if (!goes_by_elements()) return;
    const int64_t count = module_.entry->root->shape.element_count();
    for (const int64_t by : {1, 3, 5}) {
      if (by >= count) break;
      Program program = program_;
      for (Literal& input : program.inputs) {
        if (!input.shape().is_scalar()) input = turned(input, by);
      }
      add({Cause::kPosition, fmt::format("elements further on by {}", by),
           std::move(program), [by, count](const Leaves& results) {
             Leaves leaves;
             for (const Literal& array : results) {
               leaves.push_back(turned(array, count - by));
             }
             return std::vector<Leaves>{leaves};
           }});
    }
  }

  const Program& program_;
  Module module_;
  Leaves result_;
  std::vector<Variant> found_;
};

}  // namespace

std::vector<Variant> variants(const Program& program) {
  return Variants(program).all();
}

}  // namespace hlo::conformance
