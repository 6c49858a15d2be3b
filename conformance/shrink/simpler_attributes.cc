#include <cstdint>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>

#include "conformance/shrink/candidates.h"
#include "interpreter/rules/op.h"
#include "interpreter/text/parser.h"

namespace hlo::conformance {
namespace {

/// Offers each change of an attribute, and makes the one that is wanted.
class Simplifier {
 public:
  explicit Simplifier(int64_t wanted) : wanted_(wanted) {}

  int64_t offered() const { return offered_; }

  template <typename T>
  void simplify(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      if (value) offer([&] { value = false; });
    } else if constexpr (std::is_same_v<T, int64_t>) {
      number(value);
    } else if constexpr (std::is_same_v<T, Ints>) {
      list(value, [&](int64_t& one) { number(one); });
    } else if constexpr (std::is_same_v<T, IntPairs>) {
      list(value, [&](std::pair<int64_t, int64_t>& one) {
        number(one.first);
        number(one.second);
      });
    } else if constexpr (
        requires { value.dims.front().stride; } ||
        requires { value.dims.front().interior; }) {
      list(value.dims, [&](auto& one) { dimension(one); });
    }
  }

 private:
  template <typename Change>
  void offer(const Change& change) {
    if (offered_++ == wanted_) change();
  }

  /// Nearer to 0: a number of smaller magnitude.
  void number(int64_t& value, int64_t least = 0) {
    const int64_t before = value > INT64_MIN ? value - 1 : value;
    for (const int64_t other : {least, int64_t{1}, value / 2, before}) {
      const bool is_less = other >= least && value > other;
      const bool is_nearer = value < 0 && other > value && other <= 0;
      if (is_less || is_nearer) offer([&] { value = other; });
    }
  }

  template <typename List, typename Each>
  void list(List& values, const Each& each) {
    for (size_t i = values.size(); i-- > 0;) {
      offer([&] {
        values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
      });
    }
    for (auto& value : values) each(value);
  }

  void dimension(WindowDimension& one) {
    number(one.size, 1);
    number(one.stride, 1);
    number(one.low);
    number(one.high);
    number(one.base_dilation, 1);
    number(one.window_dilation, 1);
    simplify(one.reversal);
  }

  void dimension(PaddingDimension& one) {
    number(one.low);
    number(one.high);
    number(one.interior);
  }

  void dimension(SliceDimension& one) {
    number(one.start);
    number(one.limit);
    number(one.stride, 1);
  }

  int64_t wanted_;
  int64_t offered_ = 0;
};

void visit(Simplifier& simplifier, AttributeValue& value) {
  std::visit([&](auto& one) { simplifier.simplify(one); },
             static_cast<AnyAttribute&>(value));
}

/// Where an attribute stands.
struct Where {
  size_t computation;
  size_t instruction;
  size_t attribute;
};

void add(const Where& where, const AttributeValue& value,
         const std::shared_ptr<const Program>& program,
         Candidates& candidates) {
  candidates.emplace_back([program, where] {
    Edit edit(*program);
    Attributes& all = edit.at(where.computation, where.instruction).attributes;
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(where.attribute));
    return edit.finish();
  });
  AttributeValue copy = value;
  Simplifier counter(-1);
  visit(counter, copy);
  for (int64_t n = 0; n < counter.offered(); ++n) {
    candidates.emplace_back([program, where, n] {
      Edit edit(*program);
      Simplifier simplifier(n);
      visit(simplifier, edit.at(where.computation, where.instruction)
                            .attributes.at(where.attribute)
                            .second);
      return edit.finish();
    });
  }
}

/// Everything that the header says, but the number of devices.
void add_header(const Module& module,
                const std::shared_ptr<const Program>& program,
                Candidates& candidates) {
  for (size_t i = 0; i < module.header.size(); ++i) {
    candidates.emplace_back([program, i] {
      Edit edit(*program);
      auto& header = edit.module().header;
      header.erase(header.begin() + static_cast<std::ptrdiff_t>(i));
      return edit.finish();
    });
  }
  if (module.stack_frames.empty()) return;
  candidates.emplace_back([program] {
    Edit edit(*program);
    edit.module().stack_frames.clear();
    return edit.finish();
  });
}

}  // namespace

Candidates simpler_attributes(const Failing& failing) {
  Candidates candidates;
  const auto program = std::make_shared<const Program>(failing.program);
  const Module module = text::parse(failing.program.hlo);
  add_header(module, program, candidates);
  for (size_t c = 0; c < module.computations.size(); ++c) {
    const Computation& computation = *module.computations[c];
    for (size_t i = 0; i < computation.instructions.size(); ++i) {
      const Attributes& all = computation.instructions[i]->attributes;
      for (size_t a = all.size(); a-- > 0;) {
        add({c, i, a}, all[a].second, program, candidates);
      }
    }
  }
  return candidates;
}

}  // namespace hlo::conformance
