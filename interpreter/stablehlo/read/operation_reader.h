#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "interpreter/stablehlo/read/attributes/attribute_reader.h"
#include "interpreter/stablehlo/read/attributes/mlir_lexicon.h"
#include "interpreter/stablehlo/read/operation_forms.h"
#include "interpreter/stablehlo/read/value_names.h"
#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// Reads operations in either form, with their regions, and knows which values
/// the names stand for at this place.
class OperationReader {
 public:
  OperationReader(Scanner& in, AttributeReader& attributes)
      : in_(in), attributes_(attributes) {}

  /// One operation, put behind the others of the block.
  void operation(Block& block);
  /// Operations between braces, for a block that has its arguments.
  void body(Block& block);
  /// "%name : type" as an argument of the block, nameless where `has_name` is
  /// false. Its attributes, if any, are returned.
  Dictionary argument(Block& block);

  /// The names that are known; forget() drops those defined since then.
  size_t known() const { return names_.size(); }

  void forget(size_t known) { names_.truncate(known); }

 private:
  /// Which keywords of a form have been given.
  using Seen = std::array<bool, std::tuple_size_v<decltype(Form::keywords)>>;

  struct ResultName {
    std::string_view name;
    int64_t count = 1;
    size_t position = 0;
  };

  std::vector<ResultName> result_names();

  void define(std::string_view name, const NamedValues& values,
              size_t position);
  void define_results(Operation& operation,
                      const std::vector<ResultName>& names, size_t position);
  Value* use();
  void uses(Operation& operation);
  Value* add_argument(Block& block, std::string_view name, Type type,
                      size_t position);

  void generic(Operation& operation);
  void generic_rest(Operation& operation);
  void regions(Operation& operation);
  void region(Operation& operation);

  void pretty(Operation& operation);
  void pretty_start(Operation& operation, const Form& form);
  void items(Operation& operation, const Form& form);
  void item(Operation& operation, const Form& form, Seen& seen);
  size_t keyword_item(Operation& operation, const Form& form);
  void item_value(Operation& operation, const Keyword& keyword);
  void dimension_pairs(Operation& operation, std::string_view kind);
  void number_format(Operation& operation);
  void slice_ranges(Operation& operation);
  void elements(Operation& operation);
  void optional_dictionary(Operation& operation);

  bool needs_no_types(const Operation& operation, const Form& form);
  void types(Operation& operation, const Form& form);
  void short_types(Operation& operation, const Form& form,
                   const std::vector<Type>& given, size_t position);
  void function_types(Operation& operation);
  void check_count(const Operation& operation, size_t given,
                   size_t position) const;
  void check_type(const Value& operand, const Type& given,
                  size_t position) const;
  void check_operands(const Operation& operation,
                      const std::vector<Type>& given, size_t position) const;
  static void set_results(Operation& operation, const std::vector<Type>& types);

  void constant(Operation& operation);
  void convolution(Operation& operation);
  void window(Operation& operation);
  void padding(Operation& operation);
  void reduce(Operation& operation);
  void reducer(Operation& operation, size_t inputs);
  void applied(Operation& operation, std::string_view name);
  void loop(Operation& operation);
  void scan(Operation& operation);
  void manual_computation(Operation& operation);

  void add(Operation& operation, std::string_view name, Attribute value);

  Scanner& in_;
  AttributeReader& attributes_;
  ValueNames names_;
  // Elements that were read before their type, which is still to come.
  std::optional<DenseBody> dense_;
};

}  // namespace hlo::stablehlo
