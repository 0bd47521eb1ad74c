#include "document/child_process.h"

#include <gtest/gtest.h>

#include <string>

namespace inkread {
namespace {

ChildLimits Limits() {
  ChildLimits limits;
  limits.output_bytes = 1000;
  limits.seconds = 20;
  return limits;
}

Status ErrorOf(const std::string& script, const ChildLimits& limits = Limits()) {
  return OutputOf({"sh", "-c", script}, limits).status();
}

TEST(ChildProcessTest, ReturnsTheOutput) {
  const auto output = OutputOf({"printf", "%s-%s", "a b", "$HOME"}, Limits());
  ASSERT_TRUE(output.ok()) << output.status().message();
  EXPECT_EQ(std::string(output->begin(), output->end()), "a b-$HOME");
}

TEST(ChildProcessTest, SaysWhatWentWrong) {
  EXPECT_EQ(OutputOf({"no-such-program-here"}, Limits()).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(ErrorOf("exit 3").message(), "sh: failed with exit code 3");
  EXPECT_EQ(ErrorOf("kill -9 $$").message(), "sh: ended by signal 9");
  EXPECT_EQ(ErrorOf("while :; do echo 0123456789; done").message(), "sh: it wrote more than 1000 bytes");
  EXPECT_EQ(ErrorOf("echo x > /tmp/inkread_child_wrote_this && cat /tmp/inkread_child_wrote_this").code(),
            StatusCode::kCorruptImage);
  ChildLimits limits = Limits();
  limits.seconds = 1;
  EXPECT_EQ(ErrorOf("exec sleep 30", limits).message(), "sh: it took longer than 1 s");
}

}  // namespace
}  // namespace inkread
