#include "interpreter/plans/contraction/contract.h"

#include <algorithm>
#include <optional>

#include "interpreter/plans/contraction/blocks/contraction_block.h"
#include "interpreter/plans/contraction/blocks/contraction_store.h"
#include "interpreter/plans/contraction/blocks/contraction_vectors.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/run/parallel_for.h"

namespace hlo {
namespace {

constexpr int64_t kPanelNumbers = int64_t{1} << 17;  // stay near the caches
constexpr int64_t kFewColumns = 16;
constexpr int64_t kSingleVectors = 3;
constexpr int64_t kLongVectors = 32;
constexpr int64_t kRowNumbers = int64_t{1} << 15;
constexpr int64_t kKeptNumbers = int64_t{1} << 20;

/// A panel of the job: which group, and which columns of it.
struct PanelRange {
  int64_t group;
  int64_t first;
  int64_t count;
};

template <typename T>
int64_t panel_size(const Job& job) {
  const int64_t lanes = best_kernel<T>().lanes;
  const int64_t most = kPanelNumbers / std::max<int64_t>(1, job.length());
  return std::clamp<int64_t>(most / lanes * lanes, lanes, 1 << 14);
}

/// Neighbouring groups often read neighbouring elements: groups come fastest.
template <typename T>
std::vector<PanelRange> make_panels(const Job& job) {
  const int64_t size = panel_size<T>(job);
  std::vector<PanelRange> panels;
  for (int64_t first = 0; first < job.panel_count(); first += size) {
    const int64_t count = std::min(size, job.panel_count() - first);
    for (int64_t g = 0; g < job.contraction->groups; ++g) {
      panels.push_back({g, first, count});
    }
  }
  return panels;
}

template <typename T>
int64_t row_block_size(const Job& job, int64_t vectors) {
  const int64_t rows = best_kernel<T>().rows;
  const int64_t most =
      kRowNumbers / std::max<int64_t>({1, job.length(), vectors});
  return std::clamp<int64_t>(most / rows * rows, rows, 1 << 10);
}

/// Rows that many panels need are packed only once, if they are few.
template <typename T>
std::optional<PackedRows<T>> pack_all_rows(const Job& job, int64_t panels) {
  if (job.contraction->groups != 1 || panels < 2 ||
      job.row_count() * job.length() > kKeptNumbers) {
    return std::nullopt;
  }
  PackedRows<T> rows;
  rows.count = job.row_count();
  VectorReader reader = job.row_reader();
  pack_rows(job, 0, rows, reader);
  return rows;
}

/// Rows [begin, end), which are packed here if they are not all given.
template <typename T>
void run_rows(const Job& job, const Panel<T>& panel,
              const std::optional<PackedRows<T>>& all, int64_t begin,
              int64_t end) {
  const int64_t size = row_block_size<T>(job, panel.vectors);
  const bool exact_only = component_type(job.type) == ElementType::kF64;
  VectorReader reader = job.row_reader();
  PackedRows<T> rows;
  RowBlock<T> block;
  for (int64_t first = begin; first < end; first += size) {
    const int64_t count = std::min(size, end - first);
    if (!all) {
      rows.first = first;
      rows.count = count;
      pack_rows(job, panel.group, rows, reader);
    }
    block.look_at(all ? *all : rows, first, count, job.length());
    block.sums.assign(
        static_cast<size_t>(round_up(block.count, best_kernel<T>().rows) *
                            panel.vectors),
        T{0});
    if (!exact_only) {
      multiply(block.numbers.data(), block.count, panel.numbers.data(),
               panel.vectors, job.length(), block.sums.data());
    }
    store_sums(job, panel, block);
  }
}

/// Many panels are shared out among the threads, of few panels the rows.
template <typename T>
void run(const Job& job, int threads) {
  const std::vector<PanelRange> panels = make_panels<T>(job);
  const auto count = static_cast<int64_t>(panels.size());
  const auto pack = [&](int64_t i) {
    const PanelRange& range = panels[static_cast<size_t>(i)];
    return pack_panel<T>(job, range.group, range.first, range.count);
  };
  const std::optional<PackedRows<T>> rows = pack_all_rows<T>(job, count);
  if (count >= int64_t{4} * threads) {
    parallel_for(threads, count, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        run_rows(job, pack(i), rows, 0, job.row_count());
      }
    });
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    const Panel<T> panel = pack(i);
    const int64_t grain = row_block_size<T>(job, panel.vectors);
    parallel_for(threads, job.row_count(), grain,
                 [&](int64_t begin, int64_t end) {
                   run_rows(job, panel, rows, begin, end);
                 });
  }
}

}  // namespace

Literal apply(const Contraction& given, const Instruction& instruction,
              Operands operands, int threads) {
  const ElementType type = instruction.shape.element_type;
  Literal result = Literal::uninitialized(instruction.shape);
  if (result.element_count() == 0) return result;
  const Job job{
      .contraction = &given,
      .lhs = converted(operands[0], type, threads),
      .rhs = converted(operands[1], type, threads),
      .type = type,
      .swapped = given.columns < kFewColumns && given.columns < given.rows,
      .parts = is_complex(type) ? 2 : 1,
      .result = result.mutable_bytes().data()};
  if (is_float(type) && job.length() >= kLongVectors &&
      std::min(job.row_count(), job.panel_count()) <= kSingleVectors) {
    run_vectors(job, threads);
  } else if (is_float(type) || is_complex(type)) {
    run<double>(job, threads);
  } else if (type != ElementType::kPred && bits(type) <= 32) {
    run<uint32_t>(job, threads);
  } else {
    run<uint64_t>(job, threads);
  }
  return result;
}

}  // namespace hlo
