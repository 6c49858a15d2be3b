#include "conformance/audit/batched.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/printer.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

Layout with_rows(Layout layout) {
  for (int64_t& d : layout.minor_to_major) ++d;
  layout.minor_to_major.push_back(0);
  return layout;
}

/// The shape with one more dimension in each array.
Shape with_rows(Shape shape, int64_t rows) {
  if (shape.is_array()) {
    shape.dims.insert(shape.dims.begin(), rows);
    if (!shape.dynamic.empty()) {
      shape.dynamic.insert(shape.dynamic.begin(), false);
    }
    if (shape.layout) shape.layout = with_rows(*shape.layout);
  }
  for (Shape& element : shape.tuple_shapes) element = with_rows(element, rows);
  return shape;
}

// What may become of an attribute that names or describes dimensions.
enum class Change : uint8_t { kMoved, kWithRows, kKept };

/// The attribute beside one more dimension in front, which it says nothing of
/// where dimensions move, and names where it has rows. Nothing where it cannot.
std::optional<AttributeValue> changed(const AttributeValue& value, int64_t rows,
                                      Change change) {
  if (change == Change::kKept) return value;
  AttributeValue result = value;
  if (auto* ints = std::get_if<Ints>(&result)) {
    for (int64_t& d : *ints) ++d;
    if (change == Change::kWithRows) ints->insert(ints->begin(), 0);
    return result;
  }
  if (change == Change::kMoved) {
    auto* const d = std::get_if<int64_t>(&result);
    if (d == nullptr) return std::nullopt;
    ++*d;
    return result;
  }
  if (auto* window = std::get_if<Window>(&result)) {
    window->dims.insert(window->dims.begin(), WindowDimension{});
  } else if (auto* padding = std::get_if<PaddingConfig>(&result)) {
    padding->dims.insert(padding->dims.begin(), PaddingDimension{});
  } else if (auto* slice = std::get_if<SliceConfig>(&result)) {
    slice->dims.insert(slice->dims.begin(), SliceDimension{.limit = rows});
  } else {
    return std::nullopt;
  }
  return result;
}

/// Gives an instruction whose operands have rows the form that has them too.
class RowForm {
 public:
  RowForm(Instruction& instruction, int64_t rows)
      : instruction_(instruction),
        wanted_(with_rows(instruction.shape, rows)),
        rows_(rows) {}

  /// The first form, attribute by attribute, whose result has the rows; whether
  /// there is one. Else the instruction stays as it is.
  bool find() {
    const Shape before = instruction_.shape;
    given_ = instruction_.attributes;
    instruction_.shape = wanted_;
    if (find_from(0)) return true;
    instruction_.attributes = given_;
    instruction_.shape = before;
    return false;
  }

 private:
  bool find_from(size_t k) {
    if (k == given_.size()) return fits();
    for (const Change change :
         {Change::kMoved, Change::kWithRows, Change::kKept}) {
      auto value = changed(given_[k].second, rows_, change);
      if (!value || ++tried_ > kMostTried) continue;
      instruction_.attributes[k].second = *std::move(value);
      if (find_from(k + 1)) return true;
    }
    return false;
  }

  bool fits() const {
    try {
      return compatible(instruction_.op->infer(instruction_), wanted_);
    } catch (const Error&) {
      return false;
    }
  }

  static constexpr int kMostTried = 1000;

  Instruction& instruction_;
  Shape wanted_;
  int64_t rows_;
  Attributes given_;
  int tried_ = 0;
};

/// Whether an instruction is all that its operands make of it.
bool is_alone(const Op& op) {
  return op.control == nullptr && op.communicate == nullptr &&
         op.form != Form::kForeign && op.infer != nullptr && op.is_defined() &&
         op.randomness == Randomness::kNone;
}

/// Gives rows to some parameters of an entry computation and to what depends on
/// them.
class Rows {
 public:
  Rows(Module& module, int64_t rows, const std::set<int64_t>& parameters)
      : module_(module), rows_(rows), parameters_(parameters) {}

  /// Whether all instructions have such a form, and the result has rows.
  bool give() {
    std::vector<std::unique_ptr<Instruction>> old;
    old.swap(module_.entry->instructions);
    bool fits = true;
    for (auto& instruction : old) {
      Instruction& one = *instruction;
      fits = fits && !one.shape.has_dynamic_dimensions() && give(one);
      made_.push_back(std::move(instruction));
    }
    for (size_t i = 0; i < made_.size(); ++i) {
      made_[i]->position = static_cast<int64_t>(i);
    }
    module_.entry->instructions = std::move(made_);
    return fits && with_rows_.contains(module_.entry->root);
  }

