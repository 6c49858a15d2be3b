#include "backends/cpu/plan/execute.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <utility>

#include "backends/cpu/kernels/products/convolve.h"
#include "backends/cpu/kernels/products/multiply_matrices.h"
#include "backends/cpu/kernels/scratch.h"
#include "backends/cpu/kernels/tiles/fold_arrays.h"
#include "backends/cpu/kernels/tiles/run_lines.h"
#include "backends/cpu/plan/memory/inner_places.h"
#include "backends/cpu/plan/memory/line_steps.h"
#include "backends/cpu/plan/memory/value_arrays.h"
#include "backends/cpu/plan/memory/value_memory.h"
#include "backends/cpu/routines/regions/lane_code.h"
#include "backends/cpu/threads/share_loop.h"

namespace hlo::cpu {
namespace {

class Execution : private ValueMemory {
 public:
  Execution(const StepPlan& plan, std::span<const std::byte* const> arguments,
            std::span<std::byte* const> state, const RunInstruction& run,
            std::byte* block)
      : ValueMemory(plan, arguments, state, block),
        plan_(plan),
        state_(state),
        run_(run) {}

  using ValueMemory::put;

  void run() {
    auto band = plan_.bands.begin();
    auto division = plan_.divisions.begin();
    // Few parts are shared less evenly than the loops of their steps.
    const auto is_next = [&](size_t s) {
      while (division != plan_.divisions.end() &&
             (division->first < s || division->parts < 2 * most_threads())) {
        ++division;
      }
      return division != plan_.divisions.end() && division->first == s;
    };
    for (size_t s = 0; s < plan_.steps.size();) {
      while (band != plan_.bands.end() && band->first < s) ++band;
      if (is_next(s)) {
        run_division(*division);
        s += division->count;
      } else if (band != plan_.bands.end() && band->first == s) {
        run_band(*band);
        s += band->count;
      } else {
        step(plan_.steps[s++]);
      }
    }
  }

  Array array_of(const Operand& operand) const {
    Shape shape = plan_.graph.values[operand.value].shape;
    if (shape.is_array()) shape.dims = operand.view.dims;
    return copied(shape, *this, operand);
  }

  /// Whether the only result, a pred, is true when all steps have run.
  bool is_true() {
    run();
    const Operand& result = plan_.graph.results[0];
    return memory(result.value)[result.view.offset] != std::byte{0};
  }

  /// Copies the results of the body of a loop that lie elsewhere to the state.
  /// Those that are parts of the state before are set aside first.
  void renew_state() const {
    std::vector<std::pair<size_t, Array>> aside;
    for (size_t i = 0; i < plan_.graph.results.size(); ++i) {
      const Operand& result = plan_.graph.results[i];
      if (is_moved(i) && plan_.graph.values[result.value].argument >= 0) {
        aside.emplace_back(i, array_of(result));
      }
    }
    for (size_t i = 0; i < plan_.graph.results.size(); ++i) {
      const Operand& result = plan_.graph.results[i];
      if (is_moved(i) && plan_.graph.values[result.value].argument < 0) {
        std::memcpy(part(i), first_of(result), plan_.graph.values[i].bytes);
      }
    }
    for (const auto& [i, array] : aside) {
      std::memcpy(part(i), array.bytes.data(), array.bytes.size());
    }
  }

 private:
  void step(const Step& step) {
    const Node& node = plan_.graph.nodes[step.node];
    switch (node.kind) {
      case NodeKind::kMap:
        return map(step);
      case NodeKind::kCopy:
        return copy(node);
      case NodeKind::kProduct:
        return product(node);
      case NodeKind::kConvolution:
        return convolution(node);
      case NodeKind::kFold:
        return fold(node);
      case NodeKind::kFoldWindows:
        return fold_windows(node);
      case NodeKind::kSlice:
        return slice(node);
      case NodeKind::kConcatenate:
        return concatenate(node);
      case NodeKind::kUpdate:
        return update(node);
      case NodeKind::kLoop:
        return loop(step);
      case NodeKind::kRoutine:
        return routine(node);
      case NodeKind::kFunction:
        return function(node);
    }
  }

