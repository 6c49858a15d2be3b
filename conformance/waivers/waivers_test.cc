#include "conformance/waivers/waivers.h"

#include <gtest/gtest.h>

#include "conformance/case/file_error.h"
#include "conformance/waivers/day.h"

namespace hlo::conformance {
namespace {

constexpr std::string_view kDay = "2027-01-31";

std::string file_with(const std::string& fields) {
  return R"({"waivers": [{"cases": "add/*", "reason": "why", "owner": "who", )" +
         fields + "}]}";
}

std::vector<Waiver> one(const std::string& more = "") {
  return parse_waivers(file_with(R"("expires": "2027-01-31")" + more),
                       "w.json");
}

/// What is said of a text that is wrong.
std::string refusal(std::string_view text) {
  try {
    parse_waivers(text, "w.json");
  } catch (const FileError& error) {
    EXPECT_EQ(error.rule(), "usage.waivers");
    return error.rendered();
  }
  return "";
}

Judgement verdict(Verdict verdict) {
  Judgement judgement;
  judgement.verdict = verdict;
  return judgement;
}

TEST(Waivers, AreReadWithTheirNumber) {
  EXPECT_TRUE(parse_waivers(R"({"waivers": []})", "w.json").empty());
  const std::vector<Waiver> list =
      one(R"(, "link": "https://e.org/1", "engine": "jax:*")");
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].engine, "jax:*");
  EXPECT_EQ(list[0].text(),
            "w.json, waiver 1, add/*: why (who, until 2027-01-31, "
            "https://e.org/1)");
}

TEST(Waivers, AreRefusedWithAPlace) {
  EXPECT_EQ(
      refusal("{\"waivers\": [\n  {\"cases\": \"\"}]}"),
      "w.json:2:13: error: usage.waivers: cases is no text, or an empty "
      "one, but must be a text\n    {\"cases\": \"\"}]}\n              ^\n");
  EXPECT_TRUE(refusal("{\n\n").starts_with("w.json:3:1: ")) << refusal("{\n\n");
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("{}"),
        std::string("\xff"), std::string("\xef\xbb\xbf{\"waivers\":[]}"),
        std::string(100000, '['), std::string(R"({"waivers": 1})"),
        std::string(R"({"waivers": [1]})"),
        std::string(R"({"waivers": [], "waivers": []})"),
        file_with(R"("expires": "2027-02-29")"),
        file_with(R"("expires": "0000-01-01")"),
        file_with(R"("expires": "2027-1-31")"),
        file_with(R"("expires": "2027-01-31", "link": "e.org")"),
        file_with("\"expires\": \"2027-01-31\", \"link\": "
                  "\"https://e.\xe3\x80\x80org\""),
        file_with("\"expires\": \"2027-01-31\", \"engine\": \"\xc2\xa0\""),
        file_with(R"("expires": "2027-01-31", "more": "x")")}) {
    EXPECT_NE(refusal(text), "") << text.substr(0, 100);
  }
  const std::string huge((size_t{16} << 20U) + 1, ' ');
  EXPECT_NE(refusal(huge).find("longer than 16 MiB"), std::string::npos);
}

TEST(Waivers, HoldOnTheirLastDay) {
  EXPECT_NE(Waivers(one(), "cpu:", kDay).find("add/f32/x"), nullptr);
  const Waivers expired(one(), "cpu:", "2027-02-01");
  EXPECT_EQ(expired.find("add/f32/x"), nullptr);
  EXPECT_EQ(expired.findings(),
            std::vector<std::string>{"expired      " + one()[0].text()});
  EXPECT_EQ(expired.digest(), "");
}

TEST(Waivers, OfOtherEnginesSayNothing) {
  const auto list = one(R"(, "engine": "iree:*")");
  EXPECT_EQ(Waivers(list, "cpu:", kDay).find("add/f32/x"), nullptr);
  EXPECT_TRUE(Waivers(list, "cpu:", kDay).findings().empty());
  EXPECT_NE(Waivers(list, "iree:llvm-cpu", kDay).find("add/f32/x"), nullptr);
}

std::vector<Waiver> tagged(const std::string& tag) {
  return parse_waivers(
      R"({"engines": [{"engine": "jax:*", "tags": ["no-f64", "flushes"]},)"
      R"( {"engine": "cpu:", "tags": ["flushes"]}], "waivers": [{"cases": )"
      R"("add/*", "reason": "why", "owner": "who", "tag": ")" +
          tag + R"(", "expires": "2027-01-31"}]})",
      "w.json");
}

TEST(Waivers, AreMeantForBackendsWithTheirTag) {
  const auto holds = [](const std::string& tag, std::string_view backend) {
    return Waivers(tagged(tag), backend, kDay).find("add/f32/x") != nullptr;
  };
  EXPECT_TRUE(holds("no-*", "jax:cpu"));
  EXPECT_FALSE(holds("no-*", "cpu:"));
  EXPECT_TRUE(holds("flushes", "cpu:"));
  EXPECT_FALSE(holds("flushes", "interpreter:"));
  EXPECT_THROW(tagged("f64"), FileError);
}

// A file that says nothing of engines leaves it to them.
TEST(Waivers, AreMeantForBackendsThatGiveThemselvesTheTag) {
  const std::vector<Waiver> list = one(R"(, "tag": "no-*")");
  const std::vector<std::string> tags = {"devices", "no-f64"};
  EXPECT_TRUE(list.front().asks_backends());
  EXPECT_NE(Waivers(list, "cpu:", kDay, tags).find("add/f32/x"), nullptr);
  EXPECT_EQ(Waivers(list, "cpu:", kDay).find("add/f32/x"), nullptr);
  EXPECT_TRUE(Waivers(list, "cpu:", kDay).findings().empty());
  // Where it does, their own tags do not count.
  EXPECT_FALSE(tagged("no-*").front().asks_backends());
  EXPECT_EQ(Waivers(tagged("no-*"), "cpu:", kDay, tags).find("add/f32/x"),
            nullptr);
}

TEST(Waivers, RefuseTagsThatSayNothing) {
  for (const char* const engines : {"{}", "[7]", R"([{"engine": "cpu:"}])",
                                    R"([{"engine": "", "tags": []}])",
                                    R"([{"engine": "cpu:", "tags": "a"}])",
                                    R"([{"engine": "cpu:", "tags": [""]}])"}) {
    EXPECT_NE(refusal(std::string(R"({"engines": )") + engines +
                      R"(, "waivers": []})"),
              "")
        << engines;
  }
}

TEST(Waivers, AreContradictedByCasesThatGoWell) {
  Waivers waivers(one(), "cpu:", kDay);
  EXPECT_NE(waivers.findings().at(0).find("unused "), std::string::npos);
  waivers.note("add/f32/a", verdict(Verdict::kDiffers));
  waivers.note("add/f32/b", verdict(Verdict::kUnsupported));
  EXPECT_TRUE(waivers.findings().empty());
  waivers.note("sub/f32/a", verdict(Verdict::kConforms));
  Judgement flaky = verdict(Verdict::kDiffers);
  flaky.again = Verdict::kConforms;
  waivers.note("add/f32/c", flaky);
  EXPECT_TRUE(waivers.findings().empty());
  waivers.note("add/f32/d", verdict(Verdict::kConforms));
  EXPECT_TRUE(
      waivers.findings().at(0).ends_with(": 1 of 3 conform, first add/f32/d"))
      << waivers.findings().at(0);
}

TEST(Waivers, HaveADigestOfWhatHolds) {
  EXPECT_EQ(Waivers().digest(), "");
  const std::string digest = Waivers(one(), "cpu:", kDay).digest();
  EXPECT_EQ(digest.size(), 64U);
  EXPECT_NE(digest, Waivers(one(R"(, "engine": "cpu*", "link": "http://x")"),
                            "cpu:", kDay)
                        .digest());
}

TEST(Days, AreThoseOfTheCalendar) {
  for (const char* const day :
       {"2027-01-31", "2028-02-29", "0001-01-01", "9999-12-31"}) {
    EXPECT_TRUE(is_day(day)) << day;
  }
  for (const char* const day :
       {"", "2027-02-29", "2027-13-01", "2027-00-10", "2027-01-00",
        "0000-01-01", "20270131", "2027-01-31 ", "2027/01/31"}) {
    EXPECT_FALSE(is_day(day)) << day;
  }
  EXPECT_TRUE(is_day(today())) << today();
}

}  // namespace
}  // namespace hlo::conformance
