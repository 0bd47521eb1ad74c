// Finding a device, the file of compiled kernels, and memory that grows with the images.
#include "backends/vulkan/device.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/planned_network.h"
#include "tests/vulkan/support.h"

namespace inkread {
namespace {

using DeviceTest = VulkanModelTest;

TEST_F(DeviceTest, IsFoundByIndexAndByAPartOfItsNameInAnyCase) {
  const std::vector<VulkanDeviceInfo> devices = ListVulkanDevices().value();
  const VulkanDeviceInfo& info = devices[std::stoi(device_)];
  EXPECT_FALSE(info.driver.empty());
  EXPECT_FALSE(info.offers.empty());
  std::string upper = info.name.substr(1, 6);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (const std::string& wanted : {device_, upper}) {
    VulkanOptions options = Options();
    options.device = wanted;
    const auto backend = MakeVulkanBackend(options);
    ASSERT_TRUE(backend.ok()) << backend.status().message();
    EXPECT_EQ((*backend)->Caps().device, "vulkan " + info.name);
  }
}

TEST_F(DeviceTest, OneThatIsNotThereIsRefusedWithThoseThatAre) {
  for (const char* wanted : {"99", "abacus"}) {
    VulkanOptions options = Options();
    options.device = wanted;
    const auto backend = MakeVulkanBackend(options);
    ASSERT_FALSE(backend.ok());
    EXPECT_EQ(backend.status().code(), StatusCode::kUnsupported);
    EXPECT_NE(backend.status().message().find(StrCat("'", wanted, "'")), std::string::npos);
    const std::vector<VulkanDeviceInfo> devices = ListVulkanDevices().value();
    for (const VulkanDeviceInfo& info : devices)
      EXPECT_NE(backend.status().message().find(info.name), std::string::npos);
  }
}

TEST_F(DeviceTest, TheDefaultIsTheFirstThatQualifies) {
  VulkanOptions options = Options();
  options.device = "";
  const auto backend = MakeVulkanBackend(options);
  const std::vector<VulkanDeviceInfo> devices = ListVulkanDevices().value();
  for (const VulkanDeviceInfo& info : devices) {
    if (info.unusable_reason.empty() && info.not_default_reason.empty()) {
      ASSERT_TRUE(backend.ok());
      EXPECT_EQ((*backend)->Caps().device, "vulkan " + info.name);  // the first that does
      return;
    }
  }
  EXPECT_EQ(backend.status().code(), StatusCode::kUnsupported);
}

TEST_F(DeviceTest, AKernelThatIsLeftOutIsMissingFromItsCaps) {
  VulkanOptions options = Options();
  for (const bool fast : {false, true}) {
    options.fast = fast;
    options.left_out.reset();
    EXPECT_EQ(MakeVulkanBackend(options).value()->Caps().has_step,
              vulkan::KindsWithShaders(fast ? vulkan::Arithmetic::kF16 : vulkan::Arithmetic::kF32));
    options.left_out = StepKind::kPool;
    const auto backend = MakeVulkanBackend(options).value();
    EXPECT_FALSE(backend->Caps().has_step[static_cast<size_t>(StepKind::kPool)]);
    GraphBuilder b;
    const ValueId x = b.Input({1, 4, 6, 5});
    const auto network = PrepareNetwork(b.Output(b.Node(OpType::kMaxPool, {x}, Window(2, 0))), backend->Caps());
    ASSERT_TRUE(network.ok());
    const Status status = Plan(**network, {1, 4, 6, 5}, Head::kNetwork).status();
    EXPECT_EQ(status.code(), StatusCode::kUnsupported);
    EXPECT_NE(status.message().find("MaxPool_0"), std::string::npos) << status.message();
  }
}

TEST_F(DeviceTest, APipelineCacheThatIsDamagedIsMadeAnew) {
  const std::string folder =
      (std::filesystem::temp_directory_path() / StrCat("inkread_vulkan_kernels_", getpid())).string();
  const auto read_once = [&] {
    VulkanOptions options = Options();
    options.cache_folder = folder;
    auto vulkan = MakeVulkanBackend(options);
    ASSERT_TRUE(vulkan.ok());
    auto model = Load(std::move(vulkan).value(), true);
    ASSERT_TRUE(model.ok());
    ExpectRight(Run(**model, 5, 4).value());
    chain_.reset();
  };
  const auto content = [&folder] {
    std::filesystem::directory_iterator files(folder);
    std::ifstream file(files->path(), std::ios::binary);
    return std::pair(files->path(), std::string(std::istreambuf_iterator<char>(file), {}));
  };
  read_once();
  const auto [path, good] = content();
  EXPECT_GT(good.size(), 24u);
  for (std::string bad : {std::string(), std::string("rubbish"), good.substr(0, good.size() / 2), good + good}) {
    std::ofstream(path, std::ios::binary) << bad;
    read_once();
    EXPECT_NEAR(static_cast<double>(content().second.size()), static_cast<double>(good.size()),
                static_cast<double>(good.size()) / 8);  // some drivers compress what they keep
  }
  std::filesystem::remove_all(folder);
}

TEST_F(DeviceTest, EverySizeAndEveryThreadGetsTheSameBits) {
  ExpectTheSameBitsInEveryThread(MakeVulkanBackend(Options()).value());
}

TEST_F(DeviceTest, ManyJobsAtOnceGiveWhatTheyGiveAlone) {
  VulkanOptions options = Options();
  options.max_run_bytes = 2 << 20;
  ExpectManyJobsGiveWhatTheyGiveAlone(MakeVulkanBackend(options).value());
}

// The other tests expect no message of the layer; this one shows that it sends some.
TEST(ValidationTest, TheLayerSpeaksWhenThereIsSomethingToSay) {
  VulkanOptions options;
  options.device = AnyVulkanDevice();
  if (options.device.empty()) GTEST_SKIP() << "there is no Vulkan device on this machine";
  options.validate = true;
  const auto device = vulkan::Device::Open(options);
  if (!device.ok()) GTEST_SKIP() << device.status().message();
  auto commands = vulkan::Commands::Make(*device);
  ASSERT_TRUE(commands.ok());
  ASSERT_TRUE(commands->Begin().ok());
  const size_t before = VulkanMessages().size();
  // A transfer stage has no shader writes.
  commands->Barrier(VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_ACCESS_TRANSFER_READ_BIT);
  EXPECT_GT(VulkanMessages().size(), before);
  EXPECT_TRUE(commands->EndAndRun().ok());
}

}  // namespace
}  // namespace inkread