  /// Part i of the state, which is leaf i of the parameter: the i-th value.
  std::byte* part(size_t i) const {
    return state_[static_cast<size_t>(plan_.graph.values[i].argument)];
  }

  /// Whether part i of the state has to be copied to its place.
  bool is_moved(size_t i) const {
    const Operand& result = plan_.graph.results[i];
    const bool stays = result.value == i && result.is_whole();
    return plan_.graph.values[i].bytes != 0 && !stays &&
           plan_.over[result.value] < 0;
  }

  std::vector<const std::byte*> inputs(const Step& step) const {
    std::vector<const std::byte*> places;
    for (size_t i = 0; i < step.program.inputs.size(); ++i) {
      places.push_back(memory(step.reads[i]));
    }
    return places;
  }

  void map(const Step& step) {
    if (step.fold < 0) {
      const Node& last = plan_.graph.nodes[step.node];
      return run_tiles(step.program, inputs(step), result(last));
    }
    const Node& fold = plan_.graph.nodes[static_cast<size_t>(step.fold)];
    run_lines({{line_step(plan_, step, *this)}}, {},
              fold.operands[0].view.dims[0]);
  }

  void run_band(const Band& band) {
    BandSteps own = band_steps(plan_, band, *this);
    stream_results(plan_, band, own);
    run_lines(own.steps, own.inner, band.lines);
  }

  /// Part after part, each on one thread, with what only the division reads in
  /// memory of that thread.
  void run_division(const Division& division) {
    const InnerPlaces places(plan_, division);
    share_loop(division.parts, [&](int64_t part) {
      const ThreadCount alone(1);
      Execution own = *this;
      places.put(own, part);
      own.run_part(division, part);
    });
  }

  void run_part(const Division& division, int64_t part) {
    auto band =
        std::ranges::lower_bound(plan_.bands, division.first, {}, &Band::first);
    for (size_t s = division.first; s < division.first + division.count;) {
      if (band != plan_.bands.end() && band->first == s) {
        run_lines_of_part(band_steps(plan_, *band, *this), band->lines,
                          division.parts, part);
        s += band++->count;
      } else {
        run_part(plan_.steps[s++], division.parts, part);
      }
    }
  }

  static void run_lines_of_part(const BandSteps& own, int64_t lines,
                                int64_t parts, int64_t part) {
    const int64_t some = lines / parts;
    run_lines(own.steps, own.inner, lines, part * some, (part + 1) * some);
  }

  void run_part(const Step& step, int64_t parts, int64_t part) {
    const Node& node = plan_.graph.nodes[step.node];
    if (node.kind == NodeKind::kProduct) return product(node, part);
    if (node.kind == NodeKind::kMap && step.fold < 0) {
      const int64_t own = step.program.count / parts;
      return run_tiles(step.program, inputs(step), result(node), part * own,
                       (part + 1) * own);
    }
    const Node& fold = node.kind == NodeKind::kFold
                           ? node
                           : plan_.graph.nodes[static_cast<size_t>(step.fold)];
    run_lines_of_part({{line_step(plan_, step, *this)}, {}},
                      fold.operands[0].view.dims[0], parts, part);
  }

  void copy(const Node& node) {
    const Value& value = plan_.graph.values[node.results[0]];
    copy_view(node.operands[0].view,
              static_cast<size_t>(storage_bytes(value.shape.element_type)),
              memory(node.operands[0].value), result(node));
  }

  /// One of a batch.
  void product(const Node& node, int64_t batch) {
    const View& left = node.operands[0].view;
    const int64_t rows = left.dims[1];
    const int64_t columns = node.operands[1].view.dims[2];
    multiply_matrices(
        left_matrix(matrix(node.operands[0], batch), rows, left.dims[2]),
        matrix(node.operands[1], batch), columns,
        floats(node) + batch * rows * columns, columns);
  }

