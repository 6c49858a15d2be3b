#include "interpreter/plans/contraction/ragged.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>

#include "interpreter/numeric/format/float_codes.h"
#include "interpreter/plans/contraction/contract.h"
#include "interpreter/plans/elementwise/converted.h"
#include "interpreter/rules/dimensions/ragged_dimension.h"
#include "interpreter/rules/shape_rules.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

bool contains(const Ints& values, int64_t value) {
  return std::ranges::find(values, value) != values.end();
}

size_t at(int64_t i) { return static_cast<size_t>(i); }

int64_t size(const Ints& list) { return std::ssize(list); }

__extension__ using Wide = __int128;

/// To which group each index of the ragged dimension belongs.
class Groups {
 public:
  Groups(const Instruction& dot, const RaggedDimension& ragged,
         const Literal& sizes)
      : lhs_(dot.operand_shape(0)),
        ragged_(ragged),
        count_(sizes.shape().dims.back()),
        length_(lhs_.dims[at(ragged.dimension)]),
        is_outer_(sizes.shape().rank() > 1) {
    const int64_t lists = count_ == 0 ? 0 : sizes.element_count() / count_;
    for (int64_t list = 0; list < lists; ++list) assign(sizes, list * count_);
  }

  int64_t count() const { return count_; }

  /// The group of the element of lhs at a row-major position, or count().
  int64_t of(int64_t position) const {
    if (count_ == 0 || lhs_.element_count() == 0) return count_;
    const Index index = delinearize(position, lhs_.dims);
    int64_t outer = 0;
    for (const int64_t d : ragged_.outer) {
      if (is_outer_) outer = outer * lhs_.dims[at(d)] + index[at(d)];
    }
    return groups_[at(outer * length_ + index[at(ragged_.dimension)])];
  }

 private:
  /// Gives each index to the first group that covers it. Negative sizes can
  /// make groups overlap: next[i] is the first index from i on without one.
  void assign(const Literal& sizes, int64_t first) {
    const size_t base = groups_.size();
    groups_.resize(base + at(length_), count_);
    Ints next(at(length_ + 1));
    std::iota(next.begin(), next.end(), 0);
    Wide end = 0;
    for (int64_t g = 0; g < count_; ++g) {
      const auto begin =
          static_cast<int64_t>(std::clamp<Wide>(end, 0, length_));
      end += sizes.integer(first + g);
      for (int64_t i = skip(next, begin); i < std::min<Wide>(end, length_);
           i = skip(next, i)) {
        groups_[base + at(i)] = g;
        next[at(i)] = i + 1;
      }
    }
  }

  /// next[i], followed to its end; the path becomes shorter.
  static int64_t skip(Ints& next, int64_t i) {
    while (next[at(i)] != i) {
      next[at(i)] = next[at(next[at(i)])];
      i = next[at(i)];
    }
    return i;
  }

  const Shape& lhs_;
  const RaggedDimension& ragged_;
  int64_t count_;
  int64_t length_;
  bool is_outer_;  // sizes for each index of the outer dimensions
  Ints groups_;    // of each list of sizes, for each index
};

/// Where the elements of both operands lie, and the groups that they fall into.
struct Table {
  RaggedMode mode;
  int64_t groups;  // of group_sizes
  int64_t group_stride = 0;
  Ints lhs_batch, lhs_free, lhs_terms;
  Ints rhs_batch, rhs_free, rhs_terms;
  /// The group of (batch, row), of (batch, term) or of the batch.
  Ints group_of;

  int64_t batches() const { return size(lhs_batch); }

  int64_t rows() const { return size(lhs_free); }

  int64_t columns() const { return size(rhs_free); }

  int64_t terms() const { return size(lhs_terms); }

  /// The contraction has a group for each batch and group, and one for each
  /// batch whose rows are in none; or one for each batch.
  int64_t contraction_groups() const {
    if (mode == RaggedMode::kBatch) return batches();
    return batches() * (mode == RaggedMode::kFree ? groups + 1 : groups);
  }

  int64_t batch_of(int64_t g) const {
    if (mode == RaggedMode::kBatch) return g;
    return mode == RaggedMode::kFree ? g / (groups + 1) : g % batches();
  }

