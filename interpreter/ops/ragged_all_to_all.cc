// spec/ops/ragged_all_to_all.md
#include <algorithm>
#include <utility>

#include "interpreter/devices/communication.h"
#include "interpreter/error.h"
#include "interpreter/rules/devices/group_rules.h"
#include "interpreter/rules/shape_rules.h"

namespace hlo {
namespace {

constexpr AttributeSpec kAttributes[] = {
    {"channel_id", AttributeKind::kInt},
    {"replica_groups", AttributeKind::kReplicaGroups},
};

Shape infer(const Instruction& exchange) {
  const Shape& input = exchange.operand_shape(0);
  const Shape& output = exchange.operand_shape(1);
  require(input.element_type == output.element_type &&
              same_but_for(input, output, 0) && input.rank() >= 1,
          "ragged-all-to-all.C1",
          {"the input is ", input, " and the output ", output},
          "they must be arrays that differ in dimension 0 only");
  const Shape& offsets = exchange.operand_shape(2);
  require(is_integer(offsets.element_type) && offsets.rank() >= 1 &&
              offsets.rank() <= 2,
          "ragged-all-to-all.C2", {"the offsets are ", offsets},
          "they must be integers of rank 1 or 2");
  for (size_t i = 3; i < 6; ++i) {
    require(compatible(exchange.operand_shape(i), offsets),
            "ragged-all-to-all.C3",
            {"operand ", i, " is ", exchange.operand_shape(i),
             " and the offsets are ", offsets},
            "offsets and sizes must have one shape");
  }
  return output;
}

/// Rows [from, from + count) of a member's input go to row `to` of a peer.
struct Rows {
  int64_t from;
  int64_t count;
  int64_t to;
};

/// What member i sends to member j in its update u.
Rows rows_of(const Meeting& meeting, size_t i, size_t j, int64_t u,
             int64_t updates) {
  const std::vector<Literal>& sender = meeting.operands[i];
  const int64_t k = static_cast<int64_t>(j) * updates + u;
  const Rows rows{sender[2].integer(k), sender[3].integer(k),
                  sender[4].integer(k)};
  const auto fits = [&](int64_t first, const Literal& array) {
    const int64_t size = array.shape().dims[0];
    return first >= 0 && rows.count >= 0 && first <= size &&
           rows.count <= size - first;
  };
  require_evaluable(
      fits(rows.from, sender[0]) && fits(rows.to, meeting.operands[j][1]),
      "ragged-all-to-all.range",
      {"rows from ", rows.from, " of ", sender[0].shape(), " go to rows from ",
       rows.to, " of ", meeting.operands[j][1].shape(), ", ", rows.count,
       " of them"},
      "these must be rows of the input and of the output");
  const int64_t back = static_cast<int64_t>(i) * updates + u;
  require_evaluable(
      meeting.operands[j][5].integer(back) == rows.count,
      "ragged-all-to-all.sizes",
      {"a member receives ", Count{meeting.operands[j][5].integer(back), "row"},
       " and is sent ", rows.count},
      "the two must be equal");
  return rows;
}

std::vector<Literal> exchange_rows(const Meeting& meeting, Evaluator&) {
  const auto count = static_cast<int64_t>(meeting.size());
  const int64_t slices = meeting.operands[0][2].element_count();
  require_evaluable(
      slices % count == 0 && (meeting.operands[0][2].shape().rank() == 1 ||
                              meeting.operands[0][2].shape().dims[0] == count),
      "ragged-all-to-all.members",
      {"the offsets are ", meeting.operands[0][2].shape(), " for ",
       Count{count, "member"}},
      "there must be one for each member of a group");
  std::vector<Literal> results;
  for (size_t j = 0; j < meeting.size(); ++j) {
    Literal output = meeting.operands[j][1];
    const int64_t row =
        output.shape().dims[0] == 0
            ? 0
            : std::ssize(output.bytes()) / output.shape().dims[0];
    for (size_t i = 0; i < meeting.size(); ++i) {
      for (int64_t u = 0; u < slices / count; ++u) {
        const Rows rows = rows_of(meeting, i, j, u, slices / count);
        std::copy_n(meeting.operands[i][0].bytes().data() + rows.from * row,
                    rows.count * row,
                    output.mutable_bytes().data() + rows.to * row);
      }
    }
    results.push_back(std::move(output));
  }
  return results;
}

Future communicate(const Instruction& exchange, Operands operands,
                   Evaluator& evaluator) {
  return meet(exchange, operands, exchange_rows, evaluator);
}

}  // namespace

extern constinit const Op op_ragged_all_to_all{.name = "ragged-all-to-all",
                                               .min_operands = 6,
                                               .max_operands = 6,
                                               .attributes = kAttributes,
                                               .infer = infer,
                                               .moving = {.operands = 2},
                                               .communicate = communicate,
                                               .accuracy = {.moves_data = true},
                                               .check = check_equal_groups};

}  // namespace hlo
