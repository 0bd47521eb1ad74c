#include "server/http_message.h"

#include <gtest/gtest.h>

namespace inkread {
namespace {

std::string AllBytes() {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  return bytes;
}

TEST(Base64Test, DecodesWhatItEncodes) {
  for (size_t length = 0; length <= 256; ++length) {
    const std::string bytes = AllBytes().substr(0, length);
    const Result<std::string> decoded = DecodeBase64(EncodeBase64(bytes));
    ASSERT_TRUE(decoded.ok()) << length;
    EXPECT_EQ(*decoded, bytes);
  }
}

TEST(Base64Test, TakesEveryFormThatClientsSend) {
  for (const char* text : {"aGk/Pg==", "aGk/Pg", "aGk_Pg==", " aG\r\nk/\tPg==\n",
                           "data:image/png;base64,aGk/Pg==", "data:;charset=x;base64,aGk/Pg=="})
    EXPECT_EQ(DecodeBase64(text).value_or("error"), "hi?>") << text;
}

TEST(Base64Test, RefusesWhatIsNone) {
  for (const char* text : {"a", "aGk/Pg===", "aG=k", "aGk!", "data:image/png,abcd", "aaaaa"})
    EXPECT_FALSE(DecodeBase64(text).ok()) << text;
}

TEST(FormTest, DecodesNamesAndValues) {
  const Fields expected = {{"a", "1 2"}, {"b c", "=/%"}, {"flag", ""}, {"bad", "%zz%4"}};
  EXPECT_EQ(ParseForm("a=1+2&b%20c=%3d%2F%25&&flag&bad=%zz%4"), expected);
}

TEST(HeaderTest, FindsParameters) {
  EXPECT_EQ(MediaType("Text/HTML; charset=utf-8"), "text/html");
  EXPECT_EQ(HeaderParameter("form-data; name=\"a\\\"b\"; filename=c.png", "name"), "a\"b");
  EXPECT_EQ(HeaderParameter("form-data; name=\"a;b\"; filename=c.png", "filename"), "c.png");
  EXPECT_EQ(HeaderParameter("form-data; flag; Name = x ", "name"), "x");
  EXPECT_EQ(HeaderParameter("form-data", "name"), std::nullopt);
  EXPECT_EQ(HeaderParameter("a; b=\"not closed", "b"), "not closed");
}

TEST(MultipartTest, FindsParts) {
  const auto parts =
      ParseMultipart("multipart/form-data; boundary=\"x y\"",
                     "preamble\r\n--x y\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--2\r\n"
                     "--x y\r\ncontent-disposition: form-data; name=f; filename=\"p\"\r\n"
                     "Content-Type: image/png\r\n\r\n\r\n--x y--\r\nepilogue");
  ASSERT_TRUE(parts.ok()) << parts.status().message();
  ASSERT_EQ(parts->size(), 2u);
  EXPECT_EQ((*parts)[0].name, "a");
  EXPECT_EQ((*parts)[0].content, "1\r\n--2");
  EXPECT_FALSE((*parts)[0].file_name.has_value());
  EXPECT_EQ((*parts)[1].file_name, "p");
  EXPECT_EQ((*parts)[1].content_type, "image/png");
  EXPECT_EQ((*parts)[1].content, "");
}

TEST(MultipartTest, RefusesWhatDoesNotEnd) {
  const std::string type = "multipart/form-data; boundary=x";
  for (const char* body : {"", "--x", "--x\r\n", "--x\r\n\r\n", "--x\r\na: b\r\n\r\nc", "--y\r\n\r\n\r\n--y--"})
    EXPECT_FALSE(ParseMultipart(type, body).ok()) << body;
  std::string many;
  for (int i = 0; i < 1001; ++i) many += "--x\r\n\r\n\r\n";
  EXPECT_FALSE(ParseMultipart(type, many + "--x--").ok());
}

TEST(SecretTest, IsEqualOnlyToItself) {
  EXPECT_TRUE(EqualInConstantTime("", ""));
  EXPECT_TRUE(EqualInConstantTime("abc", "abc"));
  for (const char* other : {"", "ab", "abd", "Abc", "abcd"}) EXPECT_FALSE(EqualInConstantTime("abc", other));
}

}  // namespace
}  // namespace inkread