  bool has_product(int64_t g, int64_t m, int64_t k) const {
    const int64_t b = batch_of(g);
    if (mode == RaggedMode::kBatch) return group_of[at(b)] < groups;
    if (mode == RaggedMode::kContracting) {
      return group_of[at(b * terms() + k)] == g / batches();
    }
    const int64_t group = g % (groups + 1);
    return group < groups && group_of[at(b * rows() + m)] == group;
  }

  int64_t lhs_at(int64_t g, int64_t m, int64_t k) const {
    return lhs_batch[at(batch_of(g))] + lhs_free[at(m)] + lhs_terms[at(k)];
  }

  int64_t rhs_at(int64_t g, int64_t n, int64_t k) const {
    const int64_t group = mode == RaggedMode::kFree ? g % (groups + 1) : 0;
    return rhs_batch[at(batch_of(g))] + rhs_free[at(n)] + rhs_terms[at(k)] +
           std::min(group, groups - 1) * group_stride;
  }

  /// The first dimensions of the result are (group,) batch and row.
  int64_t result_row(int64_t g, int64_t m) const {
    const int64_t b = mode == RaggedMode::kFree ? batch_of(g) : g;
    return (b * rows() + m) * columns();
  }

  void locate(int64_t position, int64_t gmn[3]) const {
    const int64_t row = position / columns();
    gmn[0] = row / rows();
    gmn[1] = row % rows();
    gmn[2] = position % columns();
    if (mode == RaggedMode::kFree) {
      gmn[0] = gmn[0] * (groups + 1) + group_of[at(row)];
    }
  }
};

Table make_table(const Instruction& dot, const Literal& sizes) {
  const Shape& lhs = dot.operand_shape(0);
  const Shape& rhs = dot.operand_shape(1);
  const DotDimensions dims = dot_dimensions(dot);
  const RaggedDimension ragged = ragged_dimension(dot);
  const Ints group = dot.get_or<Ints>("rhs_group_dims", {});
  Ints rhs_free = remaining(rhs.rank(), dims.rhs_batch, dims.rhs_contracting);
  std::erase_if(rhs_free, [&](int64_t d) { return contains(group, d); });
  const Groups groups(dot, ragged, sizes);
  Table table{
      .mode = ragged.mode,
      .groups = groups.count(),
      .lhs_batch = offsets_along(lhs, dims.lhs_batch),
      .lhs_free = offsets_along(
          lhs, remaining(lhs.rank(), dims.lhs_batch, dims.lhs_contracting)),
      .lhs_terms = offsets_along(lhs, dims.lhs_contracting),
      .rhs_batch = offsets_along(rhs, dims.rhs_batch),
      .rhs_free = offsets_along(rhs, rhs_free),
      .rhs_terms = offsets_along(rhs, dims.rhs_contracting),
      .group_of = {}};
  if (!group.empty()) {
    table.group_stride = row_major_strides(rhs.dims)[at(group[0])];
  }
  const Ints none = {0};
  const Ints& inner = ragged.mode == RaggedMode::kFree ? table.lhs_free
                      : ragged.mode == RaggedMode::kContracting
                          ? table.lhs_terms
                          : none;
  for (const int64_t batch : table.lhs_batch) {
    for (const int64_t offset : inner) {
      table.group_of.push_back(groups.of(batch + offset));
    }
  }
  return table;
}

Contraction all_products(const std::shared_ptr<const Table>& table) {
  Contraction result;
  result.groups = table->contraction_groups();
  result.rows = table->rows();
  result.columns = table->columns();
  result.depth = table->terms();
  result.lhs = {
      .starts =
          [table](int64_t g, int64_t m, int64_t* p) {
            for (int64_t k = 0; k < table->terms(); ++k) {
              *p++ = table->has_product(g, m, k) ? table->lhs_at(g, m, k) : -1;
            }
          },
      .count = result.depth};
  result.rhs = {.starts =
                    [table](int64_t g, int64_t n, int64_t* p) {
                      for (int64_t k = 0; k < table->terms(); ++k) {
                        *p++ = table->rhs_at(g, n, k);
                      }
                    },
                .count = result.depth};
  result.result_row = [table](int64_t g, int64_t m) {
    return table->result_row(g, m);
  };
  result.result_column = [](int64_t, int64_t n) { return n; };
  result.locate = [table](int64_t position, int64_t gmn[3]) {
    table->locate(position, gmn);
  };
  return result;
}

