#include "interpreter/updates.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "interpreter/convert.h"
#include "interpreter/evaluate.h"
#include "interpreter/fold.h"
#include "interpreter/gather_lanes.h"
#include "interpreter/numeric/exact_sum.h"
#include "interpreter/program.h"
#include "interpreter/summation.h"

namespace hlo {
namespace {

/// The region returns its update: the last one stays.
bool replaces(const Computation& region) {
  return region.parameters.size() == 2 && region.root == region.parameters[1];
}

void replace(Literal& result, const std::vector<Update>& updates,
             const Literal& source) {
  const int width = storage_bytes(result.type());
  std::byte* const to = result.mutable_bytes().data();
  const std::byte* const from = source.bytes().data();
  for (const Update& update : updates) {
    std::copy_n(from + update.source * width, width,
                to + update.target * width);
  }
}

/// The updates of one element: [begin, end) of the sorted updates.
struct Group {
  size_t begin;
  size_t end;
};

/// Sorts by target, and finds the updates of each.
std::vector<Group> group_by_target(std::vector<Update>& updates) {
  std::ranges::stable_sort(updates, {}, &Update::target);
  std::vector<Group> groups;
  for (size_t i = 0; i < updates.size(); ++i) {
    if (i == 0 || updates[i].target != updates[i - 1].target) {
      groups.push_back({i, i});
    }
    groups.back().end = i + 1;
  }
  return groups;
}

// ------------------------------------------------------------- exact addition

double component(const Literal& literal, int64_t position, size_t part) {
  return numeric::decode(literal.at(position).bits[part],
                         numeric::format(component_type(literal.type())));
}

uint64_t sum_group(const Literal& result, std::span<const Update> updates,
                   const Literal& source, size_t part) {
  const auto& format = numeric::format(component_type(result.type()));
  const double start = component(result, updates[0].target, part);
  CompensatedSum sum;
  sum.add(start);
  for (const Update& update : updates) {
    sum.add(component(source, update.source, part));
  }
  const auto terms = static_cast<int64_t>(updates.size()) + 1;
  if (const auto code =
          round_if_certain(sum.hi, sum.lo, sum.bound(terms), format)) {
    return *code;
  }
  numeric::ExactSum exact;
  exact.add(start);
  for (const Update& update : updates) {
    exact.add(component(source, update.source, part));
  }
  return exact.round(format).bits;
}

void add_exactly(Literal& result, std::vector<Update> updates,
                 const Literal& source) {
  const size_t parts = is_complex(result.type()) ? 2 : 1;
  for (const Group& group : group_by_target(updates)) {
    const auto terms =
        std::span(updates).subspan(group.begin, group.end - group.begin);
    Scalar sum{result.type(), {}};
    for (size_t part = 0; part < parts; ++part) {
      sum.bits[part] = sum_group(result, terms, source, part);
    }
    result.set(terms[0].target, sum);
  }
}

// ------------------------------------------------------------ compiled regions

/// Runs a region on the n-th update of many elements at once.
class Rounds {
 public:
  Rounds(const Program& program, std::vector<Literal>& results,
         Operands sources, int64_t max_turns)
      : program_(program),
        results_(results),
        sources_(sources),
        scratch_(program, Program::kMaxElements, max_turns) {
    for (const ElementType type : program.inputs()) {
      arrays_.emplace_back(static_cast<size_t>(Program::kMaxElements) *
                           static_cast<size_t>(storage_bytes(type)));
    }
  }

  /// At most Program::kMaxElements updates of different elements.
  void run(const std::vector<int64_t>& targets,
           const std::vector<int64_t>& from) {
    const size_t n = results_.size();
    std::vector<const std::byte*> inputs;
    std::vector<std::byte*> outputs;
    for (size_t i = 0; i < 2 * n; ++i) {
      const Literal& literal = i < n ? results_[i] : sources_[i - n];
      gather_elements(storage_bytes(literal.type()), literal.bytes().data(),
                      i < n ? targets : from, arrays_[i].data());
      inputs.push_back(arrays_[i].data());
      if (i < n) outputs.push_back(arrays_[i].data());
    }
    program_.run(scratch_, static_cast<int64_t>(targets.size()), inputs.data(),
                 outputs.data());
    for (size_t i = 0; i < n; ++i) {
      spread_elements(storage_bytes(results_[i].type()), outputs[i], targets,
                      results_[i].mutable_bytes().data());
    }
  }

