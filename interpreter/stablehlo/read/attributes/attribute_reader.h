#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interpreter/stablehlo/read/attributes/mlir_lexicon.h"
#include "interpreter/stablehlo/syntax.h"

namespace hlo::stablehlo {

/// Where the elements of dense<...> stand, or the string that holds those of
/// dense_resource<name>.
struct DenseBody {
  size_t start = 0;
  size_t end = 0;  // at the closing bracket; behind the string
  bool is_resource = false;
  Location location;
};

/// Reads types and attributes, and knows the aliases of the program. Each
/// function reads what it is called after, or throws a parse Error.
class AttributeReader {
 public:
  explicit AttributeReader(Scanner& in) : in_(in) {}

  /// Learns where the aliases `#a = ...` and `!a = ...` of the program that
  /// the scanner has entered are defined, and the resources of {-# ... #-}, so
  /// that they can be used before.
  void find_aliases();
  /// Passes the definition of an alias.
  void alias_definition();
  /// {-# dialect_resources: {builtin: {name: "0x..."}} #-}: learns where the
  /// strings stand.
  void file_metadata();

  Type type();
  /// "(T, T)" or one type that is not a function's.
  std::vector<Type> result_types();
  Attribute attribute();
  /// dense<...> : type, or dense_resource; or the parts where the type stands
  /// further behind.
  Attribute dense();
  DenseBody dense_body();
  Attribute dense_value(const DenseBody& body);
  /// From the opening brace on; twice the same name is an error.
  Dictionary dictionary();
  /// Refuses the same name twice, at the place where the entries begin.
  void check_once(const Dictionary& entries, size_t start) const;
  /// Adds entries; twice the same name is an error.
  void merge(Dictionary& into, Dictionary more) const;
  /// [1, 2]: an array<i64> (or an array<i1>), as the properties of operations
  /// have it.
  Attribute integers(ElementType type = ElementType::kS64);
  /// [1, 2] as #stablehlo attributes have it.
  Attribute list();
  /// 0.001 or 1 : f64 before the colon of the types.
  Attribute float_number();
  /// <a = 1, b = [2]>; also without the name before it, where the place says
  /// it.
  Structure structure(std::string name);
  /// @name or @"name", @a::@b.
  std::string symbol();
  /// Passes loc(...) where there is one.
  void skip_location();

 private:
  struct Alias {
    size_t position = 0;  // of the value
    size_t end = 0;       // behind it, once it is read
    bool is_open = false;
    int64_t weight = 0;  // types and attributes that it consists of
    std::optional<Attribute> value;
  };

  void find_alias();
  void metadata_entry(const std::string& section);
  DenseBody resource_body(DenseBody body);
  Attribute resolve(char sigil);
  Alias& read_alias(std::string_view name, size_t place);
  void count_one();

  Type tensor();
  Type tensor_as_written();
  Type named_type();
  Type dialect_type();
  Type function_type();
  std::vector<int64_t> dimensions();
  void element_type(Type& tensor);
  void encoding(Type& tensor);
  void bounds(Type& tensor);
  void quantization(Type& type);
  ElementType stored_type(std::string_view what);
  void scale(Quantization& quantization);
  void optional_type(Attribute& attribute);

  void number(Attribute& attribute);
  void array(Attribute& attribute);
  void typed_array(Attribute& attribute);
  void elements_until(char close, ElementType type, Attribute& attribute);
  void named_attribute(Attribute& attribute);
  void dialect_attribute(Attribute& attribute);
  void dialect_body(std::string dialect, std::string name,
                    Attribute& attribute);
  Attribute part_of_axis();
  Opaque rest_of(size_t start, bool with_brackets);

  Scanner& in_;
  std::map<std::string, Alias, std::less<>> aliases_;     // with # or !
  std::map<std::string, size_t, std::less<>> resources_;  // and their strings
  std::unordered_map<std::string_view, Type> tensors_;    // by their text
  int64_t weight_ = 0;
  size_t colon_ = 0;  // before the type of the last number
};

}  // namespace hlo::stablehlo
