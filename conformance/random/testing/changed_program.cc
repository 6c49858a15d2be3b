#include "conformance/random/testing/changed_program.h"

#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/parser.h"
#include "interpreter/verify/verify.h"

namespace hlo::conformance {
namespace {

/// Offers each change of a module, and makes the one that is wanted.
class Changes {
 public:
  explicit Changes(int64_t wanted) : wanted_(wanted) {}

  void offer_all(const Module& module) {
    for (const auto& computation : module.computations) {
      for (const auto& instruction : computation->instructions) {
        place_ = instruction.get();
        offer_shape(*instruction);
        offer_attributes(*instruction);
      }
    }
  }

  int64_t offered() const { return offered_; }

  /// The instruction that has been changed.
  const Instruction* changed() const { return changed_; }

  const std::string& what() const { return what_; }

 private:
  template <typename Change>
  void offer(std::string_view name, const Change& change) {
    if (offered_++ != wanted_) return;
    changed_ = place_;
    what_ = "%" + place_->name + ", " + std::string(name);
    change();
  }

  /// A change whose old and new values have words.
  template <typename T>
  void offer_value(std::string_view name, T& place, const T& value) {
    if (place == value) return;
    offer(name, [&] {
      if constexpr (std::is_integral_v<T>) {
        what_ += ": " + std::to_string(place) + " to " + std::to_string(value);
      } else if constexpr (std::is_same_v<T, Shape>) {
        what_ += ": " + to_string(place) + " to " + to_string(value);
      }
      place = value;
    });
  }

  void offer_number(std::string_view name, int64_t& place) {
    constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
    constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
    const int64_t number = place;
    if (number != kMost) offer_value(name, place, number + 1);
    if (number != kLeast) offer_value(name, place, number - 1);
    for (const int64_t other : {int64_t{0}, kLeast, kMost}) {
      offer_value(name, place, other);
    }
  }

  void offer_sizes(Shape& shape) {
    for (size_t d = 0; d < shape.dims.size(); ++d) {
      const int64_t size = shape.dims[d];
      const bool is_most = size == std::numeric_limits<int64_t>::max();
      for (const int64_t other :
           {is_most ? size : size + 1, size - 1, int64_t{0}}) {
        if (other < 0) continue;
        Shape changed = shape;
        changed.dims[d] = other;
        offer_value("size", shape, changed);
      }
      Shape changed = shape;
      changed.set_dynamic(static_cast<int64_t>(d),
                          !shape.is_dynamic(static_cast<int64_t>(d)));
      offer_value("bound", shape, changed);
    }
  }

  void offer_ranks(Shape& shape) {
    std::vector<int64_t> dims = shape.dims;
    dims.push_back(1);
    offer_value("rank", shape, Shape::array(shape.element_type, dims));
    if (shape.dims.empty()) return;
    dims.resize(shape.dims.size() - 1);
    offer_value("rank", shape, Shape::array(shape.element_type, dims));
    offer_value("rank", shape, Shape::scalar(shape.element_type));
  }

  void offer_shapes(Shape& shape) {
    for (Shape& element : shape.tuple_shapes) offer_shapes(element);
    if (shape.is_tuple() && !shape.tuple_shapes.empty()) {
      Shape shorter = shape;
      shorter.tuple_shapes.pop_back();
      offer_value("elements", shape, shorter);
    }
    offer_value("kind", shape, Shape::token());
    offer_value("kind", shape, Shape::tuple({shape}));
    if (!shape.is_array()) return;
    for (const TypeInfo& type : all_types()) {
      if (!is_array_type(type.type)) continue;
      Shape changed = shape;
      changed.element_type = type.type;
      offer_value("type", shape, changed);
    }
    offer_sizes(shape);
    offer_ranks(shape);
  }

  void offer_shape(Instruction& instruction) {
    if (!instruction.has_shape) return;
    const int64_t first = offered_;
    offer_shapes(instruction.shape);
    const bool is_changed = first <= wanted_ && wanted_ < offered_;
    if (instruction.literal != nullptr && is_changed) {
      instruction.literal = std::make_shared<Literal>(instruction.shape);
    }
  }

  void offer_attributes(Instruction& instruction) {
    for (auto& [name, value] : instruction.attributes) {
      std::visit([&, &key = name](auto& place) { offer_one(key, place); },
                 static_cast<AnyAttribute&>(value));
      offer_words(instruction, name, value);
    }
    for (size_t i = 0; i < instruction.attributes.size(); ++i) {
      const std::string name = instruction.attributes[i].first;
      offer("left out: " + name, [&] {
        instruction.attributes.erase(instruction.attributes.begin() +
                                     static_cast<std::ptrdiff_t>(i));
      });
    }
  }

  template <typename T>
  void offer_one(std::string_view name, T& place) {
    if constexpr (std::is_same_v<T, bool>) {
      offer_value(name, place, !place);
    } else if constexpr (std::is_same_v<T, int64_t>) {
      offer_number(name, place);
    } else if constexpr (std::is_same_v<T, Ints>) {
      offer_list(name, place, [&](int64_t& n) { offer_number(name, n); });
    } else if constexpr (std::is_same_v<T, IntPairs>) {
      offer_list(name, place, [&](std::pair<int64_t, int64_t>& pair) {
        offer_number(name, pair.first);
        offer_number(name, pair.second);
      });
    } else if constexpr (std::is_same_v<T, Shape>) {
      offer_shapes(place);
    } else if constexpr (std::is_same_v<T, Shapes>) {
      offer_list(name, place, [&](Shape& shape) { offer_shapes(shape); });
    } else if constexpr (std::is_same_v<T, ReplicaGroups>) {
      offer_groups(name, place);
    } else if constexpr (std::is_same_v<T, DimLabels>) {
      for (ConvolutionSide* side : {&place.input, &place.kernel, &place.output})
        offer_side(name, *side);
    } else if constexpr (requires { place.dims; }) {
      offer_list(name, place.dims,
                 [&](auto& dimension) { offer_dimension(name, dimension); });
    }
  }

