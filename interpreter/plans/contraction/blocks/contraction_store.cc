#include "interpreter/plans/contraction/blocks/contraction_store.h"

#include "interpreter/plans/contraction/blocks/contraction_exact.h"
#include "interpreter/plans/contraction/blocks/contraction_round.h"
#include "interpreter/plans/contraction/blocks/contraction_sliced_sums.h"

namespace hlo {
namespace {

/// The low bits as a literal of the type holds them.
template <typename S>
S normalized(uint64_t value, ElementType type) {
  if (type == ElementType::kPred) return static_cast<S>(value != 0);
  const int unused = 64 - bits(type);
  if (is_signed(type)) {
    return static_cast<S>(static_cast<int64_t>(value << unused) >> unused);
  }
  return static_cast<S>(value << unused >> unused);
}

template <typename S, typename T>
void store_integers(const Job& job, const Panel<T>& panel,
                    const RowBlock<T>& block) {
  auto* result = reinterpret_cast<S*>(job.result);
  for (int64_t r = 0; r < block.count; ++r) {
    const T* sums = block.sums.data() + r * panel.vectors;
    S* const row = result + job.row_place(panel.group, block.first + r);
    for (size_t c = 0; c < panel.places.size(); ++c) {
      row[panel.places[c]] = normalized<S>(sums[c], job.type);
    }
  }
}

template <typename T>
void store_any_integers(const Job& job, const Panel<T>& panel,
                        const RowBlock<T>& block) {
  switch (storage_bytes(job.type)) {
    case 1:
      return store_integers<uint8_t>(job, panel, block);
    case 2:
      return store_integers<uint16_t>(job, panel, block);
    case 4:
      return store_integers<uint32_t>(job, panel, block);
    default:
      return store_integers<uint64_t>(job, panel, block);
  }
}

std::vector<Cell> all_cells(const Panel<double>& panel,
                            const RowBlock<double>& block) {
  std::vector<Cell> cells;
  const auto vectors = static_cast<int64_t>(panel.places.size());
  for (int64_t r = 0; r < block.count; ++r) {
    for (int64_t v = 0; v < vectors; ++v) cells.push_back({r, v});
  }
  return cells;
}

/// Puts codes into the result.
template <typename S>
class Store {
 public:
  Store(const Job& job, const Panel<double>& panel,
        const RowBlock<double>& block)
      : job_(job), panel_(panel), block_(block) {}

  void put(const Cell& cell, uint64_t code) const {
    const int64_t row = job_.row_place(panel_.group, block_.first + cell.row);
    const int64_t place =
        row * job_.parts + panel_.places[static_cast<size_t>(cell.vector)];
    reinterpret_cast<S*>(job_.result)[place] = static_cast<S>(code);
  }

 private:
  const Job& job_;
  const Panel<double>& panel_;
  const RowBlock<double>& block_;
};

/// Whether sums of all cells cost less than those of single ones.
bool is_worth_slicing(const Job& job, const std::vector<Cell>& cells,
                      const Panel<double>& panel,
                      const RowBlock<double>& block) {
  const auto open = static_cast<int64_t>(cells.size());
  return job.length() > 0 && open > 0 &&
         open * 8 >= block.count * panel.vectors;
}

template <typename S>
void store_floats(const Job& job, const Panel<double>& panel,
                  const RowBlock<double>& block) {
  std::vector<Cell> cells;
  if constexpr (sizeof(S) < sizeof(double)) {
    cells = store_certain<S>(job, panel, block);
  } else {
    cells = all_cells(panel, block);
  }
  const Store<S> store(job, panel, block);
  if (is_worth_slicing(job, cells, panel, block)) {
    const auto codes = round_sliced(job, panel, block, cells);
    std::vector<Cell> open;
    for (size_t i = 0; i < cells.size(); ++i) {
      codes[i] ? store.put(cells[i], *codes[i]) : open.push_back(cells[i]);
    }
    cells = std::move(open);
  }
  const std::vector<uint64_t> codes = round_exactly(job, panel, block, cells);
  for (size_t i = 0; i < cells.size(); ++i) store.put(cells[i], codes[i]);
}

}  // namespace

void store_sums(const Job& job, const Panel<uint32_t>& panel,
                const RowBlock<uint32_t>& block) {
  store_any_integers(job, panel, block);
}

void store_sums(const Job& job, const Panel<uint64_t>& panel,
                const RowBlock<uint64_t>& block) {
  store_any_integers(job, panel, block);
}

void store_sums(const Job& job, const Panel<double>& panel,
                const RowBlock<double>& block) {
  switch (storage_bytes(component_type(job.type))) {
    case 1:
      return store_floats<uint8_t>(job, panel, block);
    case 2:
      return store_floats<uint16_t>(job, panel, block);
    case 4:
      return store_floats<uint32_t>(job, panel, block);
    default:
      return store_floats<uint64_t>(job, panel, block);
  }
}

}  // namespace hlo
