#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "interpreter/error.h"
#include "interpreter/stablehlo/export/export.h"
#include "interpreter/verify/verify.h"

// testing/exported_forms.txt says what instructions become, form by form.
namespace hlo::stablehlo {
namespace {

struct Row {
  int line = 0;
  std::string parameters;
  std::string instruction;
  std::string printed;
};

std::vector<Row> read_rows() {
  std::ifstream file(
      std::string(ASSAY_SOURCE_DIR) +
      "/interpreter/stablehlo/export/testing/exported_forms.txt");
  std::vector<Row> rows;
  std::string parameters;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line.starts_with("#")) continue;
    if (line.starts_with("with")) {
      parameters = line.substr(4);
    } else if (line.starts_with("  ")) {
      rows.back().printed += line.substr(2) + "\n";
    } else {
      rows.push_back({number, parameters, line, {}});
    }
  }
  return rows;
}

/// The program with " x = f32[2], y = s32[]" as parameters.
std::string program(const Row& row) {
  std::string text = "HloModule m\n\nENTRY e {\n";
  std::string list = row.parameters;
  for (int n = 0; !list.empty(); ++n) {
    const size_t close = list.find("],") + 1;
    const size_t end = close == 0 ? list.size() : close;
    text += list.substr(0, end) + " parameter(" + std::to_string(n) + ")\n";
    list = list.substr(std::min(end + 1, list.size()));
  }
  return text + "ROOT r = " + row.instruction + "\n}\n";
}

/// The operations of @main but for its return, which is the only other line
/// with so many blanks before it.
std::string body(const std::string& text) {
  const std::string indentation = "\n    ";
  std::string lines;
  size_t begin = text.find(indentation);
  while (begin != std::string::npos) {
    begin += indentation.size();
    const std::string line = text.substr(begin, text.find('\n', begin) - begin);
    if (!line.starts_with("\"func.return\"")) lines += line + "\n";
    begin = text.find(indentation, begin);
  }
  return lines;
}

