#include "interpreter/devices/communication.h"

#include <algorithm>
#include <string>
#include <utility>

#include "interpreter/devices/combine.h"
#include "interpreter/error.h"
#include "interpreter/rules/sizes/sizes.h"
#include "interpreter/run/evaluator.h"

namespace hlo {
namespace {

/// The bytes of an array seen as `outer` rows of `inner` bytes, each of which
/// holds the elements of one index of the dimensions before d.
struct Rows {
  int64_t outer = 1;
  int64_t inner = 1;
};

Rows rows_of(const Shape& shape, int64_t d) {
  Rows rows{.inner = storage_bytes(shape.element_type)};
  for (int64_t i = 0; i < shape.rank(); ++i) {
    (i < d ? rows.outer : rows.inner) *= shape.dims[static_cast<size_t>(i)];
  }
  return rows;
}

}  // namespace

Future begun(const Literal& data, const Literal& token, Future transfer,
             Network& network) {
  const uint64_t number = network.keep(std::move(transfer));
  return at_once(Literal::tuple(
      {data, Literal::of({ElementType::kU32, {number, 0}}), token}));
}

Future ended(const Literal& state, Network& network) {
  const Literal& context = state.elements().at(1);
  require_evaluable(
      context.shape().is_scalar() && is_integer(context.type()),
      "channel.state",
      {"the context in the state of a transfer is ", context.shape()},
      "it must be an integer");
  return network.redeem(static_cast<uint32_t>(context.integer(0)));
}

void require_whole(const Instruction& collective, Operands operands) {
  for (const Literal& operand : operands) {
    for (const Literal* leaf : leaves(operand)) {
      const Ints& sizes = leaf->dynamic_sizes();
      require_evaluable(
          sizes.empty(), "evaluate.sizes",
          {collective.op->name, " is given an array with the sizes ", sizes,
           " at run time"},
          "it can take only arrays that are as large as their bounds");
    }
  }
}

Future meet(const Instruction& collective, Operands operands,
            CollectiveRule rule, Evaluator& evaluator) {
  require_whole(collective, operands);
  return hand_on(collective, operands, rule, evaluator, std::nullopt);
}

Future hand_on(const Instruction& collective, Operands operands,
               CollectiveRule rule, Evaluator& evaluator,
               std::optional<Literal> outside) {
  const auto apply = [&](const Meeting& meeting) {
    std::vector<Literal> results = rule(meeting, evaluator);
    if (const auto& observer = evaluator.options().meeting_observer) {
      Meeting ended = meeting;
      ended.results = results;
      ended.rule = rule;
      observer(ended);
    }
    return results;
  };
  std::optional<Future> future =
      evaluator.network().meet(collective, operands, evaluator.device(), apply);
  if (future) return *std::move(future);
  const Device& device = evaluator.device();
  require_evaluable(outside.has_value(), "collective.member",
                    {"replica ", device.replica, ", partition ",
                     device.partition, " is in none of the groups"},
                    "it must be in one");
  return at_once(*std::move(outside));
}

Future begin(const Instruction& start, Future future, Evaluator& evaluator) {
  evaluator.defer(std::move(future));
  return at_once(Literal(start.shape));
}

Future finish(const Instruction& done, Operands /*operands*/,
              Evaluator& evaluator) {
  auto begun = evaluator.deferred(*done.operands[0]);
  require_evaluable(begun.has_value(), "async.pair",
                    {"%", done.name, " ends %", done.operands[0]->name,
                     ", which has been ended or never begun"},
                    "a start must have one done");
  return *std::move(begun);
}

Literal one_or_tuple(std::vector<Literal> literals) {
  return literals.size() == 1 ? literals[0]
                              : Literal::tuple(std::move(literals));
}

std::vector<Literal> for_all(const Meeting& meeting, const Literal& result) {
  std::vector<Literal> results;
  results.resize(meeting.size(), result);
  return results;
}

Literal concatenated(const std::vector<Literal>& parts, int64_t d) {
  Shape shape = Shape::array(parts[0].type(), parts[0].shape().dims);
  const Rows rows = rows_of(shape, d);
  shape.dims[static_cast<size_t>(d)] *= std::ssize(parts);
  Literal whole = Literal::uninitialized(shape);
  std::byte* out = whole.mutable_bytes().data();
  for (int64_t i = 0; i < rows.outer; ++i) {
    for (const Literal& part : parts) {
      out = std::copy_n(part.bytes().data() + i * rows.inner, rows.inner, out);
    }
  }
  return whole;
}

Literal part_of(const Literal& whole, int64_t d, int64_t i, int64_t count) {
  Shape shape = Shape::array(whole.type(), whole.shape().dims);
  shape.dims[static_cast<size_t>(d)] /= count;
  const Rows rows = rows_of(shape, d);
  Literal part = Literal::uninitialized(shape);
  std::byte* out = part.mutable_bytes().data();
  for (int64_t row = 0; row < rows.outer; ++row) {
    out = std::copy_n(whole.bytes().data() + (row * count + i) * rows.inner,
                      rows.inner, out);
  }
  return part;
}

std::vector<Literal> gather_all(const Meeting& meeting,
                                Evaluator& /*evaluator*/) {
  const int64_t d = meeting.collective->get<Ints>("dimensions")[0];
  std::vector<Literal> results;
  for (size_t k = 0; k < meeting.operands[0].size(); ++k) {
    std::vector<Literal> parts;
    parts.reserve(meeting.size());
    for (const auto& operands : meeting.operands) parts.push_back(operands[k]);
    results.push_back(concatenated(parts, d));
  }
  return for_all(meeting, one_or_tuple(std::move(results)));
}

std::vector<Literal> reduce_all(const Meeting& meeting, Evaluator& evaluator) {
  return for_all(meeting, one_or_tuple(combined(meeting, evaluator)));
}

}  // namespace hlo