 private:
  const Program& program_;
  std::vector<Literal>& results_;
  Operands sources_;
  Program::Scratch scratch_;
  std::vector<std::vector<std::byte>> arrays_;
};

void run_program(const Program& program, std::vector<Literal>& results,
                 std::vector<Update> updates, Operands sources,
                 int64_t max_turns) {
  Rounds rounds(program, results, sources, max_turns);
  std::vector<Group> groups = group_by_target(updates);
  std::vector<int64_t> targets;
  std::vector<int64_t> from;
  const auto flush = [&] {
    if (!targets.empty()) rounds.run(targets, from);
    targets.clear();
    from.clear();
  };
  while (!groups.empty()) {
    for (Group& group : groups) {
      const Update& update = updates[group.begin++];
      targets.push_back(update.target);
      from.push_back(update.source);
      if (targets.size() == size_t{Program::kMaxElements}) flush();
    }
    flush();
    std::erase_if(groups, [](const Group& g) { return g.begin == g.end; });
  }
}

void run_evaluator(const Computation& region, std::vector<Literal>& results,
                   const std::vector<Update>& updates, Operands sources,
                   const Evaluator& evaluator) {
  Evaluator inner(evaluator.options());
  for (const Update& update : updates) {
    std::vector<Literal> arguments;
    arguments.reserve(2 * results.size());
    for (const Literal& result : results) {
      arguments.push_back(Literal::of(result.at(update.target)));
    }
    for (const Literal& source : sources) {
      arguments.push_back(Literal::of(source.at(update.source)));
    }
    const Literal value = inner.run(region, std::move(arguments));
    const auto parts = leaves(value);
    for (size_t i = 0; i < results.size(); ++i) {
      results[i].set(update.target, parts[i]->scalar());
    }
  }
}

bool adds_floats(const Computation& region) {
  if (recognize(region) != Reducer::kAdd) return false;
  const ElementType type = region.root->shape.element_type;
  return is_float(type) || is_complex(type);
}

void apply_in_types(std::vector<Literal>& results, std::vector<Update> updates,
                    Operands sources, const Computation& region,
                    const Evaluator& evaluator) {
  if (adds_floats(region)) {
    add_exactly(results[0], std::move(updates), sources[0]);
  } else if (const auto program = Program::compile(region)) {
    run_program(*program, results, std::move(updates), sources,
                evaluator.options().max_steps);
  } else {
    run_evaluator(region, results, updates, sources, evaluator);
  }
}

}  // namespace

void apply_updates(std::vector<Literal>& results, std::vector<Update> updates,
                   Operands sources, const Computation& region,
                   const Evaluator& evaluator) {
  if (updates.empty()) return;
  const size_t n = results.size();
  if (replaces(region) && results[0].type() == sources[0].type()) {
    return replace(results[0], updates, sources[0]);
  }
  std::vector<Literal> values;
  std::vector<Literal> arguments;
  for (size_t i = 0; i < n; ++i) {
    const auto type = [&](size_t p) {
      return region.parameters[p]->shape.element_type;
    };
    values.push_back(converted(results[i], type(i), evaluator));
    arguments.push_back(converted(sources[i], type(n + i), evaluator));
  }
  apply_in_types(values, std::move(updates), arguments, region, evaluator);
  for (size_t i = 0; i < n; ++i) {
    results[i] = converted(values[i], results[i].type(), evaluator);
  }
}

Literal apply(Updating updating, Operands operands,
              const Evaluator& evaluator) {
  std::vector<Literal>& results = updating.initial;
  apply_updates(results, std::move(updating.updates),
                operands.subspan(static_cast<size_t>(updating.first_source),
                                 results.size()),
                *updating.region, evaluator);
  return results.size() == 1 ? results[0] : Literal::tuple(std::move(results));
}

}  // namespace hlo
