#include "apps/bench/table.h"

#include <gtest/gtest.h>

#include <sstream>

namespace inkread {
namespace {

using Json = nlohmann::ordered_json;

TEST(BenchTableTest, SetsMembersSideBySide) {
  const Json a = Json::parse(R"({"name": "inkread", "ms": 2.0, "cer": null, "gpu": null, "lines": [1], "zero": 0})");
  const Json b = Json::parse(R"({"name": "other", "ms": 12345.678, "gpu": null, "zero": 1, "extra": 12,
                                "settings": "a text that is wider than its column"})");
  std::ostringstream out;
  PrintMembers({&a, &b}, true, &out);
  EXPECT_EQ(out.str(),
            "name                                 inkread                   other\n"
            "ms                                         2                   12346    6172.839\n"
            "zero                                       0                       1\n"
            "extra                                      -                      12\n"
            "settings\n"
            "  1: -\n"
            "  2: a text that is wider than its column\n");
}

TEST(BenchTableTest, OneColumn) {
  const Json a = Json::parse(R"({"cer": 0.0123456, "on": true})");
  std::ostringstream out;
  PrintMembers({&a}, false, &out);
  EXPECT_EQ(out.str(),
            "cer                                  0.01235\n"
            "on                                      true\n");
}

}  // namespace
}  // namespace inkread
