#include "apps/machine.h"

#include <gtest/gtest.h>

namespace inkread {
namespace {

TEST(MachineTest, FieldOfFindsTheFirstLineOfThatName) {
  const std::string text =
      "processor\t: 0\nmodel name\t: Some CPU @ 2:1\nempty\t:\nVmRSS:\t  123 kB\nmodel name\t: Other";
  EXPECT_EQ(FieldOf(text, "model name"), "Some CPU @ 2:1");
  EXPECT_EQ(FieldOf(text, "VmRSS"), "123 kB");
  EXPECT_EQ(FieldOf(text, "empty"), "");
  EXPECT_EQ(FieldOf(text, "model"), std::nullopt);
  EXPECT_EQ(FieldOf("", "model"), std::nullopt);
}

TEST(MachineTest, ThisMachineHasCoresAndMemory) {
  const Machine machine = ThisMachine();
  EXPECT_GE(machine.num_cores, 1);
  EXPECT_GT(machine.memory_bytes, 1 << 20);
  EXPECT_FALSE(machine.compiler.empty());
}

TEST(MachineTest, ThePeakCoversWhatIsResident) {
  const std::optional<int64_t> now = ResidentBytes();
  const std::optional<int64_t> peak = PeakResidentBytes();
  ASSERT_TRUE(now.has_value() && peak.has_value());
  EXPECT_GT(*now, 0);
  EXPECT_GE(*peak, *now);
}

}  // namespace
}  // namespace inkread
