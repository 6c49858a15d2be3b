#include "interpreter/testing/operation_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "interpreter/devices/devices.h"
#include "interpreter/evaluate.h"
#include "interpreter/rules/op.h"
#include "interpreter/testing/operation_inputs.h"
#include "interpreter/verify/verify.h"

namespace hlo {
namespace {

rows::OperationRows all_rows() {
  return rows::read_rows(std::string(ASSAY_SOURCE_DIR) +
                         "/interpreter/testing/operations.txt");
}

TEST(OperationRows, TimeEachEvaluableOperation) {
  std::set<std::string, std::less<>> timed;
  for (const rows::OperationRow& row : all_rows().rows) {
    timed.insert(row.ops.begin(), row.ops.end());
  }
  for (const Op* op : all_ops()) {
    EXPECT_EQ(timed.contains(op->name), op->is_defined())
        << op->name << ": operations.txt has a row for each operation that has "
        << "a value, and for no other";
  }
}

TEST(OperationRows, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const rows::OperationRow& row : all_rows().rows) {
    EXPECT_TRUE(names.insert(row.name()).second) << row.name();
  }
}

TEST(OperationRows, RunWhatTheyName) {
  constexpr int64_t kSide = 64;
  const rows::OperationRows rows = all_rows();
  for (const rows::OperationRow& row : rows.rows) {
    SCOPED_TRACE(row.name());
    const Module module = verified_module(rows::module_text(rows, row, kSide));
    for (const std::string& op : row.ops) {
      EXPECT_TRUE(std::ranges::any_of(
          module.entry->instructions,
          [&](const auto& instruction) { return instruction->op->name == op; }))
          << op;
    }
    const rows::DeviceInputs inputs = rows::inputs_of(module, row);
    const GridResult run =
        run_grid(kReference, grid_of(module), inputs.programs, inputs.infeed);
    EXPECT_EQ(std::ssize(run.results), row.devices);
  }
}

}  // namespace
}  // namespace hlo