 private:
  bool give(Instruction& one) {
    if (one.op->form == Form::kParameter) {
      if (!parameters_.contains(one.parameter_number)) return true;
      one.shape = with_rows(one.shape, rows_);
      with_rows_.insert(&one);
      return true;
    }
    if (std::ranges::none_of(one.operands, [&](const Instruction* operand) {
          return with_rows_.contains(operand);
        })) {
      return true;
    }
    if (!is_alone(*one.op)) return false;
    with_rows_.insert(&one);
    if (RowForm(one, rows_).find()) return true;
    for (Instruction*& operand : one.operands) {
      operand = repeated_form(*operand, 0);
      if (operand == nullptr) return false;
    }
    return RowForm(one, rows_).find();
  }

  /// The instruction if it has rows, else one with its value in each row.
  Instruction* repeated_form(Instruction& one, int depth) {
    constexpr int kMostDeep = 64;
    if (with_rows_.contains(&one)) return &one;
    if (const auto known = repeated_.find(&one); known != repeated_.end()) {
      return known->second;
    }
    if (depth > kMostDeep || one.op->form == Form::kParameter) return nullptr;
    auto copy = std::make_unique<Instruction>(one);
    copy->name += ".rows";
    if (!give_copy(*copy, depth)) return nullptr;
    Instruction* const result = copy.get();
    made_.push_back(std::move(copy));
    with_rows_.insert(result);
    return repeated_[&one] = result;
  }

  bool give_copy(Instruction& copy, int depth) {
    if (copy.op->form == Form::kConstant) {
      if (copy.literal == nullptr || !copy.shape.is_array()) return false;
      copy.shape = with_rows(copy.shape, rows_);
      copy.literal = std::make_shared<Literal>(repeated(*copy.literal, rows_));
      return true;
    }
    if (!is_alone(*copy.op)) return false;
    if (RowForm(copy, rows_).find()) return true;
    for (Instruction*& operand : copy.operands) {
      operand = repeated_form(*operand, depth + 1);
      if (operand == nullptr) return false;
    }
    return RowForm(copy, rows_).find();
  }

  Module& module_;
  int64_t rows_;
  const std::set<int64_t>& parameters_;
  std::vector<std::unique_ptr<Instruction>> made_;
  std::set<const Instruction*> with_rows_;
  std::map<const Instruction*, Instruction*> repeated_;
};

void lay_out(Module& module, int64_t rows,
             const std::set<int64_t>& parameters) {
  if (!module.entry_layout) return;
  auto& shapes = module.entry_layout->parameters;
  for (size_t k = 0; k < shapes.size(); ++k) {
    if (!parameters.contains(static_cast<int64_t>(k))) continue;
    shapes[k] = with_rows(shapes[k], rows);
  }
  module.entry_layout->result = with_rows(module.entry_layout->result, rows);
}

/// Bytes of a row of an array with rows, or of an array.
size_t bytes_of(const Literal& array, int64_t rows) {
  return array.bytes().size() / static_cast<size_t>(rows);
}

}  // namespace

Literal repeated(const Literal& array, int64_t rows) {
  Shape shape = array.shape();
  shape.layout.reset();
  Literal result(with_rows(shape, rows));
  for (int64_t row = 0; row < rows; ++row) put_row(result, row, array);
  return result;
}

Literal row_of(const Literal& array, int64_t row) {
  Shape shape = Shape::array(array.type(), array.shape().dims);
  const int64_t rows = shape.dims.front();
  shape.dims.erase(shape.dims.begin());
  Literal result(shape);
  const size_t size = bytes_of(array, rows);
  if (size > 0) {
    std::memcpy(result.mutable_bytes().data(),
                array.bytes().data() + static_cast<size_t>(row) * size, size);
  }
  return result;
}

void put_row(Literal& array, int64_t row, const Literal& value) {
  const size_t size = value.bytes().size();
  if (size == 0) return;
  std::memcpy(array.mutable_bytes().data() + static_cast<size_t>(row) * size,
              value.bytes().data(), size);
}

std::optional<Program> batched(const Program& program, int64_t rows,
                               const std::set<int64_t>& parameters) {
  Program result;
  try {
    Module module = verified_module(program.hlo);
    if (!Rows(module, rows, parameters).give()) return std::nullopt;
    lay_out(module, rows, parameters);
    module.entry->declared_result.reset();
    verify(module);
    result.hlo = text::print(module);
    size_t next = 0;
    for (const Instruction* parameter : module.entry->parameters) {
      const bool has_rows = parameters.contains(parameter->parameter_number);
      for (const Shape* leaf : leaves(parameter->shape)) {
        if (!leaf->is_array()) continue;
        const Literal& input = program.inputs.at(next++);
        result.inputs.push_back(has_rows ? repeated(input, rows) : input);
      }
    }
    verified_module(result.hlo);
  } catch (const Error&) {
    return std::nullopt;
  }
  return result;
}

}  // namespace hlo::conformance
