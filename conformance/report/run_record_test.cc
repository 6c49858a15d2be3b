#include "conformance/report/run_record.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "conformance/files/file_use.h"
#include "conformance/files/read_file.h"
#include "conformance/report/exit_code.h"

namespace hlo::conformance {
namespace {

/// Three cases whose events go to a file that is gone after each test.
class Records : public testing::Test {
 protected:
  Records() : cases_(3) {
    for (size_t i = 0; i < cases_.size(); ++i) {
      cases_[i].id = "add/f32/" + std::to_string(i);
    }
  }

  ~Records() override {
    std::filesystem::remove(path_);
    std::filesystem::remove(path_ + ".part");
  }

  /// The numbers of the cases in the events of the file, in their order.
  static std::string order(const std::string& path) {
    constexpr std::string_view kId = "add/f32/";
    const std::string text = read_file(path);
    std::string numbers;
    for (size_t at = text.find(kId); at != std::string::npos;
         at = text.find(kId, at + 1)) {
      numbers += text[at + kId.size()];
    }
    return numbers;
  }

  static CaseResult result(Verdict verdict) {
    CaseResult r;
    r.judgement.verdict = verdict;
    return r;
  }

  std::vector<Case> cases_;
  std::string path_ = (std::filesystem::temp_directory_path() /
                       ("assay_record_" + std::to_string(getpid())))
                          .string();
  FileUse use_;
};

TEST_F(Records, WriteEventsAtOnceAndInTheEndInOrder) {
  OutputFile events(path_, use_);
  RunRecord record(std::ssize(cases_), Summary("assay check"), &events);
  record.begin(RunIdentity());
  record.take(cases_);
  for (const size_t i : {2U, 0U, 1U}) {
    record.add(cases_[i], result(Verdict::kConforms));
  }
  EXPECT_EQ(order(path_ + ".part"), "201");
  EXPECT_FALSE(std::filesystem::exists(path_));
  record.end();
  EXPECT_EQ(order(path_), "012");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".part"));
  EXPECT_EQ(record.exit_code(), kConforms);
}

TEST_F(Records, TakeCasesPartByPart) {
  OutputFile events(path_, use_);
  RunRecord record(2 * std::ssize(cases_), Summary("assay check"), &events);
  record.begin(RunIdentity());
  const std::vector<Case> others = cases_;
  record.take(cases_);
  for (const size_t i : {1U, 0U, 2U}) {
    record.add(cases_[i], result(Verdict::kConforms));
  }
  record.take(others);
  for (const size_t i : {2U, 1U}) {
    record.add(others[i], result(Verdict::kConforms));
  }
  EXPECT_EQ(order(path_ + ".part"), "10221");
  record.end();
  EXPECT_EQ(order(path_), "01212");
  EXPECT_EQ(record.left(), 1);
  EXPECT_EQ(record.summary().total().cases(), 5);
}

TEST_F(Records, SummarizeWhatIsThereInOrder) {
  RunRecord record(std::ssize(cases_), Summary("assay check"), nullptr);
  record.begin(RunIdentity());
  record.take(cases_);
  record.add(cases_[2], result(Verdict::kError));
  record.add(cases_[0], result(Verdict::kDiffers));
  record.end();
  EXPECT_EQ(record.left(), 1);
  EXPECT_EQ(record.exit_code(), kIncomplete);
  const auto families = record.summary().families();
  ASSERT_EQ(families.size(), 1U);
  ASSERT_EQ(families[0]->findings.size(), 2U);
  EXPECT_EQ(families[0]->findings[0].id, "add/f32/0");
}

}  // namespace
}  // namespace hlo::conformance