  void product(const Node& node) {
    const View& left = node.operands[0].view;
    const int64_t rows = left.dims[1];
    const int64_t columns = node.operands[1].view.dims[2];
    constexpr int64_t kPerTask = int64_t{256} * 1024;  // products of numbers
    const int64_t some = std::max<int64_t>(
        1, kPerTask / std::max<int64_t>(1, rows * columns * left.dims[2]));
    share_loop(left.dims[0], some,
               [&](int64_t batch) { product(node, batch); });
  }

  void convolution(const Node& node) {
    const View& input = node.operands[0].view;
    const Value& weights = plan_.graph.values[node.operands[1].value];
    const View& kernel = node.operands[1].view;
    const auto groups =
        node.instruction->get_or<int64_t>("feature_group_count", 1);
    convolve({Windows(node.windows),
              input.dims[0],
              input.strides[0],
              input.dims.back() / groups,
              kernel.dims[1] / groups,
              groups,
              floats(node.operands[0]),
              {floats(node.operands[1]), kernel.strides[0], kernel.strides[1]},
              {reinterpret_cast<const float*>(memory(node.operands[1].value)),
               static_cast<size_t>(weights.shape.element_count())}},
             floats(node));
  }

  void fold(const Node& node) {
    const View& from = node.operands[0].view;
    fold_middle(node.fold, {from.dims[0], from.dims[1], from.dims[2]},
                floats(node.operands[0]), *floats(node.operands[1]),
                floats(node));
  }

  void fold_windows(const Node& node) {
    cpu::fold_windows(node.fold, Windows(node.windows),
                      floats(node.operands[0]), *floats(node.operands[1]),
                      floats(node), node.operands[0].view.dims.back());
  }

  /// Each operand is a run of memory of every line of the result.
  void concatenate(const Node& node) {
    const Shape& shape = plan_.graph.values[node.results[0]].shape;
    const auto d =
        static_cast<size_t>(node.instruction->get<Ints>("dimensions").front());
    const auto size_from = [d](const std::vector<int64_t>& dims) {
      return std::reduce(dims.begin() + static_cast<std::ptrdiff_t>(d),
                         dims.end(), int64_t{1}, std::multiplies<>());
    };
    const int64_t line = size_from(shape.dims);
    const auto width = static_cast<int64_t>(width_of(node.operands[0]));
    std::byte* to = result(node);
    for (const Operand& operand : node.operands) {
      const int64_t run = size_from(operand.view.dims);
      copy_runs(operand.view, width_of(operand), memory(operand.value), run, to,
                line * width);
      to += run * width;
    }
  }

  /// The part of `whole` of those sizes, at the last operands as its indices,
  /// moved so that it lies inside.
  View box(const Node& node, const View& whole,
           const std::vector<int64_t>& sizes) const {
    View part{sizes, whole.strides, whole.offset};
    const size_t first = node.operands.size() - sizes.size();
    for (size_t d = 0; d < sizes.size(); ++d) {
      part.offset += whole.strides[d] *
                     std::clamp<int64_t>(index(node.operands[first + d]), 0,
                                         whole.dims[d] - sizes[d]);
    }
    return part;
  }

  void slice(const Node& node) {
    const Operand& from = node.operands[0];
    const Shape& shape = plan_.graph.values[node.results[0]].shape;
    copy_view(box(node, from.view, shape.dims), width_of(from),
              memory(from.value), result(node));
  }

  void update(const Node& node) {
    const Operand& from = node.operands[0];
    const Operand& by = node.operands[1];
    const Value& whole = plan_.graph.values[node.results[0]];
    if (first_of(from) != result(node)) {
      std::memcpy(result(node), first_of(from), whole.bytes);
    }
    write_elements(box(node, View::dense(whole.shape.dims), by.view.dims),
                   width_of(from), first_of(by), result(node));
  }

