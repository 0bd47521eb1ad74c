// Objects without a device: counts, pools, tombstones, strings and collections.
#include <objc/message.h>
#include <objc/runtime.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "tests/metal_emulator/host/test_support.h"

namespace metal_emulator {
namespace {

class ObjectsTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(LiveObjects(), std::vector<std::string>()); }
};

TEST_F(ObjectsTest, AnObjectLivesAsLongAsItIsRetained) {
  NS::String* text = NS::String::alloc()->init("abc", NS::UTF8StringEncoding);
  EXPECT_EQ(text->retainCount(), 1u);
  EXPECT_EQ(text->retain(), text);
  EXPECT_EQ(text->retainCount(), 2u);
  EXPECT_EQ(LiveObjects(), std::vector<std::string>{"<NSString \"abc\"> retained 2x"});
  text->release();
  EXPECT_STREQ(text->utf8String(), "abc");
  text->release();
}

TEST_F(ObjectsTest, NilAnswersNothing) {
  MTL::Device* device = nullptr;
  EXPECT_EQ(device->name(), nullptr);
  EXPECT_FALSE(device->hasUnifiedMemory());
  EXPECT_EQ(device->maxBufferLength(), 0u);
  static_cast<MTL::CommandBuffer*>(nullptr)->commit();
  EXPECT_EQ(static_cast<MTL::CommandBuffer*>(nullptr)->GPUEndTime(), 0);
}

TEST_F(ObjectsTest, AMessageToAnObjectThatIsGoneIsReported) {
  CollectReports collect;
  NS::String* text = NS::String::alloc()->init("abc", NS::UTF8StringEncoding);
  text->release();
  EXPECT_EQ(text->utf8String(), nullptr);
  ExpectReport(collect.Take(), Misuse::kUseAfterRelease, "'UTF8String' to a NSString that is gone");
  text->retain();
  ExpectReport(collect.Take(), Misuse::kUseAfterRelease, "'retain'");
  text->release();
  ExpectReport(collect.Take(), Misuse::kOverRelease, "release of a NSString that is gone");
}

TEST_F(ObjectsTest, AnObjectThatIsGoneIsReportedAsAnArgumentToo) {
  CollectReports collect;
  NS::String* text = NS::String::alloc()->init("abc", NS::UTF8StringEncoding);
  text->release();
  NS::String* copy = NS::String::alloc()->init(text);
  ExpectReport(collect.Take(), Misuse::kUseAfterRelease, "NSString is gone");
  copy->release();
}

TEST_F(ObjectsTest, APoolReleasesWhatIsInIt) {
  auto* pool = NS::AutoreleasePool::alloc()->init();
  NS::String* text = NS::String::string("abc", NS::UTF8StringEncoding);
  EXPECT_STREQ(text->utf8String(), "abc");
  CollectReports collect;
  pool->drain();
  text->utf8String();
  ExpectReport(collect.Take(), Misuse::kUseAfterRelease, "gone");
}

TEST_F(ObjectsTest, AnInnerPoolReleasesOnlyItsOwn) {
  auto* outer = NS::AutoreleasePool::alloc()->init();
  NS::String* first = NS::String::string("first", NS::UTF8StringEncoding);
  auto* inner = NS::AutoreleasePool::alloc()->init();
  NS::String::string("second", NS::UTF8StringEncoding);
  inner->release();
  EXPECT_STREQ(first->utf8String(), "first");
  EXPECT_EQ(LiveObjects().size(), 2u);  // the outer pool and the first string
  outer->release();
}

TEST_F(ObjectsTest, PoolsAreDrainedInReverse) {
  CollectReports collect;
  auto* outer = NS::AutoreleasePool::alloc()->init();
  auto* inner = NS::AutoreleasePool::alloc()->init();
  NS::String::string("abc", NS::UTF8StringEncoding);
  outer->release();
  ExpectReport(collect.Take(), Misuse::kWrongOrder, "before one that was made later");
  EXPECT_EQ(LiveObjects().size(), 1u);  // the inner pool, empty
  inner->release();
  EXPECT_EQ(Kinds(collect.Take()), std::vector<std::string>());
}

TEST_F(ObjectsTest, AutoreleaseTakesAPoolOfTheSameThread) {
  auto* pool = NS::AutoreleasePool::alloc()->init();
  CollectReports collect;
  NS::String* text = nullptr;
  std::thread([&text] { text = NS::String::string("abc", NS::UTF8StringEncoding); }).join();
  ExpectReport(collect.Take(), Misuse::kNoPool, "has no autorelease pool");
  pool->release();
  EXPECT_EQ(LiveObjects().size(), 1u);
  text->release();
}

TEST_F(ObjectsTest, AnObjectReleasedAndInAPoolIsReleasedOnceTooOften) {
  CollectReports collect;
  auto* pool = NS::AutoreleasePool::alloc()->init();
  NS::String::string("abc", NS::UTF8StringEncoding)->release();
  pool->release();
  ExpectReport(collect.Take(), Misuse::kOverRelease, "drain");
}

TEST_F(ObjectsTest, AnUnknownMessageIsReported) {
  CollectReports collect;
  NS::String* text = NS::String::alloc()->init("abc", NS::UTF8StringEncoding);
  EXPECT_EQ(text->character(0), 0);
  ExpectReport(collect.Take(), Misuse::kUnknownMessage, "-[NSString characterAtIndex:]");
  EXPECT_EQ(text->debugDescription(), nullptr);  // metal-cpp asks first whether the object has it
  EXPECT_EQ(Kinds(collect.Take()), std::vector<std::string>());
  text->release();
}

