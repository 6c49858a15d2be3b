#include "interpreter/rules/dimensions/dot_side.h"

#include "interpreter/rules/dimensions/indices.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {

DotSide::DotSide(const Instruction& dot, size_t operand)
    : rank(dot.operand_shape(operand).rank()) {
  const DotDimensions dims = dot_dimensions(dot);
  batch = operand == 0 ? dims.lhs_batch : dims.rhs_batch;
  contracting = operand == 0 ? dims.lhs_contracting : dims.rhs_contracting;
  free = remaining(rank, batch, contracting);
}

Index DotSide::at(const Index& b, const Index& i, const Index& k) const {
  Index index(static_cast<size_t>(rank));
  place(index, batch, b);
  place(index, free, i);
  place(index, contracting, k);
  return index;
}

DotIndex::DotIndex(const DotSide& lhs, const Index& result) {
  const auto m_begin = result.begin() + std::ssize(lhs.batch);
  const auto n_begin = m_begin + std::ssize(lhs.free);
  b.assign(result.begin(), m_begin);
  m.assign(m_begin, n_begin);
  n.assign(n_begin, result.end());
}

Ints depth_of(const Instruction& dot) {
  return chosen(dot.operand_shape(0).dims, DotSide(dot, 0).contracting);
}

}  // namespace hlo
