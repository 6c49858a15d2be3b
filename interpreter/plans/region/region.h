#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "interpreter/plans/region/program.h"
#include "interpreter/plans/region/work_meter.h"
#include "interpreter/run/evaluator.h"

namespace hlo {

/// A computation that is applied to many elements (a reducer, a comparator, the
/// body of a map): compiled where its evaluator allows that and it can be, else
/// run by the evaluator on each element. Both must outlive it.
class Region {
 public:
  static constexpr int64_t kMaxElements = Program::kMaxElements;

  /// Whether each run is on many elements, or on one at a time, which costs
  /// more work for each of them.
  enum class Runs { kSideBySide, kOneByOne };

  /// A region on scalars, or, if it can be compiled, on arrays of dimensions
  /// `dims` whose elements have nothing to do with each other.
  Region(const Computation& computation, Evaluator& evaluator,
         Runs runs = Runs::kSideBySide, const Ints& dims = {});

  bool is_compiled() const { return program_.has_value(); }

  const Computation& computation() const { return computation_; }

  /// The element types of the leaves of the parameters, and of the result.
  const std::vector<ElementType>& inputs() const { return inputs_; }

  const std::vector<ElementType>& outputs() const { return outputs_; }

  /// How many instructions a run of the compiled region takes, loops and
  /// branches aside.
  int64_t instructions() const { return program_->instructions(); }

  /// What a thread needs to run the region.
  class Scratch {
   public:
    /// For runs of up to `capacity` elements: 1 to kMaxElements.
    Scratch(const Region& region, int64_t capacity);
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

   private:
    friend class Region;

    WorkMeter meter_;
    std::optional<Program::Scratch> program_;
  };

  /// Applies the region to n elements, at most the capacity of `scratch`.
  /// inputs[k] and outputs[k] are dense arrays of n elements of inputs()[k] and
  /// outputs()[k]; an output may be the same array as an input.
  void run(Scratch& scratch, int64_t n, const std::byte* const* inputs,
           std::byte* const* outputs) const;

  /// What the region returns for one element of each input, which it takes in
  /// the type of that input.
  std::vector<Scalar> apply(Scratch& scratch,
                            std::span<const Scalar> inputs) const;

  /// Evaluator::parallel_for where the region may run on several threads at
  /// once, else body(0, n).
  void parallel_for(int64_t n, int64_t grain,
                    const std::function<void(int64_t, int64_t)>& body) const;

 private:
  void run_one_by_one(int64_t n, const std::byte* const* inputs,
                      std::byte* const* outputs) const;

  const Computation& computation_;
  Evaluator& evaluator_;
  Runs runs_;
  std::optional<Program> program_;
  std::vector<ElementType> inputs_;
  std::vector<ElementType> outputs_;
};

}  // namespace hlo