  /// The state lies where the loop's results do.
  void loop(const Step& step) {
    const Node& node = plan_.graph.nodes[step.node];
    std::vector<std::byte*> state;
    for (size_t i = 0; i < node.results.size(); ++i) {
      const Value& own = plan_.graph.values[node.results[i]];
      if (own.shape.is_token()) continue;
      state.push_back(own.bytes == 0 ? nullptr : place(node.results[i]));
      if (own.bytes != 0) {
        std::memcpy(state.back(), first_of(node.operands[i]), own.bytes);
      }
    }
    const std::vector<const std::byte*> read(state.begin(), state.end());
    std::byte* const block = memory(step.writes.back()) == nullptr
                                 ? nullptr
                                 : place(step.writes.back());
    Execution condition(*step.loop.condition, read, {}, run_, block);
    Execution body(*step.loop.body, read, state, run_, block);
    while (condition.is_true()) {
      body.run();
      body.renew_state();
    }
  }

  void routine(const Node& node) {
    std::vector<const std::byte*> operands;
    std::vector<std::byte*> results;
    for (const Operand& operand : node.operands) {
      operands.push_back(first_of(operand));
    }
    for (const size_t value : node.results) results.push_back(place(value));
    node.routine->run(operands, results);
  }

  void function(const Node& node) {
    std::vector<Array> operands;
    size_t next = 0;
    for (size_t i = 0; i < node.instruction->operands.size(); ++i) {
      operands.push_back(assembled(node.instruction->operand_shape(i), *this,
                                   node.operands, next));
    }
    std::vector<const Array*> places;
    places.reserve(operands.size());
    for (const Array& operand : operands) places.push_back(&operand);
    const ResultPlace place(result_memory(node));
    const Array value = run_(*node.instruction, places);
    size_t first = 0;
    store(value, plan_.graph, *this, node.results, first);
  }

  /// Where the only array that the node gives lies; nothing of several.
  std::span<std::byte> result_memory(const Node& node) const {
    if (node.results.size() != 1) return {};
    const size_t bytes = plan_.graph.values[node.results[0]].bytes;
    if (bytes == 0) return {};
    return {result(node), bytes};
  }

  const StepPlan& plan_;
  std::span<std::byte* const> state_;
  const RunInstruction& run_;
};

/// The results of a plan; those that are whole values of steps are written to
/// them at once.
class Results {
 public:
  Results(const StepPlan& plan, Execution& execution) : plan_(plan) {
    std::vector<bool> taken(plan.graph.values.size());
    for (const Operand& leaf : plan.graph.results) {
      const Value& value = plan.graph.values[leaf.value];
      const bool direct = value.node >= 0 && value.bytes != 0 &&
                          !taken[leaf.value] && leaf.is_whole() &&
                          leaf.view.count() == value.shape.element_count();
      taken[leaf.value] = true;
      Shape shape = value.shape;
      shape.dims = leaf.view.dims;
      arrays_.push_back(direct ? Array::unwritten(shape) : Array());
      direct_.push_back(direct);
      if (direct) execution.put(leaf.value, arrays_.back().bytes.data());
    }
  }

  std::vector<Array> taken(const Execution& execution) {
    for (size_t i = 0; i < arrays_.size(); ++i) {
      if (direct_[i]) continue;
      arrays_[i] = execution.array_of(plan_.graph.results[i]);
    }
    return std::move(arrays_);
  }

 private:
  const StepPlan& plan_;
  std::vector<Array> arrays_;
  std::vector<bool> direct_;
};

}  // namespace

std::vector<Array> execute(const StepPlan& plan,
                           std::span<const std::byte* const> arguments,
                           const RunInstruction& run) {
  const RunningProgram running;
  const AlignedBytes block = aligned_bytes(plan.block_bytes);
  Execution execution(plan, arguments, {}, run, block.get());
  Results results(plan, execution);
  execution.run();
  return results.taken(execution);
}

}  // namespace hlo::cpu