TEST(ExportedForms, AreThoseOfTheFile) {
  const std::vector<Row> rows = read_rows();
  EXPECT_GE(rows.size(), 60U);
  for (const Row& row : rows) {
    SCOPED_TRACE("exported_forms.txt:" + std::to_string(row.line));
    try {
      EXPECT_EQ(body(print(verified_module(program(row)))), row.printed);
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

TEST(ExportedForms, OnlyTheEntryIsPublic) {
  const std::string text = print(verified_module(R"(HloModule m
f {
  p = f32[] parameter(0)
  ROOT n = f32[] negate(p)
}
ENTRY e {
  x = f32[] parameter(0)
  ROOT r = f32[] call(x), to_apply=f
})"));
  EXPECT_NE(text.find("  func.func public @main("), std::string::npos) << text;
  EXPECT_NE(text.find("  func.func private @\"f\"("), std::string::npos)
      << text;
  EXPECT_EQ(text.find("public"), text.rfind("public")) << text;
}

// StableHLO has all replicas of partition 0 first, HLO all partitions of
// replica 1 here.
TEST(ExportedForms, TellTheOrderAcrossReplicasAndPartitionsByIds) {
  const auto exported = [](const std::string& groups, int partitions) {
    return print(verified_module(
        "HloModule m, replica_count=2, num_partitions=" +
        std::to_string(partitions) +
        "\nENTRY e {\nx = f32[1] parameter(0)\nROOT r = f32[" +
        std::to_string(2 * partitions) +
        "] all-gather(x), dimensions={0}, channel_id=1" + groups + "\n}\n"));
  };
  const std::string ids = exported(", replica_groups={{1,0}}", 2);
  EXPECT_NE(ids.find("dense<[[2, 3, 0, 1]]> : tensor<1x4xi64>"),
            std::string::npos)
      << ids;
  EXPECT_NE(ids.find("use_global_device_ids"), std::string::npos) << ids;
  EXPECT_NE(exported("", 2).find("dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>"),
            std::string::npos);
  const std::string one = exported(", replica_groups={{1,0}}", 1);
  EXPECT_NE(one.find("dense<[[1, 0]]> : tensor<1x2xi64>"), std::string::npos);
  EXPECT_EQ(one.find("use_global"), std::string::npos) << one;
}

/// The program that joins by a sum of a type.
std::string joined(const std::string& type, const std::string& instruction) {
  return print(verified_module(
      "HloModule m, replica_count=2\nf {\n  a = " + type +
      "[] parameter(0)\n  b = " + type + "[] parameter(1)\n  ROOT c = " + type +
      "[] add(a, b)\n}\nENTRY e {\n  x = bf16[4] parameter(0)\n"
      "  z = bf16[] parameter(1)\n  ROOT r = " +
      instruction + ", to_apply=f\n}\n"));
}

// StableHLO's results have the type of what the region joins.
TEST(ExportedForms, ConvertBehindWhatARegionJoins) {
  for (const char* instruction :
       {"bf16[] reduce(x, z), dimensions={0}",
        "bf16[3] reduce-window(x, z), window={size=2}",
        "bf16[4] all-reduce(x), replica_groups={{0,1}}",
        "bf16[2] reduce-scatter(x), dimensions={0}"}) {
    const std::string text = joined("f32", instruction);
    EXPECT_NE(text.find("\"stablehlo.convert\"(%0)"), std::string::npos)
        << text;
  }
  for (const char* type : {"f16", "f8e5m2"}) {
    const std::string text =
        joined(type, "bf16[4] all-reduce(x), replica_groups={{0,1}}");
    EXPECT_NE(text.find("hlo.all-reduce"), std::string::npos) << text;
  }
}

std::string exported(const std::string& body) {
  return print(verified_module("HloModule m\nENTRY e {\n" + body + "\n}\n"));
}

TEST(ExportedForms, ACallThatDoesMoreThanGiveItsResultSaysSo) {
  constexpr const char* kEffect = "has_side_effect = true";
  EXPECT_NE(exported("ROOT r = u64[2] rng-get-and-update-state(), delta=1")
                .find(kEffect),
            std::string::npos);
  const std::string call =
      "x = f32[] parameter(0)\nROOT r = f32[] custom-call(x), "
      "custom_call_target=\"t\", schedule=SCHEDULE_EARLIEST";
  EXPECT_EQ(exported(call).find(kEffect), std::string::npos);
  EXPECT_NE(exported(call + ", custom_call_has_side_effect=true").find(kEffect),
            std::string::npos);
}

TEST(ExportedForms, AreCallsWhereStableHloTakesNoSuchTypes) {
  const std::string window = "window={size=2}, dim_labels=b0f_0io->b0f";
  for (const std::string& body :
       {"x = s8[1,4,1] parameter(0)\ny = u8[2,1,1] parameter(1)\n"
        "ROOT r = s32[1,3,1] convolution(x, y), " +
            window,
        std::string("x = u64[2] parameter(0)\nROOT r = (u64[2], pred[5]) "
                    "rng-bit-generator(x), algorithm=rng_three_fry"),
        std::string("x = f32[2] parameter(0)\nROOT r = f32[] dot(x, x), "
                    "lhs_contracting_dims={0}, rhs_contracting_dims={0}, "
                    "operand_precision={high,high,high}"),
        std::string("x = f32[2] parameter(0)\nk = s32[1] parameter(1)\n"
                    "ROOT r = f32[2] collective-broadcast(x, k), "
                    "has_dynamic_root=true, replica_groups={{0}}")}) {
    const std::string text = exported(body);
    EXPECT_NE(text.find("call_target_name = \"hlo."), std::string::npos)
        << text;
  }
}

}  // namespace
}  // namespace hlo::stablehlo