Ints count_up(int64_t n) {
  Ints numbers(at(n));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::map<int64_t, RaggedDot::Part> find_parts(const Table& table) {
  std::map<int64_t, RaggedDot::Part> parts;
  const int64_t inner = size(table.group_of) / table.batches();
  for (int64_t i = 0; i < size(table.group_of); ++i) {
    const int64_t group = table.group_of[at(i)];
    const int64_t b = i / inner;
    if (group == table.groups) continue;
    if (table.mode == RaggedMode::kFree) {
      parts[b * (table.groups + 1) + group].rows.push_back(i % inner);
    } else if (table.mode == RaggedMode::kContracting) {
      parts[group * table.batches() + b].terms.push_back(i % inner);
    } else {
      parts[b] = {};
    }
  }
  for (auto& [g, part] : parts) {
    if (table.mode != RaggedMode::kFree) part.rows = count_up(table.rows());
    if (table.mode != RaggedMode::kContracting) {
      part.terms = count_up(table.terms());
    }
  }
  return parts;
}

/// Those of the positions that `terms` names.
Runs chosen(const Runs& runs, int64_t group, const Ints* vectors,
            const Ints& terms) {
  return {.starts =
              [&runs, group, vectors, &terms](int64_t, int64_t i, int64_t* p) {
                Ints all(at(runs.count));
                runs.starts(group, vectors == nullptr ? i : (*vectors)[at(i)],
                            all.data());
                for (const int64_t k : terms) *p++ = all[at(k)];
              },
          .count = size(terms)};
}

/// The rows of one part, one after the other.
Literal apply_part(const Contraction& all, int64_t g,
                   const RaggedDot::Part& part, const Instruction& dot,
                   Operands operands, const Evaluator& evaluator) {
  Contraction own;
  own.rows = size(part.rows);
  own.columns = all.columns;
  own.depth = size(part.terms);
  own.lhs = chosen(all.lhs, g, &part.rows, part.terms);
  own.rhs = chosen(all.rhs, g, nullptr, part.terms);
  own.result_row = [&all](int64_t, int64_t m) { return m * all.columns; };
  own.result_column = [](int64_t, int64_t n) { return n; };
  Instruction instruction = dot;
  instruction.shape =
      Shape::array(dot.shape.element_type, {own.rows, own.columns});
  return apply(own, instruction, operands, evaluator.threads());
}

Scalar zero_of(ElementType type) {
  Scalar zero{.type = type, .bits = {}};
  if (is_float(type)) zero.bits[0] = numeric::encode(0, numeric::format(type));
  return zero;
}

}  // namespace

RaggedDot ragged_dot(const Instruction& dot, const Literal& group_sizes) {
  const auto table =
      std::make_shared<const Table>(make_table(dot, group_sizes));
  return {.contraction = all_products(table), .parts = find_parts(*table)};
}

Literal apply(const RaggedDot& ragged, const Instruction& dot,
              Operands operands, const Evaluator& evaluator) {
  const ElementType type = dot.shape.element_type;
  const std::vector<Literal> both = {
      converted(operands[0], type, evaluator.threads()),
      converted(operands[1], type, evaluator.threads())};
  Literal result = Literal::splat(dot.shape, zero_of(type));
  const int64_t bytes = ragged.contraction.columns * storage_bytes(type);
  for (const auto& [g, part] : ragged.parts) {
    const Literal rows =
        apply_part(ragged.contraction, g, part, dot, both, evaluator);
    for (int64_t i = 0; i < size(part.rows); ++i) {
      const int64_t to = ragged.contraction.result_row(g, part.rows[at(i)]);
      std::memcpy(result.mutable_bytes().data() + to * storage_bytes(type),
                  rows.bytes().data() + i * bytes, at(bytes));
    }
  }
  return result;
}

}  // namespace hlo
