#include "base/status.h"

#include <gtest/gtest.h>

#include <locale>
#include <memory>
#include <string>

namespace inkread {
namespace {

Result<int> Good() { return 7; }
Result<int> Bad() { return NotFound("no such number"); }

TEST(ResultTest, TellsWhetherItHasAValue) {
  EXPECT_TRUE(Good().ok());
  EXPECT_TRUE(Good().has_value());
  EXPECT_TRUE(Good() ? true : false);
  EXPECT_EQ(Good().status().code(), StatusCode::kOk);
  EXPECT_FALSE(Bad().ok());
  EXPECT_FALSE(Bad().has_value());
  EXPECT_FALSE(Bad() ? true : false);
  EXPECT_EQ(Bad().status().code(), StatusCode::kNotFound);
  EXPECT_EQ(Bad().status().message(), "no such number");
}

TEST(ResultTest, GivesItsValueOrAnother) {
  EXPECT_EQ(Good().value(), 7);
  EXPECT_EQ(*Good(), 7);
  EXPECT_EQ(Good().value_or(8), 7);
  EXPECT_EQ(Bad().value_or(8), 8);
  const Result<std::string> text = NotFound("no text");
  EXPECT_EQ(text.value_or("another"), "another");
  EXPECT_EQ(Result<std::unique_ptr<int>>(std::make_unique<int>(3)).value_or(nullptr) == nullptr, false);
}

struct GroupedDigits : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(StrCatTest, DoesNotFollowTheProgramsLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new GroupedDigits));
  const std::string text = StrCat(1234567, ' ', 0.5);
  std::locale::global(before);
  EXPECT_EQ(text, "1234567 0.5");
}

TEST(ResultTest, ABoolMayBeAValue) {
  const Result<bool> no = false;
  EXPECT_TRUE(no.has_value());
  EXPECT_FALSE(*no);
}

TEST(ResultTest, AnOkStatusIsAnErrorOfTheProgram) {
  const Result<int> result = Status();
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.status().code(), StatusCode::kInternal);
  EXPECT_NE(result.status().message().find("ok Status"), std::string::npos) << result.status().message();
}

TEST(ResultDeathTest, TakingAMissingValueEndsWithTheErrorsMessage) {
  EXPECT_DEATH(static_cast<void>(Bad().value()), "NOT_FOUND: no such number");
  EXPECT_DEATH(static_cast<void>(*Bad()), "NOT_FOUND: no such number");
  Result<std::string> text = NotFound("no text");
  EXPECT_DEATH(static_cast<void>(text->size()), "NOT_FOUND: no text");
  const Result<std::string> constant = NotFound("no text");
  EXPECT_DEATH(static_cast<void>(constant->size()), "NOT_FOUND: no text");
}

TEST(StatusTest, ANumberThatIsNoCodeIsUnknown) {
  EXPECT_STREQ(StatusCodeName(StatusCode::kOutOfMemory), "OUT_OF_MEMORY");
  EXPECT_STREQ(StatusCodeName(StatusCode::kPermissionDenied), "PERMISSION_DENIED");
  EXPECT_STREQ(StatusCodeName(static_cast<StatusCode>(99)), "UNKNOWN");
}

}  // namespace
}  // namespace inkread
