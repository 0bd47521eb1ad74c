#include "runtime/backend_registry.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace inkread {
namespace {

TEST(BackendRegistryTest, TheCpuIsLastAndInEveryBuild) {
  EXPECT_TRUE(BackendRows().back().is_cpu());
  EXPECT_TRUE(BackendRows().back().is_in_build());
}

TEST(BackendRegistryTest, TheCpuSaysWhetherItHasUnitsForFast) {
  ThreadPool pool(1);
  const std::vector<DeviceInfo> listed = FindBackendRow(OcrBackend::kCpu)->list().value();
  ASSERT_EQ(listed.size(), 1u);
  const auto fast = OpenBackend("cpu", &pool, /*fast=*/true);
  ASSERT_TRUE(fast.ok());
  const std::string& why_not = (*fast)->Caps().fast_unavailable_reason;
  const std::string says =
      why_not.empty() ? "precision fast: 16 bits" : "precision fast: 32 bits as well, since " + why_not;
  EXPECT_NE(listed[0].details.find(says), std::string::npos) << listed[0].details;
  EXPECT_NE(listed[0].details.find("units for 8 bits: "), std::string::npos) << listed[0].details;
}

TEST(BackendRegistryTest, NamesTellBackendsApartAndValuesHaveNoGap) {
  std::set<std::string> names;
  const std::vector<OcrBackend> values = BackendValues();
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(static_cast<size_t>(values[i]), i);
    EXPECT_TRUE(names.insert(BackendRowName(values[i])).second) << BackendRowName(values[i]);
  }
  EXPECT_EQ(values.front(), OcrBackend::kAuto);
  EXPECT_EQ(names.count("unknown"), 0u);
}

TEST(BackendRegistryTest, ANumberThatIsNoBackendIsUnknown) {
  for (int number : {-1, 99, static_cast<int>(BackendValues().size())}) {
    EXPECT_STREQ(BackendRowName(static_cast<OcrBackend>(number)), "unknown");
    EXPECT_EQ(FindBackendRow(static_cast<OcrBackend>(number)), nullptr);
  }
}

TEST(BackendRegistryTest, EveryBackendIsInTheDocuments) {
  for (const BackendRow& row : BackendRows()) {
    if (row.is_cpu()) continue;
    const std::string page = std::string(INKREAD_SOURCE_DIR "/docs/backends/") + row.name + ".md";
    EXPECT_TRUE(std::filesystem::exists(page)) << page;
  }
}

TEST(BackendRegistryTest, OnlyAWholeNameOpensABackend) {
  ThreadPool pool(1);
  EXPECT_TRUE(OpenBackend("cpu", &pool).ok());
  EXPECT_TRUE(OpenBackend("reference", &pool).ok());
  for (const char* name : {"", "cp", "cpu:0", "abacus", "auto"}) {
    const auto backend = OpenBackend(name, &pool);
    EXPECT_EQ(backend.status().code(), StatusCode::kUnsupported) << name;
    EXPECT_NE(backend.status().message().find("cpu"), std::string::npos) << backend.status().message();
  }
}

}  // namespace
}  // namespace inkread