TEST_F(ObjectsTest, AClassThatTheEmulatorDoesNotHaveIsNil) {
  EXPECT_EQ(objc_lookUpClass("MTLRenderPipelineDescriptor"), nullptr);
  EXPECT_EQ(MTL::RenderPipelineDescriptor::alloc(), nullptr);
  EXPECT_NE(objc_getClass("MTLCompileOptions"), nullptr);
  EXPECT_STREQ(class_getName(objc_lookUpClass("NSString")), "NSString");
  EXPECT_TRUE(class_respondsToSelector(objc_lookUpClass("NSString"), sel_registerName("length")));
  EXPECT_FALSE(class_respondsToSelector(objc_lookUpClass("NSString"), sel_registerName("commit")));
  EXPECT_STREQ(sel_getName(sel_registerName("newBufferWithLength:options:")), "newBufferWithLength:options:");
}

TEST_F(ObjectsTest, StringsAreUtf8AndCountInUtf16) {
  auto* pool = NS::AutoreleasePool::alloc()->init();
  NS::String* text = NS::String::string("a\xc3\xa4\xf0\x9f\x98\x80", NS::UTF8StringEncoding);
  EXPECT_EQ(text->length(), 4u);
  EXPECT_EQ(text->lengthOfBytes(NS::UTF8StringEncoding), 7u);
  EXPECT_TRUE(text->isEqualToString(NS::String::string(text)));
  EXPECT_FALSE(text->isEqualToString(MTLSTR("a")));
  NS::String* constant = MTLSTR("constant");
  EXPECT_STREQ(constant->utf8String(), "constant");
  EXPECT_EQ(constant->length(), 8u);
  constant->retain();
  constant->release();
  constant->release();
  EXPECT_TRUE(NS::String::string("constant", NS::UTF8StringEncoding)->isEqualToString(constant));
  EXPECT_TRUE(constant->isEqualToString(NS::String::string("constant", NS::UTF8StringEncoding)));
  CollectReports collect;
  NS::String::string(nullptr, NS::UTF8StringEncoding);
  ExpectReport(collect.Take(), Misuse::kBadArgument, "null pointer");
  NS::String::string("x", NS::UTF16StringEncoding);
  ExpectReport(collect.Take(), Misuse::kUnsupported, "UTF-8");
  pool->release();
}

TEST_F(ObjectsTest, CollectionsKeepWhatIsInThem) {
  auto* pool = NS::AutoreleasePool::alloc()->init();
  NS::String* text = NS::String::alloc()->init("abc", NS::UTF8StringEncoding);
  const NS::Object* objects[] = {text, MTLSTR("constant")};
  NS::Array* array = NS::Array::alloc()->init(objects, 2);
  NS::Dictionary* dictionary = NS::Dictionary::dictionary(text, MTLSTR("key"));
  EXPECT_EQ(text->retainCount(), 3u);
  EXPECT_EQ(array->count(), 2u);
  EXPECT_EQ(array->object<NS::String>(0), text);
  EXPECT_EQ(dictionary->count(), 1u);
  EXPECT_EQ(dictionary->object(NS::String::string("key", NS::UTF8StringEncoding)), text);
  EXPECT_EQ(dictionary->object(MTLSTR("other")), nullptr);
  CollectReports collect;
  EXPECT_EQ(array->object(2), nullptr);
  ExpectReport(collect.Take(), Misuse::kBadArgument, "object 2 of 2");
  array->release();
  EXPECT_EQ(text->retainCount(), 2u);
  text->release();
  pool->release();
}

TEST_F(ObjectsTest, AnErrorTellsDomainAndCode) {
  auto* pool = NS::AutoreleasePool::alloc()->init();
  NS::Error* error = NS::Error::error(MTLSTR("MyDomain"), 7, nullptr);
  EXPECT_EQ(error->code(), 7);
  EXPECT_STREQ(error->domain()->utf8String(), "MyDomain");
  EXPECT_NE(std::string(error->localizedDescription()->utf8String()).find("MyDomain error 7"), std::string::npos);
  pool->release();
}

TEST(SurfaceTest, IsAsItIsWrittenDown) {
  const std::string path = INKREAD_SOURCE_DIR "/tests/metal_emulator/host/surface.txt";
  std::ifstream file(path);
  std::stringstream written;
  written << file.rdbuf();
  EXPECT_EQ(written.str(), Surface()) << "what belongs into " << path << ":\n" << Surface();
}

TEST(EndOfProcessTest, MisuseEndsTheProcess) {
  EXPECT_DEATH(
      {
        NS::String* text = NS::String::alloc()->init("abc", NS::UTF8StringEncoding);
        text->release();
        text->release();
      },
      "Metal emulator: over-release: release of a NSString");
}

TEST(EndOfProcessTest, ALeakEndsTheProcess) {
  EXPECT_DEATH(
      {
        NS::String::alloc()->init("forgotten", NS::UTF8StringEncoding);
        std::exit(0);
      },
      "leak: 1 objects live at the end of the process:\n  <NSString \"forgotten\"> retained 1x");
}

TEST(EndOfProcessTest, ReportsThatNobodyTookEndTheProcess) {
  EXPECT_DEATH(
      {
        CollectReports collect;
        NS::String* text = NS::String::alloc()->init("abc", NS::UTF8StringEncoding);
        text->release();
        text->release();
      },
      "over-release");
}

}  // namespace
}  // namespace metal_emulator