  template <typename List, typename Each>
  void offer_list(std::string_view name, List& list, const Each& each) {
    for (auto& element : list) each(element);
    offer(name, [&] {
      what_ += ": one more";
      list.emplace_back();
    });
    if (list.empty()) return;
    offer(name, [&] {
      what_ += ": one fewer";
      list.pop_back();
    });
    offer(name, [&] {
      what_ += ": the first again";
      list.push_back(list.front());
    });
  }

  void offer_dimension(std::string_view name, WindowDimension& dimension) {
    offer_number(name, dimension.size);
    offer_number(name, dimension.stride);
    offer_number(name, dimension.low);
    offer_number(name, dimension.high);
    offer_number(name, dimension.base_dilation);
    offer_number(name, dimension.window_dilation);
    offer_value(name, dimension.reversal, !dimension.reversal);
  }

  void offer_dimension(std::string_view name, PaddingDimension& dimension) {
    offer_number(name, dimension.low);
    offer_number(name, dimension.high);
    offer_number(name, dimension.interior);
  }

  void offer_dimension(std::string_view name, SliceDimension& dimension) {
    offer_number(name, dimension.start);
    offer_number(name, dimension.limit);
    offer_number(name, dimension.stride);
  }

  void offer_side(std::string_view name, ConvolutionSide& side) {
    offer_number(name, side.batch_or_input);
    offer_number(name, side.feature);
    offer_list(name, side.spatial,
               [&](int64_t& number) { offer_number(name, number); });
  }

  void offer_groups(std::string_view name, ReplicaGroups& place) {
    const int64_t first = offered_;
    offer_list(name, place.groups, [&](std::vector<int64_t>& group) {
      offer_list(name, group, [&](int64_t& id) { offer_number(name, id); });
    });
    if (first > wanted_ || wanted_ >= offered_) return;
    place.text.clear();
    for (const auto& group : place.groups) {
      std::string ids;
      MessagePart(group).append_to(ids);
      place.text += (place.text.empty() ? "" : ",") + ids;
    }
    place.text = "{" + place.text + "}";
  }

  /// The other words that the attribute may be.
  void offer_words(const Instruction& instruction, std::string_view name,
                   AttributeValue& value) {
    for (const AttributeSpec& spec : instruction.op->attributes) {
      if (spec.name != name) continue;
      std::string_view words = spec.words;
      while (!words.empty()) {
        const size_t end = std::min(words.find(' '), words.size());
        offer_word(name, value, std::string(words.substr(0, end)));
        words.remove_prefix(std::min(end + 1, words.size()));
      }
    }
  }

  void offer_word(std::string_view name, AttributeValue& value,
                  const std::string& word) {
    if (auto* one = std::get_if<Word>(&value)) {
      offer(name, [&] {
        what_ += ": " + word;
        one->value = word;
      });
    } else if (auto* several = std::get_if<Words>(&value)) {
      for (std::string& place : several->values) {
        offer(name, [&] {
          what_ += ": " + word;
          place = word;
        });
      }
    }
  }

  int64_t wanted_;
  int64_t offered_ = 0;
  const Instruction* place_ = nullptr;
  const Instruction* changed_ = nullptr;
  std::string what_;
};

bool is_source(const Instruction& instruction) {
  return instruction.op->form == Form::kParameter ||
         instruction.op->form == Form::kConstant;
}

const Instruction* instruction_at(const Module& module, Location location) {
  for (const auto& computation : module.computations) {
    for (const auto& instruction : computation->instructions) {
      if (instruction->location == location) return instruction.get();
    }
  }
  return nullptr;
}

}  // namespace

int64_t ProgramChanger::count(std::string_view source) {
  const Module module = text::parse(source);
  Changes changes(-1);
  changes.offer_all(module);
  return changes.offered();
}

Module ProgramChanger::changed(std::string_view source, int64_t n,
                               std::string& what) const {
  Module module = text::parse(source);
  Changes changes(n);
  changes.offer_all(module);
  what = changes.what();
  module.entry_layout.reset();
  for (const auto& computation : module.computations) {
    computation->declared_result.reset();
    for (const auto& instruction : computation->instructions) {
      instruction->has_shape =
          instruction->has_shape &&
          (is_source(*instruction) || instruction.get() == changes.changed() ||
           given_.contains(instruction->op));
    }
  }
  return module;
}

Module ProgramChanger::verified(std::string_view source, int64_t n,
                                std::string& what) {
  for (;;) {
    Module module = changed(source, n, what);
    try {
      verify(module);
      return module;
    } catch (const Error& error) {
      const Instruction* wanting = instruction_at(module, error.location());
      if (error.rule() != "text.shape-needed" || wanting == nullptr ||
          !given_.insert(wanting->op).second) {
        throw;
      }
    }
  }
}

}  // namespace hlo::conformance
